"""Who else may search by meaning: one protocol, whoever is behind it. The static table in the package is the default,
and stands in whenever another is missing or slow. Standard library only.
"""

from __future__ import annotations

import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence
    from typing import Protocol

    class Semantic(Protocol):
        """A search by meaning that something outside of the index does."""

        name: str

        def nearest(
            self, text: str, vector: Callable[[], Sequence[float]], *, tiers: Collection[str], limit: int
        ) -> list[tuple[str, float]]:
            """Ids of what is nearest to a text, with its likeness from 0 to 1. Raises `Unavailable`."""
            ...

        def known(self) -> dict[str, str]:
            """What it has: the mark of each point by its id. Raises `Unavailable`."""
            ...

        def put(self, points: Sequence[Point]) -> None:
            """Add points, or replace those with the same ids. Raises `Unavailable`."""
            ...

        def drop(self, ids: Iterable[str]) -> None:
            """Take points out. Raises `Unavailable`."""
            ...


class Unavailable(Exception):
    """It is missing, slow, or says no; the argument says which."""


class Patience:
    """How long calls may take: each so many seconds, and none beyond a moment of the monotonic clock."""

    __slots__ = ("_leave_by", "_seconds")

    def __init__(self, seconds: float, leave_by: float | None = None) -> None:
        self._seconds = seconds
        self._leave_by = leave_by

    def left(self) -> float:
        """Seconds for the next call. Raises `Unavailable` when there are none."""
        seconds = self._seconds
        if self._leave_by is not None:
            seconds = min(seconds, self._leave_by - time.monotonic())
        if seconds <= 0:
            raise Unavailable("has no time left")
        return seconds


class Point:
    """One record or item as others get it."""

    __slots__ = ("id", "mark", "text", "tier", "vector")

    def __init__(self, ident: str, tier: str, mark: str, text: str, vector: Sequence[float]) -> None:
        self.id = ident
        self.tier = tier
        self.mark = mark
        """Changes with the text, and with how texts are previewed."""
        self.text = text
        self.vector = vector
