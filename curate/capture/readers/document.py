"""Transcripts that are one JSON document: read whole, within a limit."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

from curate.capture.readers.assembly import Assembly
from curate.capture.readers.jsonl import parse
from curate.capture.turns import Bad, End, Item, Position, Unknown

DOCUMENT_LIMIT = 32 * 1024 * 1024
"""Bytes of a document that is read; there is no reading one in parts."""


class Records(Protocol):
    """What is asked of a format that comes as one document."""

    agent: str

    def records(self, found: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """The records of the document, in order."""
        ...

    def record(self, data: dict[str, Any], turns: Assembly) -> None:
        """Tell the assembly what a record says."""
        ...


def read(form: Records, path: Path, start: Position) -> Iterator[Item]:
    """All items of a document. It is read from its beginning each time: its turns have the same ids again."""
    size = path.stat().st_size
    if size > DOCUMENT_LIMIT:
        yield Bad(1, 0, f"a document of {size // 1_000_000} MB; at most {DOCUMENT_LIMIT // 1_000_000} MB are read")
        yield End(start, 0, 0, 0)
        return
    found = parse(path.read_bytes())
    if isinstance(found, str):
        yield Bad(1, 0, found)
        yield End(Position(), 0, 0, 0)
        return
    turns = Assembly(form.agent, str(path))
    records = 0
    for data in form.records(found):
        records += 1
        turns.line = records
        form.record(data, turns)
        yield from turns.out
        turns.out.clear()
    turns.finish(0, 0)
    yield from turns.out
    if turns.unknown or not records:
        yield Unknown(records, turns.understood, dict(turns.unknown))
    yield End(Position(), records, turns.understood, turns.messages)
