"""Purge: the one rewrite. What is decided by a patch is carried out on every file, and finished after a crash.

The order keeps what is needed to find the rest until the last: first what was made of the logs, then the patch logs,
evidence and inbox, then the records. A note on disk holds the ids, and nothing of what they said, until all is done.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from store import layout
from store.errors import ReadFailed, WriteFailed
from store.following import show
from store.gathering import gather
from store.line import SCHEMA, canonical
from store.log import leftovers, purge
from store.log.disk import write_whole
from store.log.stub import purged_by
from store.log.transaction import append

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from store.layout import Layout
    from store.log.disk import Disk
    from store.log.patches import PatchIndex
    from store.log.reader import Reader
    from store.state import State

_WORDS = ("excerpt", "context")
UNFINISHED = "the purge is decided and not finished; make room or mend the permissions, and the next command goes on"


@dataclass(slots=True)
class Purged:
    """What a purge did, or would do: ids, and files by name relative to the root."""

    ids: list[str]
    evidence: list[str] = field(default_factory=list)
    """Evidence whose words are gone."""
    shared: list[str] = field(default_factory=list)
    """Evidence kept, since something living rests on it too and it does not hold the statement."""
    rewritten: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    remains: list[str] = field(default_factory=list)
    """Living records and candidates that say the same themselves."""
    by_hand: list[str] = field(default_factory=list)
    """Files that hold it and that only a person may change, or that cannot be read."""
    git: str | None = None
    """A git folder whose history may still hold it."""


def begin(disk: Disk, paths: Layout, lines: Iterable[Mapping[str, Any]]) -> None:
    """Note durably that the ids which these lines of a transaction purge are to be purged. Raises `WriteFailed`."""
    lines = list(lines)
    ids = purged_by(lines)
    path = paths.path(layout.PURGING)
    if not ids:
        return
    note = {"schema": SCHEMA, "patch": lines[0].get("patch"), "at": lines[0].get("at"), "ids": ids}
    # After the torn line that a crash may have left: it says the same, or nothing.
    append(disk, path, [b"", canonical(note)] if needed(paths) else [canonical(note)])


def needed(paths: Layout) -> bool:
    """True when a purge was cut off."""
    return paths.path(layout.PURGING).exists()


def pending(paths: Layout, patches: PatchIndex) -> list[str]:
    """Ids of purges that were cut off; none when the patch that decided on it was taken back."""
    found: dict[str, None] = {}
    for line in _read(paths.path(layout.PURGING)).splitlines():
        try:
            note = json.loads(line)
            patch, at, ids = str(note["patch"]), str(note["at"]), [str(ident) for ident in note["ids"]]
        except (ValueError, KeyError, TypeError):  # torn: then the patch was not carried out either
            continue
        known = [one for one in patches.by_patch.get(patch, ()) if one.at == at]
        if any(one.applying and not one.aborted for one in known):
            found |= dict.fromkeys(ids)
    return list(found)


def finish(reader: Reader, disk: Disk) -> Purged | None:
    """Carry out what is decided and noted; None when the note came to nothing. The caller holds the lock.

    Done again it comes to the same end. Raises `WriteFailed`; the note stays then.
    """
    ids = pending(reader.paths, reader.patches)
    done = run(reader.paths, reader.state, ids, disk) if ids else None
    if done is not None:
        reader.forget()
        reader.refresh()
        follow(reader.paths.root, reader.state, done, disk)
    path = reader.paths.path(layout.PURGING)
    disk.remove(path)
    disk.fsync_dir(path.parent)
    return done


def follow(root: Path, state: State, done: Purged, disk: Disk) -> None:
    """Pages and managed blocks anew, from what is left."""
    from store.projection.blocks import after_purge

    show(root, state, None, disk, shared=True)
    done.by_hand += after_purge(root, state, disk)


def run(
    paths: Layout, state: State, ids: Iterable[str], disk: Disk | None, known: Sequence[Mapping[str, Any]] = ()
) -> Purged:
    """Take what these ids said out of every file; without a disk only say what would be done. Raises `WriteFailed`.

    `known` are lines of theirs that are in no file of the store any more, from a history of it.
    """
    done = Purged(list(ids), git=_git(paths.root))
    erasing = _erasing(paths, state, done, known)
    for name, data in _rewrites(paths, erasing, done):
        path = paths.path(name)
        (done.removed if data is None else done.rewritten).append(name)
        if disk is None:
            continue
        try:
            if data is None:
                disk.remove(path)
                disk.fsync_dir(path.parent)
            else:
                write_whole(disk, path, data)
        except WriteFailed as fault:
            raise WriteFailed(path, fault.cause, UNFINISHED) from fault
    done.remains = list(erasing.remains)
    return done


def _rewrites(paths: Layout, erasing: purge.Erasing, done: Purged) -> Iterator[tuple[str, bytes | None]]:
    """Files that change, in order, with what they will hold; None for those that go."""
    for name in list(leftovers.names(paths)):
        try:
            raw = _read(paths.path(name))
        except ReadFailed:
            done.by_hand.append(name)
            continue
        if leftovers.is_by_hand(name):
            done.by_hand += [name] if leftovers.by_hand(name, raw, erasing.traces) else []
        elif (data := leftovers.cleaned(name, raw, erasing.traces, erasing.ids)) != raw:
            yield name, data
    for name in paths.patch_files():
        yield from _changed(paths, name, lambda raw, path: purge.patches(erasing, raw, path))

    def evidence(raw: bytes, path: Path) -> bytes:
        data, done.evidence = purge.evidence(erasing, raw, path)
        return data

    yield from _changed(paths, layout.EVIDENCE, evidence)
    for name in (layout.CANDIDATES, layout.PROJECTS, *paths.record_files()):
        yield from _changed(paths, name, lambda raw, path, name=name: purge.revisions(erasing, name, raw, path))
    index = paths.path(leftovers.INDEX)
    for path in sorted(index.rglob("*")) if index.is_dir() else ():
        if path.is_file() or path.is_symlink():
            yield paths.name(path), None


def _changed(paths: Layout, name: str, change: Any) -> Iterator[tuple[str, bytes]]:
    path = paths.path(name)
    raw = _read(path)
    data = change(raw, path)
    if data != raw:
        yield name, data


def _erasing(paths: Layout, state: State, done: Purged, known: Sequence[Mapping[str, Any]]) -> purge.Erasing:
    """What is to go, from the files as they are and from what is known besides."""
    ids = frozenset(done.ids)

    def excerpts(goes: set[str]) -> Iterator[str]:
        yield from _evidence_texts(paths, goes)
        yield from (str(one[key]) for one in known if one.get("id") in goes for key in _WORDS if one.get(key))

    lines = [*_said_by(paths, ids), *(one for one in known if one.get("id") in ids)]
    found = gather(state, ids, lines, excerpts)
    done.shared += found.shared
    return found.erasing


def _said_by(paths: Layout, ids: frozenset[str]) -> Iterator[dict[str, Any]]:
    """Every line of these ids."""
    for name in (layout.CANDIDATES, *paths.record_files()):
        path = paths.path(name)
        for _, data in purge.lines_of(_read(path), path, purge.of_ids(ids)):
            if data is not None and data.get("id") in ids:
                yield data


def _evidence_texts(paths: Layout, goes: set[str]) -> Iterator[str]:
    """The words of evidence in its file: of two lines with one id the state knows only one."""
    path = paths.path(layout.EVIDENCE)
    for _, data in purge.lines_of(_read(path), path, purge.of_ids(goes)):
        if data is not None and data.get("id") in goes:
            yield from (str(data[key]) for key in _WORDS if data.get(key))


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return b""
    except OSError as fault:
        raise ReadFailed(path, fault) from fault


def _git(root: Path) -> str | None:
    """The git folder at the root or above it."""
    for folder in (root, *root.parents):
        if (folder / leftovers.GIT).exists():
            return str(folder / leftovers.GIT)
    return None
