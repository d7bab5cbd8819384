"""How sure we may be of a statement, computed from its evidence: trust, corroboration, contradiction, recency.

Pure: the moment is passed in, and nothing but evidence counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from store.model import Evidence, TrustClass
from store.patch.trust import weight

DIRECT: frozenset[TrustClass] = frozenset({"direct_user_instruction", "user_correction", "repeated_user_preference"})
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


def trust(evidence: Sequence[Evidence], fallback: TrustClass) -> TrustClass:
    """The trust class of all of it: the strongest, and `repeated_user_preference` when a person said it twice."""
    if not evidence:
        return fallback
    direct = [item for item in evidence if item.trust in DIRECT]
    if len(direct) > 1:
        return "repeated_user_preference"
    return max((item.trust for item in evidence), key=weight)


def confidence(evidence: Iterable[Evidence], *, at: str, approved: bool = False, against: int = 0) -> float:
    """Confidence from 0 to 0.98 at the moment `at`.

    `approved` counts a person's approval as one more direct instruction. `against` counts contradictions that are
    not among the evidence, such as live records that say the opposite.
    """
    pieces: list[tuple[float, str | None]] = [(1.0, None)] if approved else []
    opposed = float(against)
    for item in evidence:
        worth = weight(item.trust) * recency(item.time, at)
        if item.polarity == "against":
            opposed += worth
        else:
            pieces.append((worth, item.session))
    if not pieces:
        return 0.0
    pieces.sort(key=lambda piece: (-piece[0], piece[1] or ""))
    doubt = 1.0
    sessions: set[str] = set()
    for number, (worth, session) in enumerate(pieces):
        share = FIRST * worth * (FURTHER if number else 1.0)
        if session is not None:
            share *= SAME_SESSION if session in sessions else 1.0
            sessions.add(session)
        doubt *= 1.0 - share
    support = sum(worth for worth, _ in pieces)
    return round(min(CEILING, (1.0 - doubt) * support / (support + opposed)), 4)


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
