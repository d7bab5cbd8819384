"""After failing again and again the hook rests, so that an agent is not kept waiting for what will not come.

A line for each failure in a row; what works removes them. Standard library only; when all is well it costs one look
at a file.
"""

from __future__ import annotations

import os
import time

FILE = "logs/breaker"
LIMIT = 5
"""Failures in a row after which it rests."""
REST = 600.0
"""Seconds of rest; then one prompt is tried, and the next failure begins another rest."""
DEADLINE = "deadline"
"""The kind of failure that is that the time was up."""
_LONGEST = 4096
"""Bytes of the file that are looked at, and beyond which nothing is added."""


def failures(root: str) -> list[str]:
    """The failures since it last worked: the moment and the kind of each, oldest first."""
    try:
        descriptor = os.open(f"{root}/{FILE}", os.O_RDONLY)
    except OSError:
        return []
    try:
        return os.read(descriptor, _LONGEST).decode("utf-8", "replace").splitlines()
    except OSError:
        return []
    finally:
        os.close(descriptor)


def rests_until(root: str, failed: list[str]) -> float:
    """When the rest that these failures brought is over, in seconds since 1970; 0 when there is none."""
    if len(failed) < LIMIT:
        return 0.0
    try:
        return os.stat(f"{root}/{FILE}").st_mtime + REST
    except OSError:
        return 0.0


def failed(root: str, kind: str) -> None:
    """Note a failure. A store that is not there, or cannot be written to, is not made worse."""
    if not os.path.isdir(root):
        return
    path = f"{root}/{FILE}"
    line = f"{time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime())} {kind}\n".encode("utf-8", "replace")
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            if os.fstat(descriptor).st_size + len(line) > _LONGEST:
                os.utime(path)
            else:
                os.write(descriptor, line)
        finally:
            os.close(descriptor)
    except OSError:
        return


def reset(root: str) -> bool:
    """Forget the failures: it works again, or shall be tried at once. Whether there were any."""
    try:
        os.unlink(f"{root}/{FILE}")
    except OSError:
        return False
    return True
