"""One dispute in full: the claims, what speaks for and against each, who was told meanwhile, what is open, and what
would settle it. Pure: the journal is read by whoever asks.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from curate.matching.clash import CLASHES, clash
from curate.matching.normal import meaning
from curate.review.contested import CURRENT, Case, case_of, settled
from curate.review.settling import Way, ways
from store.errors import UnknownId
from store.log.fold import status
from store.state import places
from store.text import one_line
from store.trust import LOW_TRUST, weight

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from store.log.fold import Revision
    from store.state import State


@dataclass(frozen=True, slots=True)
class Told:
    """A turn that was given a memory, as the journal has it."""

    at: str
    agent: str
    session: str
    turn: int
    section: str
    project: str
    rev: int


@dataclass(frozen=True, slots=True)
class Claim:
    """One side of a dispute."""

    key: str
    """Id of a record or candidate, or the hash of a version."""
    kind: Literal["record", "version", "candidate"]
    title: str
    statement: str
    body: str
    scope: dict[str, Any]
    standing: str
    since: str
    confidence: float
    exceptions: tuple[str, ...]
    for_: tuple[dict[str, Any], ...]
    against: tuple[dict[str, Any], ...]
    why: str = ""
    """What stands between it and the first one."""

    def document(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "key": self.key, "kind": self.kind, "title": self.title, "statement": self.statement,
            "body": self.body or None, "scope": self.scope, "standing": self.standing, "since": self.since,
            "confidence": self.confidence, "exceptions": list(self.exceptions), "for": list(self.for_),
            "against": list(self.against), "why": self.why or None,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Audit:
    """Everything about one dispute."""

    case: Case | None
    """None when the memory is not in dispute."""
    id: str
    claims: tuple[Claim, ...]
    told: tuple[Told, ...]
    """Turns that got one of the claims since the dispute began, newest first."""
    agents: dict[str, int]
    projects: dict[str, int]
    """Who saw it and where, with the number of turns; 0 where it was only said."""
    questions: tuple[str, ...]
    ways: tuple[Way, ...]

    def document(self) -> dict[str, Any]:
        """As JSON."""
        turns = [
            {"at": one.at, "agent": one.agent, "session": one.session, "turn": one.turn, "section": one.section,
             "project": one.project or None, "rev": one.rev}
            for one in self.told
        ]  # fmt: skip
        return {
            "id": self.id,
            "case": self.case.document() if self.case else None,
            "claims": [claim.document() for claim in self.claims],
            "seen": {"agents": self.agents, "projects": self.projects},
            "injected": turns,
            "questions": list(self.questions),
            "ways": [{"does": way.does, "command": way.command} for way in self.ways],
        }


def audit(
    state: State,
    ident: str,
    *,
    at: str,
    patches: Sequence[Mapping[str, Any]],
    told: Mapping[str, Sequence[Told]],
    beside: Sequence[str] = (),
) -> Audit:
    """The dispute about a record. `patches` are those that touched it; `told` are the turns of each record; `beside`
    are records that a person wants to see with it, whether they contradict it or not.

    Raises `UnknownId`.
    """
    versions = state.records.get(ident)
    if versions is None:
        raise UnknownId("record", ident)
    case = case_of(state, versions, at)
    if versions.forked:
        claims = [_version(state, head, number) for number, head in enumerate(_by_age(versions.heads))]
    else:
        claims = [_record(state, ident)]
    known = {claim.key for claim in claims}
    claims += [_candidate(state, other) for other in _contested_by(patches, ident) if other in state.candidates]
    rivals = _all_rivals(state, ident, beside)
    claims += [_record(state, other, why) for other, why in rivals.items()]
    known |= {claim.key for claim in claims}
    claims += [_candidate(state, other, why) for other, why in _waiting(state, ident).items() if other not in known]
    if case is None and rivals.keys() - set(beside):
        data = versions.data
        why = "; ".join(f"{words} ({other})" for other, words in rivals.items())
        case = Case(ident, "conflict", claims[0].statement, data.get("scope") or {}, status(versions),
                    str(data.get("created_at") or ""), why, beside=tuple(rivals))  # fmt: skip
    since = case.since if case else ""
    named = [ident, *rivals]
    turns = sorted(
        (one for other in named for one in told.get(other, ()) if one.at >= since),
        key=lambda one: (one.at, one.turn), reverse=True,
    )  # fmt: skip
    agents, projects = _seen(claims, [one for other in named for one in told.get(other, ())])
    return Audit(
        case, ident, tuple(claims), tuple(turns), agents, projects,
        tuple(questions(case, claims, turns)), tuple(ways(ident, case, versions, list(rivals))),
    )  # fmt: skip


def rivals_of(state: State, ident: str) -> dict[str, str]:
    """Records in force that contradict one, in the same place or a wider one, with what stands between them."""
    mine = state.records[ident].data
    asked, here = meaning(str(mine["statement"])), places(mine.get("scope") or {})
    if status(state.records[ident]) not in CURRENT:
        return {}
    found = {}
    for versions in state.live_records():
        data = versions.data
        if versions.id == ident or status(versions) not in CURRENT or not _meet(here, data.get("scope") or {}):
            continue
        if mine.get("profile") and data.get("profile") and mine["profile"] != data["profile"]:
            continue
        kind = clash(asked, meaning(str(data["statement"])))
        if kind is not None and not settled(mine, data):
            wide = "; it holds elsewhere too" if here != places(data.get("scope") or {}) else ""
            found[versions.id] = CLASHES[kind] + wide
    return found


def _all_rivals(state: State, ident: str, beside: Sequence[str]) -> dict[str, str]:
    found = rivals_of(state, ident)
    for other in beside:
        if other not in state.records:
            raise UnknownId("record", other)
        if other != ident:
            found.setdefault(other, "it was named beside it")
    return found


def questions(case: Case | None, claims: Sequence[Claim], told: Sequence[Told]) -> list[str]:
    """What a person should ask before settling it."""
    out = []
    first = claims[0]
    if case is not None and case.kind == "contested":
        if case.because in ("", "disputed"):
            out.append("Nobody said why it is disputed.")
        if case.overdue:
            out.append(f"It was to be looked at again by {case.next_review[:10]}, and that has passed.")
        elif not case.next_review:
            out.append("No day is set to look at it again.")
    for claim in claims:
        if not claim.for_:
            out.append(f"Nothing that was said is kept for {claim.title}: who put it there?")
        elif max(weight(one.get("trust")) for one in claim.for_) < LOW_TRUST:
            out.append(f"All that speaks for {claim.title} is weak: did a person ever say it?")
    for other in claims[1:]:
        out += _of_two(first, other)
    newest = max((str(one.get("time") or "") for one in first.for_), default="")
    later = max((str(one.get("time") or "") for one in first.against), default="")
    if later > newest:
        out.append(f"The newest word, of {later[:10]}, speaks against {first.title}: has it changed?")
    if told:
        out.append(f"Agents were told of it in {len(told)} turn{'s' if len(told) > 1 else ''} since: is work affected?")
    return out


def _of_two(first: Claim, other: Claim) -> list[str]:
    out = []
    mine = {(one.get("session"), str(one.get("time") or "")[:10]) for one in first.for_}
    for session, day in {(one.get("session"), str(one.get("time") or "")[:10]) for one in other.for_} & mine:
        if session:
            out.append(f"{first.title} and {other.title} were said in one session, {session} on {day}: was one a slip?")
    if other.kind == "candidate" and other.standing == "waiting":
        out.append(f"{other.title} waits in the inbox: decide on it there too.")
    if other.kind == "record" and first.scope == other.scope:
        out.append(f"{first.title} and {other.title} hold in the same place: would each hold for a part of it?")
    return out


def _seen(claims: Iterable[Claim], told: Iterable[Told]) -> tuple[dict[str, int], dict[str, int]]:
    agents: dict[str, int] = {}
    projects: dict[str, int] = {}
    for one in told:
        agents[one.agent] = agents.get(one.agent, 0) + 1
        if one.project:
            projects[one.project] = projects.get(one.project, 0) + 1
    for claim in claims:
        for piece in (*claim.for_, *claim.against):
            if piece.get("agent"):
                agents.setdefault(str(piece["agent"]), 0)
            for project in piece.get("projects") or ():
                projects.setdefault(project, 0)
    return agents, projects


def _contested_by(patches: Iterable[Mapping[str, Any]], ident: str) -> list[str]:
    """Candidates that a record was contested with."""
    ops = [op for patch in patches for op in patch.get("ops") or ()]
    named = [op.get("candidate_ids") or () for op in ops if op.get("op") == "contest" and op.get("target_id") == ident]
    return list(dict.fromkeys(one for each in named for one in each))


def _waiting(state: State, ident: str) -> dict[str, str]:
    """Candidates that wait for the same place and contradict the record."""
    data = state.records[ident].data
    asked, here = meaning(str(data["statement"])), places(data.get("scope") or {})
    found = {}
    for versions in state.waiting():
        one = versions.data
        if here & places(one.get("scope") or {}, one.get("targets") or ()):
            kind = clash(asked, meaning(str(one["statement"]), one.get("language")))
            if kind is not None:
                found[versions.id] = CLASHES[kind]
    return found


def _meet(here: set[tuple[str, ...]], scope: Mapping[str, Any]) -> bool:
    there = places(dict(scope))
    return bool(here & there) or ("global",) in here | there


def _record(state: State, ident: str, why: str = "") -> Claim:
    versions = state.records[ident]
    data = versions.data
    for_, against = _evidence(state.spoken(data))
    return Claim(
        ident, "record", ident, one_line(str(data.get("statement") or "")), str(data.get("body") or ""),
        data.get("scope") or {}, status(versions), str(data.get("created_at") or ""),
        float(data.get("confidence") or 0.0), _exceptions(data), for_, against, why,
    )  # fmt: skip


def _version(state: State, revision: Revision, number: int) -> Claim:
    data = revision.data
    for_, against = _evidence(state.spoken(data))
    return Claim(
        revision.hash, "version", f"version {chr(ord('A') + number)}", one_line(str(data.get("statement") or "")),
        str(data.get("body") or ""), data.get("scope") or {}, str(data.get("status") or "active"), revision.at,
        float(data.get("confidence") or 0.0), _exceptions(data), for_, against,
        f"{revision.op} by {revision.patch}" if revision.patch else revision.op,
    )  # fmt: skip


def _candidate(state: State, ident: str, why: str = "") -> Claim:
    data = state.candidates[ident].data
    pieces = [state.evidence[one] for one in data.get("evidence") or () if one in state.evidence]
    for_, against = _evidence(pieces)
    return Claim(
        ident, "candidate", ident, one_line(str(data.get("statement") or "")), str(data.get("body") or ""),
        data.get("scope") or {}, str(data.get("status") or "waiting"), str(data.get("created_at") or ""),
        float(data.get("confidence") or 0.0), (), for_, against, why or "it was contested with this",
    )  # fmt: skip


def _evidence(pieces: Iterable[dict[str, Any]]) -> tuple[tuple[dict[str, Any], ...], tuple[dict[str, Any], ...]]:
    """For and against, each by trust, then newest first."""
    ordered = sorted(pieces, key=lambda one: str(one.get("time") or ""), reverse=True)
    ordered.sort(key=lambda one: -weight(one.get("trust", "direct_user_instruction")))
    against = [one for one in ordered if one.get("polarity") == "against"]
    return tuple(one for one in ordered if one.get("polarity") != "against"), tuple(against)


def _exceptions(data: Mapping[str, Any]) -> tuple[str, ...]:
    return (*(data.get("known_exceptions") or ()), *(data.get("does_not_apply_when") or ()))


def _by_age(heads: Iterable[Revision]) -> list[Revision]:
    return sorted(heads, key=lambda head: (head.at, head.hash))
