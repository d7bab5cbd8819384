"""Reads transcripts in tests and writes small ones."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from curate.capture.readers import named, reader_for
from curate.capture.turns import START, Bad, End, Position, Skip, Turn, Unknown

DATA = Path(__file__).parent.parent / "data" / "transcripts"


@dataclass
class Reading:
    """All that a reader gave."""

    turns: list[Turn]
    skipped: Counter[str]
    bad: list[Bad]
    unknown: list[Unknown]
    end: End

    @property
    def texts(self) -> list[str]:
        return [turn.text for turn in self.turns if turn.text]


def read(path: Path, start: Position = START, agent: str | None = None) -> Reading:
    """Read a file with the reader that it is for."""
    reader = named(agent) if agent else reader_for(path)
    assert reader is not None
    assert not isinstance(reader, str), reader
    items = list(reader.read(path, start))
    assert isinstance(items[-1], End)
    return Reading(
        [item for item in items if isinstance(item, Turn)],
        Counter(item.reason for item in items if isinstance(item, Skip)),
        [item for item in items if isinstance(item, Bad)],
        [item for item in items if isinstance(item, Unknown)],
        items[-1],
    )


def write(path: Path, *records: Any, spaces: bool = False) -> Path:
    """Write records as JSON lines; bytes are written as they are."""
    separators = (", ", ": ") if spaces else (",", ":")
    with path.open("wb") as file:
        for record in records:
            whole = isinstance(record, bytes)
            line = record if whole else json.dumps(record, ensure_ascii=False, separators=separators).encode()
            file.write(line + b"\n")
    return path


def user(content: Any, uuid: str = "u1", **more: Any) -> dict[str, Any]:
    """A prompt as Claude Code writes it."""
    return {
        "parentUuid": None,
        "isSidechain": False,
        "promptId": f"p-{uuid}",
        "type": "user",
        "message": {"role": "user", "content": content},
        "uuid": uuid,
        "timestamp": "2026-11-02T09:00:00.000Z",
        "userType": "external",
        "cwd": "/home/ada/kiosk",
        "sessionId": "s-1",
        "version": "2.1.332",
        "gitBranch": "main",
        **more,
    }


def assistant(*blocks: Any, uuid: str = "a1", **more: Any) -> dict[str, Any]:
    """What the agent says and does, as Claude Code writes it."""
    return {
        "parentUuid": "u1",
        "isSidechain": False,
        "message": {"id": "msg_1", "type": "message", "role": "assistant", "content": list(blocks)},
        "type": "assistant",
        "uuid": uuid,
        "timestamp": "2026-11-02T09:00:05.000Z",
        "cwd": "/home/ada/kiosk",
        "sessionId": "s-1",
        **more,
    }


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def call(name: str, ident: str = "t1", **arguments: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": ident, "name": name, "input": arguments}


def result(content: Any, ident: str = "t1", **more: Any) -> dict[str, Any]:
    return {"tool_use_id": ident, "type": "tool_result", "content": content, **more}
