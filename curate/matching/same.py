"""Whether two statements ask for the same thing, or contradict each other."""

from __future__ import annotations

from curate.matching.normal import Meaning


def agree(a: Meaning, b: Meaning) -> bool:
    """True when both ask for the same thing; in doubt False."""
    return a.folded == b.folded


def clash(a: Meaning, b: Meaning) -> bool:
    """True when both cannot hold in one place."""
    return False
