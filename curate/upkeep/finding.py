"""One thing that upkeep noticed, and the op that would answer it, if one would."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

from store.model import Op, OpName

Kind = Literal[
    "overdue",
    "due",
    "stale_90",
    "stale_30",
    "unused",
    "still_corrected",
    "reinforced",
    "duplicate",
    "promote",
    "identity",
]
TITLES: dict[Kind, str] = {
    "still_corrected": "Told and still corrected",
    "overdue": "Reviews missed",
    "due": "Reviews due",
    "duplicate": "Said twice",
    "identity": "May say something of you",
    "promote": "Ripe for the vault",
    "stale_90": "Not touched for 90 days",
    "unused": "Never used",
    "reinforced": "Said again after it was told",
    "stale_30": "Not touched for 30 days",
}
"""How each kind is headed, in the order in which they are told."""
ORDER: tuple[Kind, ...] = tuple(TITLES)


@dataclass(frozen=True, slots=True)
class Sketch:
    """An op as yet without what the store fills in."""

    op: OpName
    target_id: str | None = None
    updates: Mapping[str, Any] = field(default_factory=dict)
    record: Mapping[str, Any] | None = None
    doubt: bool = False
    """Never preselected, whatever the rules say of such an op."""

    def full(self, op_id: str, reason: str) -> Op:
        """The op with its reason."""
        return Op(
            op_id=op_id, op=self.op, target_id=self.target_id, updates=dict(self.updates), reason=reason,
            record=dict(self.record) if self.record else None, default_selected=False if self.doubt else None,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Finding:
    """What was noticed about one record, or about several."""

    kind: Kind
    record_ids: list[str]
    statement: str
    why: str
    """In words, with the figures it rests on."""
    sketch: Sketch | None = None


NEVER = datetime.min.replace(tzinfo=UTC)
"""The distant past."""


def moment(text: object) -> datetime:
    """The moment, aware; `NEVER` for what names none."""
    try:
        parsed = datetime.fromisoformat(str(text))
    except ValueError:
        return NEVER
    return parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)


def days_between(earlier: object, later: str) -> int:
    """Whole days from one moment to another."""
    return (moment(later) - moment(earlier)) // timedelta(days=1)
