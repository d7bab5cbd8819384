"""What stands in the way of an undo: for each thing that stays as it is, the later patches that changed it. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from store.patch.returning import LIVING
from store.patch.undo import undo_patch
from store.patch.versions import back_again, only_reinforced
from store.state import places
from store.text import fingerprint

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from store.log.fold import Revision, Versions
    from store.state import State


@dataclass(frozen=True, slots=True)
class Later:
    """A patch that came after the one to be taken back, and changed the same thing."""

    patch: str
    at: str
    op: str
    summary: str

    @property
    def command(self) -> str:
        """What takes it back."""
        return f"curate undo {self.patch}"


@dataclass(frozen=True, slots=True)
class Obstacle:
    """One thing that an undo cannot give back, and why."""

    id: str
    later: tuple[Later, ...]
    """Newest first: they are taken back in this order. Empty where no patch made the change."""
    made_by: tuple[str, ...]
    """Ops of the revisions that stand in the way."""

    def document(self) -> dict[str, Any]:
        """As JSON."""
        later = [
            {"patch": one.patch, "at": one.at, "op": one.op, "summary": one.summary, "command": one.command}
            for one in self.later
        ]
        return {"id": self.id, "made_by": list(self.made_by), "later": later}


def in_the_way(state: State, applied: Mapping[str, Any], entry: Callable[[str], Mapping[str, Any]]) -> list[Obstacle]:
    """What hinders taking back the patch whose `applied` line is given, in the order of its changes.

    A later patch that was itself taken back hinders nothing, and neither does its undo.
    """
    patch = undo_patch(applied, at="", new_id=lambda prefix: prefix)
    own = {str(op.target_id) for op in patch.ops}
    found = []
    for op in reversed(patch.ops):
        versions = _versions(state, str(op.target_id))
        if versions is None or op.base is None or op.base not in versions:
            continue
        moved = versions.head.hash != op.base
        if moved and not (only_reinforced(versions, op.base) or back_again(versions, op.base)):
            found.append(_obstacle(versions, op.base, entry))
        elif mark := _mark_on(state, versions, str(op.updates.get("to")), own):
            found.append(_kept_away(versions.id, mark, entry))
    return found


def order_of(applied: str, state: State, past: Callable[[str], Mapping[str, Any]], entry: Any) -> list[str]:
    """The patches to take back, newest first, so that this one can be; itself last. `past` gives applied lines."""
    wanted: dict[str, str] = {}
    waiting = [applied]
    while waiting:
        patch_id = waiting.pop()
        if patch_id in wanted:
            continue
        wanted[patch_id] = str(past(patch_id).get("at"))
        waiting += [later.patch for one in in_the_way(state, past(patch_id), entry) for later in one.later]
    rest = sorted((one for one in wanted if one != applied), key=lambda one: (wanted[one], one), reverse=True)
    return [*rest, applied]


def _obstacle(versions: Versions, base: str, entry: Callable[[str], Mapping[str, Any]]) -> Obstacle:
    since = _since(versions, base)
    named = dict.fromkeys(one.patch for one in since if one.patch)
    told = {patch_id: entry(patch_id) for patch_id in named}
    void = {patch_id for patch_id, one in told.items() if one.get("undone_by") in told}
    void |= {str(told[patch_id]["undone_by"]) for patch_id in void}
    later = []
    for patch_id in named:
        if patch_id not in void:
            last = next(one for one in since if one.patch == patch_id)
            later.append(Later(patch_id, last.at, last.op, str(told[patch_id].get("summary") or "")))
    return Obstacle(versions.id, tuple(later), tuple(dict.fromkeys(one.op for one in since)))


def _mark_on(state: State, versions: Versions, to: str, own: Collection[str]) -> Revision | None:
    """The line that says that what a record said before is dead now, of a mark that this undo does not lift itself."""
    if versions.id not in state.records or to not in versions:
        return None
    back, here = versions[to].data, versions.data
    if back.get("status") not in LIVING or back.get("statement") == here.get("statement"):
        return None
    for mark in state.marks_of(fingerprint(str(back.get("statement")))):
        there = places(mark.get("scope") or {}, mark.get("targets") or ())
        if mark["id"] not in own and there & places(back.get("scope") or {}):
            return state.tombstones[str(mark["id"])].head
    return None


def _kept_away(ident: str, mark: Revision, entry: Callable[[str], Mapping[str, Any]]) -> Obstacle:
    why = f"{mark.data['cause']} the same statement ({mark.data['of']})"
    if mark.patch is None or mark.data["cause"] == "purged":
        return Obstacle(ident, (), (why,))
    summary = str(entry(mark.patch).get("summary") or "")
    return Obstacle(ident, (Later(mark.patch, mark.at, mark.op, summary or why),), (why,))


def _since(versions: Versions, base: str) -> list[Revision]:
    """Revisions that the base does not rest on itself, newest first."""
    known: set[str] = set()
    waiting = [base]
    while waiting:
        hash_ = waiting.pop()
        if hash_ in known or hash_ not in versions:
            continue
        known.add(hash_)
        waiting += [one for one in (versions[hash_].parent, *versions[hash_].joins) if one]
    return [one for one in reversed(versions.revisions) if one.hash not in known]


def _versions(state: State, ident: str) -> Versions | None:
    for folded in (state.records, state.candidates, state.tombstones):
        if ident in folded:
            return folded[ident]
    return None
