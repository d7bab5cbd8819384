"""Which revision put each field of a memory there, by what decision, and on what evidence. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from curate.review.life import reason_of, who
from store.log.fold import ENVELOPE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from store.log.fold import Revision, Versions
    from store.state import State

_NOT_BLAMED = frozenset({*ENVELOPE, "id", "updated_at"})
"""What every revision has anew, or never changes."""
_EVIDENCE = ("evidence", "evidence_against")


@dataclass(frozen=True, slots=True)
class Origin:
    """Where the present value of one field comes from."""

    field: str
    value: Any
    revision: Revision
    who: str
    why: str
    summary: str
    evidence: tuple[dict[str, Any], ...]
    """Lines of the evidence that came in with that revision, or that its decision rested on."""
    items: tuple[tuple[Any, Revision], ...] = ()
    """Of a list: where each of its entries comes from."""

    def document(self) -> dict[str, Any]:
        """As JSON."""
        made = _made(self.revision)
        told: dict[str, Any] = {
            "field": self.field, "value": self.value, **made, "who": self.who, "why": self.why,
            "summary": self.summary, "evidence": list(self.evidence),
        }  # fmt: skip
        return told | ({"items": [{"value": one, **_made(by)} for one, by in self.items]} if self.items else {})


def setters(versions: Versions) -> dict[str, Revision]:
    """For each field of the newest version, the revision that gave it the value it has."""
    head = versions.head
    wanted = [name for name in head.data if name not in _NOT_BLAMED]
    return _walk(versions, head, {name: head.data[name] for name in wanted}, _same)


def blame(state: State, versions: Versions, patches: Mapping[str, Mapping[str, Any]]) -> list[Origin]:
    """Every field with its origin, in the order of the line. `patches` are those that `patches_of` names."""
    head = versions.head
    found = setters(versions)
    origins = []
    for name in head.data:
        if name not in found:
            continue
        value, revision = head.data[name], found[name]
        items = tuple(_items(versions, name, value)) if isinstance(value, list) else ()
        patch = patches.get(revision.patch or "", {})
        evidence = _rested_on(state, versions, revision, patch)
        by = who(patch) if revision.patch else _captured_by(evidence)
        why = reason_of(patch, versions.id, revision.op)
        summary = str(patch.get("summary") or "")
        origins.append(Origin(name, value, revision, by, why, summary, tuple(evidence), items))
    return origins


def patches_of(versions: Versions) -> list[str]:
    """The patches that the blame of this record names: at most one for each field, however long its history."""
    return list(dict.fromkeys(one.patch for one in setters(versions).values() if one.patch))


def _same(before: Mapping[str, Any], name: str, value: Any) -> bool:
    return name in before and before[name] == value


def _walk(versions: Versions, head: Revision, wanted: Mapping[str, Any], same: Any) -> dict[str, Revision]:
    """Goes back from the head as long as a value was there already; a fork that was joined is searched on each side."""
    found: dict[str, Revision] = {}
    waiting = [(head, dict(wanted))]
    while waiting:
        revision, names = waiting.pop()
        for hash_ in (revision.parent, *revision.joins):
            if hash_ is None or hash_ not in versions or not names:
                continue
            before = versions[hash_]
            kept = {name: value for name, value in names.items() if same(before.data, name, value)}
            names = {name: value for name, value in names.items() if name not in kept}
            if kept:
                waiting.append((before, kept))
        found |= dict.fromkeys(names, revision)
    return found


def _items(versions: Versions, name: str, values: list[Any]) -> list[tuple[Any, Revision]]:
    """Each entry of a list with the revision that brought it."""
    wanted = {str(number): value for number, value in enumerate(values)}
    found = _walk(versions, versions.head, wanted, lambda before, _, value: value in (before.get(name) or ()))
    return [(value, found[number]) for number, value in wanted.items()]


def _rested_on(state: State, versions: Versions, revision: Revision, patch: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Evidence that is new with a revision, else that of the candidates its op names."""
    parents = [versions[hash_].data for hash_ in (revision.parent, *revision.joins) if hash_ and hash_ in versions]
    had = {ident for data in parents for name in _EVIDENCE for ident in data.get(name) or ()}
    against = set(revision.data.get("evidence_against") or ())
    ids = [ident for name in _EVIDENCE for ident in revision.data.get(name) or () if ident not in had]
    if not ids:
        ids = [
            ident
            for op in patch.get("ops") or ()
            if op.get("target_id") == versions.id and op.get("op") == revision.op
            for candidate in op.get("candidate_ids") or ()
            if candidate in state.candidates
            for ident in state.candidates[candidate].data.get("evidence") or ()
        ]
    found = [state.evidence[ident] for ident in dict.fromkeys(ids) if ident in state.evidence]
    return [{**one, "polarity": "against"} if one["id"] in against else one for one in found]


def _captured_by(evidence: list[dict[str, Any]]) -> str:
    agents = sorted({str(one["agent"]) for one in evidence if one.get("agent")})
    return f"captured from {', '.join(agents)}" if agents else "capture"


def _made(revision: Revision) -> dict[str, Any]:
    return {
        "rev": revision.rev, "hash": revision.hash, "at": revision.at, "op": revision.op, "patch": revision.patch,
        "file": revision.file, "line": revision.line_no,
    }  # fmt: skip
