"""What one clone knows of itself: which purges its history is free of, and whether the remote still waits for them.

Kept inside the git folder, so it never travels. It holds ids, and nothing of what was said.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Self

from store.log.disk import Disk, write_whole

if TYPE_CHECKING:
    from pathlib import Path

NAME = "curate.json"


@dataclass(slots=True)
class Note:
    """The note of one clone."""

    path: Path
    cleaned: set[str] = field(default_factory=set)
    """Purged ids whose words are in no object here."""
    lease: str | None = None
    """What the remote had when the history here was written anew and not pushed yet."""

    @classmethod
    def read(cls, folder: Path) -> Self:
        """The note in a git folder; an empty one when none can be read: then all is looked at anew."""
        path = folder / NAME
        try:
            data = json.loads(path.read_bytes())
            lease = data.get("lease")
            return cls(path, {str(ident) for ident in data.get("cleaned", ())}, None if lease is None else str(lease))
        except (OSError, ValueError, AttributeError, TypeError):
            return cls(path)

    def save(self) -> None:
        """Write it. Raises `WriteFailed`."""
        data = {"cleaned": sorted(self.cleaned), "lease": self.lease}
        write_whole(Disk(), self.path, json.dumps(data).encode() + b"\n")
