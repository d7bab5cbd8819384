"""The ops that deal with whole versions: delete ends a thing, resolve_fork chooses among heads, restore goes back."""

from __future__ import annotations

from typing import Any

from store.log.fold import Versions, content
from store.log.stub import GONE
from store.model import Op
from store.patch.build import accepted, candidates, joined, lifted, tidy
from store.patch.draft import Change, Draft, Item, Outcome, Skip, Write, before
from store.patch.erase import erase
from store.patch.inbox import buried, turned_away
from store.patch.returning import returns
from store.state import State
from store.text import fingerprint

UNDONE = "undone"
"""The reason that a candidate made by an undone patch carries."""


def delete(change: Change) -> Outcome:
    """The record is deleted and leaves a tombstone; candidates that ask for it are accepted. Without a record, the
    candidates go. Mode `purge` ends them without words: the rewrite of files follows once this is durable.
    """
    if change.op.updates.get("mode") == "purge":
        return erase(change)
    item = change.target
    if item is None or item.kind == "candidate":
        return turned_away(change, "deleted", "deleted")
    if item.status == "deleted":
        return Skip("not_applicable", "it is deleted already; mode purge would also remove its text")
    sources = candidates(change)
    if isinstance(sources, Skip):
        return sources
    gone = item.with_(status="deleted", valid_to=change.at, contested_because=None, updated_at=change.at)
    joins = tuple(head for head in item.heads if head != item.hash)
    buried_ = buried(change, item, "deleted", [])
    return [*buried_, Write("record", gone, joins=joins), *accepted(change, sources, [item.id])]


def resolve_fork(change: Change) -> Outcome:
    """One version wins (`updates.keep`, a head's hash), or `record` gives the content that both become.

    Where a version that did not win was superseded, what was made in its place is contested: two rules would be left.
    """
    item = change.item
    if not item.forked:
        return Skip("not_applicable", "it has a single newest version")
    keep = change.op.updates.get("keep", item.hash)
    if keep not in item.heads:
        return Skip("not_applicable", f"no head {keep}; its heads are {', '.join(item.heads)}")
    versions = before(change.draft.state, item.kind, item.id)
    kept = content(versions[keep].data) if versions is not None and keep in versions else item.content
    fields = {**kept, **tidy(change.op.record or {}), "id": item.id, "updated_at": change.at}
    others = tuple(head for head in item.heads if head != keep)
    if versions is not None:
        lists = [versions[head].data.get("evidence", ()) for head in item.heads if head in versions]
        if evidence := joined(kept.get("evidence", ()), *lists):
            fields["evidence"] = evidence
    if (stays := returns(item, fields, change.draft)) and not change.op.updates.get("lift_tombstone"):
        return stays
    contested = _passed_over(change, versions, others, fields) if versions is not None else []
    return [*_lifts(change, fields), Write(item.kind, fields, parent=keep, joins=others), *contested]


def restore(change: Change) -> Outcome:
    """The content of the revision `updates.to` again; with null the thing ends as if it had never been made."""
    item = change.item
    to = change.op.updates.get("to")
    if to is None:
        return [Write(item.kind, _unmade(item, change.at))]
    versions = before(change.draft.state, item.kind, item.id)
    if versions is None or to not in versions:
        return Skip("not_applicable", f"{item.id} has no revision {to}")
    if stays := stays_away(change.draft, change.op, item):
        return stays
    back = _with_later_evidence(item, versions, to)
    return [*_lifts(change, back), Write(item.kind, back)]


def stays_away(draft: Draft, op: Op, item: Item | None) -> Skip | None:
    """Why the target of a `restore` may not be what it was: its words were purged, rejected or deleted since."""
    versions = before(draft.state, item.kind, item.id) if item is not None else None
    to = op.updates.get("to")
    if item is None or versions is None or to is None or to not in versions or item.kind not in ("record", "candidate"):
        return None
    back = content(versions[to].data)
    if _says_what_was_purged(draft.state, back):
        return Skip("tombstoned", f"what {item.id} said then was purged since, and does not come back")
    return None if op.updates.get("lift_tombstone") else returns(item, back, draft, draft.lifting)


def only_reinforced(versions: Versions, base: str) -> bool:
    """True when all that happened since `base` is that more evidence came in."""
    hash_: str | None = versions.head.hash
    while hash_ != base:
        if hash_ is None or hash_ not in versions or versions[hash_].op != "reinforce":
            return False
        hash_ = versions[hash_].parent
    return not versions.forked


def back_again(versions: Versions, base: str) -> bool:
    """True when later patches were taken back, so that the content is again what it was at `base`."""
    return not versions.forked and versions.head.content() == versions[base].content()


def _lifts(change: Change, back: dict[str, Any]) -> list[Write]:
    """The marks of a statement that comes back because a person says so."""
    if not change.op.updates.get("lift_tombstone"):
        return []
    return lifted(change, {fingerprint(str(back.get("statement")))}, [back.get("scope") or {}])


def _passed_over(change: Change, versions: Versions, others: tuple[str, ...], fields: dict[str, Any]) -> list[Write]:
    """Records made to follow a version of the target that did not win, as contested."""
    draft = change.draft
    winner = _last(draft, fields.get("superseded_by"))
    why = f"the fork of {change.item.id}, which it replaced, was resolved" + (f" for {winner}" if winner else "")
    writes: dict[str, Write] = {}
    for head in others:
        made = versions[head].data.get("superseded_by") if head in versions else None
        born = before(draft.state, "record", str(made))
        if born is None or change.item.id not in born.revisions[0].data.get("supersedes", ()):
            continue  # it was there before, with a right of its own
        found = draft.item("record", _last(draft, made) or "")
        if found is None or found.id in (winner, change.item.id) or found.forked or found.status != "active":
            continue
        lost = found.with_(status="contested", contested_because=why, updated_at=change.at)
        writes[found.id] = Write("record", lost)
    return list(writes.values())


def _last(draft: Draft, ident: str | None) -> str | None:
    """The end of a line of successors: the record that stands where this one stood."""
    seen: set[str] = set()
    while ident is not None and ident not in seen:
        seen.add(ident)
        item = draft.item("record", ident)
        following = item.content.get("superseded_by") if item and item.status == "superseded" else None
        if following is None:
            return ident
        ident = following
    return ident


def _with_later_evidence(item: Item, versions: Versions, to: str) -> dict[str, Any]:
    back = content(versions[to].data)
    if item.kind != "candidate" or versions.head.op != "reinforce":
        return back
    return {**back, "evidence": joined(back.get("evidence", ()), item.content.get("evidence", ()))}


def _says_what_was_purged(state: State, back: dict[str, Any]) -> bool:
    statement = str(back.get("statement"))
    mark = state.tombstone_for(fingerprint(statement), back.get("scope") or {}, back.get("targets") or ())
    return statement == GONE or (mark is not None and mark["cause"] == "purged")


def _unmade(item: Item, at: str) -> dict[str, Any]:
    if item.kind == "tombstone":
        return item.with_(lifted=True, updated_at=at)
    if item.kind == "candidate":
        return item.with_(status="rejected", reason=UNDONE, updated_at=at)
    return item.with_(status="deleted", valid_to=at, updated_at=at)
