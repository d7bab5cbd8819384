"""A patch that did not come from the review's queue, planned and shown before it is applied: what settles a dispute,
and what upkeep proposes. The same way as every other: nothing is written that was not shown.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from curate.review.feed import FileChange
    from store.foreseen import Foreseen
    from store.model import Patch, Receipt


@dataclass(frozen=True, slots=True)
class Proposal:
    """A patch, which of its ops are chosen, and what applying those would do."""

    patch: Patch
    select: tuple[str, ...]
    receipts: tuple[Receipt, ...]
    changes: tuple[FileChange, ...]
    foreseen: Foreseen
    confirm: str | None = None
    """The words that were typed for it."""

    @property
    def refused(self) -> dict[str, str]:
        """By op, why it would not be applied, of those that are chosen."""
        return {
            one.op_id: one.detail or str(one.reason).replace("_", " ")
            for one in self.receipts
            if not one.applied and one.op_id in self.select
        }

    @property
    def words_needed(self) -> list[str]:
        """Words a person has to type before some of it is applied."""
        asking = (one.detail for one in self.receipts if one.reason == "needs_confirmation")
        return list(dict.fromkeys(detail.rsplit(" ", 1)[-1] for detail in asking if detail))
