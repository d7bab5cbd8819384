"""What is in dispute: contested memories, forks, memories that contradict each other, and such as were turned away or
deleted elsewhere while they held here. Pure.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from curate.matching.clash import CLASHES
from curate.matching.pool import Pool, Said
from curate.review.blame import setters
from store.log.fold import status
from store.state import places
from store.text import fingerprint, one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from store.log.fold import Revision, Versions
    from store.state import State

Clashing = tuple[str, str, str]
"""Two records that cannot both hold, and in what."""
Kind = Literal["contested", "fork", "conflict", "dead elsewhere"]

CURRENT = frozenset({"active", "contested"})


@dataclass(frozen=True, slots=True)
class Case:
    """One thing that is in dispute."""

    id: str
    kind: Kind
    statement: str
    scope: dict[str, Any]
    status: str
    since: str
    because: str
    next_review: str = ""
    overdue: bool = False
    beside: tuple[str, ...] = ()
    """Records that it contradicts."""

    @property
    def command(self) -> str:
        """What shows all of it."""
        return f"curate audit {self.id}"

    def document(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "id": self.id, "kind": self.kind, "statement": self.statement, "scope": self.scope, "status": self.status,
            "since": self.since, "because": self.because, "next_review": self.next_review or None,
            "overdue": self.overdue, "beside": list(self.beside), "command": self.command,
        }  # fmt: skip


def cases(state: State, at: str, pairs: Iterable[Clashing] | None = None) -> list[Case]:
    """All that is in dispute at a moment: first what is overdue, then forks, contested, contradictions, by age.

    `pairs` as for `conflicts`.
    """
    against = conflicts(state, pairs)
    found: dict[str, Case] = {}
    for versions in state.live_records():
        if (case := case_of(state, versions, at)) is not None:
            beside = tuple(ident for ident in against.get(versions.id, {}) if ident != versions.id)
            found[versions.id] = replace(case, beside=beside)
    for ident, rivals in against.items():
        open_ = {other: why for other, why in rivals.items() if other not in found}
        if ident in found or not open_:
            continue
        case = _between(state, ident, open_)
        # Each pair stands once, under the later of the two: that one contradicted what was there.
        if all((case.since, ident) > (str(state.records[other].data.get("created_at")), other) for other in open_):
            found[ident] = case
    order = {"fork": 0, "contested": 1, "dead elsewhere": 2, "conflict": 3}
    return sorted(found.values(), key=lambda case: (not case.overdue, order[case.kind], case.since, case.id))


def case_of(state: State, versions: Versions, at: str) -> Case | None:
    """What is in dispute about one record by itself, None when nothing is."""
    data = versions.data
    due = str((data.get("review") or {}).get("next_review") or "")
    standing = status(versions)
    told: dict[str, Any] = {
        "id": versions.id, "statement": one_line(str(data.get("statement") or "")), "scope": data.get("scope") or {},
        "status": standing,
    }  # fmt: skip
    if standing == "contested":
        overdue = "" < due < at
        if versions.forked:
            since = max(head.at for head in versions.heads)
            because = "two versions follow the same one"
            return Case(**told, kind="fork", since=since, because=because, next_review=due, overdue=overdue)
        because = str(data.get("contested_because") or "")
        since = setters(versions)["status"].at
        return Case(**told, kind="contested", since=since, because=because, next_review=due, overdue=overdue)
    if standing == "active" and (mark := _dead_elsewhere(state, versions)):
        because = f"the same statement was {mark['cause']} before it came in ({mark['of']})"
        return Case(**told, kind="dead elsewhere", since=setters(versions)["statement"].at, because=because)
    return None


def current_by_place(state: State) -> dict[str, dict[str, Said]]:
    """What the records in force say, by where they hold: what holds in different places does not contradict."""
    held: dict[str, dict[str, Said]] = {}
    for versions in state.live_records():
        if status(versions) in CURRENT and not versions.forked:
            data = versions.data
            place = _place(data)
            said = Said(str(data.get("created_at") or ""), place, str(data["statement"]))
            held.setdefault(place, {})[versions.id] = said
    return held


def clashing(held: Mapping[str, Said]) -> list[Clashing]:
    """Pairs of records that cannot both hold, and in what."""
    if len(held) < 2:
        return []
    pool = Pool(held.__getitem__)
    pool.update(held)
    return [
        (one, other, kind)
        for first, second, kind in pool.conflicts()
        for one in pool.members(first)
        for other in pool.members(second)
    ]


def conflicts(state: State, pairs: Iterable[Clashing] | None = None) -> dict[str, dict[str, str]]:
    """Records in force that contradict others of the same place, both ways round, with what stands between them.

    `pairs` are those that cannot both hold, where somebody knows them already.
    """
    if pairs is None:
        pairs = (pair for held in current_by_place(state).values() for pair in clashing(held))
    found: dict[str, dict[str, str]] = {}
    for one, other, kind in pairs:
        if not settled(state.records[one].data, state.records[other].data):
            found.setdefault(one, {})[other] = CLASHES[kind]
            found.setdefault(other, {})[one] = CLASHES[kind]
    return found


def settled(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """True when what they say of each other keeps them apart: they apply in different cases, or name an exception."""
    when, elsewhere = set(one.get("applies_when") or ()), set(other.get("applies_when") or ())
    if when and elsewhere and when.isdisjoint(elsewhere):
        return True
    return _excepts(one, other) or _excepts(other, one)


def _excepts(rule: Mapping[str, Any], case: Mapping[str, Any]) -> bool:
    """The rule leaves out just what the other one is for."""
    left_out = {fingerprint(text) for name in _EXCEPTIONS for text in rule.get(name) or ()}
    named = (str(case.get("statement") or ""), *(case.get("applies_when") or ()))
    return not left_out.isdisjoint(map(fingerprint, named))


_EXCEPTIONS = ("known_exceptions", "does_not_apply_when")


def _place(data: Mapping[str, Any]) -> str:
    """Where a record holds, as a key: what holds in different places does not contradict."""
    scope = data.get("scope") or {}
    return repr((sorted(places(scope)), sorted(scope.get("paths") or ()), data.get("profile") or ""))


def _between(state: State, ident: str, rivals: Mapping[str, str]) -> Case:
    data = state.records[ident].data
    why = "; ".join(f"{words} ({other})" for other, words in rivals.items())
    return Case(
        ident, "conflict", one_line(str(data["statement"])), data.get("scope") or {}, status(state.records[ident]),
        str(data.get("created_at") or ""), why, beside=tuple(rivals),
    )  # fmt: skip


def _dead_elsewhere(state: State, versions: Versions) -> Mapping[str, Any] | None:
    """The mark of a statement that came to hold after the mark was put there: only a merge brings both together."""
    data = versions.data
    scope = places(data.get("scope") or {})
    for mark in state.marks_of(fingerprint(str(data.get("statement")))):
        if not scope & places(mark.get("scope") or {}, mark.get("targets") or ()):
            continue
        made: Revision = setters(versions)["statement"]
        first = next(_first(state, str(mark["id"])))
        if mark["of"] != versions.id and made.at > first.at and made.patch != first.patch:
            return mark
    return None


def _first(state: State, mark: str) -> Iterator[Revision]:
    yield from state.tombstones[mark].revisions
