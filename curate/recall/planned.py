"""What recall answers: the entries in their sections, with reason and cost, the block, and the traces of every
stage.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from curate.recall.funnel import Stage


class Entry:
    """One line of a block that stands for a record."""

    __slots__ = ("cost", "id", "reason", "relevance", "rev", "score", "section", "text", "tier")

    def __init__(
        self, ident: str, rev: int, section: str, reason: str, text: str, score: float = 0.0, *,
        relevance: float = 0.0, tier: str = "insights",
    ) -> None:  # fmt: skip
        self.id = ident
        self.rev = rev
        self.section = section
        self.reason = reason
        self.text = text
        """The line as it stands in the block."""
        self.cost = 0
        self.score = score
        """By which it was ranked among the others."""
        self.relevance = relevance
        """How well the search thinks it matches, before agent, tier and surroundings were weighed in."""
        self.tier = tier

    def document(self) -> dict[str, Any]:
        """As JSON has it."""
        return {
            "id": self.id, "rev": self.rev, "section": self.section, "reason": self.reason, "cost": self.cost,
            "score": round(self.score, 4), **({"tier": self.tier} if self.tier != "insights" else {}),
        }  # fmt: skip


class Plan:
    """The answer for one turn."""

    __slots__ = (
        "block", "budget", "counts", "entries", "identifiers", "layout", "project", "skipped", "stages", "total",
        "truncated", "unit", "working",
    )  # fmt: skip

    def __init__(self, layout: str, project: str | None, unit: str, budget: int) -> None:
        self.layout = layout
        self.project = project
        self.unit = unit
        self.budget = budget
        self.block = ""
        self.entries: list[Entry] = []
        self.stages: list[Stage] = []
        self.total = 0
        self.working = 0
        """What of the total is working memory."""
        self.truncated = False
        self.skipped: str | None = None
        self.counts: dict[str, int] = {}
        """What the searches brought: `semantic`, `keyword`, and both together."""
        self.identifiers: list[str] = []
        """What the message names that no transcript showed; the message itself is kept nowhere."""

    def document(self) -> dict[str, Any]:
        """As JSON has it."""
        return {
            "block": self.block,
            "entries": [entry.document() for entry in self.entries],
            "traces": [stage.document() for stage in self.stages],
            "total": self.total,
            "budget": self.budget,
            "unit": self.unit,
            "truncated": self.truncated,
            "layout": self.layout,
            "project": self.project,
            "identifiers": self.identifiers,
            "candidates": self.counts,
            **({"working_tokens": self.working} if self.working else {}),
            **({"skipped": self.skipped} if self.skipped else {}),
        }
