"""Search by words: BM25 over terms that count once a record, whatever a prompt is made of. Standard library only.

A prompt is no query: its terms are quoted and joined with OR, stop words left out, so that nothing in it is syntax.
"""

from __future__ import annotations

from store.index.schema import has_fts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from sqlite3 import Connection

_WIDER = 3
"""Times as many records are asked for where some of them may be elsewhere."""
POSTINGS = 2000
"""Places in the index that one query may visit; what is beyond are words that tell little."""
TERMS_KEPT = 2
FREQUENCIES = 900
"""Terms of one text that are looked up; SQLite takes a thousand values at once."""
TERMS_ASKED = 48
"""Of a long prompt the rarest terms are asked for: the common ones cost most and tell least."""


def frequencies(db: Connection, found: Iterable[str]) -> dict[str, int]:
    """In how many records each term stands; those in none are left out."""
    asked = list(found)[:FREQUENCIES]
    marks = ",".join("?" * len(asked))
    known = dict(db.execute(f"SELECT term, count FROM term WHERE term IN ({marks}) AND count > 0", asked).fetchall())
    return {term: known[term] for term in asked if term in known}


def by_words(
    db: Connection, asked: Collection[str], buckets: Collection[int] | None, limit: int, documents: int = 0
) -> list[tuple[int, float]]:
    """Numbers of the best records in these buckets (None: in all), with their BM25 (larger is better).

    Told how many records there are, it asks for those of most buckets without naming them, which is faster.
    """
    if not asked or buckets is not None and not buckets:
        return []
    if not has_fts(db):
        return _by_counting(db, set(asked), buckets, limit)
    query = "terms : (" + " OR ".join(map(_quoted, asked)) + ")"
    members = _members(db, buckets) if buckets is not None and documents else 0
    if documents and members == documents:
        buckets = None
    if buckets is not None and 2 * members > documents > 0:
        found = _ranked(db, query, _WIDER * limit)
        inside = _inside(db, found, set(buckets))
        return [each for each in found if each[0] in inside][:limit]
    if buckets is not None:
        query += " AND bucket : (" + " OR ".join(f'"b{bucket}"' for bucket in sorted(buckets)) + ")"
    return _ranked(db, query, limit)


def rarest(frequency: dict[str, int], postings: int = POSTINGS) -> list[str]:
    """The terms to ask for, rarest first, as long as they are worth their cost; a few in any case."""
    found: list[str] = []
    cost = 0
    for term in sorted(frequency, key=lambda term: (frequency[term], term))[:TERMS_ASKED]:
        cost += frequency[term]
        if cost > postings and len(found) >= TERMS_KEPT:
            break
        found.append(term)
    return found


def _by_counting(
    db: Connection, asked: set[str], buckets: Collection[int] | None, limit: int
) -> list[tuple[int, float]]:
    """Without FTS: the records that share most terms, of these the shorter."""
    inside = None if buckets is None else {f"b{bucket}" for bucket in buckets}
    found = []
    for number, terms, bucket in db.execute("SELECT rowid, terms, bucket FROM words"):
        own = terms.split()
        shared = len(asked.intersection(own))
        if shared and (inside is None or bucket in inside):
            found.append((number, shared + 1 / (1 + len(own))))
    return sorted(found, key=lambda each: (-each[1], each[0]))[:limit]


def _ranked(db: Connection, query: str, limit: int) -> list[tuple[int, float]]:
    found = db.execute(
        "SELECT rowid, rank FROM words WHERE words MATCH ? AND rank MATCH 'bm25(1.0, 0.0)' ORDER BY rank LIMIT ?",
        (query, limit),
    )
    return sorted(((number, -rank) for number, rank in found), key=lambda each: (-each[1], each[0]))


def _inside(db: Connection, found: list[tuple[int, float]], buckets: set[int]) -> set[int]:
    numbers = ",".join(str(number) for number, _ in found)
    rows = db.execute(f"SELECT n, bucket FROM record WHERE n IN ({numbers})")
    return {number for number, bucket in rows if bucket in buckets}


def _members(db: Connection, buckets: Collection[int]) -> int:
    (count,) = db.execute(
        f"SELECT coalesce(sum(count), 0) FROM bucket WHERE bucket IN ({','.join(map(str, buckets))})"
    ).fetchone()
    return int(count)


def _quoted(term: str) -> str:
    return '"' + term.replace('"', '""') + '"'
