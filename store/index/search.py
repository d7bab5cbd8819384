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
    from collections.abc import Collection, Iterable
    from sqlite3 import Connection

ALPHA = 0.4
"""Weight of the words; the rest is meaning's."""
POOL = 100
"""Records that each side puts forward."""
NEAR = 200
"""Records whose vectors are compared, after the signatures said which are near."""
RRF_K = 60
RRF_WORDS, RRF_MEANING = 0.45, 0.55
MODES = ("hybrid", "keyword", "semantic")
FUSIONS = ("weighted", "rrf")


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

    __slots__ = ("by_meaning", "by_words", "documents", "encoder", "frequency", "hits", "mode", "spelled", "terms")

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
) -> Found:
    """The records in these buckets (None: all) that a text is about."""
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
            meant = _by_meaning(db, text, buckets, found.encoder, near, pool)
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
    db: Connection, text: str, buckets: Collection[int] | None, encoder: Encoder, near: int, pool: dict[int, Hit]
) -> list[Hit]:
    """The records nearest in meaning, nearest first; all of the pool get their cosine."""
    total = int((db.execute("SELECT value FROM meta WHERE key = 'pieces'").fetchone() or (0,))[0]) or 1

    def shares(pieces: Iterable[int]) -> dict[int, float]:
        wanted = ",".join(map(str, pieces))
        rows = db.execute(f"SELECT piece, count FROM piece WHERE piece IN ({wanted})")
        return {piece: count / total for piece, count in rows}

    vector = encoder.query(text, shares)
    if not any(vector):
        return []
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
