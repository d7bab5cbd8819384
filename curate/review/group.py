"""Waiting candidates as a reviewer meets them: recurrences and per-project siblings of one thing together.

Grouping only shows them together: each candidate keeps its own scope, and an approved group becomes one record per
target. Read from the lines as they are: a model of each of twenty thousand candidates takes longer than grouping them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from curate.matching.places import inferred
from curate.review.confidence import PERSON
from store.ids import content_id
from store.state import places
from store.text import one_line

if TYPE_CHECKING:
    from store.state import State

Line = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Gathered:
    """Candidates that ask for the same thing, oldest first, with all their evidence, oldest first."""

    id: str
    candidates: tuple[Line, ...]
    evidence: tuple[Line, ...]
    lead: Line
    """The candidate with the newest evidence: its wording stands in front."""
    statement: str
    """The newest wording: of the newest evidence where it marks its statement, else of the lead."""
    targets: list[str]
    """Projects that any of them is meant for, in the order first met."""
    places: set[tuple[str, ...]]
    """Where any of them holds, as keys."""
    sessions: list[str]
    """The sessions that it was said in."""
    newest: str
    """When it was last said."""
    oldest: str
    """When it was first said."""

    @property
    def recurrence(self) -> int:
        """How often it was said: in so many turns. What two readings take from one turn was said once."""
        if len(self.candidates) == 1 and len(self.evidence) < 2:  # nearly all of twenty thousand
            return 1
        turns = {item["id"]: _turn(item) for item in self.evidence}
        said: set[object] = set()
        for candidate in self.candidates:
            said.update([turns.get(ident, ident) for ident in candidate.get("evidence") or ()] or [candidate["id"]])
        return len(said)

    @property
    def projects(self) -> list[str]:
        """The projects that it was said in, or is meant for."""
        return list(dict.fromkeys([*self.targets, *_said_in(self.evidence)]))

    @property
    def mixed(self) -> bool:
        """Some of it is meant for every project, some for certain ones."""
        kinds = {scope_of(one).get("type", "project") for one in self.candidates}
        return kinds == {"global", "project"}


def gathered(state: State, ids: Sequence[str]) -> Gathered:
    """The group of these waiting candidates, given oldest first."""
    candidates = tuple(state.candidates[ident].data for ident in ids)
    found = dict.fromkeys(ident for candidate in candidates for ident in candidate.get("evidence") or ())
    evidence = [state.evidence[ident] for ident in found if ident in state.evidence]
    if len(evidence) > 1:
        evidence.sort(key=lambda item: (item.get("time") or "", item["id"]))
    times = [time for item in evidence if (time := item.get("time"))]
    lead = candidates[0] if len(candidates) == 1 else _lead(candidates, evidence)
    return Gathered(
        content_id("grp", ids[0]),
        candidates,
        tuple(evidence),
        lead,
        _statement(lead, evidence),
        _targets(candidates),
        {place for one in candidates for place in places(scope_of(one), one.get("targets") or ())},
        list(dict.fromkeys(session for item in evidence if (session := item.get("session")))),
        max(times) if times else max(candidate["created_at"] for candidate in candidates),
        min(times) if times else min(candidate["created_at"] for candidate in candidates),
    )


def _turn(evidence: Line) -> object:
    """The turn that a piece of evidence is from; one that names none stands for itself."""
    turn = evidence.get("turn")
    return (evidence.get("agent"), evidence.get("session"), turn) if turn else evidence["id"]


def _lead(candidates: Sequence[Line], evidence: Sequence[Line]) -> Line:
    times = {item["id"]: item.get("time") or "" for item in evidence}
    return max(
        candidates,
        key=lambda one: (max((times.get(e, "") for e in one.get("evidence") or ()), default=""), one["updated_at"]),
    )


def _statement(lead: Line, evidence: Sequence[Line]) -> str:
    if evidence:
        newest = evidence[-1]
        span = newest.get("statement_span")
        if span is not None and newest["id"] in (lead.get("evidence") or ()):
            start, end = span
            words = one_line(newest.get("excerpt", "")[start:end])
            if words and words != lead["statement"]:
                return words
    return str(lead["statement"])


def _said_in(evidence: Sequence[Line]) -> list[str]:
    return list(dict.fromkeys(project for item in evidence for project in item.get("projects") or ()))


def _targets(candidates: Sequence[Line]) -> list[str]:
    named: dict[str, None] = {}
    for candidate in candidates:
        named.update(dict.fromkeys(candidate.get("targets") or ()))
        if project := scope_of(candidate).get("project"):
            named[project] = None
    return list(named)


def scope_of(candidate: Line) -> dict[str, Any]:
    """The scope of a candidate as its line has it; what it leaves out is a project that is not known."""
    return candidate.get("scope") or {}


def trusts(candidate: Line) -> str:
    """The trust class of a candidate or of evidence."""
    return candidate.get("trust") or PERSON


def reach(candidates: Sequence[Line], evidence: Sequence[Line]) -> str:
    """Global or project, of candidates of which some are the one and some the other.

    Words that name a project decide. Where none do, what was said in one is for that one, what was said in several for
    all.
    """
    named = any(not inferred(one.get("scope_reason")) for one in candidates if scope_of(one).get("type") != "global")
    return "project" if named else "global" if len({*_targets(candidates), *_said_in(evidence)}) > 1 else "project"


def kind_of_place(candidate: Line) -> str:
    """What siblings share: the kind of scope, its domains, paths and profile, but not the project.

    What was only guessed to hold everywhere is a sibling of what holds in projects: a person decides on it once.
    """
    scope = scope_of(candidate)
    guessed = scope.get("type") == "global" and inferred(candidate.get("scope_reason"))
    kind = "project" if guessed else scope.get("type", "project")
    domains, paths = sorted(scope.get("domains") or ()), sorted(scope.get("paths") or ())
    parts: list[Any] = [kind, domains, paths, candidate.get("profile") or ""]
    if kind == "project" and not guessed and not scope.get("project") and not candidate.get("targets"):
        parts.append("unassigned")
    return repr(parts)
