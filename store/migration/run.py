"""Migrating: copy, change the copy step by step, verify it, and only then put it in the place of the store.

The store itself is never written to. A crash leaves either the store as it was, with a copy that the next run goes on
with, or the finished copy waiting to be put in place, which the next opening does.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from store.errors import StoreUnusable
from store.layout import HOLDER, INDEX_FOLDER, LOCK, Layout
from store.log import lock
from store.log.disk import Disk, refused, write_whole
from store.migration.place import NOTE, MigrationInterrupted, copy_of, put_in_place
from store.migration.steps import STEPS, Step
from store.migration.version import CURRENT, StoreTooNew, version_of, write_version

if TYPE_CHECKING:
    from store.state import Problem

_LEFT_OUT = frozenset({INDEX_FOLDER, LOCK, HOLDER})
_PATIENCE = 10.0

Progress = Callable[[str], None]


class MigrationFailed(StoreUnusable):
    """The migrated copy is not sound."""

    def __init__(self, root: Path, copy: Path, problems: Sequence[Problem]) -> None:
        first = problems[0]
        super().__init__(
            f"{root} stays as it is: the migrated copy {copy} has {len(problems)} problems that the store had not, "
            f"first {first.file}: {first.problem}; report it, with `curate verify --home {copy}`"
        )


@dataclass(slots=True)
class Migrated:
    """What a migration did, or in a rehearsal would do."""

    before: int
    after: int
    steps: list[Step] = field(default_factory=list)
    kept: Path | None = None
    """The store as it was; delete it when all is well."""


def migrate(
    root: Path,
    *,
    steps: Sequence[Step] = STEPS,
    target: int = CURRENT,
    dry_run: bool = False,
    disk: Disk | None = None,
    progress: Progress = lambda _: None,
) -> Migrated:
    """Bring a store to version `target`. Raises `StoreTooNew`, `MigrationFailed`, `StoreUnusable`."""
    # A link to a store stays one, and a folder that one stands in goes by its name while it moves.
    root, disk = Path(os.path.realpath(root)), disk or Disk()
    _put_in_place(root, disk)
    before = version_of(root)
    if before > target:
        raise StoreTooNew(root, before)
    due = [step for step in steps if before <= step.number < target]
    done = Migrated(before, target, due)
    if dry_run or not due or not root.is_dir():
        return done
    with lock.writing(root, wait=_PATIENCE):
        copy = _copy(root, disk, progress)
        for step in due:
            if version_of(copy) == step.number:
                progress(step.says)
                step.run(copy, disk)
                write_version(copy, step.number + 1, disk)
        _insist_on_sound(root, copy)
        kept = _free_name(root, f"version-{before}")
        _note(copy, {"finished": True, "kept": kept.name}, disk)
        disk.replace(root, kept)
    _put_in_place(root, disk)
    done.kept = kept
    return done


def _put_in_place(root: Path, disk: Disk) -> None:
    """The same also where a program wrote something meanwhile, such as a turn of the journal: that goes aside."""
    try:
        put_in_place(root, disk)
    except MigrationInterrupted:
        disk.replace(root, _free_name(root, "between"))
        put_in_place(root, disk)


def _copy(root: Path, disk: Disk, progress: Progress) -> Path:
    """A copy of the store as it is now: the one of an earlier run, if the store is still the same."""
    copy, stamp = copy_of(root), _stamp(root)
    with contextlib.suppress(OSError, ValueError):
        if json.loads((copy / NOTE).read_bytes()).get("of") == stamp:
            return copy
    progress("copying the store")
    try:
        if copy.exists():
            shutil.rmtree(copy)
        shutil.copytree(root, copy, symlinks=True, ignore=lambda _folder, names: _LEFT_OUT.intersection(names))
        for folder, _, names in os.walk(copy):
            for name in names:
                if not Path(folder, name).is_symlink():
                    disk.fsync(Path(folder, name))
    except OSError as fault:
        raise refused(copy, fault) from fault
    _note(copy, {"of": stamp}, disk)
    return copy


def _insist_on_sound(root: Path, copy: Path) -> None:
    from store.log.verify import verify

    old = {(each.file, each.problem) for each in verify(Layout(root))}
    new = [each for each in verify(Layout(copy)) if (each.file, each.problem) not in old]
    if new:
        raise MigrationFailed(root, copy, new)


def _stamp(root: Path) -> str:
    """Names, sizes and times of all files: changes whenever anything was written."""
    digest = hashlib.sha256()
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if name not in _LEFT_OUT)
        for name in sorted(set(names) - _LEFT_OUT):
            path = Path(folder, name)
            status = path.lstat()
            told = f"{path.relative_to(root)}\0{status.st_size}\0{status.st_mtime_ns}\n"
            digest.update(told.encode("utf-8", "surrogateescape"))
    return digest.hexdigest()


def _note(copy: Path, told: dict[str, object], disk: Disk) -> None:
    write_whole(disk, copy / NOTE, json.dumps(told).encode())


def _free_name(root: Path, ending: str) -> Path:
    """A name beside the store that nothing has."""
    base = root.with_name(f"{root.name}.{ending}")
    names = [base, *(base.with_name(f"{base.name}-{number}") for number in range(2, 1000))]
    return next(name for name in names if not name.exists())
