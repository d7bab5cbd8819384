"""Search by words: BM25 over terms that count once a record, whatever a prompt is made of. Standard library only.

A prompt is no query: its terms are quoted and joined with OR, stop words left out, so that nothing in it is syntax.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from sqlite3 import Connection

TERMS_ASKED = 48
"""Of a long prompt the rarest terms are asked for: the common ones cost most and tell least."""


def frequencies(db: Connection, found: Iterable[str]) -> dict[str, int]:
    """In how many records each term stands; those in none are left out."""
    out: dict[str, int] = {}
    for term in found:
        row = db.execute("SELECT doc FROM vocabulary WHERE term = ?", (term,)).fetchone()
        if row is not None:
            out[term] = row[0]
    return out


def by_words(
    db: Connection, asked: Collection[str], buckets: Collection[int] | None, limit: int
) -> list[tuple[int, float]]:
    """Numbers of the best records in these buckets (None: in all), with their BM25 (larger is better)."""
    if not asked or buckets is not None and not buckets:
        return []
    query = "terms : (" + " OR ".join(map(_quoted, asked)) + ")"
    if buckets is not None:
        query += " AND bucket : (" + " OR ".join(f'"b{bucket}"' for bucket in sorted(buckets)) + ")"
    found = db.execute(
        "SELECT rowid, rank FROM words WHERE words MATCH ? AND rank MATCH 'bm25(1.0, 0.0)' ORDER BY rank, rowid LIMIT ?",
        (query, limit),
    )
    return [(number, -rank) for number, rank in found]


def rarest(frequency: dict[str, int], limit: int = TERMS_ASKED) -> list[str]:
    """The terms to ask for, rarest first."""
    return sorted(frequency, key=lambda term: (frequency[term], term))[:limit]


def _quoted(term: str) -> str:
    return '"' + term.replace('"', '""') + '"'
