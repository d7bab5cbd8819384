"""The ops that decide on candidates without making a memory of them."""

from __future__ import annotations

from typing import Any, Literal

from store.patch.build import days_after
from store.patch.draft import Change, Item, Outcome, Skip, Write
from store.state import places
from store.text import fingerprint, one_line

Cause = Literal["rejected", "deleted"]

OPEN = frozenset({"waiting", "deferred"})
"""Statuses in which a candidate still waits for a decision."""

DECIDED = OPEN | {"accepted", "rejected"}


def reject_candidate(change: Change) -> Outcome:
    """The candidates are turned away, each leaving a tombstone so that the same statement does not come back."""
    return turned_away(change, "rejected", _why(change))


def turned_away(change: Change, cause: Cause, reason: str | None) -> Outcome:
    """Candidates as rejected, with the tombstones that stand for them."""
    found = _named(change, OPEN)
    if isinstance(found, Skip):
        return found
    writes: list[Write] = []
    for item in found:
        writes += buried(change, item, cause, writes)
        fields = item.with_(status="rejected", reason=reason, defer_until=None, updated_at=change.at)
        writes.append(Write("candidate", fields))
    return writes


def defer_candidate(change: Change) -> Outcome:
    """The candidates leave the queue until `updates.defer_until`, else for as long as the settings say."""
    found = _named(change, OPEN)
    if isinstance(found, Skip):
        return found
    until = change.op.updates.get("defer_until") or days_after(change.at, change.draft.later_days)
    return [
        Write(
            "candidate",
            item.with_(status="deferred", defer_until=until, reason=_why(change), updated_at=change.at),
        )
        for item in found
    ]


def buried(change: Change, item: Item, cause: Cause, beside: list[Write]) -> list[Write]:
    """The tombstone of a candidate or record, or nothing when it has one already.

    One that stands for the same statement of another does not count: the undo of that other decision would lift it.
    """
    mark = fingerprint(item.content["statement"])
    scope: dict[str, Any] = item.content.get("scope") or {}
    targets: list[str] = item.content.get("targets") or []
    for known in change.draft.state.marks_of(mark):
        covered = places(scope, targets) <= places(known.get("scope") or {}, known.get("targets") or ())
        if known.get("of") == item.id and covered:
            return []
    if any(
        write.kind == "tombstone" and (write.content["fingerprint"], write.content["scope"]) == (mark, scope)
        for write in beside
    ):
        return []
    content = {
        "id": change.draft.new_id("tomb"),
        "fingerprint": mark,
        "scope": scope,
        "targets": targets,
        "cause": cause,
        "of": item.id,
        "created_at": change.at,
        "updated_at": change.at,
    }
    return [Write("tombstone", content)]


def _why(change: Change) -> str | None:
    return one_line(change.op.reason or "") or None


def _named(change: Change, statuses: frozenset[str]) -> list[Item] | Skip:
    wanted = [change.op.target_id] if change.op.target_id else []
    wanted += [ident for ident in change.op.candidate_ids if ident not in wanted]
    found = []
    for ident in wanted:
        item = change.draft.item("candidate", ident)
        if item is None:
            return Skip("unknown_target", f"no candidate {ident}")
        if item.forked:
            return Skip("not_applicable", f"candidate {ident} has two versions; resolve the fork first")
        if item.status not in statuses:
            return Skip("not_applicable", f"candidate {ident} is already {item.status}")
        found.append(item)
    return found
