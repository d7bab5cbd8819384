"""What waits for review, in groups, each with all that a reviewer needs to decide on it.

Pure but for what is kept beside the state: the state and the moment come in, the groups go out.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from curate.review.confidence import confidence_of, trust_of
from curate.review.group import Gathered, gathered, reach, scope_of, trusts
from curate.review.match import Match, match
from curate.review.triage import THRESHOLD, Tab, noise, tab, visible
from curate.review.waiting import Waiting, waiting_in
from store import ids

if TYPE_CHECKING:
    from store.state import State


BURIED = "tombstoned"
"""Flag of what was rejected or deleted before."""


@dataclass(frozen=True, slots=True)
class Rival:
    """Another waiting group that cannot hold beside this one."""

    group: str
    statement: str
    kind: str
    newest: str
    """When it was last said."""


@dataclass(frozen=True, slots=True)
class Group:
    """Candidates that are reviewed together."""

    id: str
    statement: str
    """The newest wording."""
    intent: str
    rule_type: str | None
    scope: dict[str, Any]
    targets: list[str]
    recurrence: int
    match: Match
    trust: str
    confidence: float
    visible: bool
    candidates: list[str]
    layer: str = "L2"
    sessions: list[str] = field(default_factory=list)
    projects: list[str] = field(default_factory=list)
    evidence: list[str] = field(default_factory=list)
    """Oldest first."""
    flags: list[str] = field(default_factory=list)
    tab: Tab = "singles"
    why: str = ""
    """Why it is in this tab."""
    rivals: list[Rival] = field(default_factory=list)
    oldest: str = ""
    newest: str = ""
    poisoning_risk: str = "low"
    """The highest of its candidates."""


def inbox(state: State, *, at: str | None = None, threshold: int = THRESHOLD, only: Tab | None = None) -> list[Group]:
    """Every waiting group: likely noise, then recurrences, singles, and conflicts; within a tab by place and age."""
    moment = at or ids.now()
    with no_collection():
        waiting = waiting_in(state)
        waiting.update(moment)
        groups = [group_of(waiting, ident, moment, threshold) for ident in waiting.pool.groups()]
        waiting.pool.release()
    groups.sort(key=place_of)
    return [group for group in groups if only is None or group.tab == only]


_ORDER = {"noise": 0, "groups": 1, "singles": 2, "conflicts": 3}


def place_of(group: Group) -> tuple[int, bool, list[str], str]:
    """Where a group stands in the inbox."""
    return (_ORDER[group.tab], group.scope.get("type") != "global", group.targets, group.oldest)


def group_of(waiting: Waiting, ident: str, at: str, threshold: int) -> Group:
    """The group that is known by its first candidate."""
    state, pool = waiting.state, waiting.pool
    group = gathered(state, pool.members(ident))
    lead = group.lead
    records = waiting.records
    found = match(group, pool.meaning_of(lead["id"]), state, records) if records else Match()
    disputed = [_rival(state, pool.members(rival), kind) for rival, kind in waiting.rivals.get(ident, ())]
    rivals = [rival for rival, there in disputed if there & group.places]
    flags = _flags(group, waiting)
    where, why = tab(group, found, noise(group, flags, at), disputed=bool(rivals))
    against = sum(relation.kind == "conflicts" for relation in found.relations) + len(rivals)
    risks = {candidate.get("poisoning_risk") for candidate in group.candidates}
    said, evidence = trusts(lead), group.evidence
    return Group(
        id=group.id,
        statement=group.statement,
        intent=lead.get("intent", "none"),
        rule_type=lead.get("rule_type"),
        scope=_scope(group),
        targets=group.targets,
        recurrence=group.recurrence,
        match=found,
        trust=trust_of([trusts(item) for item in evidence], said),
        confidence=confidence_of(evidence, at=at, against=against) if evidence else lead.get("confidence", 0.5),
        visible=visible(group, waiting.batch, threshold, inferred=waiting.inferred(ident)),
        candidates=[candidate["id"] for candidate in group.candidates],
        layer="L1" if any(candidate.get("layer") == "L1" for candidate in group.candidates) else "L2",
        sessions=group.sessions,
        projects=group.projects,
        evidence=[item["id"] for item in evidence],
        flags=flags,
        tab=where,
        why=why,
        rivals=rivals,
        oldest=group.oldest,
        newest=group.newest,
        poisoning_risk="high" if "high" in risks else "medium" if "medium" in risks else "low",
    )


def _rival(state: State, members: Sequence[str], kind: str) -> tuple[Rival, set[tuple[str, ...]]]:
    """A rival, and the places where it would hold: there is no dispute between what holds in different ones."""
    group = gathered(state, members)
    return Rival(group.id, group.statement, kind, group.newest), group.places


def _scope(group: Gathered) -> dict[str, Any]:
    """The scope of the newest wording; a project is named only when it is the only one that is meant."""
    told = scope_of(group.lead)
    if group.mixed:
        told = {"type": reach(group.candidates, group.evidence)}
    scope: dict[str, Any] = {"type": told.get("type", "project")}
    for name in ("project", "domains", "paths", *sorted(told.keys() - _SCOPE)):
        if told.get(name) not in (None, [], {}):
            scope[name] = told[name]
    if scope["type"] == "project":
        scope.pop("project", None)
        if len(group.targets) == 1:
            scope["project"] = group.targets[0]
    return scope


_SCOPE = frozenset({"type", "project", "domains", "paths"})


def _flags(group: Gathered, waiting: Waiting) -> list[str]:
    """Flags of any candidate; `tombstoned` also when the like was turned away after it was captured."""
    flags = dict.fromkeys(flag for candidate in group.candidates for flag in candidate.get("flags") or ())
    if any(waiting.buried(candidate["id"]) for candidate in group.candidates):
        flags[BURIED] = None
    return list(flags)


@contextmanager
def no_collection() -> Iterator[None]:
    """Nothing that is made here goes round in circles: looking for circles takes as long as the making."""
    active = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if active:
            gc.enable()
