"""The index on disk: one SQLite file for each time it was built, and `current`, which names the one in force.

A build never touches the file that others read, and a leftover journal never meets a file it does not belong to.
Standard library only; the hook opens it.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3 as sqlite
    from collections.abc import Callable
    from sqlite3 import Connection
    from types import ModuleType


def _driver() -> ModuleType:
    """The C module alone: the package around it brings datetime and more, which the hook has no use for.

    It takes `lru_cache` from functools, which brings collections and more: a third of what a hook costs on top of
    Python. Where functools is not loaded yet, the C part of that function stands in for it.
    """
    try:
        stands_in = None
        if "functools" not in sys.modules:
            from _functools import _lru_cache_wrapper  # type: ignore[import-not-found]

            def lru_cache(size: int) -> Callable[[object], object]:
                return lambda asked: _lru_cache_wrapper(asked, size, False, tuple)

            stands_in = sys.modules["functools"] = type(sys)("functools")
            stands_in.lru_cache = lru_cache  # type: ignore[attr-defined]
        try:
            import _sqlite3
        finally:
            if stands_in is not None and sys.modules.get("functools") is stands_in:
                del sys.modules["functools"]
    except ImportError:  # pragma: no cover - another Python
        import sqlite3

        return sqlite3
    return _sqlite3


if not TYPE_CHECKING:
    sqlite = _driver()

FOLDER = "index"
CURRENT = "current"
RECORDS, KNOWLEDGE = "recall", "knowledge"
"""What there is an index of, each in files of its own, so that neither makes the other slower."""
VERSION = "8"
"""Changes with the tables, the terms, the vectors and what is shown: an index of another version is built anew."""
BUSY = 2.0
"""Seconds to wait for another process that is writing to the index."""

LEFT = 600
"""Seconds after which an index that is not in force was left by a process that died."""

Fault = sqlite.Error
"""Whatever SQLite has to complain about."""

TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE file (
    name TEXT PRIMARY KEY, inode INTEGER, size INTEGER, mtime INTEGER, offset INTEGER, line_no INTEGER, guard BLOB
) WITHOUT ROWID;
CREATE TABLE revision (
    hash BLOB PRIMARY KEY, id TEXT, rev INTEGER, parent BLOB, joins TEXT, at TEXT, file TEXT, offset INTEGER,
    size INTEGER, planned BLOB
) WITHOUT ROWID;
CREATE INDEX revision_id ON revision (id);
CREATE TABLE bucket (
    bucket INTEGER PRIMARY KEY, key TEXT UNIQUE, status TEXT, layer TEXT, profile TEXT, type TEXT, project TEXT,
    paths TEXT, domains TEXT, count INTEGER DEFAULT 0, conditional INTEGER DEFAULT 0
);
CREATE TABLE record (
    n INTEGER PRIMARY KEY, id TEXT UNIQUE, rev INTEGER, hash BLOB, bucket INTEGER, chunk INTEGER, hard INTEGER,
    rule_type TEXT, confidence REAL, pinned INTEGER, updated TEXT, valid_from TEXT, valid_to TEXT, gist TEXT, body TEXT,
    supersedes TEXT, conditions TEXT, terms TEXT, pieces BLOB
);
CREATE INDEX record_best ON record (bucket, hard DESC, confidence DESC, id);
CREATE INDEX record_latest ON record (bucket, updated DESC, id);
CREATE INDEX record_bucket ON record (bucket);
CREATE INDEX record_pinned ON record (bucket) WHERE pinned = 1;
CREATE INDEX record_timed ON record (bucket) WHERE valid_from IS NOT NULL OR valid_to IS NOT NULL;
CREATE TABLE superseded (old TEXT, new INTEGER, PRIMARY KEY (old, new)) WITHOUT ROWID;
CREATE TABLE phrase (phrase INTEGER PRIMARY KEY, text TEXT UNIQUE, count INTEGER DEFAULT 0);
CREATE TABLE phrase_key (key TEXT, phrase INTEGER, PRIMARY KEY (key, phrase)) WITHOUT ROWID;
CREATE TABLE condition (
    phrase INTEGER, kind TEXT, bucket INTEGER, n INTEGER, trust REAL, PRIMARY KEY (phrase, kind, bucket, n)
) WITHOUT ROWID;
CREATE TABLE chunk (chunk INTEGER PRIMARY KEY, bucket INTEGER, count INTEGER, numbers BLOB, signatures BLOB);
CREATE INDEX chunk_bucket ON chunk (bucket);
CREATE TABLE vector (n INTEGER PRIMARY KEY, packed BLOB, length REAL);
CREATE TABLE piece (piece INTEGER PRIMARY KEY, count INTEGER);
CREATE TABLE term (term TEXT PRIMARY KEY, count INTEGER) WITHOUT ROWID;
CREATE TABLE project (id TEXT PRIMARY KEY, name TEXT, profile TEXT, branch_scope INTEGER) WITHOUT ROWID;
CREATE TABLE project_name (name TEXT, kind TEXT, id TEXT, PRIMARY KEY (name, kind, id)) WITHOUT ROWID;
CREATE TABLE place (
    folder TEXT PRIMARY KEY, stamp TEXT, project TEXT, root TEXT, name TEXT, profile TEXT
) WITHOUT ROWID;
"""


WORDS = """
CREATE VIRTUAL TABLE words USING fts5 (
    terms, bucket, content='', columnsize=1,
    tokenize="unicode61 remove_diacritics 0 tokenchars '!#$%&()*+,-./:;<=>?@[\\]^_`{|}~'"
)"""
WORDS_WITHOUT_FTS = "CREATE TABLE words (terms TEXT, bucket TEXT)"
"""What stands in for it where SQLite was built without FTS5: terms are then counted row by row."""


class NoIndex(Exception):
    """There is no index that can be used; the argument says why."""


def current(root: str, kind: str = RECORDS) -> str | None:
    """The path of the index in force, or None."""
    try:
        with open(_join(root, FOLDER, _pointer(kind)), "rb", buffering=0) as file:
            name = (file.read(64) or b"").decode("utf-8", "replace").strip()
    except OSError:
        return None
    return _join(root, FOLDER, name) if name.startswith(f"{kind}-") and "/" not in name and "\\" not in name else None


def connect(path: str, *, wait: float = BUSY) -> Connection:
    """Open an index that exists. Raises `NoIndex` when it is of another version, and `Fault`."""
    if not os.path.exists(path):
        raise NoIndex("it is not there")
    db = sqlite.connect(path, timeout=wait, isolation_level=None)
    try:
        found = dict(db.execute("SELECT key, value FROM meta WHERE key IN ('version', 'complete')").fetchall())
    except BaseException:
        db.close()
        raise
    if found.get("version") != VERSION or not found.get("complete"):
        db.close()
        raise NoIndex("it is of another version")
    return db


def create(path: str, more: str = "") -> Connection:
    """A new, empty index, not yet complete, with the tables that every one has and `more` of its own."""
    db = sqlite.connect(path, timeout=BUSY, isolation_level=None)
    db.execute("PRAGMA page_size = 8192")
    db.execute("PRAGMA journal_mode = OFF")  # nobody else knows the file yet
    db.execute("PRAGMA synchronous = OFF")
    db.execute("BEGIN")
    for statement in (TABLES.strip() + "\n" + more.strip()).split(";\n"):
        db.execute(statement)
    db.execute("INSERT INTO meta VALUES ('version', ?)", (VERSION,))
    if _knows_fts():
        db.execute(WORDS)
        db.execute("INSERT INTO meta VALUES ('fts', 1)")
    else:
        db.execute(WORDS_WITHOUT_FTS)
    return db


def _knows_fts() -> bool:
    try:
        sqlite.connect(":memory:").execute(WORDS)
    except Fault:
        return False
    return True


def is_busy(fault: BaseException) -> bool:
    """Whether another process held the index for too long, as opposed to something being wrong with it."""
    return getattr(fault, "sqlite_errorname", "").startswith(("SQLITE_BUSY", "SQLITE_LOCKED"))


def discard(root: str, kind: str = RECORDS) -> None:
    """Have the next one who needs the index build it anew. Raises nothing."""
    _remove(_join(root, FOLDER, _pointer(kind)))


def has_fts(db: Connection) -> bool:
    """Whether the index was built where SQLite can search by words itself."""
    return db.execute("SELECT 1 FROM meta WHERE key = 'fts'").fetchone() is not None


def publish(root: str, path: str, kind: str = RECORDS) -> None:
    """Put a complete index in force and remove the one before it, and what builds that died left, as far as the system
    lets us.
    """
    folder = _join(root, FOLDER)
    before = current(root, kind)
    draft = f"{path}.current"
    with open(draft, "w", encoding="ascii") as file:
        file.write(os.path.basename(path) + "\n")
    os.replace(draft, _join(folder, _pointer(kind)))
    if before is not None and before != path:
        _remove(before)
    for other in os.listdir(folder):
        if other.startswith(f"{kind}-") and other != os.path.basename(path) and _is_left(_join(folder, other)):
            _remove(_join(folder, other))


def _pointer(kind: str) -> str:
    """Name of the file that names the index of a kind."""
    return CURRENT if kind == RECORDS else f"{CURRENT}-{kind}"


def _is_left(path: str) -> bool:
    """Whether nobody can be at it any more: another process may be building, or about to put its index in force."""
    import time

    try:
        return time.time() - os.stat(path).st_mtime > LEFT
    except OSError:
        return False


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except OSError:  # another process has it open, on a system where that keeps it
        return


def _join(*parts: str) -> str:
    return os.path.join(*parts)
