"""What stands in for the log of decisions where the disk takes none."""

from __future__ import annotations

from pathlib import Path
from typing import Any


class NoLog:
    """Stands in for the log of decisions where the disk may not be written: the review then lives in memory."""

    def __init__(self, fault: OSError) -> None:
        self.fault = fault
        self.clean = False
        self.path = Path()

    def append(self, event: dict[str, Any]) -> None:
        """Nothing is kept."""

    def close(self, *, keep: bool) -> None:
        """Nothing to close."""

    def wait(self, timeout: float | None = None) -> bool:
        """There is nothing to wait for."""
        del timeout
        return True
