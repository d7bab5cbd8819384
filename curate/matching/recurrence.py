"""Which waiting candidate a captured statement repeats, if any.

`find` is what `Store.capture` asks under the writer's lock. The index belongs to the `State` object and is extended by
what was added since the last question, so a scan of many captures stays near-linear.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from curate.matching.blocks import Blocks, insert, members
from curate.matching.normal import Meaning, meaning
from curate.matching.same import agree

if TYPE_CHECKING:
    from store.model import Candidate
    from store.state import State

WAITING = frozenset({"waiting", "deferred"})
REJECTED = frozenset({"rejected"})

Place = tuple[str, ...]


def place(scope: dict[str, Any], targets: list[str], profile: str | None) -> Place:
    """Where a candidate holds, as a key: recurrences are counted within one place only."""
    named = sorted({*targets, *([scope["project"]] if scope.get("project") else [])})
    return (
        scope.get("type", "project"),
        "|".join(named),
        "|".join(sorted(scope.get("domains") or ())),
        "|".join(sorted(scope.get("paths") or ())),
        profile or "",
    )


def where_of(data: dict[str, Any]) -> Place:
    """The place of a candidate as it is in the store."""
    return place(data.get("scope") or {}, data.get("targets") or [], data.get("profile"))


class Index:
    """Candidates by place and by the keys of their meaning: hashes only, for a store remembers many thousands."""

    def __init__(self) -> None:
        self._entries: Blocks = {}
        self._known: set[str] = set()

    def extend(self, state: State) -> None:
        """Take in candidates that the state has gained; they are the last of its dict."""
        fresh: list[str] = []
        for candidate_id in reversed(state.candidates):
            if candidate_id in self._known:
                break
            fresh.append(candidate_id)
        for candidate_id in reversed(fresh):
            self._add(candidate_id, state.candidates[candidate_id].data)

    def _add(self, candidate_id: str, data: dict[str, Any]) -> None:
        self._known.add(candidate_id)
        where = where_of(data)
        for key in dict.fromkeys(_meaning(data).keys):
            insert(self._entries, hash((where, key)), candidate_id)

    def find(self, where: Place, asked: Meaning, state: State, statuses: frozenset[str]) -> str | None:
        """The oldest candidate of some status in this place that means the same."""
        seen: set[str] = set()
        for key in asked.keys:
            for candidate_id in members(self._entries, hash((where, key))):
                if candidate_id in seen:
                    continue
                seen.add(candidate_id)
                data = state.candidates[candidate_id].data
                if data.get("status", "waiting") not in statuses:
                    continue
                if agree(asked, _meaning(data)) and where_of(data) == where:  # one that grew has left its place
                    return candidate_id
        return None


def _meaning(data: dict[str, Any]) -> Meaning:
    return meaning(data["statement"], data.get("language"))


_indexes: WeakKeyDictionary[State, Index] = WeakKeyDictionary()


def find(candidate: Candidate, state: State) -> str | None:
    """The waiting candidate of the same place that asks for the same thing, or None."""
    return _find(candidate, state, WAITING)


def find_rejected(candidate: Candidate, state: State) -> str | None:
    """A candidate of the same place that asked for the same thing, in any words, and was turned away; or None."""
    return _find(candidate, state, REJECTED)


def _find(candidate: Candidate, state: State, statuses: frozenset[str]) -> str | None:
    index = _indexes.get(state)
    if index is None:
        index = _indexes[state] = Index()
    index.extend(state)
    where = place(candidate.scope.model_dump(), candidate.targets, candidate.profile)
    return index.find(where, meaning(candidate.statement, candidate.language), state, statuses)
