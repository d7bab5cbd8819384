"""Keeps the index in step with the logs: only their new tails are read, and at any doubt it is built anew.

The order of one catch-up: take SQLite's write lock, look how far was read, read on, fold, write, commit. So two
processes never take in the same line twice, and readers see the state before or after.
"""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING

from store.index import schema
from store.index.builder import PATIENCE, only_builder
from store.index.fresh import is_fresh
from store.index.rows import Rows
from store.index.tails import Tails
from store.layout import Layout
from store.log.tail import Rewritten

if TYPE_CHECKING:
    from sqlite3 import Connection

_TRIES = 6


def refreshed(root: Path, *, wait: float = schema.BUSY, hurried: bool = False) -> Connection:
    """The index of a store, open and up to date. A missing, foreign, broken or outrun one is built anew, by one process
    at a time; whoever is `hurried` waits no longer for another than for a lock (`BeingBuilt`).

    Raises `StoreUnusable` when the logs must be refused, and `schema.Fault` when the folder cannot be written.
    """
    for _ in range(_TRIES):
        path = schema.current(str(root))
        if path is not None:
            db = _followed(path, root, wait)
            if db is not None:
                return db
        with only_builder(str(root), schema.RECORDS, wait=wait if hurried else PATIENCE, gives_up=hurried):
            if schema.current(str(root)) not in {None, path}:
                continue  # another was at it meanwhile
            try:
                return build(root)
            except (Rewritten, schema.NoIndex):
                continue  # the logs were rewritten while they were read; or another build is in force already
    return build(root)


def _followed(path: str, root: Path, wait: float) -> Connection | None:
    """The index at a path, brought up to date; None when it is of no use. Raises `Fault` when others hold it."""
    db = None
    try:
        db = schema.connect(path, wait=wait)
        catch_up(db, root)
    except (schema.NoIndex, Rewritten, schema.Fault) as fault:
        if db is not None:
            db.close()
        if schema.is_busy(fault):
            raise
        return None
    return db


def catch_up(db: Connection, root: Path) -> bool:
    """Take in what was added to the logs; True when there was something.

    Raises `Rewritten` when they are not a continuation of what was read, and `schema.Fault`.
    """
    if is_fresh(db, str(root)):
        return False
    db.execute("BEGIN IMMEDIATE")
    try:
        changed = _take_in(db, root)
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise
    return changed


def build(root: Path) -> Connection:
    """A new index from the whole logs, put in force when it is complete. Raises `Rewritten`, `StoreUnusable`,
    OSError.
    """
    folder = root / schema.FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    name = f"recall-{time.time_ns():x}-{os.getpid():x}"
    draft = folder / f"{name}.building"
    db = schema.create(str(draft))
    try:
        _take_in(db, root)
        db.execute("INSERT INTO meta VALUES ('complete', 1)")
        db.execute("COMMIT")
        db.execute("PRAGMA journal_mode = DELETE")
    except BaseException:
        db.close()
        draft.unlink(missing_ok=True)
        raise
    db.close()
    path = folder / f"{name}.sqlite"
    draft.replace(path)
    schema.publish(str(root), str(path))
    return schema.connect(str(path))


def _take_in(db: Connection, root: Path) -> bool:
    tails = Tails(db, Layout(root))
    rows = Rows(db, root)
    changed = tails.read(rows)
    rows.flush()
    tails.save()
    return changed
