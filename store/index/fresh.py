"""Whether the logs have changed since the index read them: asked in every turn, so it costs one `stat` for each
file.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sqlite3 import Connection

Stamp = tuple[int, int, int]
"""Inode, size and time of change."""


def is_fresh(db: Connection, root: str) -> bool:
    """True when every file and folder that the index knows is as it was. Raises `schema.Fault`."""
    return not stale(db, root)


def stale(db: Connection, root: str) -> list[str]:
    """Names of the files and folders (with a slash at the end) that have changed."""
    return [
        name
        for name, inode, size, mtime in db.execute("SELECT name, inode, size, mtime FROM file")
        if stamp(f"{root}{os.sep}{name}") != (inode, size, mtime)
    ]


def stamp(path: str) -> Stamp:
    """What tells whether a file, or the list of names in a folder, has changed; zeros for what is not there."""
    try:
        found = os.stat(path)
    except OSError:
        return (0, 0, 0)
    return (found.st_ino, 0 if path.endswith("/") else found.st_size, found.st_mtime_ns)
