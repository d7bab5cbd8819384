"""Where in the review a group belongs, and why, in words: by rule, never by a hidden score."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Literal

from curate.review.group import Gathered
from curate.review.match import Match
from store.trust import weight

Tab = Literal["noise", "groups", "singles", "conflicts"]

THRESHOLD = 3
"""Inferred candidates are shown once so many wait, or once one of them was seen so often."""
DOUBTFUL = 0.35
"""Below this capture itself hardly believes that it is a standing rule."""
STALE_DAYS = 60

_QUESTION = ("?", "？")
_THANKS = re.compile(
    r"^\W*(thanks?|thank you|thx|merci|danke|gracias|obrigad[oa]|grazie|bedankt|спасибо|谢谢|ありがとう|감사)\W",
    re.IGNORECASE,
)

_FLAGS = {
    "tombstoned": "rejected or deleted before",
    "joke": "perhaps a joke",
    "one_off": "meant for one task",
    "quoted": "quoted from somebody else",
}


def visible(group: Gathered, waiting_inferred: int, threshold: int = THRESHOLD, *, inferred: bool) -> bool:
    """What a person said is shown at once; what was `inferred` waits for its batch."""
    return not inferred or group.recurrence >= threshold or waiting_inferred >= threshold


def noise(group: Gathered, flags: list[str], at: str) -> str | None:
    """Why a group is likely noise, in words, or None."""
    for flag, words in _FLAGS.items():
        if flag in flags:
            return words
    lead = group.lead
    statement, lasting, intent = lead["statement"], lead.get("durability"), lead.get("intent")
    if statement.rstrip()[-1:] in _QUESTION:
        return "a question"
    if _THANKS.search(statement):
        return "thanks"
    if lasting == "temporary" or intent == "temporary":
        return "meant for now only"
    if intent in ("none", None):
        return "no rule"
    if group.recurrence < 2 and lasting == "doubtful":
        return "doubtful, said once"
    # What a weak source says has low confidence from the start: that is no reason to turn it away.
    doubtful = min(DOUBTFUL, weight(lead.get("trust", "direct_user_instruction")))
    if group.recurrence < 2 and lead.get("confidence", 0.5) < doubtful:
        return "hardly a standing rule"
    if expired(group, at):
        return f"waiting for more than {STALE_DAYS} days"
    return None


def expired(group: Gathered, at: str) -> bool:
    """It has waited so long that it is offered for turning away in bulk; how long ago it was said does not matter."""
    return _days(max(candidate["updated_at"] for candidate in group.candidates), at) > STALE_DAYS


def tab(group: Gathered, match: Match, why_noise: str | None, *, disputed: bool) -> tuple[Tab, str]:
    """The tab of a group and the reason."""
    if why_noise is not None:
        return "noise", why_noise
    if disputed:
        return "conflicts", "another waiting candidate says otherwise"
    if match.kind in ("conflicts", "supersedes", "updates", "ambiguous"):
        return "conflicts", match.why
    if group.recurrence > 1:
        sessions = len(group.sessions)
        return "groups", f"said {group.recurrence} times" + (f" in {sessions} sessions" if sessions > 1 else "")
    return "singles", "said once"


def _days(earlier: str, later: str) -> float:
    try:
        return (datetime.fromisoformat(later) - datetime.fromisoformat(earlier)).total_seconds() / 86400
    except (ValueError, TypeError):
        return 0.0
