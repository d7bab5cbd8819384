"""How an index is made and kept, whatever is in it: brought up to date in one transaction, or built anew beside the one
in force and put in its place when it is complete, by one process at a time.
"""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, TypeVar

from store.index import schema
from store.index.builder import PATIENCE, only_builder
from store.log.tail import Rewritten

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from sqlite3 import Connection

Result = TypeVar("Result")
TRIES = 6
"""How often a build starts again because the logs were rewritten while they were read."""


def kept(
    root: Path,
    kind: str,
    catch_up: Callable[[Connection, Path], object],
    build: Callable[[Path], Connection],
    *,
    wait: float,
    hurried: bool,
) -> Connection:
    """The index of a kind, open and up to date. A missing, foreign, broken or outrun one is built anew, by one process
    at a time; whoever is `hurried` waits no longer for another than for a lock (`BeingBuilt`).

    Raises `schema.Fault` when the folder cannot be written, and what `build` raises.
    """
    for _ in range(TRIES):
        path = schema.current(str(root), kind)
        if path is not None:
            db = _followed(path, root, catch_up, wait)
            if db is not None:
                return db
        with only_builder(str(root), kind, wait=wait if hurried else PATIENCE, gives_up=hurried):
            if schema.current(str(root), kind) not in {None, path}:
                continue  # another was at it meanwhile
            try:
                return build(root)
            except (Rewritten, schema.NoIndex):
                continue  # the logs were rewritten while they were read; or another build is in force already
    return build(root)


def built(root: Path, kind: str, fill: Callable[[Connection], object], tables: str = "") -> Connection:
    """A new index with `tables` of its own, filled, and put in force when it is complete. Raises OSError, and whatever
    filling it raises.
    """
    folder = root / schema.FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    name = f"{kind}-{time.time_ns():x}-{os.getpid():x}"
    draft = folder / f"{name}.building"
    db = schema.create(str(draft), tables)
    try:
        fill(db)
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
    schema.publish(str(root), str(path), kind)
    return schema.connect(str(path))


def whole(db: Connection, work: Callable[[], Result]) -> Result:
    """Do the work in one transaction, all of it or nothing. Raises `schema.Fault`, and what the work raises."""
    db.execute("BEGIN IMMEDIATE")
    try:
        done = work()
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise
    return done


def _followed(path: str, root: Path, catch_up: Callable[[Connection, Path], object], wait: float) -> Connection | None:
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
