"""The trace of one stage: how many came in and went out, and its best casualties with the reason. The list is capped,
the total is exact, so that a short list never reads as a whole one.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

NAMED = 12
"""Casualties that a stage names."""


class Stage:
    """One stage of the selection."""

    __slots__ = ("came_in", "dropped", "dropped_total", "name", "note")

    def __init__(self, name: str, came_in: int) -> None:
        self.name = name
        self.came_in = came_in
        self.dropped: dict[str, str] = {}
        """Reasons by id, best first."""
        self.dropped_total = 0
        self.note = ""
        """What else there is to know, such as the mode of a search."""

    def drop(self, ident: str, reason: str) -> None:
        """One did not get through."""
        self.dropped_total += 1
        self.name_only(ident, reason)

    def name_only(self, ident: str, reason: str) -> None:
        """Name one of those that were counted otherwise."""
        if len(self.dropped) < NAMED:
            self.dropped.setdefault(ident, reason)

    @property
    def went_out(self) -> int:
        """How many got through."""
        return self.came_in - self.dropped_total

    def document(self) -> dict[str, Any]:
        """As JSON has it."""
        return {
            "processor": self.name,
            "input_count": self.came_in,
            "output_count": self.went_out,
            "excluded_ids": list(self.dropped),
            "exclusion_reasons": dict(self.dropped),
            "dropped_total": self.dropped_total,
            **({"note": self.note} if self.note else {}),
        }
