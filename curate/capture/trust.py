"""How far a captured statement may be trusted, and what marks it carries to the reviewer. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, get_args

from store.model import Durability, Intent, RuleType, TrustClass

Risk = Literal["low", "medium", "high"]

_ADOPTED = frozenset({"quoted", "pasted", "third_party"})
_RUNS_FOREIGN_CODE = re.compile(
    r"(?:curl|wget|iwr|irm)\s[^\n|]{0,200}\|\s*(?:sudo\s+)?(?:ba|z)?sh\b|\beval\b.{0,40}\b(?:curl|wget|base64)\b",
    re.IGNORECASE,
)
_OVERRIDES = re.compile(
    r"\b(?:ignore|disregard|forget|override)\s+(?:all\s+|any\s+)?(?:previous|prior|earlier|above|other|system)\s+"
    r"(?:instruction|rule|prompt|message)s?|\bsystem\s+prompt\b|\bexfiltrat|\bskip\s+(?:all\s+)?(?:permission|confirmation)s?\b",
    re.IGNORECASE,
)
_LINK = re.compile(r"https?://", re.IGNORECASE)


def trust_of(intent: str) -> TrustClass:
    """Only a person's own words reach this point: a correction, or an instruction."""
    return "user_correction" if intent == "behavior_correction" else "direct_user_instruction"


def poisoning_risk(statement: str, flags: Sequence[str]) -> Risk:
    """How likely it is that somebody else's words would become a rule, or that the rule would do harm."""
    if _OVERRIDES.search(statement) or _RUNS_FOREIGN_CODE.search(statement):
        return "high"
    if _ADOPTED.intersection(flags):
        return "high"
    return "medium" if _LINK.search(statement) else "low"


def intent_of(name: str) -> Intent:
    """The name as an intent of the model."""
    return next((known for known in get_args(Intent) if known == name), "none")


def rule_type_of(name: str | None) -> RuleType | None:
    """The name as a rule type of the model, None for any other."""
    return next((known for known in get_args(RuleType) if known == name), None)


def durability_of(name: str) -> Durability:
    """The name as a durability of the model; what is not known is doubtful."""
    return next((known for known in get_args(Durability) if known == name), "doubtful")
