"""A store's logs read into a `State`, at first whole, then only what was added. Never takes the lock, never writes.

A transaction is seen whole or not at all: its plan counts from the moment it is durable, whatever part of it has
reached the files when they are read.
"""

from __future__ import annotations

import contextlib
import gc
from dataclasses import dataclass
from typing import TYPE_CHECKING

from store import layout
from store.errors import ReadFailed
from store.log.fold import Revision
from store.log.overlay import Overlay
from store.log.parse import NotALine, is_whole, parse_evidence, parse_revision
from store.log.patches import PatchIndex, Transaction
from store.log.stub import hash_of
from store.log.tail import Line, Rewritten, Tail
from store.state import Problem, State

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from store.layout import Layout
    from store.line import PlannedLine

_SINGLE = (layout.CANDIDATES, layout.TOMBSTONES, layout.PROJECTS)
_NOT_RECORDS = {layout.TOMBSTONES, layout.EVIDENCE}
_PATIENCE = 5
"""How often a store that is rewritten while it is read is read again."""
BAD_LINE = "all other lines are read; `curate verify --repair` takes it out of the file, a copy stays in quarantine"
TORN = "a write was cut off; the next write moves it to quarantine"


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line that could not be taken in, with its bytes for the quarantine."""

    file: str
    line: int
    offset: int
    reason: str
    raw: bytes


class Reader:
    """Reads one store's logs and keeps `state`, `patches` and the bad lines it met."""

    def __init__(self, paths: Layout) -> None:
        self.paths = paths
        self.state = State()
        self._start()

    def _start(self) -> None:
        self.patches = PatchIndex()
        self.bad: list[BadLine] = []
        self.unkept: list[BadLine] = []
        """Bad lines that were met since the last look into the quarantine."""
        self.overlay = Overlay(self.state, self.paths)
        self._tails: dict[str, Tail] = {}
        self._patch_news = False
        self._refused = False

    def refresh(self) -> bool:
        """Read what was added; True when something changed.

        Raises `ConflictMarkers`, `NewerSchema` and `ReadFailed` when a file must be refused as a whole.
        """
        if self._refused:
            self.forget()
        self._refused = True  # until read to the end: a file that is refused is read anew next time
        changed = False
        with _no_collection():
            for _ in range(_PATIENCE):
                try:
                    changed |= self._refresh()
                    break
                except Rewritten:  # git pulled, or a writer took back what the disk refused
                    self.forget()
                    self._refused = changed = True
            else:
                raise ReadFailed(self.paths.root, OSError("keeps changing while it is read"))
        self._refused = False
        if changed:
            self.state.problems = self._problems()
        return changed

    def take_in(self, lines: Iterable[PlannedLine]) -> None:
        """Take in the lines that this process wrote, and what it wrote to the patch log: under the lock nobody else
        wrote.
        """
        by_file: dict[str, list[PlannedLine]] = {}
        for line in lines:
            by_file.setdefault(line.file, []).append(line)
        try:
            for name, written in by_file.items():
                if name == layout.EVIDENCE:
                    self._read_evidence()
                else:
                    self._adopt(name, written)
            self._read_patches()
            self._patch_news = False
        except Rewritten:
            self.refresh()

    def _adopt(self, name: str, written: list[PlannedLine]) -> None:
        """What was written is known already; it is parsed only when more has happened to the file."""
        first = self._tail(name).grow([line.raw for line in written])
        if first is None:
            self._read(name)
            return
        for number, line in enumerate(written, first):
            self.state.add(name, Revision(line.data, hash_of(line.data, line.raw), name, number))

    def forget(self) -> None:
        """Drop everything read, keeping the state object that others hold."""
        self.state.clear()
        self._start()

    def torn(self) -> list[Tail]:
        """Files that end in the middle of a line."""
        return [tail for tail in self._tails.values() if tail.torn]

    def _refresh(self) -> bool:
        self._read_patches()
        pending = list(self.patches.open.values())
        changed = False
        for name in (*_SINGLE, *self._names(self.paths.record_files(), "memory/")):
            changed |= self._read(name)
        changed |= self._read_evidence()
        new = self._read_patches()
        for transaction in (*pending, *new):
            changed |= self._lay_over(transaction)
        changed |= self.overlay.take_capture()
        news, self._patch_news = self._patch_news, False
        return changed or news

    def _read(self, name: str) -> bool:
        tail = self._tail(name)
        torn = tail.torn
        lines = tail.read()
        path, add = tail.path, self.state.add
        for line in lines:
            raw = line.raw
            if not raw:
                continue
            try:
                data = parse_revision(raw, path, line.number)
            except NotALine as reason:
                self._add_bad(name, line, str(reason))
                continue
            add(name, Revision(data, hash_of(data, raw), name, line.number))
        if tail.torn == torn:
            return bool(lines)
        with contextlib.suppress(NotALine):  # when only its newline is missing
            self.overlay.plan(name, parse_revision(tail.torn, path, tail.line_no + 1))
        return True

    def _read_evidence(self) -> bool:
        tail = self._tail(layout.EVIDENCE)
        torn = tail.torn
        lines = tail.read()
        for line in lines:
            if not line.raw:
                continue
            try:
                data = parse_evidence(line.raw, tail.path, line.number)
            except NotALine as reason:
                self._add_bad(layout.EVIDENCE, line, str(reason))
                continue
            self.overlay.evidence.discard(data["id"])
            self.state.add_evidence(data)
        if tail.torn == torn:
            return bool(lines)
        with contextlib.suppress(NotALine):
            self.overlay.plan(layout.EVIDENCE, parse_evidence(tail.torn, tail.path, tail.line_no + 1))
        return True

    def _read_patches(self) -> list[Transaction]:
        """New lines of the patch logs; gives the transactions whose plan is among them."""
        new = []
        for name in self._names(self.paths.patch_files(), layout.PATCHES):
            tail = self._tail(name)
            for line in tail.read():
                if not line.raw:
                    continue
                self._patch_news = True
                try:
                    entry = self.patches.add(line, tail.path)
                except NotALine as reason:
                    self._add_bad(name, line, str(reason))
                    continue
                if entry.phase == "applying":
                    new.append(self.patches.transactions[entry.key])
                elif entry.phase == "aborted" and entry.key in self.overlay.seen:
                    raise Rewritten
        return new

    def _lay_over(self, transaction: Transaction) -> bool:
        try:
            return self.overlay.take(transaction)
        except NotALine as reason:
            at = transaction.applying
            assert at is not None
            line = Line(at.line, at.offset, at.raw(), at.length + 1)
            self._add_bad(self.paths.name(at.path), line, f"a transaction under way that cannot be read: {reason}")
            return False

    def _names(self, there: list[str], folder: str) -> list[str]:
        """The files of a folder: those that are there, and those that were, so that a vanished one is noticed."""
        were = {name for name in self._tails if name.startswith(folder) and name not in _NOT_RECORDS}
        return there if were.issubset(there) else sorted(were.union(there))

    def _tail(self, name: str) -> Tail:
        tail = self._tails.get(name)
        if tail is None:
            tail = self._tails[name] = Tail(name, self.paths.path(name))
        return tail

    def _add_bad(self, name: str, line: Line, reason: str) -> None:
        bad = BadLine(name, line.number, line.offset, reason, line.raw)
        self.bad.append(bad)
        self.unkept.append(bad)

    def _problems(self) -> list[Problem]:
        found = [Problem(bad.file, bad.line, bad.offset, bad.reason, BAD_LINE) for bad in self.bad]
        for tail in self.torn():
            if is_whole(tail.torn, tail.path, tail.line_no + 1):
                continue
            found.append(Problem(tail.name, tail.line_no + 1, tail.offset, "the last line is not complete", TORN))
        return sorted(found, key=lambda problem: (problem.file, problem.line or 0))


@contextlib.contextmanager
def _no_collection() -> Iterator[None]:
    """Without the garbage collector, which walks all that was read again and again and finds nothing to collect."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()
