"""A run of consolidation: which sessions have something new, asking about each at most once, and what became of it.

The order is the promise: candidates are durable before a session counts as done, so an interruption costs a call. A
session that got no answer waits in the ledger and is tried at a later run.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from filelock import FileLock, Timeout

from curate.capture.activity import Activity
from curate.capture.consolidate import command, http, request
from curate.capture.consolidate.answer import Refused, Supported, items, supported, text_of
from curate.capture.consolidate.candidates import capture_of, captured_already
from curate.capture.consolidate.fault import NoAnswer
from curate.capture.consolidate.ledger import Ledger
from curate.capture.consolidate.pending import Pending
from curate.capture.consolidate.session import Session
from curate.capture.consolidate.settings import Endpoint, Limits
from curate.capture.draft import Drafter
from curate.matching.recurrence import find as recurrence
from store.captures import CaptureBatch
from store.errors import StoreUnusable
from store.ids import Clock, NewId, new_id, now
from store.log.disk import refused

if TYPE_CHECKING:
    from store.store import Store

LOCK = "consolidation.lock"
SESSIONS = 20
"""Sessions asked about in one run, unless somebody says otherwise: the first run meets a whole history."""
DOWN = 2
USELESS = 5
"""Failures of the endpoint, and answers of no use, in a row after which a run asks no more."""

Progress = Callable[[int, int, object], None]


class AlreadyRunning(StoreUnusable):
    """Two runs at once would ask about the same sessions twice."""

    def __init__(self, root: Path) -> None:
        super().__init__(f"{root}: another `curate consolidate` is running; wait for it to end")


@dataclass(frozen=True, slots=True)
class Told:
    """Something to say about one session."""

    session: str
    reason: str


@dataclass(slots=True)
class Report:
    """What a run did."""

    sessions: int = 0
    """Sessions with something that nobody was asked about yet."""
    sent: int = 0
    created: int = 0
    reinforced: int = 0
    known: int = 0
    """Items that say what was captured from the same words before."""
    tombstoned: int = 0
    refused: list[Told] = field(default_factory=list)
    failed: list[Told] = field(default_factory=list)
    pending: int = 0
    """Sessions of which something waits for a later run."""
    set_aside: list[Told] = field(default_factory=list)
    resting_until: str | None = None
    would_send: list[Session] = field(default_factory=list)
    """In a dry run: what would go out, as it would."""


def consolidate(
    store: Store,
    endpoint: Endpoint,
    paths: Sequence[Path] = (),
    *,
    agent: str | None = None,
    since: str | None = None,
    limit: int = SESSIONS,
    now_please: bool = False,
    progress: Progress | None = None,
    home: Path | None = None,
    clock: Clock = now,
    new_id: NewId = new_id,
) -> Report:
    """Ask the endpoint about sessions with something new, of these paths or of every known agent.

    `now_please` asks although the endpoint failed lately. Raises `InputError` for paths, `StoreUnusable`.
    """
    lock = FileLock(store.root / LOCK)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise AlreadyRunning(store.root) from None
    except OSError as fault:
        raise refused(store.root / LOCK, fault) from fault
    try:
        run = _Run(store, endpoint, clock=clock, new_id=new_id, progress=progress or (lambda *_: None))
        run.gather(paths, agent=agent, since=since, home=home or Path.home())
        run.ask(limit, now_please=now_please)
        run.finish(by_name=bool(paths), whole=since is None)
    finally:
        lock.release()
    return run.report


def rehearse(
    store: Store,
    limits: Limits,
    key: str | None = None,
    paths: Sequence[Path] = (),
    *,
    agent: str | None = None,
    since: str | None = None,
    limit: int = SESSIONS,
    home: Path | None = None,
) -> Report:
    """What the next run would send, in `would_send`. Nothing is sent or written, and no endpoint need be configured."""
    endpoint = Endpoint("command", limits, key=key)
    run = _Run(store, endpoint, clock=now, new_id=new_id, progress=lambda *_: None)
    run.gather(paths, agent=agent, since=since, home=home or Path.home())
    ready = run.in_turn()
    run.report.would_send = ready[:limit]
    run.report.pending = len(ready)
    return run.report


class _Run:
    """One run under way."""

    def __init__(self, store: Store, endpoint: Endpoint, *, clock: Clock, new_id: NewId, progress: Progress) -> None:
        self.report = Report()
        self._store = store
        self._endpoint = endpoint
        self._clock = clock
        self._new_id = new_id
        self._progress = progress
        self._ledger = Ledger(store.root)
        self._pending = Pending(self._ledger, max_chars=endpoint.limits.max_chars, key=endpoint.key)
        self._finished: set[str] = set()
        vault = os.environ.get("PI_VAULT_PATH") or store.config.get("vault.path")
        self._vault = Path(vault).expanduser() if vault else None
        self._activity = Activity(vaults=[self._vault] if self._vault else [], not_these=[store.root])

    def gather(self, paths: Sequence[Path], *, agent: str | None, since: str | None, home: Path) -> None:
        """Find what nobody was asked about."""
        self._pending.gather(paths, agent=agent, since=since, home=home)
        self.report.sessions = len(self._pending.sessions)

    def in_turn(self) -> list[Session]:
        """Sessions to ask about: those that failed least first, then the newest. The rest is noted in the report."""
        ready: list[Session] = []
        for session in self._pending.sessions.values():
            if self._ledger.set_aside(session, self._endpoint):
                reason = "answered too often with nothing of use; another model, or something new in it, starts afresh"
                self.report.set_aside.append(Told(session.label, reason))
            elif session.worth_asking:
                ready.append(session)
        ready.sort(key=lambda session: session.newest, reverse=True)
        ready.sort(key=self._ledger.tries)
        return ready

    def ask(self, limit: int, *, now_please: bool) -> None:
        """Ask about each session in turn, once, until the limit or until the endpoint had better be left alone."""
        ready = self.in_turn()
        small = [session for session in self._pending.sessions.values() if not session.worth_asking]
        self._ledger.answered(small, self._clock())
        self._finished.update(session.key for session in small)
        self.report.resting_until = None if now_please else self._ledger.resting(self._endpoint, self._clock())
        if self.report.resting_until is not None:
            return
        down = useless = 0
        for number, session in enumerate(ready[:limit]):
            self._progress(number, min(limit, len(ready)), session.label)
            fault = self._ask(session)
            if fault is None:
                down = useless = 0
                self._ledger.works(self._clock())
                continue
            down, useless = (down + 1, useless) if fault.of_endpoint else (0, useless + 1)
            if down >= DOWN or useless >= USELESS or fault.wait is not None:
                self.report.resting_until = self._ledger.leave_alone(self._endpoint, self._clock(), fault.wait)
                return
        if down:  # the last of a few sessions, with nothing after it to show that the endpoint is back
            self.report.resting_until = self._ledger.leave_alone(self._endpoint, self._clock(), None)

    def _ask(self, session: Session) -> NoAnswer | None:
        self.report.sent += 1
        try:
            found = items(text_of(self._endpoint.kind, call(self._endpoint, session)), self._endpoint.limits.max_items)
        except NoAnswer as fault:
            self.report.failed.append(Told(session.label, fault.reason))
            self._ledger.failed(session, self._endpoint, self._clock(), of_endpoint=fault.of_endpoint)
            return fault
        good: list[Supported] = []
        for one in found:
            judged = one if isinstance(one, Refused) else supported(one, session.messages)
            if isinstance(judged, Refused):
                self.report.refused.append(Told(session.label, judged.reason))
            else:
                good.append(judged)
        self._capture(good)
        self._ledger.answered([session], self._clock())
        if not session.left:
            self._finished.add(session.key)
        return None

    def _capture(self, good: Sequence[Supported]) -> None:
        self._store.refresh()
        state, at = self._store.state, self._clock()
        fresh = [one for one in good if not captured_already(state, one)]
        self.report.known += len(good) - len(fresh)
        if not fresh:
            return
        profile = self._store.config.get("profile")
        drafter = Drafter(state, self._activity, at=at, new_id=self._new_id, profile=profile, vault=self._vault)
        captures = [capture_of(one, drafter, at=at, new_id=self._new_id) for one in fresh]
        done = self._store.capture(CaptureBatch(captures, list(drafter.projects.values())), recurrence)
        self.report.created += done.created
        self.report.reinforced += done.reinforced
        self.report.known += done.known
        self.report.tombstoned += done.tombstoned

    def finish(self, *, by_name: bool, whole: bool) -> None:
        """Note what waits and which transcripts hold nothing more. `by_name`: nobody may name their paths again."""
        waiting = [session for session in self._pending.sessions.values() if session.key not in self._finished]
        self.report.pending = len(waiting) - len(self.report.set_aside)
        if by_name:
            self._ledger.keep(waiting, self._clock())
        if whole:
            settled = [path for path, sessions in self._pending.of_file.items() if sessions <= self._finished]
            self._ledger.settle(settled, self._clock())
        self._ledger.tidy()


def call(endpoint: Endpoint, session: Session) -> bytes:
    """One call. Raises `NoAnswer`."""
    if endpoint.kind == "command":
        return command.run(endpoint.command, request.prompt(endpoint, session), timeout=endpoint.limits.timeout)
    body = json.dumps(request.body(endpoint, session), ensure_ascii=False).encode("utf-8")
    return http.post(endpoint.url, body, request.headers(endpoint), timeout=endpoint.limits.timeout)
