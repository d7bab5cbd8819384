"""A patch against a state: which revisions it would append, and what becomes of each op.

Pure: same state, patch, clock and ids give the same plan, and the state is left as it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pydantic import ValidationError

from store.log.stub import purged_by
from store.model import Op, Patch, Receipt
from store.patch.automatic import why_not_by_itself
from store.patch.check import check, check_selection
from store.patch.draft import LATER_DAYS, Change, Draft, Item, Kind, Skip, before
from store.patch.policy import barred, preselected
from store.patch.returning import lifted_by
from store.patch.table import RULES, On
from store.patch.versions import back_again, only_reinforced, stays_away

if TYPE_CHECKING:
    from collections.abc import Collection

    from store.ids import NewId
    from store.line import PlannedLine
    from store.state import State

_KINDS: dict[On, tuple[Kind, ...]] = {
    "nothing": (),
    "record": ("record",),
    "candidate": ("candidate",),
    "record or candidate": ("record", "candidate"),
    "anything": ("record", "candidate", "tombstone", "project"),
}


@dataclass(frozen=True, slots=True)
class Plan:
    """The revisions to append, in order, and one receipt per op, in the patch's order."""

    revisions: list[PlannedLine]
    receipts: list[Receipt]
    purges: list[str]
    """Ids whose text is to be removed from every file once the revisions are durable."""


def plan(
    state: State,
    patch: Patch,
    *,
    select: Collection[str] | None = None,
    confirm: str | None = None,
    at: str,
    new_id: NewId,
    filled: bool = False,
    later_days: int = LATER_DAYS,
) -> Plan:
    """Plans the selected ops (None: the preselected ones). `confirm` holds the words that the person typed; `filled`
    says that the patch comes from `fill`, which has checked it; `later_days` is for how long a candidate is put off.

    Raises `BadPatch` when the patch or the selection is not valid as a whole; otherwise each op that cannot be applied
    is skipped with its reason, and the others stand. Ops see what earlier ops of the patch did; `base` is compared
    with the state before the patch.
    """
    if not filled:
        check(patch)
    if select is not None:
        check_selection(select, {op.op_id for op in patch.ops})
    draft = Draft(state, patch.patch_id, at, new_id, later_days)
    words = (confirm or "").replace(",", " ").split()
    chosen = _chosen(draft, patch, select, filled=filled)
    parted = _parted(draft, patch, chosen)
    undoing = patch.undoes is not None
    receipts = []
    for op in patch.ops:
        if op.op_id not in chosen:
            done: list[dict[str, str | None]] | Skip = Skip("not_selected", "it was not selected")
        elif op.op_id in parted:
            done = parted[op.op_id]
        elif patch.automatic and (why := why_not_by_itself(op, draft)):
            done = Skip("not_applicable", f"not applied by itself: {why}")
        else:
            done = _apply(draft, op, words, undoing=undoing)
        if isinstance(done, Skip):
            receipts.append(Receipt(op_id=op.op_id, op=op.op, applied=False, reason=done.reason, detail=done.detail))
            continue
        receipts.append(Receipt(op_id=op.op_id, op=op.op, applied=True, changes=done))
    return Plan(draft.planned, receipts, purged_by(one.data for one in draft.planned))


def _chosen(draft: Draft, patch: Patch, select: Collection[str] | None, *, filled: bool) -> set[str]:
    """The ops to apply. What `fill` says of them it has from policy; what a document says may only take an op out."""
    if select is not None:
        return set(select)
    return {
        op.op_id
        for op in patch.ops
        if (op.default_selected is not False if patch.undoes is not None or filled else preselected(op, draft))
    }


def _apply(draft: Draft, op: Op, words: list[str], *, undoing: bool) -> list[dict[str, str | None]] | Skip:
    rule = RULES[op.op]
    target = draft.find(op.target_id, _KINDS[rule.on]) if op.target_id else None
    if op.target_id and (refused := _refused(draft, op, target)):
        return refused
    if closed := barred(op, draft, words, undoing=undoing):
        return closed
    outcome = rule.apply(Change(op, target, draft))
    if isinstance(outcome, Skip):
        return outcome
    try:
        return draft.write(outcome, op.op)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        return Skip("invalid", f"{where}: {first['msg'].lower()}")


def _refused(draft: Draft, op: Op, target: Item | None) -> Skip | None:
    """Why the op may not act on its target, whatever it would do there."""
    rule = RULES[op.op]
    if target is None:
        known = draft.find(op.target_id or "", _KINDS["anything"])
        if known is not None:
            return Skip("not_applicable", f"{op.target_id} is a {known.kind}; {op.op} acts on a {rule.on}")
        return Skip("unknown_target", f"no {rule.on} {op.target_id}")
    if not _is_purge(op) and (target.id in draft.state.purged or _lifts_purge(op, target)):
        return Skip("not_applicable", f"{target.content.get('of', target.id)} was purged, and a purge is not undone")
    if moved := _moved(draft, op, target):
        return moved
    if target.forked and not rule.forked:
        return Skip("not_applicable", f"{target.id} has two newest versions; resolve the fork first")
    if target.kind in ("record", "candidate") and target.status not in rule.statuses:
        return Skip(
            "not_applicable", f"{target.id} is {target.status}; {op.op} acts on {', '.join(sorted(rule.statuses))}"
        )
    return None


def _is_purge(op: Op) -> bool:
    return op.op == "delete" and op.updates.get("mode") == "purge"


def _lifts_purge(op: Op, target: Item) -> bool:
    """Taking a purge back would lift its mark; a lift that a person asked for may be taken back and done again."""
    return op.op == "restore" and target.content.get("cause") == "purged" and op.updates.get("to") is None


def _moved(draft: Draft, op: Op, target: Item) -> Skip | None:
    """Whether the target is still what it was when the op was proposed."""
    versions = before(draft.state, target.kind, target.id)
    if op.base is None or versions is None or versions.head.hash == op.base:
        return None
    if any(revision.patch == draft.patch_id for revision in versions.heads):
        return Skip("already_applied", f"this patch has changed {target.id} already")
    latest = versions.head
    detail = f"{target.id} was changed since, by {latest.op or 'a capture'} at {latest.at}"
    if op.op != "restore":
        return Skip("stale", detail)
    if op.base in versions and (only_reinforced(versions, op.base) or back_again(versions, op.base)):
        return None
    return Skip("changed_since", detail)


def _parted(draft: Draft, patch: Patch, chosen: set[str]) -> dict[str, Skip]:
    """Restores that go together or not at all, and cannot: one half of a supersede taken back would leave two rules.

    A mark that stays because its part of the undo cannot be done keeps away what it stands for, so this is looked at
    until nothing more falls away.
    """
    parted: dict[str, Skip] = {}
    while True:
        lifted = (lifted_by(op, draft) for op in patch.ops if op.op_id in chosen and op.op_id not in parted)
        draft.lifting = frozenset(filter(None, lifted))
        found = _blocked(draft, patch, chosen)
        if found.keys() == parted.keys():
            return found
        parted = found


def _blocked(draft: Draft, patch: Patch, chosen: set[str]) -> dict[str, Skip]:
    blocked: dict[str, Skip] = {}
    for op in patch.ops:
        together = op.updates.get("together") if op.op == "restore" else None
        if together is None or together in blocked:
            continue
        item = draft.find(op.target_id or "", _KINDS["anything"])
        if op.op_id not in chosen:
            blocked[together] = Skip("not_applicable", f"it goes together with {op.op_id}, which was not selected")
        elif refused := _refused(draft, op, item) or stays_away(draft, op, item):
            blocked[together] = refused
    return {
        op.op_id: blocked[op.updates["together"]]
        for op in patch.ops
        if op.op == "restore" and op.updates.get("together") in blocked
    }
