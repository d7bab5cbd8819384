"""How fast a review goes and how long the rest will take, from the moments of its decisions."""

from __future__ import annotations

from collections import deque

PAUSE = 90.0
"""Seconds without a decision after which the reader is taken to have been away; such gaps do not count."""

WINDOW = 40
"""Decisions that the pace looks back on: enough to be calm, few enough to follow a change from noise to singles."""


class Pace:
    """Seconds per row over the last decisions. Takes moments of any monotonic clock, in seconds."""

    def __init__(self) -> None:
        self._last: float | None = None
        self._spent: deque[tuple[float, int]] = deque(maxlen=WINDOW)

    def start(self, moment: float) -> None:
        """The first row came into view; time runs from here."""
        if self._last is None:
            self._last = moment

    def decided(self, moment: float, rows: int) -> float | None:
        """Note a decision over `rows` rows; gives the seconds it took, None after a pause."""
        since = self._last
        self._last = moment
        if since is None or rows <= 0:
            return None
        seconds = moment - since
        if not 0 <= seconds <= PAUSE:
            return None
        self._spent.append((seconds, rows))
        return seconds

    @property
    def each(self) -> float | None:
        """Seconds per row, None before three decisions have been timed."""
        if len(self._spent) < 3:
            return None
        return sum(seconds for seconds, _ in self._spent) / sum(rows for _, rows in self._spent)

    def left(self, rows: int) -> float | None:
        """Seconds that `rows` more rows will take at this pace."""
        return None if self.each is None else self.each * rows


def in_words(seconds: float) -> str:
    """A duration as one glance takes it in: `under a minute`, `9 min`, `2 h 5 min`."""
    minutes = round(seconds / 60)
    if seconds < 60:
        return "under a minute"
    if minutes < 60:
        return f"{minutes} min"
    return f"{minutes // 60} h {minutes % 60} min" if minutes % 60 else f"{minutes // 60} h"
