"""What the tools do. They read, note and propose; nothing here makes, changes or activates a memory."""

from __future__ import annotations

import os
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from curate.agents.mcp.answers import (
    ContextBlock,
    ContextLine,
    Decision,
    Decisions,
    Explained,
    Hit,
    Hits,
    Memory,
    ReviewSummary,
    Waiting,
    Written,
)
from curate.capture.told import Told, remember
from curate.recall.explanation import explained
from curate.recall.planner import plan
from curate.recall.turn import request_for
from store import notes
from store.errors import UnknownId
from store.ids import Clock, now
from store.index.lookup import Lookup
from store.store import Store

if TYPE_CHECKING:
    from collections.abc import Sequence

    from curate.recall.planned import Plan

RULE_TYPES = frozenset(
    {
        "avoid_pattern", "prefer_pattern", "convention", "correction", "workflow", "testing", "tool", "architecture",
        "preference",
    }
)  # fmt: skip
SHOWN = 10
"""Waiting groups that a summary names."""
EVIDENCE_SHOWN = 10


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
        where = None if everywhere else project or self._project()
        found, done = Lookup.ask(self.root, lambda lookup: lookup.hits(query, mode=mode, limit=limit, project=where))
        return Hits(hits=[Hit(**hit) for hit in found], mode=done, project=where)

    def read(self, ident: str) -> Memory:
        """A record or candidate with its evidence. Raises `UnknownId`."""
        with self._lock:
            store = self._opened()
            store.refresh()
            versions = store.revisions(ident)
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

        here = self._project()
        with self._lock:
            store = self._opened()
            store.refresh()
            return [
                (versions.id, str(versions.data.get("statement", "")))
                for versions in store.state.live_records()
                if status(versions) == "active" and (versions.data.get("scope") or {}).get("project") in {None, here}
            ]

    def decisions(self, *, days: int, project: str | None) -> Decisions:
        """Lines marked #decision, newest first."""
        today = datetime.fromisoformat(self._clock()).astimezone(UTC)
        since = (today - timedelta(days=days - 1)).date().isoformat()
        found = [
            Decision(date=one.date, project=one.project, text=one.bare)
            for one in notes.daily_notes(self.root, since=since)
            if one.decision and (project is None or one.project == project)
        ]
        return Decisions(decisions=found[::-1])

    def context(self, prompt: str, *, layout: str | None, budget: int | None, agent: str) -> ContextBlock:
        """What a turn with this prompt would get; nothing is written."""

        def planned(lookup: Lookup) -> Plan:
            request = request_for(
                lookup.db, str(self.root), prompt, folder=str(self._folder or os.sep), today=self._clock()[:10],
                layout=layout, budget=budget, agent=agent,
            )  # fmt: skip
            return plan(lookup.db, request)

        answer = Lookup.ask(self.root, planned)
        lines = [ContextLine(id=e.id, section=e.section, reason=e.reason, cost=e.cost) for e in answer.entries]
        return ContextBlock(
            block=answer.block, entries=lines, total=answer.total, budget=answer.budget, unit=answer.unit,
            truncated=answer.truncated, skipped=answer.skipped,
        )  # fmt: skip

    def explain(self, session: str | None, turn: int | None) -> Explained:
        """What turns really got. An empty list where the journal has nothing."""
        document = explained(str(self.root), session, turn)
        if document is None:
            return Explained(session=session, turns=[])
        found: list[dict[str, Any]] = [document] if turn is not None else document["turns"]
        return Explained(session=document.get("session"), turns=found)

    def summary(self) -> ReviewSummary:
        """What waits for a person."""
        from curate.review.inbox import inbox

        with self._lock:
            store = self._opened()
            store.refresh()
            groups = [
                group
                for group in inbox(store.state, at=self._clock(), threshold=store.config.get("review.batch_threshold"))
                if group.visible
            ]
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
                for group in serious[:SHOWN]
            ],
        )  # fmt: skip

    def _project(self) -> str | None:
        """The project of the folder that the agent works in."""
        if self._folder is None or not self._folder.is_dir():
            return None
        folder = str(self._folder)
        return Lookup.ask(
            self.root, lambda lookup: request_for(lookup.db, str(self.root), "", folder=folder, today="").project
        )

    def _open(self) -> None:
        with self._lock:
            self._opened()

    def _opened(self) -> Store:
        if self._store is None:
            self._store = Store.open(self.root, create=True)
        return self._store


__all__ = ["Desk", "UnknownId"]
