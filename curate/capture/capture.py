"""Scan transcripts: find them, read what is new, keep what should hold from now on, remember how far.

The order is the promise: captures are durable first, then the checkpoint moves. So an interruption at any point costs
a second reading and nothing else.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from curate.capture import readers
from curate.capture.activity import Activity, Trail
from curate.capture.checkpoint import Checkpoint, Checkpoints
from curate.capture.draft import Drafter
from curate.capture.found import UnknownAgent, Unreadable, find_transcripts
from curate.capture.knowledge import Gatherer
from curate.capture.lexicon.own import extended_by
from curate.capture.readers.lines import line_at
from curate.capture.report import ScanReport
from curate.capture.turns import Bad, End, Skip, Turn, Unknown
from curate.capture.whose import Whose
from curate.matching.recurrence import find as recurrence
from store.captures import Capture, CaptureBatch, Captured
from store.ids import Clock, NewId, new_id, now
from store.log.disk import Disk
from store.log.quarantine import keep
from store.log.reader import BadLine
from store.project.registry import recognise
from store.secrets import mask
from store.store import Store
from store.text import clean

if TYPE_CHECKING:
    from curate.capture.turns import Position, Reader

Progress = Callable[[int, int, object], None]
"""Called with bytes done, bytes in all, and the file that is being read."""

BATCH = 200
"""Captures that are written in one go."""
STRETCH = 64 * 1024 * 1024
"""Bytes after which what was found is written even when it is little, so that an interruption costs no more."""
TICK = 1024 * 1024
"""Bytes between two calls of the progress function."""
BAD_KEPT = 1000
"""Characters kept of a line that could not be read."""


def scan(
    store: Store,
    paths: Sequence[Path] = (),
    *,
    agent: str | None = None,
    since: str | None = None,
    dry_run: bool = False,
    progress: Progress | None = None,
    home: Path | None = None,
    clock: Clock = now,
    new_id: NewId = new_id,
) -> ScanReport:
    """Capture from files and folders, without any from the folders of every known agent.

    `since` is a moment (RFC 3339, UTC): what was said before is left out, and its checkpoint stays where it was.
    `dry_run` writes nothing. Raises `InputError` for what was named and cannot be read, `StoreUnusable`.
    """
    report = ScanReport()
    if agent is not None and readers.named(agent) is None:
        raise UnknownAgent(agent)
    found = list(find_transcripts(paths, agent, home or Path.home(), report.skipped))
    run = _Run(store, report, since=since, dry_run=dry_run, progress=progress, clock=clock, new_id=new_id)
    run.total = sum(_size(path) for path, _, _ in found)
    for path, reader, named in found:
        run.read(path, reader, must_read=named)
    run.flush()
    run.finish()
    return report


class _Run:
    """One scan under way: what is found and not yet written."""

    def __init__(
        self,
        store: Store,
        report: ScanReport,
        *,
        since: str | None,
        dry_run: bool,
        progress: Progress | None,
        clock: Clock,
        new_id: NewId,
    ) -> None:
        self.total = 0
        self._report = report
        self._since = since
        self._dry_run = dry_run
        self._progress = progress
        self._clock = clock
        self._disk = Disk()
        # A rehearsal leaves its plan in the state of the store that it is played on.
        self._store = Store.open(store.root) if dry_run else store
        if not dry_run:
            store.refresh()
        self._checkpoints = Checkpoints(store.root, self._disk)
        vault = os.environ.get("PI_VAULT_PATH") or store.config.get("vault.path")
        vault_path = Path(vault).expanduser() if vault else None
        activity = Activity(
            vaults=[vault_path] if vault_path else [],
            not_these=[store.root],
            lost=partial(recognise, self._store.state),
        )
        self._drafter = Drafter(
            self._store.state,
            activity,
            at=clock(),
            new_id=new_id,
            profile=store.config.get("profile"),
            vault=vault_path,
            lexicon=extended_by(store.config.get("capture.lexicon"), store.root),
        )
        self._gather = Gatherer(
            store.root,
            Whose(self._store.state, activity, store.config.get("profile")),
            at=clock(),
            kept_days=0 if dry_run else store.config.get("knowledge.observations_days"),
            disk=self._disk,
        )
        self._captures: list[Capture] = []
        self._moved: dict[str, Checkpoint] = {}
        self._bad: list[BadLine] = []
        self._file_time = ""
        self._done = 0
        self._told = 0
        self._unflushed = 0

    def read(self, path: Path, reader: Reader, *, must_read: bool) -> None:
        """Read what is new in one transcript."""
        self._report.files += 1
        try:
            self._read(path, reader)
        except OSError as fault:
            if must_read:
                raise Unreadable(path, fault) from fault
            self._report.skipped["unreadable file"] += 1
        self._tell(path, force=True)

    def _read(self, path: Path, reader: Reader) -> None:
        status = path.stat()
        self._file_time = datetime.fromtimestamp(status.st_mtime, UTC).isoformat()
        base = self._done
        fresh, start, known = self._checkpoints.start(path, reader.agent, reader.growth)
        if fresh == "unchanged":
            self._report.unchanged += 1
            self._done = base + status.st_size
            return
        grown = fresh == "grown" and known is not None
        trail = Trail(known.touched, known.session) if grown and known else Trail()
        turn_id = known.turn if grown and known else None
        reached, all_taken = start.offset, True
        misread = known.misread if grown and known else None
        for item in reader.read(path, start):
            if isinstance(item, Turn):
                all_taken &= self._take(item, trail)
                turn_id, offset = item.turn_id, item.offset_end
                self._advance(path, base, reached, offset)
                reached = max(reached, offset)
                if self._is_due() and not item.open:
                    self._move(path, reader, item.after, turn_id, trail, None, all_taken=all_taken)
                    self.flush()
            elif isinstance(item, Skip):
                self._report.skipped[item.reason] += 1
            elif isinstance(item, Bad):
                self._quarantine(path, item)
            elif isinstance(item, Unknown):
                if item.understood * 2 < item.records:
                    misread = (item.records, item.understood)
                    self._report.unknown_formats.append(f"{clean(str(path))}: {item.sentence}")
            elif isinstance(item, End):
                self._count(item)
                self._advance(path, base, reached, max(reached, item.position.offset))
                self._move(path, reader, item.position, turn_id, trail, status, all_taken=all_taken, misread=misread)
        self._done = base + status.st_size
        if self._is_due():
            self.flush()

    def _take(self, turn: Turn, trail: Trail) -> bool:
        """Capture from one turn; False when it was left out for its age and must be found again by a later scan."""
        own, session = trail.note(turn)
        if not turn.text:
            self._gather.take(turn, own, ())
            return True
        self._report.turns += 1
        if self._since is not None and (turn.time or self._file_time)[:19] < self._since[:19]:
            self._report.skipped["said before --since"] += 1
            return False
        captures = self._drafter.captures(turn, own, session)
        self._captures += captures
        self._gather.take(turn, own, captures)
        if not captures:
            self._report.skipped["nothing to remember"] += 1
        return True

    def _quarantine(self, path: Path, bad: Bad) -> None:
        # What cannot be read cannot be told apart either, so little is kept, and that masked.
        raw = (line_at(path, bad.offset) or b"")[: 4 * BAD_KEPT].decode("utf-8", "replace")
        text = mask(raw).text[:BAD_KEPT].encode("utf-8")
        self._bad.append(BadLine(clean(str(path)), bad.line, bad.offset, bad.reason, text))
        self._report.quarantined += 1

    def _count(self, end: End) -> None:
        self._report.messages += end.messages
        self._report.records += end.records
        self._report.understood += end.understood

    def _move(
        self,
        path: Path,
        reader: Reader,
        position: Position,
        turn: str | None,
        trail: Trail,
        at_end: os.stat_result | None,
        *,
        all_taken: bool,
        misread: tuple[int, int] | None = None,
    ) -> None:
        """Note where the checkpoint goes once all before it is written."""
        if all_taken:
            made = self._checkpoints.make(
                path,
                reader.agent,
                position,
                turn=turn,
                session=trail.session,
                touched=trail.dump(),
                at_end=at_end,
                misread=misread,
            )
            self._moved[made.path] = made

    def _is_due(self) -> bool:
        return len(self._captures) >= BATCH or self._unflushed >= STRETCH

    def flush(self) -> None:
        """Write what was found, then move the checkpoints."""
        if self._captures:
            batch = CaptureBatch(self._captures, list(self._drafter.projects.values()))
            self._tally(
                self._store.rehearse(batch, recurrence) if self._dry_run else self._store.capture(batch, recurrence)
            )
            self._captures = []
            self._drafter.projects.clear()
        if not self._dry_run:
            self._gather.flush()
            keep(self._disk, self._store.paths, self._bad, self._clock())
            self._checkpoints.save(list(self._moved.values()))
        self._bad, self._moved = [], {}
        self._unflushed = 0

    def finish(self) -> None:
        """Complete the report, and let go of what is kept no longer."""
        self._gather.finish()
        self._report.languages.update(self._drafter.unknown_languages)

    def _tally(self, done: Captured) -> None:
        self._report.created += done.created
        self._report.reinforced += done.reinforced
        self._report.known += done.known
        self._report.tombstoned += done.tombstoned
        self._report.candidates += [ident for ident in done.ids if ident not in self._report.candidates]

    def _advance(self, path: Path, base: int, before: int, offset: int) -> None:
        read = max(0, offset - before)
        self._unflushed += read
        self._report.bytes_read += read
        self._done = base + offset
        self._tell(path)

    def _tell(self, path: Path, *, force: bool = False) -> None:
        if self._progress is not None and (force or self._done - self._told >= TICK):
            self._told = self._done
            self._progress(self._done, self.total, path.name)


def _size(path: Path) -> int:
    with contextlib.suppress(OSError):
        return path.stat().st_size
    return 0
