"""How much each source of evidence weighs, and the confidence that follows from evidence alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

TRUST_WEIGHT = {
    "direct_user_instruction": 1.0,
    "user_correction": 1.0,
    "repeated_user_preference": 0.9,
    "accepted_code_review_outcome": 0.8,
    "existing_project_convention": 0.65,
    "passing_tool_or_test_outcome": 0.55,
    "agent_inference": 0.35,
    "single_session_observation": 0.3,
    "repository_text": 0.25,
    "generated_content": 0.2,
    "third_party_documentation": 0.2,
}
"""Weight of each trust class."""

STRONG = 0.8
"""Trust weight from which evidence counts for identity memory."""

LOW_TRUST = 0.5
"""Trust weight below which nothing is chosen beforehand."""


def weight(trust: object) -> float:
    """Weight of a trust class; nothing for one this version does not know."""
    return TRUST_WEIGHT.get(str(trust), 0.0)


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
