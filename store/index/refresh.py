"""Keeps the index in step with the logs: only their new tails are read, and at any doubt it is built anew.

The order of one catch-up: take SQLite's write lock, look how far was read, read on, fold, write, commit. So two
processes never take in the same line twice, and readers see the state before or after.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from store.index import schema
from store.index.fresh import is_fresh
from store.index.making import built, kept, whole
from store.index.rows import Rows
from store.index.tails import Tails
from store.layout import Layout

if TYPE_CHECKING:
    from pathlib import Path
    from sqlite3 import Connection


def refreshed(root: Path, *, wait: float = schema.BUSY, hurried: bool = False) -> Connection:
    """The index of a store, open and up to date, as `making.kept` has it.

    Raises `StoreUnusable` when the logs must be refused, and `schema.Fault` when the folder cannot be written.
    """
    return kept(root, schema.RECORDS, catch_up, build, wait=wait, hurried=hurried)


def catch_up(db: Connection, root: Path) -> bool:
    """Take in what was added to the logs; True when there was something.

    Raises `Rewritten` when they are not a continuation of what was read, and `schema.Fault`.
    """
    return not is_fresh(db, str(root)) and whole(db, lambda: _take_in(db, root))


def build(root: Path) -> Connection:
    """A new index from the whole logs, put in force when it is complete. Raises `Rewritten`, `StoreUnusable`,
    OSError.
    """
    return built(root, schema.RECORDS, lambda db: _take_in(db, root))


def _take_in(db: Connection, root: Path) -> bool:
    tails = Tails(db, Layout(root))
    rows = Rows(db, root)
    changed = tails.read(rows)
    rows.flush()
    tails.save()
    return changed
