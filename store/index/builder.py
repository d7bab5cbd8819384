"""One builder of an index at a time, by a lock of the system's that goes with its process however that ends.

Ten sessions that begin at once would else build the same index ten times, and each so slowly that none is in time.
Standard library only; the hook uses it.
"""

from __future__ import annotations

import os
import time
from contextlib import contextmanager

from store.index import schema

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

BEHIND = "behind"
"""Stands for a process of its own that brings all indexes up to date."""
PATIENCE = 120.0
"""Seconds that whoever has time waits for another builder; then it is taken for stuck, and does no harm."""
_PAUSE = 0.02


class BeingBuilt(schema.Fault):
    """Another process is building the index."""

    sqlite_errorname = "SQLITE_BUSY"

    def __init__(self) -> None:
        super().__init__("another process is building the index")


@contextmanager
def only_builder(root: str, kind: str, *, wait: float, gives_up: bool) -> Iterator[None]:
    """Hold the turn to build. Whoever cannot have it within `wait` seconds raises `BeingBuilt` if it `gives_up`, and
    else goes on without. Raises OSError where the folder cannot be written to.
    """
    path = _path(root, kind)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    until = time.monotonic() + wait
    descriptor = _taken(path)
    while descriptor is None and time.monotonic() < until:
        time.sleep(_PAUSE)
        descriptor = _taken(path)
    if descriptor is None and gives_up:
        raise BeingBuilt
    if descriptor is not None:
        _mine.add(path)
    try:
        yield
    finally:
        if descriptor is not None:
            _mine.discard(path)
            os.close(descriptor)


def another_builds(root: str, kind: str = schema.RECORDS) -> bool:
    """Whether another process is at it. Raises nothing."""
    path = _path(root, kind)
    if path in _mine or not os.path.exists(path):
        return False
    try:
        descriptor = _taken(path)
    except OSError:
        return False
    if descriptor is None:
        return True
    os.close(descriptor)
    return False


_mine: set[str] = set()
"""Locks that this process holds: asked for once more, they would look like another's."""


def _path(root: str, kind: str) -> str:
    return os.path.join(root, schema.FOLDER, f"building-{kind}.lock")


def _taken(path: str) -> int | None:
    """The lock, or None while somebody has it. It is let go of by closing it. Raises OSError."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        if os.name == "nt":  # pragma: no cover - not here
            import msvcrt

            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        os.close(descriptor)
        return None
    except OSError:  # a file system without locks: then everybody builds, as if nobody else did
        return descriptor
    return descriptor
