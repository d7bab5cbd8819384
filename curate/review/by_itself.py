"""What the settings allow to be applied without a review (`auto_apply`, off by default), right after it was captured.

The store refuses whatever is more than low in risk; here is held back what contradicts something, or is like it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from store import ids

if TYPE_CHECKING:
    from collections.abc import Collection

    from curate.review.inbox import Group
    from store.store import Applied, Store

UNDER = "auto_apply"
"""The setting, and what a patch says of itself in `automatic`."""


def apply_by_itself(store: Store, captured: Collection[str]) -> Applied | None:
    """Apply what may be of these candidates, as a patch of its own; None when the setting is off, or nothing may.

    Raises `StoreUnusable`.
    """
    if not captured or not store.config.get(UNDER):
        return None
    # Asked at the end of every turn, and nearly always off: only now is it worth loading.
    from curate.review.inbox import inbox
    from curate.review.propose import propose

    store.refresh()
    at = ids.now()
    wanted = set(captured)
    threshold = store.config.get("review.batch_threshold")
    groups = [group for group in inbox(store.state, at=at, threshold=threshold) if _may(group, wanted)]
    patch = propose(store.state, groups, at=at)
    ops = [op for op in patch.ops if op.op == "add" and op.default_selected]
    if not ops:
        return None
    rules = "1 rule" if len(ops) == 1 else f"{len(ops)} rules"
    summary = f"applied by itself under {UNDER}: {rules}"
    patch = patch.model_copy(update={"ops": ops, "summary": summary, "automatic": UNDER})
    done = store.apply(patch, select=[op.op_id for op in ops])
    return done if any(receipt.applied for receipt in done.receipts) else None


def made_by(applied: Applied | None) -> list[str]:
    """Ids of the records that it made."""
    if applied is None:
        return []
    changes = (change for receipt in applied.receipts if receipt.applied for change in receipt.changes)
    return [str(change["id"]) for change in changes if str(change["file"]).startswith("memory/projects/")]


def _may(group: Group, wanted: set[str]) -> bool:
    """New, undisputed, in view, and none of it captured before: what waited already waits for a person."""
    return (
        group.visible
        and group.match.kind == "new"
        and group.tab in ("groups", "singles")
        and not group.rivals
        and not group.flags
        and set(group.candidates) <= wanted
    )
