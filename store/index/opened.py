"""The index of knowledge for one turn, as far as it can be had at once. Standard library only, and little of it; the
hook opens it. What happened in the past is worth no waiting: without it a turn goes by what is remembered.
"""

from __future__ import annotations

import os

from store.index import schema
from store.index.fresh import stale, stamp

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sqlite3 import Connection

FOLDER = "knowledge"
INLINE_BYTES = 48_000
"""Bytes of new lines that are taken in while an agent waits; more is left to the end of the turn."""
WAIT = 0.2
"""Seconds to wait for another process that is writing to it."""


def open_knowledge(root: str, *, patient: bool) -> Connection | None:
    """The index, up to date if that is quick or the caller is patient; None where nothing is known. Raises nothing."""
    if not os.path.isdir(f"{root}{os.sep}{FOLDER}"):
        return None
    late: Connection | None = None
    path = schema.current(root, schema.KNOWLEDGE)
    try:
        if path is not None:
            late = schema.connect(path, wait=WAIT)
            changed = stale(late, root)
            if not changed or not patient and _growth(late, root, changed) > INLINE_BYTES:
                return late
        elif not patient and _growth(None, root, []) > INLINE_BYTES:
            return None
    except schema.NoIndex:
        if not patient:
            return None
    except schema.Fault as fault:
        if not schema.is_busy(fault):
            schema.discard(root, schema.KNOWLEDGE)
        return None
    return _refreshed(root, hurried=not patient) or late


def discard_broken(db: Connection) -> None:
    """Have an index that could not be read built anew by whoever needs it next. Raises nothing."""
    try:
        path = db.execute("PRAGMA database_list").fetchone()[2]
    except schema.Fault:
        return
    if path:
        schema.discard(os.path.dirname(os.path.dirname(path)), schema.KNOWLEDGE)


def _refreshed(root: str, *, hurried: bool) -> Connection | None:
    from pathlib import Path

    from store.errors import CurateError
    from store.index.knowledge import refreshed

    try:
        return refreshed(Path(root), wait=WAIT, hurried=hurried)
    except (schema.Fault, CurateError, OSError):
        return None


def _growth(db: Connection | None, root: str, names: list[str]) -> int:
    """Bytes that were added to these files; without an index, of all."""
    if db is None:
        with os.scandir(f"{root}{os.sep}{FOLDER}") as entries:
            return sum(entry.stat().st_size for entry in entries)
    known = dict(db.execute("SELECT name, size FROM file").fetchall())
    return sum(max(0, stamp(f"{root}{os.sep}{name}")[1] - known[name]) for name in names)
