"""The documented plain form, for agents without a reader: one JSON object a line.

`{"role": "user", "text": "…", "time": "…", "cwd": "…", "session": "…"}`; `id`, `branch`, and on the agent's lines
`files_read`, `files_written` and `commands` may be added. Any other file of JSON lines is read by it too, to say
that nothing in it was understood.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from curate.capture.readers import jsonl
from curate.capture.readers.assembly import Assembly
from curate.capture.readers.blocks import TEXT, texts, words
from curate.capture.readers.jsonl import PARSE
from curate.capture.readers.tools import Touched
from curate.capture.speech import Speech
from curate.capture.turns import START, Growth, Item, Position

_PERSON = frozenset({"user", "human"})
_AGENT = frozenset({"assistant", "agent", "model", "ai"})
_OTHERS = frozenset({"system", "developer", "tool", "function"})


class Plain:
    """Reads the plain form."""

    agent = "plain"
    growth: Growth = "append"
    place = ""

    def sniff(self, path: Path, head: bytes) -> bool:
        """Whether the first line is a JSON object."""
        if path.suffix == ".json":
            return False
        first, newline, _ = head.removeprefix(b"\xef\xbb\xbf").lstrip().partition(b"\n")
        if not newline and len(head) >= 64 * 1024:
            return first.startswith(b'{"')
        try:
            return isinstance(json.loads(first), dict)
        except (ValueError, RecursionError):
            return False

    def read(self, path: Path, start: Position = START) -> Iterator[Item]:
        """All items behind `start`."""
        return jsonl.read(self, path, start)

    def folders(self, home: Path, env: Mapping[str, str]) -> list[Path]:
        """No place of its own."""
        del home, env
        return []

    def session_of(self, path: Path) -> str | None:
        """The file's name, where lines name none."""
        return path.stem

    def glance(self, line: bytes) -> str:
        """Every line counts."""
        del line
        return PARSE

    def record(self, data: dict[str, Any], turns: Assembly) -> None:
        """Tell what a line says."""
        role, content = data.get("role"), data.get("text", data.get("content"))
        if content is None or not (role is None or isinstance(role, str)):
            turns.wonders(str(data.get("type", "no role and text")))
            return
        turns.understands()
        turns.context(session=data.get("session"), cwd=data.get("cwd"), branch=data.get("branch"))
        if role in _PERSON:
            ident = data.get("id")
            uuid = f"{turns.session}/{ident}" if isinstance(ident, (str, int)) else None
            turns.said(words(content, TEXT), uuid=uuid, time=data.get("time", data.get("timestamp")))
        elif role in _AGENT:
            turns.messages += 1
            for text in texts(content, TEXT):
                turns.agent_said(text)
            turns.touch(Touched(_list(data, "files_read"), _list(data, "files_written"), _list(data, "commands")))
        elif role not in _OTHERS:
            turns.said(Speech("", "unknown_speaker"))


def _list(data: dict[str, Any], key: str) -> tuple[str, ...]:
    found = data.get(key)
    return tuple(one for one in found if isinstance(one, str) and one) if isinstance(found, list) else ()
