"""What a scan found, in numbers and sentences."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field


@dataclass(slots=True)
class ScanReport:
    """What a scan read, what came of it, and what it left out."""

    files: int = 0
    turns: int = 0
    messages: int = 0
    """Messages of person and agent."""
    created: int = 0
    reinforced: int = 0
    known: int = 0
    tombstoned: int = 0
    """Said again after a person had rejected or deleted it."""
    skipped: Counter[str] = field(default_factory=Counter)
    """Messages and files that were left out, by reason."""
    quarantined: int = 0
    unknown_formats: list[str] = field(default_factory=list)
    """Sentences about transcripts of which less than half was understood."""
    records: int = 0
    understood: int = 0
    languages: Counter[str] = field(default_factory=Counter)
    """Languages without cues, with the number of messages in them."""
    unchanged: int = 0
    """Transcripts in which nothing was new."""
    bytes_read: int = 0
    candidates: list[str] = field(default_factory=list)
    """Ids of the candidates that were made or reinforced."""
