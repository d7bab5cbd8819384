"""How sure we may be of a statement, computed from its evidence: trust, corroboration, contradiction, recency.

Pure: the moment is passed in, and nothing but evidence counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from store.trust import weight

if TYPE_CHECKING:
    from store.model import Evidence, TrustClass

DIRECT: frozenset[str] = frozenset({"direct_user_instruction", "user_correction", "repeated_user_preference"})
"""A person said it: shown at once, even alone."""

FIRST = 0.8
"""What one fresh piece of the highest trust is worth; said once, a thing may still be a slip."""
FURTHER = 0.45
"""How much a later piece adds, as a share of what a first one would."""
SAME_SESSION = 0.25
"""A repetition within one session is the same mood, not a second opinion."""
HALF_LIFE_DAYS = 365.0
OLDEST = 0.5
"""Evidence never counts for less than this share, however old."""
CEILING = 0.98


PERSON = "direct_user_instruction"
"""The trust class of evidence that names none."""


def trust(evidence: Sequence[Evidence], fallback: TrustClass) -> str:
    """The trust class of all of it: the strongest, and `repeated_user_preference` when a person said it twice."""
    return trust_of([item.trust for item in evidence], fallback)


def trust_of(classes: Sequence[str], fallback: str) -> str:
    """As `trust`, from the trust classes of some evidence."""
    if not classes:
        return fallback
    if sum(one in DIRECT for one in classes) > 1:
        return "repeated_user_preference"
    return max(classes, key=weight)


def confidence(evidence: Iterable[Evidence], *, at: str, approved: bool = False, against: int = 0) -> float:
    """Confidence from 0 to 0.98 at the moment `at`.

    `approved` counts a person's approval as one more direct instruction. `against` counts contradictions that are
    not among the evidence, such as live records that say the opposite.
    """
    return confidence_of((vars(item) for item in evidence), at=at, approved=approved, against=against)


def confidence_of(evidence: Iterable[Mapping[str, Any]], *, at: str, approved: bool = False, against: int = 0) -> float:
    """As `confidence`, from lines of the evidence."""
    pieces: list[tuple[float, str]] = [(1.0, "")] if approved else []
    opposed = float(against)
    for item in evidence:
        worth = weight(item.get("trust") or PERSON) * recency(item.get("time"), at)
        if item.get("polarity") == "against":
            opposed += worth
        else:
            pieces.append((worth, item.get("session") or ""))
    if not pieces:
        return 0.0
    pieces.sort(key=lambda piece: (-piece[0], piece[1]))
    doubt, support, further = 1.0, 0.0, 1.0
    sessions: set[str] = set()
    for worth, session in pieces:
        share = FIRST * worth * further
        if session:
            share *= SAME_SESSION if session in sessions else 1.0
            sessions.add(session)
        doubt *= 1.0 - share
        support += worth
        further = FURTHER
    return round(min(CEILING, (1.0 - doubt) * support / (support + opposed)), 4)


@lru_cache(maxsize=1024)
def recency(time: str | None, at: str) -> float:
    """1 for the present, halved each year, never below one half; undated evidence counts as half a year old."""
    days = HALF_LIFE_DAYS / 2 if time is None else _days(time, at)
    return float(max(OLDEST, 0.5 ** (max(0.0, days) / HALF_LIFE_DAYS)))


def _days(earlier: str, later: str) -> float:
    try:
        span = datetime.fromisoformat(later) - datetime.fromisoformat(earlier)
    except (ValueError, TypeError):
        return HALF_LIFE_DAYS / 2
    return span.total_seconds() / 86400
