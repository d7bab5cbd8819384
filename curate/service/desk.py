"""What the service does, without HTTP: plans turns, keeps them in the journal, takes in candidates and outcomes.

Each call is safe beside every other of this process and of others.
"""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from curate.capture.told import Told, remember
from curate.recall import journal
from curate.recall.outcomes import add_outcome
from curate.recall.planner import plan
from curate.recall.turn import request_for
from curate.service import shapes
from store.errors import InputError
from store.ids import Clock, now
from store.index.lookup import Lookup
from store.secrets import mask
from store.store import Store

if TYPE_CHECKING:
    from curate.recall.planned import Plan
    from curate.service.asked import Context, Outcome, Remember, Retrieve


class NothingKept(InputError):
    """The journal has no such turn."""

    def __init__(self, task: str, turn: int | None) -> None:
        what = "nothing" if turn is None else f"no turn {turn}"
        super().__init__(f"{what} of {task!r} is in the journal; it keeps {journal.KEPT_DAYS} days")


class Desk:
    """One store, served."""

    def __init__(self, root: Path, *, clock: Clock = now) -> None:
        self.root = root
        self._clock = clock
        self._writing = threading.Lock()
        self._store: Store | None = None

    def retrieve(self, asked: Retrieve) -> dict[str, Any]:
        """`POST /api/retrieve`."""
        began = time.perf_counter()
        answer = self._planned(
            asked.query, cwd=asked.cwd, project=asked.project, agent=asked.agent, session=_name(asked.task_id),
            layout="knowledge", budget=asked.budget, files=tuple(asked.recent_files),
        )  # fmt: skip
        took = round((time.perf_counter() - began) * 1000)
        found = shapes.retrieval(answer, query=asked.query, latency_ms=took)
        if asked.task_id:
            kept = {"latency_ms": took, "items": found["items"]}
            self._keep(answer, _name(asked.task_id), asked.agent, {"retrieval": kept})
        return found

    def context(self, asked: Context) -> dict[str, Any]:
        """`POST /v1/context`."""
        session = _name(asked.session_id)
        answer = self._planned(
            asked.user_message, cwd=asked.cwd, project=asked.project, agent=asked.agent, session=session,
            layout=asked.layout, budget=asked.budget, transcript=asked.transcript,
        )  # fmt: skip
        if session and not asked.preview:
            self._keep(answer, session, asked.agent, {})
        return shapes.context(answer)

    def captures(self, task: str, turn: int | None) -> dict[str, Any]:
        """`GET /api/retrieve-capture`. Raises `NothingKept`."""
        turns = [shapes.captured(line) for line in journal.turns(str(self.root), _name(task))]
        chosen = next((each for each in reversed(turns) if turn is None or each["turn"] == turn), None)
        if chosen is None:
            raise NothingKept(task, turn)
        return {**chosen, "turns": turns}

    def remember(self, asked: Remember) -> dict[str, Any]:
        """`POST /v1/remember`."""
        told = Told(
            asked.statement, scope=asked.scope, project=asked.project, cwd=asked.cwd, rule_type=asked.rule_type,
            tags=tuple(asked.tags), agent=asked.agent, session=asked.session_id, reason=asked.reason,
        )  # fmt: skip
        with self._writing:
            done = remember(self._open(), told, clock=self._clock)
        return {"created": done.created, "reinforced": done.reinforced, "known": done.known,
                "tombstoned": done.tombstoned, "candidates": done.ids}  # fmt: skip

    def outcome(self, asked: Outcome) -> dict[str, Any]:
        """`POST /v1/outcomes`."""
        folder = _folder(asked.cwd)
        # By the id that its memory is kept under: an alias would never be asked for.
        project = Lookup.ask(self.root, lambda lookup: request_for(
            lookup.db, str(self.root), "", folder=folder, today=self._clock()[:10], project=asked.project).project,
        )  # fmt: skip
        with self._writing:
            self._open()
        return add_outcome(
            self.root, asked.domain, ok=asked.ok, at=self._clock(), project=project, agent=asked.agent,
            pattern=asked.pattern, strategy=asked.strategy,
        )  # fmt: skip

    def counts(self) -> dict[str, int]:
        """Records by status, and what waits."""
        from store.log.fold import status

        with self._writing:
            store = self._open()
            store.refresh()
            found = {"waiting": sum(1 for _ in store.state.waiting())}
            for versions in store.state.live_records():
                key = status(versions)
                found[key] = found.get(key, 0) + 1
        return found

    def _planned(self, prompt: str, *, cwd: str | None, project: str | None, transcript: str | None = None,
                 **more: Any) -> Plan:  # fmt: skip
        folder = _folder(cwd)

        def planned(lookup: Lookup) -> Plan:
            at = self._clock()
            request = request_for(
                lookup.db, str(self.root), prompt, folder=folder, today=at[:10], at=at, project=project, **more
            )
            if transcript is not None:
                request.transcript = transcript
            return plan(lookup.db, request)

        return Lookup.ask(self.root, planned)

    def _keep(self, answer: Plan, session: str, agent: str, more: dict[str, Any]) -> None:
        with self._writing:
            journal.write(str(self.root), answer, session=session, agent=_name(agent), at=self._clock(), more=more)

    def _open(self) -> Store:
        if self._store is None:
            self._store = Store.open(self.root, create=True)
        return self._store


def _name(given: str | None) -> str:
    """What a client calls its session or itself, as it may be kept."""
    return mask(given).text if given else ""


def _folder(cwd: str | None) -> str:
    """The folder, or none in particular: a client elsewhere names folders that are not of this machine, and gets what
    holds everywhere.
    """
    try:
        return cwd if cwd and "\0" not in cwd and Path(cwd).is_absolute() and Path(cwd).is_dir() else "/"
    except OSError:
        return "/"
