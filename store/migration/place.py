"""Where the copy that a migration works on stands, and how it takes the store's place. Every opening looks here."""

from __future__ import annotations

import contextlib
import json
from typing import TYPE_CHECKING

from store.log.disk import Disk

if TYPE_CHECKING:
    from pathlib import Path

COPY = ".migrating"
"""Ending of the copy's name, beside the store."""
NOTE = "migration.json"
"""In the copy: what it is a copy of, and whether it is finished."""


def copy_of(root: Path) -> Path:
    """Where the copy of a store is worked on."""
    return root.with_name(root.name + COPY)


def put_in_place(root: Path, disk: Disk | None = None) -> None:
    """Finish a migration that a crash left between taking the store away and putting the copy in its place."""
    copy = copy_of(root)
    if root.exists() or not copy.is_dir():
        return
    with contextlib.suppress(OSError, ValueError):
        if json.loads((copy / NOTE).read_bytes()).get("finished") is True:
            (disk or Disk()).replace(copy, root)
            (disk or Disk()).remove(root / NOTE)
            (disk or Disk()).fsync_dir(root.parent)
