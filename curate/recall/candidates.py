"""What the search found for a turn, weighed: which records are near enough, which stand back for a correction, and why.

Abstaining is a result: a word that half the store shares, or one faint likeness, is no reason to say anything.
"""

from __future__ import annotations

from curate.recall.funnel import NAMED, Stage
from store.index.search import Found, Hit, search

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from sqlite3 import Connection
    from typing import Any

    from curate.recall.request import Request
    from curate.recall.topic import Topic
    from curate.recall.visible import Visible

LOOKED_AT = 32
"""Hits of the search that are weighed."""
COMMON = 0.25
"""A term in more than this share of the records tells nothing by itself: the idf floor."""
SMALL = 50
"""A store with fewer records than this says little about which words are common; it counts as one of this size."""
SPOKEN, SPOKEN_IN = 0.66, 2
"""Share of a prompt's terms, each in at least so many records, that makes it talk about this work."""
FAR = 0.65
"""Share of the best score below which a record is no company for it, once there are a few."""
FEW = 5
"""So many are shown whatever lies between them: scores are relative, and of few records say little."""
LIKE = 0.42
"""Cosine from which a record is near in meaning alone. Paraphrases of a record lie above it, unrelated talk below."""
LIKE_OFF_TOPIC = 0.55
"""The same for a prompt that is no work on a project."""

COLUMNS = (
    "n, id, rev, bucket, hard, rule_type, confidence, pinned, updated, gist, body, supersedes, conditions, terms, "
    "valid_from, valid_to"
)


class Row:
    """A record as a plan needs it."""

    __slots__ = (
        "body", "bucket", "conditions", "confidence", "gist", "hard", "hit", "id", "matched", "number", "pinned",
        "rev", "rule_type",
        "supersedes", "terms", "updated", "valid_from", "valid_to", "words",
    )  # fmt: skip

    def __init__(self, row: tuple[Any, ...]) -> None:
        self.number: int
        self.id: str
        self.rev: int
        self.bucket: int
        self.hard: int
        self.rule_type: str
        self.confidence: float
        self.pinned: int
        self.updated: str
        self.gist: str
        self.body: str
        self.supersedes: str
        self.conditions: str
        self.terms: str
        self.valid_from: str | None
        self.valid_to: str | None
        (self.number, self.id, self.rev, self.bucket, self.hard, self.rule_type, self.confidence, self.pinned) = row[:8]
        (self.updated, self.gist, self.body, self.supersedes, self.conditions, self.terms) = row[8:14]
        (self.valid_from, self.valid_to) = row[14:]
        self.hit: Hit | None = None
        self.words: list[str] = []
        """Terms that prompt and record share, most telling first."""
        self.matched = False
        """Whether the prompt is about it."""

    @property
    def score(self) -> float:
        """How well the prompt matches it; 0 when the search did not find it."""
        return self.hit.score if self.hit is not None else 0.0

    @property
    def reason(self) -> str:
        """What speaks for it, in words."""
        why = [f"words: {' '.join(self.words[:5])}"] if self.words else []
        if self.hit is not None and self.hit.cosine >= LIKE:
            why.append(f"meaning {self.hit.cosine:.2f}")
        return "; ".join(why)


class Candidates:
    """The records that a turn's prompt is about, best first, and the traces of search and floor."""

    def __init__(self, db: Connection, request: Request, topic: Topic, visible: Visible) -> None:
        self._db = db
        self._request = request
        self._topic = topic
        self._visible = visible
        self.found: Found = search(
            db, request.prompt, buckets=visible.active, mode=request.mode, fusion=request.fusion,
            semantic=request.semantic,
        )  # fmt: skip
        topic.work = topic.work or self._is_spoken_here()
        self.pool = Stage("search", visible.stages["applicability"].went_out)
        self.floor = Stage("idf_floor", 0)
        self.rows = self._weigh()

    def _is_spoken_here(self) -> bool:
        """Whether most of what the prompt says is said in the store, too: then it is about work, whatever words it
        uses.
        """
        known = [term for term in self.found.terms if self.found.frequency.get(term, 0) >= SPOKEN_IN]
        return len(known) > 1 and len(known) >= SPOKEN * len(self.found.terms)

    def _weigh(self) -> list[Row]:
        free = [hit for hit in self.found.hits if hit.number not in self._visible.excluded]
        hits = free[:LOOKED_AT]
        for late in rows(self._db, [hit.number for hit in free[LOOKED_AT : LOOKED_AT + NAMED]]):
            self.pool.name_only(late.id, f"not among the {LOOKED_AT} best")
        known = {row.number: row for row in rows(self._db, (hit.number for hit in hits))}
        hits.sort(key=lambda hit: (-hit.score, known[hit.number].id if hit.number in known else ""))
        kept: list[Row] = []
        for hit in hits:
            row = known.get(hit.number)
            if row is None:
                continue
            fault = self._visible.fault(row.conditions)
            if fault is not None:
                self._visible.stages[fault[0]].name_only(row.id, fault[1])
                continue
            row.hit = hit
            self.floor.came_in += 1
            weigh(row, self.found, work=self._topic.work)
            if row.matched and hit.score < self._least(kept):
                row.matched = False
                self.floor.drop(row.id, f"floor:far behind the best ({hit.score:.2f} of {kept[0].score:.2f})")
            elif row.matched:
                kept.append(row)
            else:
                self.floor.drop(row.id, self._faint(row))
        self.pool.dropped_total = max(0, self.pool.came_in - self.floor.came_in)
        self.pool.note = ", ".join(filter(None, (self.found.mode, self._request.fusion, self.found.note)))
        self.floor.note = "" if kept else "nothing matches well enough"
        return kept

    def _least(self, kept: list[Row]) -> float:
        """The score that a record must have beside the best; ranks (the other fusion) lie too close for that."""
        return FAR * kept[0].score if len(kept) >= FEW and self._request.fusion == "weighted" else 0.0

    def _faint(self, row: Row) -> str:
        shared = f"only shares {' '.join(row.words[:3])}" if row.words else "no word in common"
        cosine = row.hit.cosine if row.hit is not None else 0.0
        return f"floor:{shared}, meaning {cosine:.2f}"


def weigh(row: Row, found: Found, *, work: bool = True) -> None:
    """Say which words a record shares with the prompt, and whether that is enough."""
    asked = set(found.terms)
    own = row.terms.split()
    size = max(found.documents, SMALL)
    found.documents = size
    shared = [term for term in own if term in asked]
    row.words = [found.spelled[term] for term in sorted(shared, key=lambda term: (-found.rarity(term), term))]
    telling = [term for term in shared if found.frequency.get(term, 0) <= COMMON * size]
    whole = sum(map(found.rarity, found.terms)) or 1.0
    said = sum(map(found.rarity, telling)) / whole
    of_record = len(telling) / (len(own) or 1)
    cosine = row.hit.cosine if row.hit is not None else 0.0
    if work:
        near = said >= 0.2 or of_record >= 0.25 or len(telling) > 1 and (said >= 0.15 or of_record >= 0.15)
        row.matched = bool(telling) and near or cosine >= LIKE
    else:
        row.matched = bool(telling) and (said >= 0.5 or len(telling) > 2 and said >= 0.3) or cosine >= LIKE_OFF_TOPIC


def rows(db: Connection, numbers: Iterable[int]) -> list[Row]:
    """Records by their numbers, in any order."""
    wanted = ",".join(map(str, numbers))
    if not wanted:
        return []
    return [Row(row) for row in db.execute(f"SELECT {COLUMNS} FROM record WHERE n IN ({wanted})")]


def best_rows(db: Connection, buckets: Iterable[int], condition: str, limit: int) -> list[Row]:
    """The most trusted records of these buckets that meet a condition (SQL of ours)."""
    wanted = ",".join(map(str, sorted(buckets)))
    if not wanted:
        return []
    found = db.execute(
        f"SELECT {COLUMNS} FROM record WHERE bucket IN ({wanted}) AND {condition} "
        f"ORDER BY hard DESC, confidence DESC, id LIMIT {limit}"
    )
    return [Row(row) for row in found]


def pinned_rows(db: Connection, buckets: Iterable[int], limit: int) -> list[Row]:
    """The pinned records of these buckets, the most trusted first."""
    wanted = ",".join(map(str, sorted(buckets)))
    if not wanted:
        return []
    numbers = db.execute(f"SELECT n FROM record INDEXED BY record_pinned WHERE pinned = 1 AND bucket IN ({wanted})")
    found = rows(db, [row[0] for row in numbers])
    return sorted(found, key=lambda row: (-row.confidence, row.id))[:limit]


def applying_rules(db: Connection, trusted: Mapping[int, float], limit: int) -> list[Row]:
    """The most trusted hard rules among records whose condition for applying is met, given what each is trusted."""
    rules = [number for number, trust in trusted.items() if trust]
    rules.sort(key=lambda number: (-trusted[number], number))
    return rows(db, rules[:limit])
