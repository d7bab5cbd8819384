"""The four conditions of a page in the vault, each with the evidence for it. Pure: the moment is a parameter."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from curate.matching.normal import meaning
from curate.matching.same import agree
from curate.vault.taste import personal
from store.log.fold import status
from store.model import Evidence
from store.patch.trust import LOW_TRUST, weight
from store.project.registry import canonical_id
from store.text import one_line, shorten

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from store.log.fold import Versions
    from store.state import State

PROJECTS = 2
DAYS = 30
EXCERPT = 200
"""Characters of an excerpt that is shown with a criterion."""

_MEANT = ("statement", "body", "applies_when", "does_not_apply_when", "known_exceptions")
"""Fields whose change makes it another rule; tags, confidence and links do not."""
_CURRENT = frozenset({"active", "contested"})


@dataclass(frozen=True, slots=True)
class Criterion:
    """One condition: whether it is met, why, and what shows it."""

    name: str
    met: bool
    why: str
    evidence: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Family:
    """A record with those that say the same elsewhere, and the independent projects they were seen in."""

    record: Versions
    kin: list[Versions]
    projects: dict[str, list[str]]
    """By project: what shows that it was seen there."""
    evidence: list[Evidence]

    @property
    def ids(self) -> list[str]:
        """Ids of the record and its kin."""
        return [self.record.id, *(one.id for one in self.kin)]


def family(state: State, ident: str, among: Iterable[str] | None = None) -> Family:
    """The record, those of its group, and those in other places that mean the same. Raises `UnknownId`.

    `among` names the records to look at; None looks at all.
    """
    record = state.record(ident)
    asked = meaning(record.statement)
    own = state.records[ident]
    kin = []
    for versions in state.live_records() if among is None else (state.records[other] for other in among):
        if versions.id == ident or status(versions) not in _CURRENT:
            continue
        data = versions.data
        if (record.group and data.get("group") == record.group) or agree(asked, meaning(data["statement"])):
            kin.append(versions)
    pieces = {piece["id"]: piece for one in (*kin, own) for piece in state.spoken(one.data)}
    evidence = [Evidence.model_validate(piece) for piece in pieces.values()]
    return Family(own, kin, _projects(state, [own, *kin], evidence), evidence)


def criteria(state: State, found: Family, at: str) -> list[Criterion]:
    """The four conditions, in the order in which they are asked."""
    return [_seen(found), _stable(found, at), _knowledge(state, found), _provenance(found)]


def since(found: Family) -> str:
    """The moment from which the rule has stood as it stands now: when it was first said, or last changed."""
    revisions = [one for one in found.record.revisions if one.data.get("status", "active") != "deleted"]
    times = [str(one.time) for one in found.evidence if one.time and one.polarity == "for"]
    created = [str(one.data.get("created_at") or one.at) for one in (found.record.revisions[0],)]
    start = min([*times, *created], key=_moment)
    for before, after in pairwise(revisions):
        if _core(before.data) != _core(after.data):
            start = after.at
    return start


def _core(data: dict[str, Any]) -> tuple[Any, ...]:
    return (data.get("status", "active"), *(data.get(name) for name in _MEANT))


def _seen(found: Family) -> Criterion:
    names = list(found.projects)
    why = f"seen in {len(names)} independent project{'' if len(names) == 1 else 's'}" if names else "seen in no project"
    return Criterion("projects", len(names) >= PROJECTS, f"{why}; {PROJECTS} are asked for", [
        f"{name}: {'; '.join(shown)}" for name, shown in found.projects.items()
    ])  # fmt: skip


def _stable(found: Family, at: str) -> Criterion:
    start = since(found)
    against = [str(one.time) for one in found.evidence if one.polarity == "against" and one.time]
    shown = [f"stands as it is since {start[:10]}"]
    if found.record.forked or status(found.record) == "contested":
        return Criterion("stable", False, "it is contested", shown)
    late = [time for time in against if _moment(time) > _moment(at) - timedelta(days=DAYS)]
    if late:
        return Criterion("stable", False, f"somebody spoke against it on {max(late)[:10]}", shown)
    long = _moment(at) - _moment(start) >= timedelta(days=DAYS)
    why = f"unchanged since {start[:10]}, {'more' if long else 'less'} than {DAYS} days"
    return Criterion("stable", long, why, shown)


def _knowledge(state: State, found: Family) -> Criterion:
    data = found.record.data
    rule = str(data.get("rule_type") or "rule").replace("_", " ")
    words = personal(data["statement"])
    if data.get("layer") == "L1":
        return Criterion("knowledge", False, "it is about the person (identity memory)")
    if words:
        return Criterion("knowledge", False, "it says how one person likes things", [f'"{one_line(words)}"'])
    intents = {
        str(one.data.get("intent"))
        for one in state.candidates.values()
        if set(one.data.get("became") or ()) & set(found.ids)
    }
    everywhere = (data.get("scope") or {}).get("type", "global") == "global"
    if rule == "preference" and everywhere or (intents == {"user_preference"} and everywhere and not found.projects):
        return Criterion("knowledge", False, "it is a personal preference that holds everywhere", [f"kept as {rule}"])
    an = "an" if rule[0] in "aeiou" else "a"
    return Criterion("knowledge", True, f"{an} {rule}; nothing in it speaks of one person's taste", [f"kept as {rule}"])


def _provenance(found: Family) -> Criterion:
    good = [one for one in found.evidence if one.polarity == "for" and (one.session or one.path) and one.time]
    shown = [source(one) for one in good]
    if not found.evidence:
        return Criterion("provenance", False, "no evidence is kept for it")
    if not good:
        return Criterion("provenance", False, "its evidence names neither source nor time", [
            source(one) for one in found.evidence
        ])  # fmt: skip
    if all(weight(one.trust) < LOW_TRUST for one in good):
        return Criterion("provenance", False, "its only sources are texts, tools or agents, no person", shown)
    pieces = f"{len(good)} piece{'' if len(good) == 1 else 's'} of evidence"
    return Criterion("provenance", True, f"{pieces} with source and time", shown)


def source(evidence: Evidence) -> str:
    """A piece of evidence on one line: when, from whom, where, and the words."""
    where = [evidence.time[:10] if evidence.time else "undated", evidence.agent or "", evidence.trust.replace("_", " ")]
    if evidence.session:
        where.append(f"session {evidence.session}")
    where += evidence.projects
    return f"{', '.join(filter(None, where))}: {shorten(one_line(evidence.excerpt), EXCERPT)}"


def _projects(state: State, records: Sequence[Versions], evidence: Iterable[Evidence]) -> dict[str, list[str]]:
    """Independent projects: branches, aliases and submodules of one repository count once."""
    shown: dict[str, list[str]] = {}
    for one in records:
        project = (one.data.get("scope") or {}).get("project")
        if project:
            shown.setdefault(_base(state, str(project)), []).append(f"holds there as {one.id}")
    for piece in evidence:
        for project in piece.projects:
            when = piece.time[:10] if piece.time else "once"
            shown.setdefault(_base(state, project), []).append(f"said there on {when}")
    return {name: list(dict.fromkeys(shown[name])) for name in sorted(shown)}


def _base(state: State, project: str) -> str:
    known = canonical_id(state, project.partition("#")[0])
    above = state.projects[known].data.get("superproject") if known in state.projects else None
    return canonical_id(state, str(above)) if above else known


def _moment(text: str) -> datetime:
    try:
        parsed = datetime.fromisoformat(text)
    except ValueError:
        return datetime.max.replace(tzinfo=UTC)
    return parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)
