"""What a program asks to have remembered (a tool call of an agent, a request to the service): a candidate, never more.

Nobody vouches for who wrote it, so it is an inference of low trust whatever the caller says; a person decides.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from curate.capture.intent import classify
from curate.capture.trust import intent_of, poisoning_risk, rule_type_of
from curate.matching.recurrence import find as recurrence
from store.captures import Capture, CaptureBatch, Captured
from store.errors import InputError
from store.ids import Clock, NewId, content_id, new_id, now
from store.model import Candidate, Evidence, Project, Scope, TrustClass
from store.patch.trust import weight
from store.project.identity import resolve
from store.project.named import named
from store.project.registry import canonical_id, recognise, seen
from store.secrets import mask
from store.text import clean, one_line, shorten

if TYPE_CHECKING:
    from store.state import State
    from store.store import Store

TRUST: TrustClass = "agent_inference"
LIMIT = 2000
EXCERPT = 1000
TAGS = 16


class NothingTold(InputError):
    """There is nothing in it to remember."""

    def __init__(self) -> None:
        super().__init__("the statement is empty; say in one sentence what should hold from now on")


@dataclass(frozen=True, slots=True)
class Told:
    """One thing to be remembered, as a program says it."""

    statement: str
    scope: Literal["global", "project"] | None = None
    """None: the project of `project` or `cwd` where there is one, else unassigned."""
    project: str | None = None
    cwd: str | None = None
    rule_type: str | None = None
    tags: tuple[str, ...] = ()
    agent: str = ""
    session: str | None = None
    reason: str = ""
    """Why the program thinks so; shown to the reviewer beside it."""


def remember(store: Store, told: Told, *, clock: Clock = now, new_id: NewId = new_id) -> Captured:
    """Put it in the inbox; the same thing again counts on the candidate that waits. Raises `NothingTold`,
    `StoreUnusable`.
    """
    store.refresh()
    at = clock()
    target, projects = _target(store.state, told, at)
    masked = mask(clean(told.statement))
    statement = shorten(one_line(masked.text), LIMIT)
    if not statement:
        raise NothingTold
    verdict = classify(statement)
    kind = told.rule_type if told.rule_type and rule_type_of(told.rule_type) else None
    item = next(iter(verdict.items), None)
    session = mask(clean(told.session or "")).text or None
    agent = one_line(mask(clean(told.agent)).text)[:80] or None
    everywhere = told.scope == "global"
    home = "" if everywhere else target or ""
    evidence = Evidence(
        # The same words for another project are another proposal.
        id=content_id("ev", agent or "", session or "", at[:10], TRUST, home, statement),
        excerpt=shorten(statement, EXCERPT),
        statement_span=(0, len(statement)) if len(statement) <= EXCERPT else None,
        context=shorten(one_line(mask(clean(told.reason)).text), 300) or None,
        trust=TRUST,
        agent=agent,
        session=session,
        time=at,
        cwd=mask(clean(told.cwd)).text if told.cwd else None,
        projects=[target] if target else [],
        redacted=masked.kinds,
    )
    candidate = Candidate(
        id=new_id("cand"),
        statement=statement,
        intent=intent_of(item.intent) if item else "project_convention",
        rule_type=rule_type_of(kind or (item.rule_type if item else None)),
        scope=Scope(type="global") if everywhere else Scope(type="project", project=target),
        targets=[target] if target and not everywhere else [],
        scope_reason=_reason(told, target),
        tags=[one_line(mask(clean(tag)).text)[:60] for tag in told.tags[:TAGS] if tag.strip()],
        trust=TRUST,
        confidence=weight(TRUST),
        # The wording is no person's.
        poisoning_risk="high" if poisoning_risk(statement, ()) == "high" else "medium",
        flags=["redacted"] if masked.kinds else [],
        language=verdict.language,
        evidence=[evidence.id],
        created_at=at,
        updated_at=at,
    )
    return store.capture(CaptureBatch([Capture(candidate, [evidence])], projects), recurrence)


def _target(state: State, told: Told, at: str) -> tuple[str | None, list[Project]]:
    """The project that it is about, and what is to be registered of it."""
    if told.project and (name := named(told.project)):
        return canonical_id(state, name), []
    if not told.cwd or not Path(told.cwd).is_absolute() or not Path(told.cwd).is_dir():
        return None, []
    identity = recognise(state, resolve(Path(told.cwd)))
    project = seen(state, identity, at)
    return identity.project_id, [project] if project else []


def _reason(told: Told, target: str | None) -> str:
    if told.scope == "global":
        return "the program that proposed it said that it holds everywhere"
    if told.project:
        return "the program that proposed it named the project"
    return "the directory that the program worked in" if target else "no project could be told"
