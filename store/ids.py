"""Identifiers and the clock, passed in as parameters so that deciding code stays pure."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from datetime import UTC, datetime

NewId = Callable[[str], str]
"""Takes a prefix (`mem`, `cand`, `pat`, `grp`, `tomb`) and gives a new id such as `mem_01jd...`."""

Clock = Callable[[], str]
"""Gives the present moment as RFC 3339 in UTC, whole seconds or finer, ending in `Z`."""


def new_id(prefix: str) -> str:
    """A fresh id: the prefix and a lower-case ULID, so ids sort by time and never need a counter."""
    from ulid import ULID

    return f"{prefix}_{str(ULID()).lower()}"


def now() -> str:
    """The present moment, RFC 3339 in UTC with milliseconds."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def content_id(prefix: str, *parts: str) -> str:
    """An id made from content: the same parts give the same id on every machine."""
    digest = hashlib.sha256("\x1f".join(parts).encode("utf-8", "surrogatepass")).hexdigest()
    return f"{prefix}_{digest[:26]}"
