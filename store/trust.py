"""How much each source of evidence weighs. Standard library only."""

from __future__ import annotations

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
