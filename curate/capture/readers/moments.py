"""Times in the many spellings of transcripts, as one: RFC 3339 in UTC."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

_TIME = re.compile(r"(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)\s?(Z|[+-]\d\d:?\d\d)?")
_MILLISECONDS = 100_000_000_000
"""Numbers above are milliseconds since 1970, below seconds."""


def moment(value: Any) -> str | None:
    """The time as `2026-01-31T09:30:00Z`, with as many digits as were given; None when it is no time."""
    if isinstance(value, str):
        return _from_text(value)
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        try:
            when = datetime.fromtimestamp(value / 1000 if abs(value) >= _MILLISECONDS else value, UTC)
        except (ValueError, OverflowError, OSError):
            return None
        return _spell(when)
    return None


def _from_text(text: str) -> str | None:
    found = _TIME.search(text[:200])
    if found is None:
        return None
    day, clock, zone = found.groups()
    try:
        when = datetime.fromisoformat(f"{day}T{clock}{zone or 'Z'}")
        return _spell(when.astimezone(UTC))
    except (ValueError, OverflowError):
        return None


def _spell(when: datetime) -> str:
    return when.isoformat(timespec="milliseconds" if when.microsecond else "seconds").replace("+00:00", "Z")
