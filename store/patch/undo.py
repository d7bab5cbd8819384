"""A patch that takes another one back: for everything it changed, a `restore` to what was there before.

The inverse of an inverse is the same again, so undoing an undo is a redo.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from store.layout import PROJECTS
from store.model import Op, Patch

if TYPE_CHECKING:
    from collections.abc import Mapping

    from store.ids import NewId


def undo_patch(applied: Mapping[str, Any], *, at: str, new_id: NewId, summary: str = "") -> Patch:
    """The undo of the patch whose `applied` line of the patch log is given; last changes are taken back first.

    Everything that one op changed goes back together or not at all. The registry of projects is left alone: what was
    learned about directories stays true.
    """
    first: dict[str, str | None] = {}
    last: dict[str, str] = {}
    together: dict[str, str] = {}
    for receipt in applied.get("receipts") or ():
        changes = [change for change in receipt.get("changes") or () if change.get("file") != PROJECTS]
        group = next((together[change["id"]] for change in changes if change["id"] in together), receipt["op_id"])
        merged = {together[change["id"]] for change in changes if change["id"] in together}
        together = {ident: group if old in merged else old for ident, old in together.items()}
        for change in changes:
            first.setdefault(change["id"], change.get("parent"))
            last[change["id"]] = change["hash"]
            together[change["id"]] = group
    ops = [
        Op(
            op_id=f"op_{number:03}",
            op="restore",
            target_id=ident,
            base=last[ident],
            updates={"to": first[ident], "together": together[ident]},
            rationale="Takes back what it was made into." if first[ident] is None else "Gives back what it was before.",
            risk="medium",
            default_selected=True,
        )
        for number, ident in enumerate(reversed(first), start=1)
    ]
    return Patch(
        patch_id=new_id("pat"),
        created_at=at,
        generated_by="manual",
        summary=summary or f"Undo {applied['patch_id']}",
        undoes=applied["patch_id"],
        ops=ops,
    )
