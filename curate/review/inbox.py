"""What waits for review, in groups, each with all that a reviewer needs to decide on it.

Pure but for indexes kept beside the state: the state and the moment come in, the groups go out.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from curate.matching.recurrence import find_rejected
from curate.review.confidence import confidence, trust
from curate.review.group import Gathered, gather
from curate.review.match import Match, known, match
from curate.review.triage import THRESHOLD, Tab, inferred, noise, tab, visible
from store import ids
from store.model import dump
from store.text import fingerprint

if TYPE_CHECKING:
    from store.model import Candidate
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
    waiting = [state.candidate(versions.id) for versions in state.waiting(moment)]
    gathered, clashes = gather(state, waiting)
    rivals: dict[str, list[Rival]] = {}
    by_id = {group.id: group for group in gathered}
    for one, other, kind in clashes:
        for here, there in ((one, other), (other, one)):
            rival = by_id[there]
            rivals.setdefault(here, []).append(Rival(there, rival.statement, kind, rival.newest))
    batch = sum(len(group.candidates) for group in gathered if inferred(group))
    records = known(state)
    groups = []
    for group in gathered:
        found = match(group, state, records)
        groups.append(_group(group, found, rivals.get(group.id, []), state, moment, visible(group, batch, threshold)))
    order = {"noise": 0, "groups": 1, "singles": 2, "conflicts": 3}
    groups.sort(key=lambda group: (order[group.tab], group.scope.get("type") != "global", group.targets, group.oldest))
    return [group for group in groups if only is None or group.tab == only]


def _group(group: Gathered, found: Match, rivals: list[Rival], state: State, at: str, shown: bool) -> Group:
    lead = group.lead
    flags = _flags(group, state)
    where, why = tab(group, found, noise(group, flags, at), disputed=bool(rivals))
    against = sum(relation.kind == "conflicts" for relation in found.relations) + len(rivals)
    risks = {candidate.poisoning_risk for candidate in group.candidates}
    layers = {candidate.layer for candidate in group.candidates}
    return Group(
        id=group.id,
        statement=group.statement,
        intent=lead.intent,
        rule_type=lead.rule_type,
        scope=_scope(group),
        targets=group.targets,
        recurrence=group.recurrence,
        match=found,
        trust=trust(group.evidence, lead.trust),
        confidence=confidence(group.evidence, at=at, against=against) if group.evidence else lead.confidence,
        visible=shown,
        candidates=[candidate.id for candidate in group.candidates],
        layer="L1" if "L1" in layers else "L2",
        sessions=group.sessions,
        projects=group.projects,
        evidence=[item.id for item in group.evidence],
        flags=flags,
        tab=where,
        why=why,
        rivals=rivals,
        oldest=group.oldest,
        newest=group.newest,
        poisoning_risk="high" if "high" in risks else "medium" if "medium" in risks else "low",
    )


def _scope(group: Gathered) -> dict[str, Any]:
    """The scope of the newest wording; a project is named only when it is the only one that is meant."""
    scope: dict[str, Any] = dump(group.lead.scope)
    if scope.get("type", "project") == "project":
        scope.pop("project", None)
        if len(group.targets) == 1:
            scope["project"] = group.targets[0]
    return scope


def _flags(group: Gathered, state: State) -> list[str]:
    """Flags of any candidate; `tombstoned` also when the like was turned away after it was captured."""
    flags = dict.fromkeys(flag for candidate in group.candidates for flag in candidate.flags)
    if any(_buried(candidate, state) for candidate in group.candidates):
        flags[BURIED] = None
    return list(flags)


def _buried(candidate: Candidate, state: State) -> bool:
    """The statement has a tombstone, or was turned away in other words, of which there is no fingerprint."""
    mark, scope = fingerprint(candidate.statement), candidate.scope.model_dump()
    if state.tombstone_for(mark, scope, candidate.targets) is not None:
        return True
    return find_rejected(candidate, state) is not None
