"""What the tools do. They read, note and propose; nothing here makes, changes or activates a memory."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from curate.agents.mcp.answers import (
    ContextBlock,
    ContextLine,
    Decision,
    Decisions,
    Explained,
    Hit,
    Hits,
    Memory,
    PastTurn,
    ReviewSummary,
    Sessions,
    Waiting,
    Written,
)
from curate.agents.mcp.here import Here, here_of
from curate.capture.told import Told, remember
from curate.recall import journal
from curate.recall import sessions as past
from curate.recall.place import profile_of
from curate.recall.planner import plan
from curate.recall.turn import request_for
from store import notes
from store.errors import UnknownId
from store.ids import Clock, now
from store.index import schema
from store.index.lookup import IndexUnusable, Lookup
from store.index.projects import canonical, names_of
from store.patch.build import days_after
from store.store import Store

if TYPE_CHECKING:
    from collections.abc import Sequence

    from curate.recall.planned import Plan
    from store.notes import DayNote

RULE_TYPES = frozenset(
    {
        "avoid_pattern", "prefer_pattern", "convention", "correction", "workflow", "testing", "tool", "architecture",
        "preference",
    }
)  # fmt: skip
SHOWN = 10
"""Waiting groups that a summary names."""
EVIDENCE_SHOWN = 10
TURNS_SHOWN = 20
"""Turns of a session that are explained at once; each holds its whole block."""


class Desk:
    """One store, for the tools of one server. `folder` is where the agent works; None where nobody can tell."""

    def __init__(self, root: Path, folder: Path | None, *, clock: Clock = now) -> None:
        self.root = root
        self._folder = folder
        self._clock = clock
        self._lock = threading.Lock()
        self._store: Store | None = None

    def write(
        self,
        content: str,
        target: Literal["daily", "long_term", "scratchpad"],
        *,
        tags: Sequence[str] = (),
        rule_type: str | None = None,
        scope: Literal["global", "project"] | None = None,
        project: str | None = None,
        reason: str = "",
        agent: str = "",
        session: str | None = None,
    ) -> Written:
        """Note it, or propose it. A tag may name the rule type. Raises `InputError`, `StoreUnusable`."""
        if target == "scratchpad":
            self._open()
            notes.add_item(self.root, content)
            return Written(target=target, outcome="noted as an open item")
        where = project or self._project()
        if target == "daily":
            self._open()
            notes.add_daily(self.root, content, at=self._clock(), project=where)
            return Written(target=target, outcome="noted in today's log")
        hinted = next((tag for tag in tags if tag in RULE_TYPES), None)
        told = Told(
            content, scope=scope, project=where, cwd=str(self._folder) if self._folder else None,
            rule_type=rule_type or hinted, tags=tuple(tag for tag in tags if tag not in RULE_TYPES),
            agent=agent, session=session, reason=reason,
        )  # fmt: skip
        with self._lock:
            done = remember(self._opened(), told, clock=self._clock)
        outcome = (
            "proposed; it waits for a person's decision" if done.created
            else "counted as said again on what already waits" if done.reinforced
            else "a person turned this away before; it was not proposed again" if done.tombstoned
            else "already proposed"
        )  # fmt: skip
        return Written(target=target, outcome=outcome, candidates=done.ids)

    def search(self, query: str, *, mode: str, limit: int, project: str | None, everywhere: bool) -> Hits:
        """Memories in force that a text is about."""

        def found(lookup: Lookup) -> Hits:
            here = here_of(lookup.db, self.root, self._folder)
            allowed = here.world if everywhere or project else here.sees
            hits, done = lookup.hits(
                query, mode=mode, limit=limit, project=None if everywhere else project, allowed=allowed
            )
            where = None if everywhere else project or here.project
            return Hits(hits=[Hit(**hit) for hit in hits], mode=done, project=where)

        return Lookup.ask(self.root, found)

    def read(self, ident: str) -> Memory:
        """A record or candidate of this profile, with its evidence. Raises `UnknownId`."""
        here = self._here()
        with self._lock:
            store = self._opened()
            store.refresh()
            versions = store.revisions(ident)
            if not here.world("", versions.data.get("profile") or ""):
                raise UnknownId("record or candidate", ident)
            known = store.state.record(ident) if ident in store.state.records else store.state.candidate(ident)
            evidence = store.evidence(versions.data.get("evidence") or ())
        return Memory(
            record=known.model_dump(mode="json", by_alias=True, exclude_none=True),
            evidence=[
                each.model_dump(mode="json", by_alias=True, exclude_none=True) for each in evidence[-EVIDENCE_SHOWN:]
            ],
            revisions=len(versions.revisions),
        )

    def statements(self) -> list[tuple[str, str]]:
        """Ids and statements of the records in force here."""
        from store.log.fold import status

        here = self._here()
        with self._lock:
            store = self._opened()
            store.refresh()
            return [
                (versions.id, str(versions.data.get("statement", "")))
                for versions in store.state.live_records()
                if status(versions) == "active" and here.holds(versions.data.get("scope"), versions.data.get("profile"))
            ]

    def decisions(self, *, days: int, project: str | None, everywhere: bool = False) -> Decisions:
        """Lines marked #decision, newest first: of this project and of none, of a named one, or of all."""
        since = days_after(self._clock(), 1 - days)[:10]
        noted = [one for one in notes.daily_notes(self.root, since=since) if one.decision]

        def allowed(lookup: Lookup) -> list[DayNote]:
            here = here_of(lookup.db, self.root, self._folder)
            named = names_of(lookup.db, canonical(lookup.db, project)) if project else set()
            wanted = named or {*here.names, ""}
            return [
                one
                for one in noted
                if (everywhere or (one.project or "") in wanted)
                and here.world("", profile_of(lookup.db, canonical(lookup.db, one.project or "")) or "")
            ]

        found = Lookup.ask(self.root, allowed)
        return Decisions(decisions=[Decision(date=n.date, project=n.project, text=n.bare) for n in found[::-1]])

    def sessions(self, query: str, *, limit: int, everywhere: bool) -> Sessions:
        """Turns and digests of past sessions that a text is about."""
        here = self._here()
        allowed = here.world if everywhere else past.only(here.names, here.profile)
        try:
            found = past.search(self.root, query, limit=limit, allowed=allowed)
        except schema.Fault as fault:
            raise IndexUnusable(self.root, fault) from fault
        return Sessions(found=[PastTurn.model_validate(one) for one in found])

    def context(
        self, prompt: str, *, layout: str | None, budget: int | None, agent: str, project: str | None = None
    ) -> ContextBlock:
        """What a turn with this prompt would get; nothing is written."""

        def planned(lookup: Lookup) -> Plan:
            request = request_for(
                lookup.db, str(self.root), prompt, folder=str(self._folder or os.sep), today=self._clock()[:10],
                layout=layout, budget=budget, agent=agent, project=project,
            )  # fmt: skip
            return plan(lookup.db, request)

        answer = Lookup.ask(self.root, planned)
        lines = [ContextLine(id=e.id, section=e.section, reason=e.reason, cost=e.cost) for e in answer.entries]
        return ContextBlock(
            block=answer.block, entries=lines, total=answer.total, budget=answer.budget, unit=answer.unit,
            truncated=answer.truncated, skipped=answer.skipped,
        )  # fmt: skip

    def explain(self, session: str | None, turn: int | None) -> Explained:
        """What turns of this project really got, the last of them. Nothing where the journal has nothing of it.

        Where nobody can tell the project, whoever names a session knows it.
        """
        here = self._here()
        root = str(self.root)
        for name in [session] if session else reversed(journal.sessions(root)):
            turns = journal.turns(root, name)
            if self._folder is not None or not session:
                turns = [one for one in turns if not one.get("project") or one["project"] in here.names]
            if turns:
                asked = turns if turn is None else [one for one in turns if one["turn"] == turn][-1:]
                return Explained(session=turns[-1].get("session"), kept=len(turns), turns=asked[-TURNS_SHOWN:])
        return Explained(session=session, turns=[])

    def summary(self) -> ReviewSummary:
        """What waits for a person: how much in all, and the first of what may hold here."""
        from curate.review.inbox import inbox

        here = self._here()
        with self._lock:
            store = self._opened()
            store.refresh()
            groups = [
                group
                for group in inbox(store.state, at=self._clock(), threshold=store.config.get("review.batch_threshold"))
                if group.visible
            ]
            own = {
                group.id
                for group in groups
                if any(
                    here.holds(data.get("scope"), data.get("profile"), data.get("targets") or ())
                    for data in (store.state.candidates[ident].data for ident in group.candidates)
                )
            }
        serious = [group for group in groups if group.tab != "noise"]
        return ReviewSummary(
            groups=len(serious),
            noise=len(groups) - len(serious),
            conflicts=sum(group.tab == "conflicts" for group in serious),
            first=[
                Waiting(
                    statement=group.statement, said=group.recurrence, kind=group.match.kind, tab=group.tab,
                    where=", ".join(group.targets) or str(group.scope.get("type")),
                )
                for group in [one for one in serious if one.id in own][:SHOWN]
            ],
        )  # fmt: skip

    def _project(self) -> str | None:
        """The project of the folder that the agent works in."""
        return self._here().project

    def _here(self) -> Here:
        return Lookup.ask(self.root, lambda lookup: here_of(lookup.db, self.root, self._folder))

    def _open(self) -> None:
        with self._lock:
            self._opened()

    def _opened(self) -> Store:
        if self._store is None:
            self._store = Store.open(self.root, create=True)
        return self._store
