"""Text of strangers as candidates: each with the words it came from as evidence, low trust, and a mark of the risk.

None of it becomes a memory by itself. What was rejected or deleted is not proposed again, in whatever place it stood.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from store.captures import Capture
from store.exchange.found import Entry, Import
from store.exchange.redact import harmless
from store.ids import NewId, content_id
from store.log.fold import status
from store.model import Candidate, Evidence, Intent, Patch, Project, RuleType, Scope, TrustClass
from store.model.evidence import EXCERPT_LIMIT
from store.patch.trust import weight
from store.project.identity import Identity, resolve
from store.project.registry import canonical_id, recognise, seen
from store.state import places
from store.text import fingerprint, one_line, shorten

if TYPE_CHECKING:
    from store.state import State

STATEMENT_LIMIT = 2000
BODY_LIMIT = 20_000


@dataclass(frozen=True, slots=True)
class Proposal:
    """A statement of a foreign source, in its own words, with where it stands."""

    entry: Entry
    statement: str
    excerpt: str
    source: str
    """Where it is from, so that the same words from there count once: a format and a file or id."""
    body: str | None = None
    trust: TrustClass = "repository_text"
    poisoning: Literal["low", "medium", "high"] = "high"
    intent: Intent = "project_convention"
    rule_type: RuleType | None = None
    project: str | None = None
    paths: tuple[str, ...] = ()
    everywhere: bool = False
    reason: str = ""
    """Why it has this scope."""
    tags: tuple[str, ...] = ()
    context: str | None = None
    agent: str | None = None
    session: str | None = None
    time: str | None = None
    path: str | None = None
    profile: str | None = None
    flags: tuple[str, ...] = ()


@dataclass(slots=True)
class Read:
    """What a foreign source holds: proposals, what cannot be read, and the projects it belongs to."""

    proposals: list[Proposal] = field(default_factory=list)
    faults: list[Entry] = field(default_factory=list)
    projects: list[Project] = field(default_factory=list)

    def fault(self, line: int, reason: str, file: str | None = None) -> None:
        """Note a line that cannot be taken."""
        self.faults.append(Entry(line, fault=reason, file=file))


def plan_proposals(state: State, read: Read, *, patch_id: str, at: str, new_id: NewId, summary: str) -> Import:
    """The captures of a source against a state. Nothing is written."""
    done = Import(Patch(patch_id=patch_id, created_at=at, summary=summary), projects=read.projects)
    for fault in read.faults:
        done.reject(fault, fault.fault or "cannot be read")
    standing = _standing(state)
    taken: dict[tuple[str, tuple[Any, ...]], Entry] = {}
    for proposal in read.proposals:
        statement = shorten(one_line(harmless(proposal.statement)), STATEMENT_LIMIT)
        if not statement:
            done.reject(proposal.entry, "nothing is left of it once it is cleaned")
            continue
        mark = state.tombstone_for(fingerprint(statement))
        if mark is not None:
            done.reject(proposal.entry, f"the same was {mark['cause']} on {mark['created_at'][:10]} ({mark['of']})")
            continue
        capture = _capture(state, proposal, statement, at=at, new_id=new_id)
        where = places(capture.candidate.scope.model_dump(), capture.candidate.targets)
        held = standing.get(fingerprint(statement), [])
        if ident := next((ident for ident, place in held if place & (where | {("global",)})), None):
            done.unchanged.append(ident)
            continue
        key = (fingerprint(statement), tuple(sorted(where)))
        if key in taken:
            continue  # said twice in one source
        taken[key] = proposal.entry
        done.captures.append((proposal.entry, capture))
    return done


def project_named(state: State, name: str | None) -> str | None:
    """The project that a foreign name means: an id, an alias, the name of a single known one; else the name itself."""
    if not name or not name.strip():
        return None
    name = one_line(name)
    known = canonical_id(state, name)
    if known in state.projects:
        return known
    called = [ident for ident, one in state.projects.items() if str(one.data.get("name", "")).lower() == name.lower()]
    return called[0] if len(called) == 1 else name


def project_of(state: State, path: Path, at: str) -> tuple[Identity, list[Project]]:
    """The project that a file belongs to, and news of it for the registry."""
    identity = recognise(state, resolve(path))
    project = seen(state, identity, at)
    return identity, [project] if project is not None else []


def _standing(state: State) -> dict[str, list[tuple[str, set[tuple[str, ...]]]]]:
    """What holds already, by fingerprint."""
    found: dict[str, list[tuple[str, set[tuple[str, ...]]]]] = {}
    for versions in state.live_records():
        if status(versions) in ("active", "contested"):
            place = places(versions.data.get("scope") or {"type": "global"})
            found.setdefault(fingerprint(versions.data["statement"]), []).append((versions.id, place))
    return found


def _capture(state: State, proposal: Proposal, statement: str, *, at: str, new_id: NewId) -> Capture:
    excerpt = shorten(harmless(proposal.excerpt), EXCERPT_LIMIT)
    project = project_named(state, proposal.project)
    start = excerpt.find(statement)
    evidence = Evidence(
        id=content_id("ev", "import", proposal.source, statement),
        excerpt=excerpt,
        statement_span=(start, start + len(statement)) if start >= 0 else None,
        context=shorten(one_line(harmless(proposal.context)), 300) if proposal.context else None,
        trust=proposal.trust,
        agent=proposal.agent,
        session=proposal.session,
        time=proposal.time,
        projects=[project] if project else [],
        path=proposal.path,
        line=proposal.entry.line,
        redacted=["secret"] if "[masked " in excerpt and "[masked " not in proposal.excerpt else [],
    )
    scope = Scope(type="global") if proposal.everywhere else Scope(project=project, paths=list(proposal.paths))
    flags = [*proposal.flags, *(["redacted"] if evidence.redacted else [])]
    candidate = Candidate(
        id=new_id("cand"),
        statement=statement,
        body=shorten(harmless(proposal.body).strip(), BODY_LIMIT) or None if proposal.body else None,
        intent=proposal.intent,
        rule_type=proposal.rule_type,
        scope=scope,
        targets=[project] if project and not proposal.everywhere else [],
        scope_reason=proposal.reason or None,
        profile=proposal.profile,
        tags=[tag for each in proposal.tags if (tag := one_line(harmless(each)))],
        trust=proposal.trust,
        confidence=weight(proposal.trust),
        poisoning_risk=proposal.poisoning,
        flags=list(dict.fromkeys(flags)),
        evidence=[evidence.id],
        created_at=at,
        updated_at=at,
    )
    return Capture(candidate, [evidence])


def joined(reads: Iterable[Read]) -> Read:
    """Several sources as one."""
    whole = Read()
    for read in reads:
        whole.proposals += read.proposals
        whole.faults += read.faults
        whole.projects += [one for one in read.projects if one.id not in {known.id for known in whole.projects}]
    return whole
