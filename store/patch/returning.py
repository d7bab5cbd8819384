"""What was rejected or deleted does not come back by the way: not by the undo of something else, nor as a version kept.

A tombstone stands for each such statement. It is lifted by the undo of the very patch that put it there, or by an op
that says `lift_tombstone`; nothing else may bring its statement to life.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

from store.patch.draft import Skip, before
from store.state import places
from store.text import fingerprint

if TYPE_CHECKING:
    from store.model import Op
    from store.patch.draft import Draft, Item

LIVING = frozenset({"active", "contested", "deprecated"})
"""Statuses of a record that somebody could still meet, or bring back in force."""
OPEN = frozenset({"waiting", "deferred"})


def returns(item: Item, back: Mapping[str, Any], draft: Draft, lifting: Collection[str] = ()) -> Skip | None:
    """Why a thing may not have the content `back` again, or nothing when no mark stands in the way.

    `lifting` are the marks that go in the same step.
    """
    if item.kind not in ("record", "candidate") or not _comes_to_life(item, back, draft):
        return None
    mark = _mark(back, draft, lifting)
    if mark is None:
        return None
    return Skip(
        "tombstoned",
        f"what {item.id} said then was {mark['cause']} on {mark['created_at'][:10]} ({mark['of']}); "
        'to bring it back set "updates": {"lift_tombstone": true}',
    )


def lifted_by(op: Op, draft: Draft) -> str | None:
    """The mark that a `restore` takes away, if that is what it does."""
    if op.op != "restore" or op.target_id is None:
        return None
    item = draft.item("tombstone", op.target_id)
    if item is None or item.content.get("lifted"):
        return None
    to = op.updates.get("to")
    if to is None:
        return item.id
    versions = draft.state.tombstones.get(item.id)
    return item.id if versions is not None and to in versions and versions[to].data.get("lifted") else None


def _comes_to_life(item: Item, back: Mapping[str, Any], draft: Draft) -> bool:
    """True when the content would hold, or wait, where it does not now."""
    status = str(back.get("status", "active"))
    if item.kind == "candidate":
        return status in OPEN and item.status == "rejected"
    if status not in LIVING:
        return False
    lives = item.status in LIVING and not (item.forked and _ended_elsewhere(item, draft))
    same = fingerprint(str(item.content.get("statement"))) == fingerprint(str(back.get("statement")))
    return not (lives and same and _places(back) <= _places(item.content))


def _ended_elsewhere(item: Item, draft: Draft) -> bool:
    """True when one of the newest versions of a fork was deleted."""
    versions = before(draft.state, item.kind, item.id)
    return versions is not None and any(head.data.get("status") == "deleted" for head in versions.heads)


def _mark(back: Mapping[str, Any], draft: Draft, lifting: Collection[str]) -> Mapping[str, Any] | None:
    for mark in draft.state.marks_of(fingerprint(str(back.get("statement")))):
        here = draft.item("tombstone", str(mark["id"]))
        if mark["id"] in lifting or (here is not None and here.content.get("lifted")):
            continue
        if _places(back) & places(mark.get("scope") or {}, mark.get("targets") or ()):
            return mark
    return None


def _places(content: Mapping[str, Any]) -> set[tuple[str, ...]]:
    return places(content.get("scope") or {}, content.get("targets") or ())
