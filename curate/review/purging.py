"""Taking what was said out of every file of a store, for good: the same way by command and on the screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from store.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from store.model import Patch
    from store.purge import Purged
    from store.store import Store

WORD = "purge"
"""What a person types, since it cannot be undone."""


class NotConfirmed(InputError):
    """Nobody typed the word."""

    def __init__(self) -> None:
        super().__init__(f"nothing was purged; it cannot be undone, so confirm it with `--confirm {WORD}`")


class NotPurged(InputError):
    """The patch was refused."""

    def __init__(self, reasons: list[str]) -> None:
        super().__init__(f"nothing was purged: {'; '.join(reasons)}")


def purge(store: Store, ids: Sequence[str], confirm: str | None) -> tuple[str, Purged]:
    """Purge records and candidates; gives the id of the patch and what was done.

    Raises `NotConfirmed`, `NotPurged`, and what `Store.apply` raises.
    """
    from store.ids import new_id, now
    from store.patch import purge_patch

    if WORD not in (confirm or "").split():
        raise NotConfirmed
    patch = purge_patch(ids, at=now(), new_id=new_id)
    noted = vault_notes(store, ids)
    applied = store.apply(patch, select=[op.op_id for op in patch.ops], confirm=confirm)
    if applied.purged is None:
        raise NotPurged([str(receipt.detail or receipt.reason) for receipt in applied.receipts if not receipt.applied])
    applied.purged.by_hand += noted
    return applied.patch_id, applied.purged


def named_by(patch: Patch) -> list[str]:
    """The records and candidates that the ops of a patch would purge."""
    return [
        op.target_id for op in patch.ops if op.op == "delete" and op.target_id and op.updates.get("mode") == "purge"
    ]  # fmt: skip


def vault_notes(store: Store, ids: Sequence[str]) -> list[str]:
    """Notes in a vault that say the same; they are a person's own."""
    records = (store.state.records[ident].data for ident in ids if ident in store.state.records)
    return [f"the vault's note {data['vault_ref']}" for data in records if data.get("vault_ref")]
