"""How a group of candidates stands to the records that hold in its places.

Who said what later decides the direction, not the order in which things were captured.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from curate.matching.clash import CLASHES, Clash, clash
from curate.matching.narrow import narrower
from curate.matching.normal import Meaning, meaning
from curate.matching.same import agree
from curate.review.group import Gathered, scope_of
from store.state import places

if TYPE_CHECKING:
    from curate.review.known import Records
    from store.state import State

Kind = Literal["new", "duplicate", "strengthens", "updates", "conflicts", "supersedes", "ambiguous"]

SURE: frozenset[Clash] = frozenset({"choice", "number", "order"})
"""Contradictions in which the later statement takes the earlier one's place, even when it does not say so."""


@dataclass(frozen=True, slots=True)
class Relation:
    """How a group stands to one record. `exception` is set when it names a case in which the record does not hold."""

    record_id: str
    kind: Kind
    why: str
    exception: bool = False
    outdated: bool = False
    """The group's own evidence is older than the record's."""
    wider: bool = False
    """The record holds everywhere, the group in a project."""


@dataclass(frozen=True, slots=True)
class Match:
    """The strongest relation decides the kind; `record_ids` are the records concerned, best first."""

    kind: Kind = "new"
    record_ids: list[str] = field(default_factory=list)
    why: str = "nothing like it is known"
    relations: list[Relation] = field(default_factory=list)


def match(group: Gathered, lead: Meaning, state: State, records: Records) -> Match:
    """The match of a group, whose lead has this meaning, against what holds in its places."""
    relations = []
    for ident in records.near(lead):
        data = state.records[ident].data
        overlap = _overlap(group, data)
        if overlap is None:
            continue
        found = _relation(group, lead, records.meaning_of(ident), data, state, wider=overlap == "wider")
        if found is not None:
            relations.append(found)
    return _strongest(relations)


def _overlap(group: Gathered, data: dict[str, Any]) -> Literal["same", "wider"] | None:
    scope = data.get("scope") or {}
    profile = group.lead.get("profile")
    if (profile or data.get("profile")) and profile != data.get("profile"):
        return None
    paths, own = set(scope.get("paths") or ()), set(scope_of(group.lead).get("paths") or ())
    if paths and own and not paths & own:
        return None
    if places(scope) & group.places:
        return "same"
    return "wider" if scope.get("type", "global") == "global" else None


def _relation(
    group: Gathered, asked: Meaning, stands: Meaning, data: dict[str, Any], state: State, *, wider: bool
) -> Relation | None:
    ident = data["id"]
    for text in (*(data.get("known_exceptions") or ()), *(data.get("does_not_apply_when") or ())):
        if clash(asked, meaning(text)) is not None:
            return Relation(ident, "conflicts", f'it denies the exception "{text}"', wider=wider)
    if agree(asked, stands):
        return _agreement(group, data, wider)
    found = clash(asked, stands)
    if found is not None:
        return _contradiction(group, asked, found, data, state, wider)
    case = narrower(asked, stands)
    if case == "exception":
        return Relation(ident, "updates", "it names a case in which the record does not hold", True, wider=wider)
    if case == "refines" and not wider:
        return Relation(ident, "ambiguous", "it says the same and more, or for fewer cases", wider=wider)
    return None


def _agreement(group: Gathered, data: dict[str, Any], wider: bool) -> Relation:
    fresh = {item["id"] for item in group.evidence} - set(data.get("evidence") or ())
    if wider:
        return Relation(data["id"], "duplicate", "it holds everywhere already", wider=True)
    if not fresh:
        return Relation(data["id"], "duplicate", "it is known already, with the same evidence")
    times = len(fresh)
    return Relation(data["id"], "strengthens", f"it is known already; said {_times(times)} more")


def _contradiction(
    group: Gathered, asked: Meaning, kind: Clash, data: dict[str, Any], state: State, wider: bool
) -> Relation:
    ident = data["id"]
    since = _said(data, state)
    words = CLASHES[kind]
    if wider:
        return Relation(ident, "conflicts", f"{words}; the record holds everywhere", wider=True)
    if group.newest < since:
        return Relation(
            ident, "conflicts", f"{words}; it was said on {group.newest[:10]}, the record is newer ({since[:10]})",
            outdated=True,
        )  # fmt: skip
    if (asked.changed or kind in SURE) and group.newest > since:
        return Relation(ident, "supersedes", f"{words}; it was said later ({group.newest[:10]} after {since[:10]})")
    return Relation(ident, "conflicts", words)


def _said(data: dict[str, Any], state: State) -> str:
    """When a record was last said: by its evidence, else when it began to hold or was written."""
    times = [state.evidence[e].get("time") for e in data.get("evidence") or () if e in state.evidence]
    said = [time for time in times if time]
    return max(said) if said else str(data.get("valid_from") or data.get("created_at") or "")


_RANK: dict[Kind, int] = {
    "conflicts": 0, "supersedes": 1, "updates": 2, "strengthens": 3, "duplicate": 4, "ambiguous": 5, "new": 6,
}  # fmt: skip


def _strongest(relations: list[Relation]) -> Match:
    if not relations:
        return Match()
    relations.sort(key=lambda relation: (_RANK[relation.kind], relation.wider, relation.record_id))
    kind = relations[0].kind
    chosen = [relation for relation in relations if relation.kind == kind]
    return Match(kind, [relation.record_id for relation in chosen], chosen[0].why, relations)


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count} times")
