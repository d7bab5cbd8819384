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
    changed: dict[str, list[Mapping[str, Any]]] = {}
    together: dict[str, str] = {}
    for receipt in applied.get("receipts") or ():
        changes = [change for change in receipt.get("changes") or () if change.get("file") != PROJECTS]
        joined = {together[change["id"]] for change in changes if change["id"] in together}
        group = min(joined, default=receipt["op_id"])
        together = {ident: group if old in joined else old for ident, old in together.items()}
        for change in changes:
            changed.setdefault(change["id"], []).append(change)
            together[change["id"]] = group
    spans = {ident: _span(changes) for ident, changes in changed.items()}
    ops = [
        Op(
            op_id=f"op_{number:03}",
            op="restore",
            target_id=ident,
            base=spans[ident][1],
            updates={"to": spans[ident][0], "together": together[ident]},
            rationale="Takes back what it was made into."
            if spans[ident][0] is None
            else "Gives back what it was before.",
            risk="medium",
            default_selected=True,
        )
        for number, ident in enumerate(reversed(spans), start=1)
    ]
    return Patch(
        patch_id=new_id("pat"),
        created_at=at,
        generated_by="manual",
        summary=summary or f"Undo {applied['patch_id']}",
        undoes=applied["patch_id"],
        ops=ops,
    )


def _span(changes: list[Mapping[str, Any]]) -> tuple[str | None, str]:
    """The revision before the patch's changes of one thing, and the last of them.

    Receipts of a patch applied in rounds may come in any order, with changes of others in between; only what follows
    on without a gap is taken back.
    """
    parents = {change["hash"]: change.get("parent") for change in changes}
    ends = [hash_ for hash_ in parents if hash_ not in set(parents.values())]
    last = ends[-1]
    first: str | None = last
    while first in parents:
        first = parents[first]
    return first, last
