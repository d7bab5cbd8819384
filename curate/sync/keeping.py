"""What the store holds put into commits, and what commits hold put into the store. The caller holds the lock."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from curate.sync import commits, units
from curate.sync.carried import files, kind_of
from store.errors import ReadFailed
from store.log.disk import Disk, write_whole

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from curate.sync.repository import Repository, Tree
    from curate.sync.units import Files, Unit

_ORDER = ("projects.jsonl", "memory/evidence.jsonl", "memory/tombstones.jsonl", "inbox/", "patches/")
"""What others name comes first, so that a reader who looks in between finds it."""


@dataclass(slots=True)
class Work:
    """The files of a store that travel, and those that are nobody's."""

    files: dict[str, bytes] = field(default_factory=dict)
    foreign: list[str] = field(default_factory=list)

    def differing(self, tree: Tree) -> Files:
        """The files that are not as in a commit."""
        found: Files = {}
        for name, raw in self.files.items():
            known = tree.get(name)
            if known is None or known[1] != blob_id(raw):
                found[name] = raw
        return found


def read(root: Path, *, journal: bool) -> Work:
    """The files as they are. Raises `ReadFailed`."""
    work = Work()
    for name in files(root):
        kind = kind_of(name, journal=journal)
        path = root / name
        if kind == "foreign" or (kind != "local" and path.is_symlink()):
            work.foreign.append(name)
        elif kind != "local":
            try:
                work.files[name] = path.read_bytes()
            except OSError as fault:
                raise ReadFailed(path, fault) from fault
    return work


def foreign(root: Path, work: Work, tree: Tree) -> list[str]:
    """Files that are not the store's and not as in a commit."""
    return [name for name in work.foreign if name not in tree or differs(root / name, tree[name][1])]


def differs(path: Path, sha: str) -> bool:
    """Whether a file is not the object of that id."""
    try:
        return blob_id(path.read_bytes()) != sha
    except OSError:
        return True


def pending(repo: Repository, work: Work, tree: Tree, *, journal: bool, at: str) -> list[Unit]:
    """The commits that are due: what the store has that a commit's tree has not."""
    after = work.differing(tree)
    kinds = {name: kind_of(name, journal=journal) for name in tree if name not in work.files}
    gone = [name for name, kind in kinds.items() if kind in ("text", "settings", "local")]
    after |= dict.fromkeys(gone)
    before = {name: repo.blob(tree[name][1]) for name in after if name in tree}
    return units.split(before, after, journal=journal, at=at)


def commit(repo: Repository, parent: str | None, steps: list[Unit], *, force: bool = False) -> str:
    """Put the commits on top of a parent and move the branch there; the work tree has what they hold."""
    head = commits.write(repo, parent, steps, force=force)
    told: dict[str, str | None] = {}
    for step in steps:
        for name, data in step.files.items():
            told[name] = None if data is None else blob_id(data)
    repo.index(told.items())
    return head


def put(root: Path, changes: Mapping[str, bytes | None], disk: Disk | None = None) -> None:
    """Write merged files into the store, each whole or not at all. Raises `WriteFailed`."""
    disk = disk or Disk()
    for name in sorted(changes, key=_rank):
        data = changes[name]
        if data is None:
            disk.remove(root / name)
        else:
            write_whole(disk, root / name, data)


def blob_id(raw: bytes) -> str:
    """The id that git gives to bytes."""
    return hashlib.sha1(b"blob %d\0" % len(raw) + raw, usedforsecurity=False).hexdigest()


def _rank(name: str) -> tuple[int, str]:
    return next((at for at, start in enumerate(_ORDER) if name.startswith(start)), len(_ORDER)), name
