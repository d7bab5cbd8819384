"""The index of knowledge: what happened and what there is, beside the index of what is remembered and never in its way.

It has the same tables, so the same search works on it; a tier stands where a record has its layer. Only new tails of
the logs are read. A log that was rewritten is compared line by line, in one transaction, so that nobody ever meets an
empty index.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from store import layout
from store.index import schema
from store.index.fresh import is_fresh, stamp
from store.index.making import built, kept, whole
from store.index.records import Records
from store.index.shown import shown
from store.knowledge.lines import FILES, OBSERVATIONS, parse, rank, texts
from store.knowledge.preview import PREVIEW_VERSION, preview
from store.log.tail import Rewritten, Tail
from store.text import clean, fingerprint

if TYPE_CHECKING:
    from collections.abc import Iterable
    from sqlite3 import Connection

    from store.knowledge.lines import Item

TABLES = """
CREATE TABLE source (
    id TEXT PRIMARY KEY, tier TEXT, hash BLOB, rank TEXT, preview_version INTEGER, day TEXT, time TEXT, session TEXT,
    agent TEXT, name TEXT, kind TEXT
) WITHOUT ROWID;
CREATE TABLE sitting (
    day TEXT, time TEXT, id TEXT, session TEXT, agent TEXT, name TEXT, gist TEXT, project TEXT, profile TEXT,
    PRIMARY KEY (day, time, id)
) WITHOUT ROWID;
CREATE TABLE stated (mark TEXT, id TEXT, PRIMARY KEY (mark, id)) WITHOUT ROWID;
CREATE INDEX stated_id ON stated (id);
CREATE TABLE barred (mark TEXT PRIMARY KEY) WITHOUT ROWID
"""
"""Where each item comes from; what a day's sessions are told by, in the order of time; the statements in each item, and
those that a person rejected or deleted, as fingerprints.
"""


class Taken:
    """What one catch-up changed, by tier."""

    def __init__(self) -> None:
        self.written: dict[str, int] = {}
        self.removed: dict[str, int] = {}
        self.unchanged: dict[str, int] = {}
        self.stale: dict[str, int] = {}
        """What the logs no longer have and was left in, since nobody said that it may go."""


def refreshed(root: Path, *, wait: float = schema.BUSY, hurried: bool = False) -> Connection:
    """The index of knowledge, open and up to date, as `making.kept` has it. Raises `StoreUnusable`, `schema.Fault`,
    OSError.
    """
    return kept(root, schema.KNOWLEDGE, catch_up, build, wait=wait, hurried=hurried)


def catch_up(db: Connection, root: Path, *, anew: bool = False, prune: bool = True) -> Taken | None:
    """Take in what was added to the logs, or all of them anew; None when there was nothing. Raises `schema.Fault`.

    `prune` removes what a log no longer has.
    """
    told = db.execute("SELECT value FROM meta WHERE key = 'preview_version'").fetchone()
    anew = anew or told is None or told[0] != PREVIEW_VERSION
    if not anew and is_fresh(db, str(root)):
        return None
    return whole(db, lambda: _Intake(db, root).run(anew=anew, prune=prune))


def build(root: Path) -> Connection:
    """A new index from the whole logs, put in force when it is complete. Raises `StoreUnusable`, OSError."""
    return built(root, schema.KNOWLEDGE, lambda db: _Intake(db, root).run(anew=True, prune=True), TABLES)


class _Intake:
    """One reading of the logs into the index, within its transaction."""

    def __init__(self, db: Connection, root: Path) -> None:
        self._db = db
        self._root = root
        self._records: Records | None = None
        self._taken = Taken()

    def run(self, *, anew: bool, prune: bool) -> Taken:
        for tier, name in FILES.items():
            self._log(tier, name, anew=anew, prune=prune)
        self._tombstones()
        if self._records is not None:
            self._records.flush()
        self._db.execute("INSERT OR REPLACE INTO meta VALUES ('preview_version', ?)", (PREVIEW_VERSION,))
        return self._taken

    def _log(self, tier: str, name: str, *, anew: bool, prune: bool) -> None:
        path = self._root / name
        seen = stamp(str(path))
        tail = Tail(name, path)
        place = self._db.execute("SELECT offset, line_no, guard FROM file WHERE name = ?", (name,)).fetchone()
        complete = anew or place is None
        if not complete:
            tail.resume(*place)
        try:
            lines = tail.read()
        except Rewritten:
            complete, tail = True, Tail(name, path)
            lines = tail.read()
        best: dict[str, tuple[str, bytes, Item]] = {}
        for line in lines:
            data = parse(line.raw)
            if data is not None:
                own = rank(tier, data, line.raw)
                if own > best.get(data["id"], ("",))[0]:
                    best[data["id"]] = (own, line.raw, data)
        known = self._known(tier, None if complete else best)
        for ident, (own, raw, data) in sorted(best.items()):
            if complete or own > known.get(ident, ("",))[0]:
                self._put(tier, ident, own, raw, data, known.get(ident))
        if complete:
            for ident in sorted(known.keys() - best.keys()):
                self._drop(tier, ident) if prune else self._count(self._taken.stale, tier)
        row = (name, *seen, tail.offset, tail.line_no, tail.guard)
        self._db.execute("INSERT OR REPLACE INTO file VALUES (?, ?, ?, ?, ?, ?, ?)", row)

    def _known(self, tier: str, ids: Iterable[str] | None) -> dict[str, tuple[str, bytes, int]]:
        """Rank, hash and preview version of what is in already."""
        query = "SELECT id, rank, hash, preview_version FROM source WHERE tier = ?"
        if ids is None:
            rows = self._db.execute(query, (tier,)).fetchall()
        else:
            rows = [row for ident in ids for row in self._db.execute(f"{query} AND id = ?", (tier, ident))]
        return {row[0]: (row[1], row[2], row[3]) for row in rows}

    def _put(
        self, tier: str, ident: str, own: str, raw: bytes, data: Item, known: tuple[str, bytes, int] | None
    ) -> None:
        digest = hashlib.sha256(raw).digest()
        if known is not None and known[1:] == (digest, PREVIEW_VERSION):
            self._count(self._taken.unchanged, tier)
            return
        if self._db.execute("SELECT 1 FROM source WHERE id = ? AND tier != ?", (ident, tier)).fetchone():
            return  # no line of ours: an id tells its tier
        gist, text = preview(tier, data)
        if gist:
            self._writing.write(_as_record(tier, data, gist, text), digest.hex())
            self._count(self._taken.written, tier)
        else:
            self._writing.erase(ident)
        said = [_text(data, name) for name in ("day", "time", "session", "agent", "name", "kind")]
        said[4] = shown(said[4]).replace("[", "(").replace("]", ")")
        said[1] = said[1] or _text(data, "until") or _text(data, "at")
        if tier == OBSERVATIONS:
            self._stand_up(ident)
            self._sit(ident, gist, data, said)
        row = (ident, tier, digest, own, PREVIEW_VERSION, *said)
        self._db.execute(f"INSERT OR REPLACE INTO source VALUES ({','.join('?' * len(row))})", row)
        self._db.execute("DELETE FROM stated WHERE id = ?", (ident,))
        marks = {fingerprint(text) for text in texts(data, "decisions", "corrections", "asked")}
        self._db.executemany("INSERT OR IGNORE INTO stated VALUES (?, ?)", [(mark, ident) for mark in sorted(marks)])

    def _sit(self, ident: str, gist: str, data: Item, said: list[str]) -> None:
        day, moment, session, agent, name, _ = said
        project = _text(data, "project")
        if day and project:
            row = (day, moment, ident, session, agent, name, shown(gist), project, _text(data, "profile"))
            self._db.execute(f"INSERT OR REPLACE INTO sitting VALUES ({','.join('?' * len(row))})", row)

    def _stand_up(self, ident: str) -> None:
        row = self._db.execute("SELECT day, time FROM source WHERE id = ?", (ident,)).fetchone()
        if row is not None:
            self._db.execute("DELETE FROM sitting WHERE day = ? AND time = ? AND id = ?", (*row, ident))

    def _drop(self, tier: str, ident: str) -> None:
        self._writing.erase(ident)
        self._stand_up(ident)
        self._db.execute("DELETE FROM source WHERE id = ?", (ident,))
        self._db.execute("DELETE FROM stated WHERE id = ?", (ident,))
        self._count(self._taken.removed, tier)

    def _tombstones(self) -> None:
        """Fingerprints of what a person rejected or deleted: it is told no more, wherever it stands."""
        name = layout.TOMBSTONES
        path = self._root / name
        seen = stamp(str(path))
        known = self._db.execute("SELECT inode, size, mtime FROM file WHERE name = ?", (name,)).fetchone()
        if known == seen:
            return
        newest: dict[str, tuple[int, str | None]] = {}
        try:
            lines = path.read_bytes().splitlines()
        except OSError:
            lines = []
        for line in lines:
            data = parse(line)
            if data is None or not isinstance(data.get("fingerprint"), str):
                continue
            rev = data.get("rev")
            own = (rev if isinstance(rev, int) else 1, None if data.get("lifted") else data["fingerprint"])
            newest[data["id"]] = max(newest.get(data["id"], (0, None)), own, key=lambda each: each[0])
        self._db.execute("DELETE FROM barred")
        marks = {mark for _, mark in newest.values() if mark}
        self._db.executemany("INSERT INTO barred VALUES (?)", [(mark,) for mark in sorted(marks)])
        self._db.execute("INSERT OR REPLACE INTO file VALUES (?, ?, ?, ?, 0, 0, x'')", (name, *seen))

    @property
    def _writing(self) -> Records:
        """Opened when something is to be written: it loads the vocabulary."""
        if self._records is None:
            self._records = Records(self._db)
        return self._records

    @staticmethod
    def _count(counts: dict[str, int], tier: str) -> None:
        counts[tier] = counts.get(tier, 0) + 1


def _as_record(tier: str, data: Item, gist: str, text: str) -> dict[str, Any]:
    """As the tables hold it."""
    return {
        "id": data["id"],
        "rev": 1,
        "layer": tier,
        "statement": gist,
        "body": text,
        "profile": _text(data, "profile") or None,
        "scope": {"type": "project", "project": _text(data, "project") or None},
        "updated_at": _text(data, "until") or _text(data, "time") or _text(data, "at") or _text(data, "day"),
    }


def _text(data: Item, name: str) -> str:
    """A field of a line that another machine may have written, without what SQLite refuses."""
    value = data.get(name)
    return clean(value) if isinstance(value, str) else ""
