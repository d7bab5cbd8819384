"""Ranked records for a text: by words, by meaning, or both, and why. Standard library only; the hook calls this very
code.

Both sides are fused by weighted scores (or, as a setting, by Reciprocal Rank Fusion). Equal scores are ordered by id,
so the same store and text give the same answer everywhere.
"""

from __future__ import annotations

from math import log

from store.index.chunks import nearest
from store.index.encoder import Encoder, cosines, signature
from store.index.lexical import POSTINGS, by_words, frequencies, rarest
from store.index.terms import spelled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable
    from sqlite3 import Connection

    from store.index.semantic import Semantic

ALPHA = 0.4
"""Weight of the words; the rest is meaning's."""
POOL = 100
"""Records that each side puts forward."""
NEAR = 200
"""Records whose vectors are compared, after the signatures said which are near."""
RRF_K = 60
RRF_WORDS, RRF_MEANING = 0.45, 0.55
MODES = ("hybrid", "keyword", "semantic")


class Hit:
    """One record that was found: its number in the index, and what speaks for it."""

    __slots__ = ("bm25", "cosine", "number", "score")

    def __init__(self, number: int) -> None:
        self.number = number
        self.score = 0.0
        self.bm25 = 0.0
        self.cosine = 0.0


class Found:
    """What a search gave: hits, best first, and what was asked."""

    __slots__ = (
        "by_meaning",
        "by_words",
        "documents",
        "encoder",
        "frequency",
        "hits",
        "mode",
        "note",
        "spelled",
        "terms",
    )

    def __init__(self, asked: dict[str, str], frequency: dict[str, int], documents: int, mode: str) -> None:
        self.spelled = asked
        """The text's own word for each term."""
        self.terms = list(asked)
        """Every term of the text, those that no record has included."""
        self.frequency = frequency
        self.documents = documents
        self.mode = mode
        """What was really done: `keyword` where the vectors could not be read."""
        self.hits: list[Hit] = []
        self.encoder: Encoder | None = None
        """What was used for the vectors, for another search of the same text."""
        self.note = ""
        """Who searched by meaning, and why not whom the settings name; empty for the package's table."""
        self.by_words = 0
        self.by_meaning = 0
        """How many either search brought; one that both brought is one hit."""

    def rarity(self, term: str) -> float:
        """How much a term tells: its inverse document frequency, never below zero; the most for one that no record
        has.
        """
        there = self.frequency.get(term, 0)
        return log(1 + (self.documents - there + 0.5) / (there + 0.5))


def search(
    db: Connection,
    text: str,
    *,
    buckets: Collection[int] | None = None,
    encoder: Encoder | None = None,
    mode: str = "hybrid",
    fusion: str = "weighted",
    near: int = NEAR,
    postings: int = POSTINGS,
    semantic: Semantic | None = None,
    tiers: Collection[str] = ("insights",),
) -> Found:
    """The records in these buckets (None: all) that a text is about.

    `semantic` searches by meaning instead of the package's table, which stands in for it; `tiers` is what it looks
    among.
    """
    asked = spelled(text)
    documents = int((db.execute("SELECT value FROM meta WHERE key = 'records'").fetchone() or (0,))[0])
    found = Found(asked, frequencies(db, asked), documents, mode)
    pool: dict[int, Hit] = {}
    words: list[Hit] = []
    meant: list[Hit] = []
    if mode != "semantic":
        for number, bm25 in by_words(db, rarest(found.frequency, postings), buckets, POOL, documents):
            hit = pool[number] = Hit(number)
            hit.bm25 = bm25
            words.append(hit)
    if mode != "keyword":
        try:
            found.encoder = encoder or Encoder()
            meant = _by_meaning(db, text, buckets, found, near, pool, semantic, tiers)
        except OSError:
            found.mode = "keyword"
    found.by_words, found.by_meaning = len(words), len(meant)
    if fusion == "rrf":
        _by_ranks(words, meant)
    else:
        _by_scores(words, meant, found.mode)
    # Numbers follow the order of ids, so ties fall the same way wherever the store is.
    found.hits = sorted(pool.values(), key=lambda hit: (-hit.score, hit.number))
    return found


def _by_meaning(
    db: Connection, text: str, buckets: Collection[int] | None, found: Found, near: int, pool: dict[int, Hit],
    semantic: Semantic | None, tiers: Collection[str],
) -> list[Hit]:  # fmt: skip
    """The records nearest in meaning, nearest first; all of the pool get their cosine."""
    encoder = found.encoder
    assert encoder is not None
    if semantic is not None:
        from store.index.semantic import Unavailable

        try:
            meant = _by_another(db, text, buckets, lambda: _vector(db, text, encoder), pool, semantic, tiers)
        except Unavailable as fault:
            found.note = f"{semantic.name} {fault}, so the table in the package"
        else:
            found.note = semantic.name
            return meant
    vector = _vector(db, text, encoder)
    return _by_table(db, vector, buckets, near, pool) if any(vector) else []


def _vector(db: Connection, text: str, encoder: Encoder) -> list[int]:
    total = int((db.execute("SELECT value FROM meta WHERE key = 'pieces'").fetchone() or (0,))[0]) or 1

    def shares(pieces: Iterable[int]) -> dict[int, float]:
        wanted = ",".join(map(str, pieces))
        rows = db.execute(f"SELECT piece, count FROM piece WHERE piece IN ({wanted})")
        return {piece: count / total for piece, count in rows}

    return encoder.query(text, shares)


def _by_another(
    db: Connection, text: str, buckets: Collection[int] | None, vector: Callable[[], list[int]], pool: dict[int, Hit],
    semantic: Semantic, tiers: Collection[str],
) -> list[Hit]:  # fmt: skip
    """What another search finds nearest, as far as it is in these buckets."""
    likeness = dict(semantic.nearest(text, vector, tiers=tiers, limit=NEAR))
    marks = ",".join("?" * len(likeness))
    rows = db.execute(f"SELECT n, id, bucket FROM record WHERE id IN ({marks})", list(likeness)).fetchall()
    inside = None if buckets is None else set(buckets)
    meant = []
    for number, ident, bucket in rows:
        if inside is None or bucket in inside:
            hit = pool.setdefault(number, Hit(number))
            hit.cosine = likeness[ident]
            meant.append(hit)
    return sorted(meant, key=lambda hit: (-hit.cosine, hit.number))[:POOL]


def _by_table(
    db: Connection, vector: list[int], buckets: Collection[int] | None, near: int, pool: dict[int, Hit]
) -> list[Hit]:
    if buckets is None:
        buckets = [row[0] for row in db.execute("SELECT bucket FROM bucket ORDER BY bucket")]
    numbers = nearest(db, sorted(buckets), signature(vector), near)
    wanted = dict.fromkeys(numbers)
    wanted.update(dict.fromkeys(pool))
    stored = db.execute(f"SELECT n, packed, length FROM vector WHERE n IN ({','.join(map(str, wanted))})").fetchall()
    near_ones = cosines(vector, [row[1] for row in stored], [row[2] for row in stored])
    likeness = {row[0]: value for row, value in zip(stored, near_ones, strict=True)}
    best = sorted((number for number in numbers if number in likeness), key=lambda number: (-likeness[number], number))
    meant = []
    for number in best[:POOL]:
        hit = pool.get(number)
        if hit is None:
            hit = pool[number] = Hit(number)
        meant.append(hit)
    for number, hit in pool.items():
        hit.cosine = likeness.get(number, 0.0)
    return meant


def _by_scores(words: list[Hit], meant: list[Hit], mode: str) -> None:
    top = max((hit.bm25 for hit in words), default=0.0)
    alpha = {"keyword": 1.0, "semantic": 0.0}.get(mode, ALPHA)
    if top > 0:
        for hit in words:
            hit.score += alpha * hit.bm25 / top
    if meant:
        highest = meant[0].cosine
        lowest = meant[-1].cosine if len(meant) >= POOL else min(0.0, meant[-1].cosine)
        for hit in meant:
            hit.score += (1 - alpha) * (hit.cosine - lowest) / ((highest - lowest) or 1.0)


def _by_ranks(words: list[Hit], meant: list[Hit]) -> None:
    for ranked, weight in ((words, RRF_WORDS), (meant, RRF_MEANING)):
        for rank, hit in enumerate(ranked, 1):
            hit.score += weight / (RRF_K + rank)
