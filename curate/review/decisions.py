"""The log of decisions on disk: appended at each key, read again after a crash, one file for each open review.

A review holds the lock of its file while it lives, so that another one can tell an open review from a dead one: of the
first it shows what is being decided there, of the second it takes the decisions over.
"""

from __future__ import annotations

import json
import os
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

from filelock import FileLock, Timeout

from curate.review.ledger import Ledger
from store import ids
from store.line import SCHEMA, canonical

if TYPE_CHECKING:
    from collections.abc import Callable

FOLDER = Path("inbox", "decisions")
"""Where the files are, below the store's root."""


class DecisionLog:
    """The file of this review. `append` returns at once; a thread writes and syncs, then `saved` has grown.

    `fault` holds what the disk said when it refused; the review goes on in memory then, and must say so.
    """

    def __init__(self, path: Path, lock: FileLock, *, on_saved: Callable[[], None] | None = None) -> None:
        self.path = path
        self.appended = 0
        self.saved = 0
        self.fault: OSError | None = None
        self.on_saved = on_saved
        self._lock = lock
        self._lines: list[bytes] = []
        self._wake = threading.Condition()
        self._closing = False
        self._thread: threading.Thread | None = None

    def append(self, event: dict[str, Any]) -> None:
        """Keep an event. The caller is never held up by the disk."""
        line = canonical({"schema": SCHEMA, **event}) + b"\n"
        with self._wake:
            self._lines.append(line)
            self.appended += 1
            if self._thread is None:
                self._thread = threading.Thread(target=self._write, name="decisions", daemon=True)
                self._thread.start()
            self._wake.notify_all()

    @property
    def clean(self) -> bool:
        """Everything appended so far is on the disk."""
        return self.saved == self.appended and self.fault is None

    def wait(self, timeout: float | None = 5.0) -> bool:
        """Wait until all is on disk (or refused); False when that took longer than `timeout` seconds."""
        with self._wake:
            return self._wake.wait_for(lambda: self.saved == self.appended or self.fault is not None, timeout)

    def close(self, *, keep: bool) -> None:
        """End the review; the file stays only when decisions are still to be written."""
        with self._wake:
            self._closing = True
            self._wake.notify_all()
        if self._thread is not None:
            self._thread.join(5.0)
        if not keep and self.fault is None:
            self.path.unlink(missing_ok=True)
        self._lock.release()
        if not keep:
            Path(self._lock.lock_file).unlink(missing_ok=True)

    def _write(self) -> None:
        handle: int | None = None
        try:
            while True:
                with self._wake:
                    self._wake.wait_for(lambda: self._lines or self._closing)
                    lines, self._lines = self._lines, []
                    if not lines:
                        return
                handle = self._store(self._same(handle), lines)
        finally:
            if handle is not None:
                os.close(handle)

    def _same(self, handle: int | None) -> int | None:
        """The handle, unless a purge has put another file in the place of the one that it writes to."""
        if handle is None:
            return None
        try:
            if os.path.samestat(os.fstat(handle), self.path.stat()):
                return handle
        except OSError:
            pass
        os.close(handle)
        return None

    def _store(self, handle: int | None, lines: list[bytes]) -> int | None:
        try:
            data = b"".join(lines)
            if handle is None:
                handle = os.open(self.path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600)
                size = os.fstat(handle).st_size
                if size and os.pread(handle, 1, size - 1) != b"\n":
                    # The review that died left a torn line: it must not swallow our first one.
                    data = b"\n" + data
            while data:
                data = data[os.write(handle, data) :]
            os.fsync(handle)
        except OSError as fault:
            with self._wake:
                self.fault = fault
                self._wake.notify_all()
        else:
            with self._wake:
                self.saved += len(lines)
                self._wake.notify_all()
        if self.on_saved is not None:
            self.on_saved()
        return handle


def open_log(root: Path, *, new_id: ids.NewId = ids.new_id) -> tuple[DecisionLog, Ledger, int]:
    """The log of a new review, the decisions it takes over from dead ones, and how many lines could not be read."""
    folder = root / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    ledger, log, bad, absorbed = Ledger(), None, 0, []
    for path in sorted(folder.glob("*.jsonl"), key=lambda path: path.stat().st_mtime_ns, reverse=True):
        lock = _lock_of(path)
        if lock is None:
            continue
        found, spoilt = read(path)
        if log is None and found.choices:
            log, ledger, bad = DecisionLog(path, lock), found, spoilt
            continue
        if found.choices:
            absorbed.append(found)
        path.unlink(missing_ok=True)
        lock.release()
        Path(lock.lock_file).unlink(missing_ok=True)
    if log is None:
        path = folder / f"{new_id('rev')}.jsonl"
        lock = _lock_of(path)
        assert lock is not None, "a fresh name has no other holder"
        return DecisionLog(path, lock), ledger, bad
    for found in absorbed:
        # Two reviews died: what the newer one decided stands, the other's decisions are added as one step.
        more = {key: choice for key, choice in found.choices.items() if key not in ledger.choices}
        if more:
            log.append(ledger.do("resume", more, cursor=None, at=max(choice.at for choice in more.values())))
    return log, ledger, bad


def read(path: Path) -> tuple[Ledger, int]:
    """The decisions in a file, and how many of its lines (a torn last one, say) could not be read."""
    ledger, bad = Ledger(), 0
    for line in path.read_bytes().split(b"\n"):
        if not line:
            continue
        try:
            ledger.replay(json.loads(line))
        except (ValueError, TypeError):
            bad += 1
    return ledger, bad


class Others:
    """What other open reviews of the same store have decided and not yet written."""

    def __init__(self, root: Path, own: Path) -> None:
        self._folder = root / FOLDER
        self._own = own
        self._seen: dict[Path, tuple[int, int]] = {}
        self._decided: dict[Path, set[str]] = {}

    def decided(self) -> set[str]:
        """Keys of rows that somebody else has decided; reads only files that changed."""
        present = {path for path in self._folder.glob("*.jsonl") if path != self._own}
        for path in present:
            try:
                stat = path.stat()
                stamp = (stat.st_mtime_ns, stat.st_size)
                if self._seen.get(path) == stamp:
                    continue
                found, _ = read(path)
            except OSError:
                continue
            self._seen[path] = stamp
            self._decided[path] = {key for key, choice in found.choices.items() if choice.verb is not None}
        for path in list(self._decided):
            if path not in present:
                del self._decided[path], self._seen[path]
        return {key for path, keys in self._decided.items() if keys and self._alive(path) for key in keys}

    @staticmethod
    def _alive(path: Path) -> bool:
        lock = _lock_of(path)
        if lock is None:
            return True
        lock.release()
        return False


def _lock_of(path: Path) -> FileLock | None:
    lock = FileLock(path.with_suffix(".lock"), thread_local=False)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        return None
    return lock
