"""One thing that was looked at."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal

Status = Literal["ok", "note", "problem"]


@dataclass(frozen=True, slots=True)
class Check:
    """What was looked at, how it is, and how to mend it. A `note` is worth knowing and nothing is broken."""

    name: str
    status: Status
    detail: str
    mend: str = ""

    def document(self) -> dict[str, Any]:
        """The check for programs."""
        return {"name": self.name, "status": self.status, "detail": self.detail, "mend": self.mend}


def moment(seconds: float) -> str:
    """A time as people and programs read it."""
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%SZ}"
