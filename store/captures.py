"""What capture hands to the store, and the lines that makes: new candidates, more evidence for old ones, or nothing."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from store import layout
from store.line import SCHEMA, canonical
from store.log.fold import ENVELOPE, content
from store.log.stub import blank_evidence
from store.model import dump
from store.project.registry import canonical_id
from store.text import fingerprint

if TYPE_CHECKING:
    from store.ids import NewId
    from store.log.fold import Versions
    from store.model import Candidate, Evidence, Project
    from store.state import State

Same = Callable[["Candidate", "State"], str | None]
"""The recurrence rule: the id of the waiting candidate that a new one repeats, or None."""

_SENTENCES = re.compile(r"(?<=[.!?…。])\s+|\s*\n[\s>*•-]*")
_OPEN = frozenset({"waiting", "deferred"})
_SAID_BY_A_PERSON = frozenset({"direct_user_instruction", "user_correction", "repeated_user_preference"})


@dataclass(frozen=True, slots=True)
class Capture:
    """One statement with the evidence for it."""

    candidate: Candidate
    evidence: list[Evidence]


@dataclass(frozen=True, slots=True)
class CaptureBatch:
    """What is captured in one go, and the projects that were seen on the way. All of it is written, or nothing."""

    captures: list[Capture]
    projects: list[Project] = field(default_factory=list)
    evidence: list[Evidence] = field(default_factory=list)
    """What records that are about to be imported rest on."""


@dataclass(slots=True)
class Captured:
    """What became of a batch, in numbers of captures."""

    created: int = 0
    reinforced: int = 0
    known: int = 0
    """Its evidence already counts: the turn was read before."""
    tombstoned: int = 0
    """The statement was rejected or deleted earlier; the tombstone is the trace."""
    ids: list[str] = field(default_factory=list)
    """Candidates that were made or reinforced."""


Write = Callable[[str, dict[str, Any]], None]
"""Takes the name of a file and a line for it; the state that the planner reads has it at once."""


def plan_captures(
    state: State, batch: CaptureBatch, *, same: Same | None, at: str, new_id: NewId, write: Write
) -> Captured:
    """Decide on each capture in turn, against the state with those before it."""
    done = Captured()
    fresh: set[str] = set()  # evidence that counts only since this batch: two statements of one excerpt share it
    for project in batch.projects:
        _see(state, project, at, write)
    for evidence in batch.evidence:
        if evidence.id not in state.evidence:
            write(layout.EVIDENCE, _without_purged(state, dump(evidence)))
    for capture in batch.captures:
        _plan_one(state, capture, same, fresh, at, new_id, write, done)
    return done


def _plan_one(
    state: State,
    capture: Capture,
    same: Same | None,
    fresh: set[str],
    at: str,
    new_id: NewId,
    write: Write,
    done: Captured,
) -> None:
    candidate = capture.candidate
    if _is_dead(state, capture):
        done.tombstoned += 1
        return
    ids = list(dict.fromkeys([*candidate.evidence, *(evidence.id for evidence in capture.evidence)]))
    if ids and all(ident in state.claimed and ident not in fresh for ident in ids):
        done.known += 1
        _grow(state, candidate, ids, at, write)
        return
    repeated = same(candidate, state) if same else None
    known = state.candidates.get(repeated) if repeated else None
    if known is None:
        data = dump(candidate) | {"evidence": ids}
        if candidate.id in state.candidates:
            data["id"] = new_id("cand")
        line = _first(data, "capture", at)
        done.created += 1
    else:
        new = [ident for ident in ids if ident not in known.data.get("evidence", ())]
        if not new:
            done.known += 1
            return
        line = _reinforced(known, candidate, new, at)
        done.reinforced += 1
    fresh.update(ident for ident in ids if ident not in state.claimed)
    for evidence in capture.evidence:
        if evidence.id not in state.evidence:
            write(layout.EVIDENCE, _without_purged(state, dump(evidence)))
    write(layout.CANDIDATES, line)
    done.ids.append(line["id"])


def _grow(state: State, candidate: Candidate, evidence: list[str], at: str, write: Write) -> None:
    """A turn read again after its work went on: who waits on it holds in the projects that were changed since, too."""
    if candidate.scope.type != "project":
        return
    for ident in dict.fromkeys(holder for one in evidence for holder in state.claimed[one]):
        known = state.candidates[ident]
        data = content(known.data)
        scope = data.get("scope") or {}
        targets = list(dict.fromkeys([*data.get("targets", ()), *candidate.targets]))
        if data.get("status", "waiting") not in _OPEN or scope.get("type", "project") != "project":
            continue
        if len(targets) == len(data.get("targets", ())):
            continue
        data["targets"] = targets
        data["scope"] = {**scope, "type": "project", "project": targets[0]}
        if len(targets) > 1:
            del data["scope"]["project"]
        if candidate.scope_reason:
            data["scope_reason"] = candidate.scope_reason
        data["updated_at"] = at
        write(layout.CANDIDATES, _next(known, data, "grow", at))


def _is_dead(state: State, capture: Capture) -> bool:
    """Whether the statement was turned away or deleted where it would hold, or, if that is no project, where it was
    said: it does not come back by being taken for something wider.
    """
    candidate, mark = capture.candidate, fingerprint(capture.candidate.statement)
    if state.tombstone_for(mark, candidate.scope.model_dump(), candidate.targets):
        return True
    if candidate.scope.type == "project":
        return False
    said_in = [canonical_id(state, project) for one in capture.evidence for project in one.projects]
    return bool(said_in and state.tombstone_for(mark, {"type": "project"}, said_in))


def _without_purged(state: State, evidence: dict[str, Any]) -> dict[str, Any]:
    """Evidence as it is, or without its words when a sentence beside the statement was purged."""
    if not state.purged:
        return evidence
    for key in ("excerpt", "context"):
        for sentence in _SENTENCES.split(str(evidence.get(key) or "")):
            mark = state.tombstone_for(fingerprint(sentence)) if sentence else None
            if mark is not None and mark.get("cause") == "purged":
                return blank_evidence(evidence, canonical(evidence))
    return evidence


def _reinforced(known: Versions, candidate: Candidate, evidence: list[str], at: str) -> dict[str, Any]:
    data = content(known.data)
    data["evidence"] = [*data.get("evidence", ()), *evidence]
    data["confidence"] = max(data.get("confidence", 0.0), candidate.confidence)
    if data.get("trust") in _SAID_BY_A_PERSON and candidate.trust in _SAID_BY_A_PERSON:
        data["trust"] = "repeated_user_preference"
    targets = list(dict.fromkeys([*data.get("targets", ()), *candidate.targets]))
    if targets:
        data["targets"] = targets
    data["updated_at"] = at
    return _next(known, data, "reinforce", at)


def _see(state: State, project: Project, at: str, write: Write) -> None:
    """Register a project, or what is new about it: nothing known of it is dropped."""
    said = dump(project)
    known = state.projects.get(project.id)
    if known is None:
        write(layout.PROJECTS, _first(said, "see", at))
        return
    before = content(known.data)
    after = {**before, **said, "file": before["file"], "created_at": before["created_at"], "updated_at": at}
    for name in ("aliases", "paths"):
        union = list(dict.fromkeys([*before.get(name, ()), *said.get(name, ())]))
        if union:
            after[name] = union
    if {**after, "updated_at": None} != {**before, "updated_at": None}:
        write(layout.PROJECTS, _next(known, after, "see", at))


def _first(data: dict[str, Any], op: str, at: str) -> dict[str, Any]:
    return {"schema": SCHEMA, "id": data["id"], "rev": 1, "op": op, "at": at} | _rest(data)


def _next(known: Versions, data: dict[str, Any], op: str, at: str) -> dict[str, Any]:
    head = known.head
    envelope = {"schema": SCHEMA, "id": known.id, "rev": head.rev + 1, "parent": head.hash, "op": op, "at": at}
    return envelope | _rest(data)


def _rest(data: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in data.items() if key != "id" and key not in ENVELOPE}
