"""Why a candidate holds where it does, in words, and whether that was said or only inferred."""

from __future__ import annotations

PREFERENCE = "a personal preference, which holds in every project"
TURN = "this turn changed"
SESSION = "this session changed"


def inferred(reason: str | None) -> bool:
    """No word of the person names the place: it was taken from the kind of thing, or from what was changed."""
    return bool(reason) and str(reason).startswith((PREFERENCE, TURN, SESSION))
