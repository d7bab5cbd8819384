"""Where the copy that a migration works on stands, and how it takes the store's place. Every opening looks here."""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path

from store.errors import StoreUnusable, WriteFailed
from store.log.disk import Disk

COPY = ".migrating"
"""Ending of the copy's name, beside the store."""
NOTE = "migration.json"
"""In the copy: what it is a copy of, and whether it is finished."""


class MigrationInterrupted(StoreUnusable):
    """The store was taken away, its copy not yet put in place, and meanwhile somebody wrote there."""

    def __init__(self, root: Path, copy: Path) -> None:
        super().__init__(f"{root}: a migration was interrupted, and the store is in {copy}; run `curate migrate`")


def copy_of(root: Path) -> Path:
    """Where the copy of a store is worked on: beside the folder itself, wherever a link to it may stand."""
    return Path(f"{os.path.realpath(root)}{COPY}")


def put_in_place(root: Path, disk: Disk | None = None) -> None:
    """Finish a migration that a crash left between taking the store away and putting the copy in its place.

    Raises `MigrationInterrupted` when something else stands there, and `WriteFailed`.
    """
    copy = copy_of(root)
    if not _is_due(copy):
        return
    home, disk = Path(os.path.realpath(root)), disk or Disk()
    if home.exists():
        if _is_due(copy):  # nobody has just done it
            raise MigrationInterrupted(root, copy)
        return
    try:
        disk.replace(copy, home)
    except WriteFailed:
        if _is_due(copy):
            raise
        return  # another process was quicker
    disk.remove(home / NOTE)
    disk.fsync_dir(home.parent)


def _is_due(copy: Path) -> bool:
    """Whether the copy is finished and the store as it was stands aside already."""
    if not copy.is_dir():
        return False
    with contextlib.suppress(OSError, ValueError, TypeError, AttributeError):
        note = json.loads((copy / NOTE).read_bytes())
        kept = note.get("kept")
        return note.get("finished") is True and isinstance(kept, str) and (copy.parent / kept).is_dir()
    return False
