"""How far each transcript has been read, so that a turn is read once however often hooks fire.

A transcript is known by its path and by its file (device and inode), and trusted only while its beginning and the
bytes before the place are the same: a file that was rewritten, cut or replaced is read from its start.
Losing this file costs a second reading and nothing else, since evidence has the same id again.
"""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from curate.capture.turns import START, Growth, Position
from store.layout import CHECKPOINTS, Layout
from store.line import SCHEMA, canonical
from store.log import lock
from store.log.disk import Disk, make_dirs, write_whole
from store.secrets import mask

HEAD = 1024
TAIL = 256
"""Bytes compared at the beginning and before the place."""

_PATIENCE = 10.0
"""Seconds to wait for another writer before the file is written anew."""

_SLACK = 200
"""Superseded lines that the file may hold before it is written anew."""

Fresh = Literal["new", "grown", "unchanged", "rewritten"]


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The place in one transcript behind which everything is still to be read."""

    path: str
    agent: str
    device: int
    inode: int
    size: int
    changed: int
    """Modification time in nanoseconds when it was read."""
    head: str
    head_size: int
    tail: str
    position: Position
    turn: str | None = None
    """The last turn that was read."""
    session: str | None = None
    touched: dict[str, list[str]] = field(default_factory=dict)
    """What that session had written up to there."""
    misread: tuple[int, int] | None = None
    """How many records there were and how many of them were understood, when that was less than half."""

    def dump(self) -> dict[str, Any]:
        """One line of the file."""
        line: dict[str, Any] = {"schema": SCHEMA, "path": self.path, "agent": self.agent}
        line |= {"device": self.device, "inode": self.inode, "size": self.size, "changed": self.changed}
        line |= {"head": self.head, "head_size": self.head_size, "tail": self.tail, **self.position.dump()}
        if self.turn:
            line["turn"] = self.turn
        if self.session:
            line["session"] = self.session
        if self.touched:
            line["touched"] = self.touched
        if self.misread:
            line["misread"] = list(self.misread)
        if not mask(json.dumps(line, ensure_ascii=False)).kinds:
            return line
        # A digest looks like a secret and is none: without it two transcripts would pass for one.
        masked: dict[str, Any] = _without_secrets(line)
        return masked | {name: line[name] for name in ("path", "head", "tail")}

    @classmethod
    def load(cls, line: dict[str, Any]) -> Checkpoint:
        """The checkpoint of such a line. Raises ValueError, KeyError or TypeError."""
        misread = line.get("misread")
        return cls(
            path=str(line["path"]),
            agent=str(line["agent"]),
            device=int(line["device"]),
            inode=int(line["inode"]),
            size=int(line["size"]),
            changed=int(line["changed"]),
            head=str(line["head"]),
            head_size=int(line["head_size"]),
            tail=str(line["tail"]),
            position=Position.load(line),
            turn=line.get("turn"),
            session=line.get("session"),
            touched={str(folder): [str(path) for path in paths] for folder, paths in line.get("touched", {}).items()},
            misread=(int(misread[0]), int(misread[1])) if misread else None,
        )


class Checkpoints:
    """The checkpoints of one store."""

    def __init__(self, root: Path, disk: Disk | None = None) -> None:
        self._root = root
        self._disk = disk or Disk()
        self._file = Layout(root).path(CHECKPOINTS)
        self._lines = 0
        self._by_path: dict[str, Checkpoint] = {}
        self._by_file: dict[tuple[int, int], str] = {}
        self._torn = False
        self._read()

    def of(self, path: Path) -> Checkpoint | None:
        """What is known of a transcript, by its path, or by its file when it was moved."""
        known = self._by_path.get(_name(path))
        if known is not None:
            return known
        status = path.stat()
        moved = self._by_file.get((status.st_dev, status.st_ino)) if status.st_ino else None
        return self._by_path.get(moved) if moved else None

    def start(self, path: Path, agent: str, growth: Growth) -> tuple[Fresh, Position, Checkpoint | None]:
        """Where to read a transcript from, and what became of it since. Raises OSError when it cannot be read."""
        known = self.of(path)
        if known is None or known.agent != agent:
            return "new", START, None
        status = path.stat()
        same_file = (known.device, known.inode) == (status.st_dev, status.st_ino)
        if growth == "database":
            return "grown", known.position, known
        untouched = (known.size, known.changed) == (status.st_size, status.st_mtime_ns)
        if same_file and untouched:
            return "unchanged", known.position, known
        if growth == "rewrite":
            return "rewritten", START, None
        if _continues(path, known, status.st_size):
            return "grown", known.position, known
        return "rewritten", START, None

    def make(
        self,
        path: Path,
        agent: str,
        position: Position,
        *,
        turn: str | None,
        session: str | None = None,
        touched: dict[str, list[str]],
        at_end: os.stat_result | None,
        misread: tuple[int, int] | None = None,
    ) -> Checkpoint:
        """A checkpoint for the file as it is; `at_end` is what it looked like when reading it to its end began."""
        status = at_end or path.stat()
        with path.open("rb") as file:
            head = file.read(min(HEAD, status.st_size))
            start = max(0, position.offset - TAIL)
            file.seek(start)
            tail = file.read(position.offset - start)
        return Checkpoint(
            path=_name(path),
            agent=agent,
            device=status.st_dev,
            inode=status.st_ino,
            # Reading that stopped on the way must not look finished.
            size=status.st_size if at_end else -1,
            changed=status.st_mtime_ns,
            head=_digest(head),
            head_size=len(head),
            tail=_digest(tail),
            position=position,
            turn=turn,
            session=session,
            touched=touched,
            misread=misread,
        )

    def misread(self) -> str | None:
        """A warning about transcripts that were hardly understood when they were last read; none when all is well."""
        found = [one.misread for one in self._by_path.values() if one.misread]
        if not found:
            return None
        records, understood = (sum(part) for part in zip(*found, strict=True))
        sessions = "1 session" if len(found) == 1 else f"{len(found)} sessions"
        return f"{understood} of {records} records understood in {sessions}"

    def last_read(self) -> dict[str, float]:
        """For each agent, how new its newest transcript was when it was read, in seconds since 1970."""
        found: dict[str, float] = {}
        for one in self._by_path.values():
            found[one.agent] = max(found.get(one.agent, 0.0), one.changed / 1e9)
        return found

    def save(self, checkpoints: list[Checkpoint]) -> None:
        """Append those that say something new. Raises `WriteFailed`."""
        news = [one for one in checkpoints if self._by_path.get(one.path) != one]
        if not news:
            return
        make_dirs(self._disk, self._root)
        for one in news:
            self._add(one)
        if self._lines + len(news) > 2 * len(self._by_path) + _SLACK:
            self._rewrite()
            return
        data = b"".join(canonical(one.dump()) + b"\n" for one in news)
        self._disk.append(self._file, (b"\n" if self._torn else b"") + data)
        self._torn = False
        self._lines += len(news)

    def _add(self, one: Checkpoint) -> None:
        moved = self._by_file.get((one.device, one.inode))
        if one.inode and moved and moved != one.path and not Path(moved).exists():
            self._by_path.pop(moved, None)
        self._by_path[one.path] = one
        self._by_file[one.device, one.inode] = one.path

    def _rewrite(self) -> None:
        """Write only the newest line of each. What another process adds meanwhile is lost, and read again."""
        with lock.writing(self._root, wait=_PATIENCE):
            own = dict(self._by_path)
            self._lines = 0
            self._read()  # what others have added
            for one in own.values():
                self._add(one)
            lines = [canonical(one.dump()) + b"\n" for one in self._by_path.values()]
            write_whole(self._disk, self._file, b"".join(lines))
        self._lines, self._torn = len(lines), False

    def _read(self) -> None:
        try:
            raw = self._file.read_bytes()
        except OSError:
            return
        self._torn = bool(raw) and not raw.endswith(b"\n")
        for line in raw.splitlines():
            self._lines += 1
            try:
                one = Checkpoint.load(json.loads(line))
            except (ValueError, KeyError, TypeError, AttributeError):
                continue  # torn or of another version: that transcript is read again
            self._add(one)


def _continues(path: Path, known: Checkpoint, size: int) -> bool:
    """Whether the file still begins as it did and holds the same bytes before the place."""
    offset = known.position.offset
    if size < max(offset, known.head_size):
        return False
    with path.open("rb") as file:
        if _digest(file.read(known.head_size)) != known.head:
            return False
        start = max(0, offset - TAIL)
        file.seek(start)
        return _digest(file.read(offset - start)) == known.tail


def _name(path: Path) -> str:
    """The real path; bytes of a name that are no UTF-8 are spelled out, since a line is.

    One that holds a secret is named by its masked form and a digest, which still tells it from every other.
    """
    real = os.path.realpath(path).encode("utf-8", "backslashreplace").decode("utf-8")
    masked = mask(real).text
    return real if masked == real else f"{masked}#{_digest(real.encode())}"


def _without_secrets(value: Any) -> Any:
    """The same with every string masked. Only a line in which something was found goes through here."""
    if isinstance(value, str):
        return mask(value).text
    if isinstance(value, list):
        return [_without_secrets(one) for one in value]
    if isinstance(value, dict):
        return {_without_secrets(key): _without_secrets(one) for key, one in value.items()}
    return value


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:32]
