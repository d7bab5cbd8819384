"""What an undo would do before it is done, and what stands in its way."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from store.errors import PurgeStays
from store.patch import fill, plan, purged_by_patch, undo_patch
from store.patch.obstacles import Obstacle, in_the_way, order_of

if TYPE_CHECKING:
    from store.ids import Clock, NewId
    from store.model import Receipt
    from store.store import Store


@dataclass(frozen=True, slots=True)
class Undoing:
    """The undo of one patch, looked at before it is done."""

    patch_id: str
    undone_by: str | None
    """The patch that took it back already, as long as that stands."""
    receipts: tuple[Receipt, ...]
    ids: dict[str, str]
    """What each op would give back, by op."""
    obstacles: tuple[Obstacle, ...]
    order: tuple[str, ...]
    """What to take back, in this order, so that all of it can be; the patch itself is the last."""

    @property
    def whole(self) -> bool:
        """True when everything that the patch did can be taken back."""
        return all(receipt.applied for receipt in self.receipts)


def foresee_undo(store: Store, patch_id: str | None, *, clock: Clock, new_id: NewId) -> Undoing | None:
    """The undo of a patch (None: of the last one) against the state as it is now; None when there is none to undo.

    Raises `UnknownId`, and `PurgeStays` for a purge.
    """
    past, state = store.past, store.state
    target = patch_id or past.last()
    if target is None:
        return None
    applied = past.applied(target)
    if stays := purged_by_patch(applied):
        raise PurgeStays(target, stays)
    patch = fill(state, undo_patch(applied, at=clock(), new_id=new_id))
    planned = plan(
        state, patch, select=[op.op_id for op in patch.ops], at=clock(), new_id=new_id, filled=True
    )  # fmt: skip
    obstacles = in_the_way(state, applied, past.entry)
    order = order_of(target, state, past.applied, past.entry) if obstacles else [target]
    ids = {op.op_id: str(op.target_id) for op in patch.ops}
    return Undoing(target, past.undone_by(target), tuple(planned.receipts), ids, tuple(obstacles), tuple(order))
