"""The confidence that follows from evidence alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from store.trust import LOW_TRUST, STRONG, TRUST_WEIGHT, weight

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["LOW_TRUST", "STRONG", "TRUST_WEIGHT", "expected_confidence", "weight"]


def expected_confidence(evidence: Iterable[Mapping[str, Any]]) -> float:
    """Confidence from evidence lines, for ops that do not bring a computed one; 0 to 0.99.

    Each session counts once, by its best evidence, as an independent witness; evidence against weakens what is left.
    """
    witnesses: dict[tuple[str, str], float] = {}
    for piece in evidence:
        key = (str(piece.get("polarity", "for")), str(piece.get("session") or piece.get("id")))
        witnesses[key] = max(witnesses.get(key, 0.0), weight(piece.get("trust", "direct_user_instruction")))
    doubt = refuted = 1.0
    for (polarity, _), best in sorted(witnesses.items()):
        if polarity == "against":
            refuted *= 1 - 0.5 * best
        else:
            doubt *= 1 - 0.86 * best
    return round(min(0.99, (1 - doubt) * refuted), 2)
