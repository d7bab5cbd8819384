"""Logs of what ran unseen and of faults nobody foresaw. Standard library only; nothing anybody said is written here."""

from __future__ import annotations

import traceback
from datetime import UTC, datetime
from pathlib import Path

LIMIT = 256 * 1024
"""Bytes after which a log is set aside as `.1` and begun anew."""
FOLDER = "logs"
"""Where a store's logs are, under its root."""


def append(path: Path, entry: str) -> None:
    """Append an entry, stamped with the time; a full log is set aside first. Raises `OSError`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.is_file() and path.stat().st_size > LIMIT:
        path.replace(path.with_name(path.name + ".1"))
    with path.open("a", encoding="utf-8", errors="backslashreplace", newline="\n") as log:
        log.write(f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ} {' '.join(entry.split())}\n")


def describe(fault: BaseException) -> str:
    """The class of a fault and where it arose, innermost call last; its message may quote what somebody said."""
    calls = [f"{Path(frame.filename).name}:{frame.lineno}" for frame in traceback.extract_tb(fault.__traceback__)]
    return f"{type(fault).__name__} at {' > '.join(calls) or '?'}"
