"""Waiting candidates as a reviewer meets them: recurrences and per-project siblings of one thing together.

Grouping only shows them together: each candidate keeps its own scope, and an approved group becomes one record per
target.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from curate.matching.clash import Clash
from curate.matching.group import Clusters
from curate.matching.normal import meaning
from store.ids import content_id
from store.model import Candidate, Evidence
from store.state import places
from store.text import one_line

if TYPE_CHECKING:
    from store.state import State


@dataclass(frozen=True, slots=True)
class Gathered:
    """Candidates that ask for the same thing, oldest first, with all their evidence, oldest first."""

    id: str
    candidates: tuple[Candidate, ...]
    evidence: tuple[Evidence, ...]

    @property
    def lead(self) -> Candidate:
        """The candidate with the newest evidence: its wording stands in front."""
        times = {item.id: item.time or "" for item in self.evidence}
        return max(
            self.candidates, key=lambda one: (max((times.get(e, "") for e in one.evidence), default=""), one.updated_at)
        )

    @property
    def statement(self) -> str:
        """The newest wording: of the newest evidence where it marks its statement, else of the lead."""
        if self.evidence:
            newest = self.evidence[-1]
            if newest.statement_span is not None and newest.id in self.lead.evidence:
                start, end = newest.statement_span
                if words := one_line(newest.excerpt[start:end]):
                    return words
        return self.lead.statement

    @property
    def targets(self) -> list[str]:
        """Projects that any of them is meant for, in the order first met."""
        named: dict[str, None] = {}
        for candidate in self.candidates:
            named.update(dict.fromkeys(candidate.targets))
            if candidate.scope.project:
                named[candidate.scope.project] = None
        return list(named)

    @property
    def places(self) -> set[tuple[str, ...]]:
        """Where any of them holds, as keys."""
        found: set[tuple[str, ...]] = set()
        for candidate in self.candidates:
            found |= places(candidate.scope.model_dump(), candidate.targets)
        return found

    @property
    def recurrence(self) -> int:
        """How often it was said."""
        return max(len(self.evidence), len(self.candidates))

    @property
    def sessions(self) -> list[str]:
        """The sessions that it was said in."""
        return list(dict.fromkeys(item.session for item in self.evidence if item.session))

    @property
    def projects(self) -> list[str]:
        """The projects that it was said in, or is meant for."""
        said = (project for item in self.evidence for project in item.projects)
        return list(dict.fromkeys([*self.targets, *said]))

    @property
    def newest(self) -> str:
        """When it was last said."""
        times = [item.time for item in self.evidence if item.time]
        return max(times) if times else max(candidate.created_at for candidate in self.candidates)

    @property
    def oldest(self) -> str:
        """When it was first said."""
        times = [item.time for item in self.evidence if item.time]
        return min(times) if times else min(candidate.created_at for candidate in self.candidates)


def gather(state: State, candidates: Iterable[Candidate]) -> tuple[list[Gathered], list[tuple[str, str, Clash]]]:
    """The groups of some candidates, oldest first, and which of them contradict each other in one place (by id)."""
    clusters = Clusters()
    by_id = {}
    for candidate in sorted(candidates, key=lambda one: (one.created_at, one.id)):
        by_id[candidate.id] = candidate
        clusters.add(candidate.id, kind_of_place(candidate), meaning(candidate.statement, candidate.language))
    groups = [_gathered(state, [by_id[ident] for ident in cluster.members]) for cluster in clusters.all]
    pairs = [
        (groups[one].id, groups[other].id, kind)
        for one, other, kind in clusters.conflicts()
        if groups[one].places & groups[other].places
    ]
    return groups, pairs


def kind_of_place(candidate: Candidate) -> str:
    """What siblings share: the kind of scope, its domains, paths and profile, but not the project."""
    scope = candidate.scope
    parts: list[Any] = [scope.type, sorted(scope.domains), sorted(scope.paths), candidate.profile or ""]
    if scope.type == "project" and not scope.project and not candidate.targets:
        parts.append("unassigned")
    return repr(parts)


def _gathered(state: State, candidates: list[Candidate]) -> Gathered:
    ids = dict.fromkeys(ident for candidate in candidates for ident in candidate.evidence)
    evidence = sorted(state.evidence_of(ids), key=lambda item: (item.time or "", item.id))
    return Gathered(content_id("grp", candidates[0].id), tuple(candidates), tuple(evidence))
