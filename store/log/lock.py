"""One writer at a time: a bounded wait for the lock, and a fault that names who holds it. Readers never come here."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from filelock import FileLock, Timeout

from store.errors import StoreLocked
from store.ids import Clock, now
from store.layout import HOLDER, LOCK
from store.log.disk import refused

if TYPE_CHECKING:
    from collections.abc import Iterator

_POLL = 0.004
"""Seconds between attempts: a writer is done within a few milliseconds, so waiting longer only wastes turns."""


@contextlib.contextmanager
def writing(root: Path, *, wait: float, clock: Clock = now) -> Iterator[None]:
    """Hold the writer's lock of a store. Raises `StoreLocked` after `wait` seconds, `WriteFailed` when refused."""
    lock = FileLock(root / LOCK)
    try:
        lock.acquire(timeout=wait, poll_interval=_POLL)
    except Timeout:
        raise StoreLocked(root, wait, holder(root)) from None
    except OSError as fault:
        raise refused(root / LOCK, fault) from fault
    try:
        _sign(root, clock())
        yield
    finally:
        lock.release()


def holder(root: Path) -> str:
    """Who holds the lock, in words, from what the holder wrote beside it."""
    try:
        signed = json.loads((root / HOLDER).read_text("utf-8"))
        return f"process {int(signed['pid'])} ({signed['command']}) since {signed['since']}"
    except (OSError, ValueError, KeyError, TypeError):
        return "another process"


def _sign(root: Path, at: str) -> None:
    """Leave pid, command and time for those who wait. A file of its own, since the lock file itself is truncated."""
    command = " ".join([Path(sys.argv[0] or "python").name, *sys.argv[1:3]])[:80]
    signed = json.dumps({"pid": os.getpid(), "command": command, "since": at})
    with contextlib.suppress(OSError):  # only a courtesy: a full disk shows itself at the first real write
        (root / HOLDER).write_text(signed, "utf-8")
