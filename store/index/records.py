"""One record as the index holds it: what to find it by, where it holds, and the text that a block may show."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from store.index.chunks import Chunks
from store.index.encoder import Encoder, length, signature, small
from store.index.phrases import content_words, keys
from store.index.schema import has_fts
from store.index.shown import shown
from store.index.terms import terms
from store.text import clean

if TYPE_CHECKING:
    from collections.abc import Iterable
    from sqlite3 import Connection

HARD_TYPES = frozenset({"avoid_pattern", "prefer_pattern", "convention", "correction"})
HARD_CONFIDENCE = 0.85
HARD, HARD_IF = 1, 2
"""In the column `hard`: a hard rule wherever its scope is, and one that holds only when a condition for applying is
met.
"""
TEXT_LIMIT = 20_000
"""Characters of a record that are searched; nobody reads further."""
NARROWING = ("applies_when", "does_not_apply_when", "known_exceptions")
SEPARATOR = "\x1f"


class Records:
    """Writes rows of records; counts and signatures are gathered and written by `flush`."""

    def __init__(self, db: Connection) -> None:
        self._db = db
        self._fts = has_fts(db)
        self._encoder = Encoder()
        self._chunks = Chunks(db)
        self._buckets: dict[str, int] = dict(db.execute("SELECT key, bucket FROM bucket").fetchall())
        self._counts: dict[int, int] = {}
        """Changes to how often pieces occur."""
        self._terms: dict[str, int] = {}
        """Changes to how many records have a term."""
        self._members: dict[int, list[int]] = {}
        """Changes to how many records a bucket has, all and with a condition for applying."""
        self._next = int(db.execute("SELECT coalesce(max(n), 0) + 1 FROM record").fetchone()[0])
        self._empty = self._next == 1

    def write(self, data: dict[str, Any], hash_: str, status: str | None = None) -> None:
        """Put a record in, in place of what was known of it. `status` overrules that of the data (a fork)."""
        number = self._erase(str(data["id"])) or self._next
        self._next = max(self._next, number + 1)
        bucket = self._bucket(data, status or str(data.get("status", "active")))
        statement, body = str(data.get("statement", "")), str(data.get("body") or "")
        text = clean(body if body.startswith(statement) else f"{statement}\n{body}")[:TEXT_LIMIT]
        found = terms("\n".join((text, *map(str, data.get("tags") or ()))))
        vector, pieces = self._encoder.record(text)
        conditions = [f"{kind}{SEPARATOR}{phrase}" for kind in NARROWING for phrase in _phrases(data, kind)]
        gist, whole = shown(statement), shown(body)
        conditional = bool(_phrases(data, "applies_when"))
        hardness = is_hard(data) * (HARD_IF if conditional else HARD)
        chunk = self._chunks.add(bucket, number, signature(vector)) if any(vector) else None
        row = (
            number, data["id"], data["rev"], bytes.fromhex(hash_), bucket, chunk, hardness, data.get("rule_type"),
            float(data.get("confidence", 0.5)), int(bool(data.get("pinned"))),
            str(data.get("updated_at") or data.get("at") or ""), data.get("valid_from"), data.get("valid_to"), gist,
            "" if whole == gist else whole, "\n".join(map(str, data.get("supersedes") or ())), "\n".join(conditions),
            " ".join(found), _packed(pieces),
        )  # fmt: skip
        self._db.execute(f"INSERT INTO record VALUES ({','.join('?' * len(row))})", row)
        if chunk is not None:
            packed = small(vector)
            self._db.execute("INSERT INTO vector VALUES (?, ?, ?)", (number, packed, length(packed)))
        self._db.execute(
            "INSERT INTO words (rowid, terms, bucket) VALUES (?, ?, ?)", (number, " ".join(found), f"b{bucket}")
        )
        self._db.executemany(
            "INSERT OR IGNORE INTO superseded VALUES (?, ?)", [(old, number) for old in data.get("supersedes") or ()]
        )
        for kind in NARROWING:
            for phrase in _phrases(data, kind):
                condition = (self._phrase(phrase), kind, bucket, number, float(row[8]) if hardness else 0.0)
                self._db.execute("INSERT OR IGNORE INTO condition VALUES (?, ?, ?, ?, ?)", condition)
        self._count(bucket, found, pieces.items(), 1, conditional=conditional)

    def erase(self, ident: str) -> bool:
        """Take a record out; False when it was not in."""
        return self._erase(ident) is not None

    def flush(self) -> None:
        """Write what was gathered."""
        self._chunks.flush()
        self._db.executemany(
            "INSERT INTO piece VALUES (?, ?) ON CONFLICT (piece) DO UPDATE SET count = count + excluded.count",
            [(piece, count) for piece, count in self._counts.items() if count],
        )
        self._db.executemany(
            "INSERT INTO term VALUES (?, ?) ON CONFLICT (term) DO UPDATE SET count = count + excluded.count",
            [(term, count) for term, count in self._terms.items() if count],
        )
        self._db.executemany(
            "UPDATE bucket SET count = count + ?, conditional = conditional + ? WHERE bucket = ?",
            [(*change, bucket) for bucket, change in self._members.items()],
        )
        changes = (("pieces", sum(self._counts.values())), ("records", sum(each[0] for each in self._members.values())))
        self._db.executemany(
            "INSERT INTO meta VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = value + excluded.value", changes
        )
        self._counts.clear()
        self._terms.clear()
        self._members.clear()
        self._encoder.close()

    def _erase(self, ident: str) -> int | None:
        """Take out what is known of a record; gives its number, which it keeps."""
        if self._empty:
            return None
        row = self._db.execute(
            "SELECT n, bucket, chunk, terms, pieces, supersedes, conditions FROM record WHERE id = ?", (ident,)
        ).fetchone()
        if row is None:
            return None
        number, bucket, chunk, found, pieces, supersedes, conditions = row
        if self._fts:
            forget = "INSERT INTO words (words, rowid, terms, bucket) VALUES ('delete', ?, ?, ?)"
            self._db.execute(forget, (number, found, f"b{bucket}"))
        else:
            self._db.execute("DELETE FROM words WHERE rowid = ?", (number,))
        if chunk is not None:
            self._chunks.remove(chunk, number)
        for table, column in (("record", "n"), ("vector", "n")):
            self._db.execute(f"DELETE FROM {table} WHERE {column} = ?", (number,))
        for old in filter(None, supersedes.split("\n")):
            self._db.execute("DELETE FROM superseded WHERE old = ? AND new = ?", (old, number))
        conditional = False
        for condition in filter(None, conditions.split("\n")):
            kind, _, phrase = condition.partition(SEPARATOR)
            conditional = conditional or kind == "applies_when"
            self._db.execute(
                "DELETE FROM condition WHERE phrase = ? AND kind = ? AND bucket = ? AND n = ?",
                (self._phrase(phrase), kind, bucket, number),
            )
        self._count(bucket, found.split(), _unpacked(pieces), -1, conditional=conditional)
        return int(number)

    def _count(
        self, bucket: int, found: Iterable[str], pieces: Iterable[tuple[int, int]], sign: int, *, conditional: bool
    ) -> None:
        for term in found:
            self._terms[term] = self._terms.get(term, 0) + sign
        for piece, count in pieces:
            self._counts[piece] = self._counts.get(piece, 0) + sign * count
        members = self._members.setdefault(bucket, [0, 0])
        members[0] += sign
        members[1] += sign * conditional

    def _bucket(self, data: dict[str, Any], status: str) -> int:
        scope = data.get("scope") or {"type": "global"}
        columns = (
            status, str(data.get("layer", "L2")), data.get("profile") or "", str(scope.get("type", "project")),
            scope.get("project") or "", "\n".join(scope.get("paths") or ()), "\n".join(scope.get("domains") or ()),
        )  # fmt: skip
        key = SEPARATOR.join(columns)
        if key not in self._buckets:
            cursor = self._db.execute(
                "INSERT INTO bucket (key, status, layer, profile, type, project, paths, domains) VALUES (?, ?, ?,"
                " ?, ?, ?, ?, ?)",
                (key, *columns),
            )
            self._buckets[key] = int(cursor.lastrowid or 0)
        return self._buckets[key]

    def _phrase(self, text: str) -> int:
        row = self._db.execute("SELECT phrase FROM phrase WHERE text = ?", (text,)).fetchone()
        if row is not None:
            return int(row[0])
        number = int(self._db.execute("INSERT INTO phrase (text) VALUES (?)", (text,)).lastrowid or 0)
        self._db.executemany(
            "INSERT OR IGNORE INTO phrase_key VALUES (?, ?)", [(key, number) for key in keys(content_words(text))]
        )
        return number


def is_hard(data: dict[str, Any]) -> bool:
    """Whether a record is a hard rule while it is active and applies."""
    return (
        data.get("layer", "L2") == "L2"
        and data.get("rule_type") in HARD_TYPES
        and float(data.get("confidence", 0.5)) >= HARD_CONFIDENCE
    )


def _phrases(data: dict[str, Any], kind: str) -> list[str]:
    phrases = (" ".join(clean(str(phrase)).split()) for phrase in data.get(kind) or ())
    return list(dict.fromkeys(filter(None, phrases)))


def _packed(pieces: dict[int, int]) -> bytes:
    return b"".join(
        piece.to_bytes(2, "little") + min(count, 0xFFFF).to_bytes(2, "little") for piece, count in pieces.items()
    )


def _unpacked(raw: bytes) -> list[tuple[int, int]]:
    return [
        (int.from_bytes(raw[at : at + 2], "little"), int.from_bytes(raw[at + 2 : at + 4], "little"))
        for at in range(0, len(raw), 4)
    ]
