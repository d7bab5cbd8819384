"""Two copies of a log made one: every line of both once. What it folds to does not depend on the order."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def merge(ours: Iterable[bytes], theirs: Iterable[bytes]) -> list[bytes]:
    """The union of two lists of lines without their newlines: ours in order, then what only they have."""
    return list(dict.fromkeys(line for lines in (ours, theirs) for line in lines if line.strip()))
