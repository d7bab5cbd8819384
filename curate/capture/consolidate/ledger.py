"""What was sent already, what waits for another try, and until when the endpoint is left alone: `consolidation.jsonl`.

It holds digests, paths and times, never a word that anybody said. Losing it costs calls, no memory.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from curate.capture.consolidate.session import Session
from curate.capture.consolidate.settings import Endpoint
from store.errors import ReadFailed
from store.line import SCHEMA, canonical
from store.log.disk import Disk, make_dirs, write_whole

FILE = "consolidation.jsonl"

TRIES = 3
"""Answers without use after which a session is set aside, until it has something new or another model is asked."""
FIRST_WAIT = timedelta(minutes=1)
LONGEST_WAIT = timedelta(hours=6)
"""How long an endpoint that failed is left alone: the first, doubled with each run that failed, up to the longest."""

_SLACK = 200


@dataclass(frozen=True, slots=True)
class Rest:
    """A rest after failures: runs before `until` ask nobody."""

    failures: int
    until: str
    endpoint: str


@dataclass(frozen=True, slots=True)
class Waiting:
    """A session to look at again, wherever its transcript is: its call came to nothing, or it had no turn."""

    path: str
    agent: str
    tries: int
    """Failed calls of any kind, and `useless` those that were answered with nothing of use, by one endpoint."""
    useless: int
    endpoint: str
    last: str
    """The last turn that it had then."""


class Ledger:
    """The ledger of one store."""

    def __init__(self, root: Path, disk: Disk | None = None) -> None:
        self._file = root / FILE
        self._disk = disk or Disk()
        self._done: dict[str, str] = {}
        self._files: dict[str, tuple[int, int]] = {}
        self._lines = 0
        self._torn = False
        self.waiting: dict[str, Waiting] = {}
        """Sessions to try again, by key."""
        self.rest: Rest | None = None
        self._load()

    def is_done(self, turn: str) -> bool:
        """Whether a turn was sent and answered."""
        return turn in self._done

    def is_settled(self, path: Path) -> bool:
        """Whether nothing was left in a transcript when it was last read, and it has not changed since."""
        return self._files.get(str(path)) == _stamp(path)

    def resting(self, endpoint: Endpoint, at: str) -> str | None:
        """Until when this endpoint is left alone; None when it may be asked."""
        rest = self.rest
        return rest.until if rest and rest.endpoint == digest(endpoint) and at < rest.until else None

    def set_aside(self, session: Session, endpoint: Endpoint) -> bool:
        """Whether this endpoint answered for this session with nothing of use so often that it is not asked again."""
        return self._useless(session, endpoint) >= TRIES

    def tries(self, session: Session) -> int:
        """How often this session was tried in vain."""
        known = self.waiting.get(session.key)
        return known.tries if known else 0

    def answered(self, sessions: Iterable[Session], at: str) -> None:
        """The messages of these sessions have been dealt with."""
        self._write(
            {"kind": "done", "at": at, "session": session.key, "turns": [message.key for message in session.messages]}
            for session in sessions
        )

    def failed(self, session: Session, endpoint: Endpoint, at: str, *, of_endpoint: bool) -> None:
        """A call for a session came to nothing."""
        useless = self._useless(session, endpoint) + (not of_endpoint)
        self._write([_waits(session, self.tries(session) + 1, useless, digest(endpoint), at)])

    def keep(self, sessions: Iterable[Session], at: str) -> None:
        """These sessions had no turn yet; a later run finds them although nobody names their transcripts again."""
        self._write(_waits(session, 0, 0, "", at) for session in sessions if session.key not in self.waiting)

    def _useless(self, session: Session, endpoint: Endpoint) -> int:
        """How often this endpoint answered for the session, as it is, with nothing of use."""
        known = self.waiting.get(session.key)
        same = known and known.endpoint == digest(endpoint) and known.last == _last(session)
        return known.useless if known and same else 0

    def leave_alone(self, endpoint: Endpoint, at: str, wait: float | None) -> str:
        """Begin a rest; gives its end. `wait` is what the endpoint asked for, in seconds."""
        before = self.rest.failures if self.rest and self.rest.endpoint == digest(endpoint) else 0
        span = max(FIRST_WAIT * 2 ** min(before, 10), timedelta(seconds=wait or 0))
        until = _later(at, min(span, LONGEST_WAIT))
        self._write([{"kind": "rest", "at": at, "failures": before + 1, "until": until, "endpoint": digest(endpoint)}])
        return until

    def works(self, at: str) -> None:
        """The endpoint answers: nothing is held against it."""
        if self.rest is not None:
            self._write([{"kind": "rest", "at": at, "failures": 0}])

    def settle(self, paths: Iterable[Path], at: str) -> None:
        """Nothing is left in these transcripts as they are."""
        news = [(str(path), _stamp(path)) for path in paths]
        self._write(
            {"kind": "file", "at": at, "path": name, "size": stamp[0], "changed": stamp[1]}
            for name, stamp in news
            if stamp is not None and self._files.get(name) != stamp
        )

    def tidy(self) -> None:
        """Write the file anew when it is mostly made of lines that no longer count."""
        lines = self._state()
        if self._lines <= 2 * len(lines) + _SLACK:
            return
        write_whole(self._disk, self._file, b"".join(canonical({"schema": SCHEMA, **line}) + b"\n" for line in lines))
        self._lines = len(lines)

    def _write(self, news: Iterable[dict[str, Any]]) -> None:
        lines = [{"schema": SCHEMA, **line} for line in news]
        if not lines:
            return
        make_dirs(self._disk, self._file.parent)
        data = b"".join(canonical(line) + b"\n" for line in lines)
        self._disk.append(self._file, (b"\n" if self._torn else b"") + data)
        self._disk.fsync(self._file)
        self._torn = False
        for line in lines:
            self._take(line)

    def _take(self, line: dict[str, Any]) -> None:
        self._lines += 1
        kind = line["kind"]
        if kind == "done":
            self._done.update(dict.fromkeys(map(str, line["turns"]), str(line["session"])))
            self.waiting.pop(str(line["session"]), None)
        elif kind == "waits":
            self.waiting[str(line["session"])] = Waiting(
                path=str(line["path"]),
                agent=str(line["agent"]),
                tries=int(line["tries"]),
                useless=int(line["useless"]),
                endpoint=str(line["endpoint"]),
                last=str(line["last"]),
            )
        elif kind == "rest":
            failures = int(line["failures"])
            self.rest = Rest(failures, str(line["until"]), str(line["endpoint"])) if failures else None
        elif kind == "file":
            self._files[str(line["path"])] = (int(line["size"]), int(line["changed"]))

    def _state(self) -> list[dict[str, Any]]:
        """The fewest lines that say the same."""
        sessions: dict[str, list[str]] = {}
        for turn, session in self._done.items():
            sessions.setdefault(session, []).append(turn)
        lines: list[dict[str, Any]] = [
            {"kind": "done", "session": session, "turns": turns} for session, turns in sessions.items()
        ]
        lines += [{"kind": "waits", "session": session, **asdict(one)} for session, one in self.waiting.items()]
        if self.rest:
            told = {"failures": self.rest.failures, "until": self.rest.until, "endpoint": self.rest.endpoint}
            lines.append({"kind": "rest", **told})
        lines += [
            {"kind": "file", "path": path, "size": size, "changed": changed}
            for path, (size, changed) in self._files.items()
        ]
        return lines

    def _load(self) -> None:
        try:
            raw = self._file.read_bytes()
        except FileNotFoundError:
            return
        except OSError as fault:
            raise ReadFailed(self._file, fault) from fault
        self._torn = bool(raw) and not raw.endswith(b"\n")
        for line in raw.splitlines():
            try:
                self._take(json.loads(line))
            except (ValueError, KeyError, TypeError, AttributeError):
                continue  # torn, or of another version: what it said is found out again


def digest(endpoint: Endpoint) -> str:
    """A short name of an endpoint: another address, model or command starts with a clean slate."""
    return hashlib.sha256(f"{endpoint.kind}\x1f{endpoint.name}".encode()).hexdigest()[:12]


def _waits(session: Session, tries: int, useless: int, endpoint: str, at: str) -> dict[str, Any]:
    one = Waiting(session.path, session.agent, tries, useless, endpoint, _last(session))
    return {"kind": "waits", "at": at, "session": session.key, **asdict(one)}


def _last(session: Session) -> str:
    return session.messages[-1].key if session.messages else ""


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_size, status.st_mtime_ns


def _later(at: str, span: timedelta) -> str:
    moment = datetime.fromisoformat(at) + span
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
