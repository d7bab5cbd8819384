"""The two steps of a promotion: the dossier below the store's root, and, when a person asks for it, the note in the
staging folder. What changes in the store is a patch of one op, like every other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from curate.vault.place import REFUSED, Placed
from curate.vault.promote import case, report, stage
from curate.vault.refs import resolve
from store.errors import InputError
from store.ids import new_id, now
from store.log.disk import Disk
from store.model import Op, Patch
from store.patch.edit import VAULT_TAG

if TYPE_CHECKING:
    from curate.vault.folder import Vault
    from curate.vault.promote import Case
    from store.store import Store


class NotForTheVault(InputError):
    """The record's state does not allow a promotion."""

    def __init__(self, ident: str, detail: str) -> None:
        super().__init__(f"{ident} cannot be promoted: {detail}")


@dataclass(frozen=True, slots=True)
class Promoted:
    """What a step did: the case, where the dossier and the note are, and the last patch, if there was one."""

    case: Case
    report: Placed
    note: Placed | None = None
    patch: str | None = None

    @property
    def refused(self) -> Placed | None:
        """The first place that a person has to look at."""
        return next((one for one in (self.report, self.note) if one is not None and one.outcome in REFUSED), None)


def promote(store: Store, ident: str, vault: Vault | None, at: str, *, write: bool) -> Promoted:
    """Mark a record for the vault and write its dossier; with `write` also the note, to which the record then refers.

    Raises `UnknownId`, `NotForTheVault`, `OutsideVault`, `WriteFailed`.
    """
    patch = _mark(store, ident)
    made = case(store.state, ident, vault, at)
    written = report(store.root, made, Disk())
    if not write or vault is None or written.outcome in REFUSED:
        return Promoted(made, written, None, patch)
    placed = stage(vault, made)
    if placed.outcome not in REFUSED:
        patch = _refer(store, ident, vault, placed.path) or patch
    return Promoted(made, written, placed, patch)


def link(store: Store, ident: str, note: str) -> str | None:
    """Note in a record that a note of the vault says the same; gives the patch, None when it does so already."""
    if store.state.record(ident).vault_ref == note:
        return None
    op = Op(op_id="op_001", op="update", target_id=ident, updates={"vault_ref": note})
    return _apply(store, op, f"Link {ident} to {note}")


def _mark(store: Store, ident: str) -> str | None:
    """Mark a record for the vault by the op that is made for it; one that is marked stays as it is."""
    record = store.state.record(ident)
    if record.status != "active":
        raise NotForTheVault(ident, f"it is {record.status}; only what is active may go into the vault")
    if VAULT_TAG in record.tags:
        return None
    op = Op(op_id="op_001", op="promote_to_vault_candidate", target_id=ident)
    return _apply(store, op, f"Promote {ident} to the vault")


def _refer(store: Store, ident: str, vault: Vault, path: str) -> str | None:
    """Have the record refer to its note, unless it refers to a note that is there."""
    known = store.state.records[ident].data.get("vault_ref")
    if known and (known == path or resolve(vault, known, ident).alive):
        return None
    return link(store, ident, path)


def _apply(store: Store, op: Op, summary: str) -> str:
    patch = Patch(patch_id=new_id("pat"), created_at=now(), summary=summary, ops=[op])
    receipt = store.apply(patch, select=[op.op_id]).receipts[0]
    if not receipt.applied:
        raise NotForTheVault(str(op.target_id), receipt.detail or str(receipt.reason))
    return patch.patch_id
