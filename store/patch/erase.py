"""What a purge plans: everything that carries the statement ends without words, and tombstones stop it coming back.

The lines planned here hold no content; removing it from the files follows once they are durable.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from store.ids import NewId
from store.layout import TOMBSTONES
from store.log.fold import Versions, content
from store.log.purge import CONTENT_FREE
from store.log.stub import GONE, stub
from store.model import Op, Patch
from store.patch.draft import Change, Item, Outcome, Skip, Write, before
from store.patch.inbox import OPEN
from store.state import State
from store.text import fingerprint


def erase(change: Change) -> Outcome:
    """The target and the named candidates, with every candidate that carries the same, as purged."""
    named = [ident for ident in (change.op.target_id, *change.op.candidate_ids) if ident]
    missing = [ident for ident in named if change.draft.find(ident, ("record", "candidate")) is None]
    if missing:
        return Skip("unknown_target", f"no record or candidate {missing[0]}")
    writes: list[Write] = []
    done = {one.data["of"] for one in change.draft.planned if one.data.get("cause") == "purged"}
    for ident in carriers(change.draft.state, named):
        if ident in done:
            continue
        item = change.draft.find(ident, ("record", "candidate"))
        assert item is not None
        writes += _tombstones(change, item)
        writes.append(_ended(change, item, named=ident in named))
    return writes


def purge_patch(ids: Collection[str], *, at: str, new_id: NewId, reason: str | None = None) -> Patch:
    """A patch that purges these records and candidates."""
    ops = [
        Op(op_id=f"op_{number:03}", op="delete", target_id=ident, updates={"mode": "purge"}, reason=reason)
        for number, ident in enumerate(dict.fromkeys(ids), start=1)
    ]
    return Patch(patch_id=new_id("pat"), created_at=at, summary=f"Purge {', '.join(dict.fromkeys(ids))}", ops=ops)


def purged_by_patch(applied: Mapping[str, Any]) -> list[str]:
    """Ids that a patch purged, given its `applied` line, when that is all it did: there is nothing to take back."""
    modes = {op["op_id"]: (op.get("updates") or {}).get("mode") for op in (applied.get("patch") or {}).get("ops") or ()}
    done = [receipt for receipt in applied.get("receipts") or () if receipt.get("applied")]
    if not done or any(modes.get(receipt["op_id"]) != "purge" for receipt in done):
        return []
    changes = [change for receipt in done for change in receipt.get("changes") or ()]
    return list(dict.fromkeys(str(change["id"]) for change in changes if change.get("file") != TOMBSTONES))


def without_purged(state: State, patch: Patch) -> Patch:
    """A patch as it goes on record: an op that would say again what was purged, and may not, says nothing."""
    if not state.purged:
        return patch
    return patch.model_copy(update={"ops": [_muted(op) if _repeats(state, op) else op for op in patch.ops]})


def _repeats(state: State, op: Op) -> bool:
    if op.updates.get("lift_tombstone"):
        return False
    said = [*(op.record or {}).items(), *op.updates.items()]
    prints = [fingerprint(text) for key, text in said if key in ("statement", "body") and isinstance(text, str)]
    marks = [state.tombstone_for(print_) for print_ in prints]
    return any(mark is not None and mark["cause"] == "purged" for mark in marks)


def _muted(op: Op) -> Op:
    updates = {key: value for key, value in op.updates.items() if key in CONTENT_FREE}
    return op.model_copy(update={"record": None, "updates": updates, "reason": None, "rationale": None})


def carriers(state: State, named: list[str]) -> list[str]:
    """These ids, the candidates that became them, and those waiting that say the very same."""
    found = dict.fromkeys(named)
    prints: set[str] = set()
    for ident in named:
        prints |= set(_prints(state.records.get(ident) or state.candidates.get(ident)))
    for ident, versions in state.candidates.items():
        data = versions.data
        waits = data.get("status", "waiting") in OPEN
        if not found.keys().isdisjoint(data.get("became", ())) or (waits and not prints.isdisjoint(_prints(versions))):
            found[ident] = None
    return list(found)


def _ended(change: Change, item: Item, *, named: bool) -> Write:
    fields = stub(item.content, "", candidate=item.kind == "candidate")
    gone: dict[str, Any] = {"id": item.id, **content(fields), "updated_at": change.at}
    if named and item.kind == "candidate":
        gone["status"] = "rejected"
    return Write(item.kind, gone, joins=tuple(head for head in item.heads if head != item.hash))


def _tombstones(change: Change, item: Item) -> list[Write]:
    """A mark for each statement that it ever had, where it had it; of what was purged before, its mark once more."""
    known = [
        ident
        for ident, versions in change.draft.state.tombstones.items()
        if versions.data.get("of") == item.id and versions.data.get("cause") == "purged"
    ]
    versions = before(change.draft.state, item.kind, item.id)
    contents = [item.content, *(one.data for one in reversed(versions.revisions if versions else []))]
    marks: dict[tuple[Any, ...], dict[str, Any]] = {}
    for data in contents:
        if data["statement"] == GONE:
            continue
        scope = {key: value for key, value in (data.get("scope") or {}).items() if key != "paths"}
        targets = list(data.get("targets") or ())
        print_ = fingerprint(data["statement"])
        marks.setdefault((print_, str(scope), tuple(targets)), {
            "fingerprint": print_, "scope": scope, "targets": targets, "cause": "purged", "of": item.id,
            "created_at": change.at, "updated_at": change.at,
        })  # fmt: skip
    made = [Write("tombstone", {"id": change.draft.new_id("tomb"), **mark}) for mark in marks.values()]
    if made or not known:
        return made
    again = change.draft.item("tombstone", known[0])
    return [Write("tombstone", again.with_(updated_at=change.at))] if again else []


def _prints(versions: Versions | None) -> list[str]:
    """Fingerprints of what a thing says and said."""
    if versions is None:
        return []
    said = dict.fromkeys(str(one.data.get("statement")) for one in versions.revisions)
    return [fingerprint(text) for text in said if text != GONE]
