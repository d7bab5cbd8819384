"""Session files of Pi, old flat ones and newer trees."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from curate.capture.readers import jsonl
from curate.capture.readers.assembly import Assembly
from curate.capture.readers.blocks import TEXT, named, words
from curate.capture.readers.jsonl import IGNORE, PARSE
from curate.capture.speech import Speech
from curate.capture.turns import START, Growth, Item, Position

_KNOWN = frozenset(
    {
        "session", "message", "model_change", "thinking_level_change", "custom_message", "custom", "compaction",
        "branch_summary", "context_edit", "label", "session_info", "usage", "tools_change", "active_tools_change",
    }
)  # fmt: skip
_HEAD = re.compile(rb'\{"type":"(\w+)"')
_ENTRY = re.compile(rb'^\{"type":"message",[^\n]{0,400}?"message":\{"role":', re.MULTILINE)
_DULL = frozenset(kind.encode() for kind in _KNOWN - {"session", "message", "custom_message"})
_NOT_SPEECH = {
    "bashExecution": "local_output",
    "custom": "hook_context",
    "hookMessage": "hook_context",
    "branchSummary": "compaction",
    "compactionSummary": "compaction",
}


class Pi:
    """Reads `<agent folder>/sessions/<folder>/<time>_<id>.jsonl`."""

    agent = "pi"
    growth: Growth = "append"
    place = "/.pi/agent/sessions/"

    def sniff(self, path: Path, head: bytes) -> bool:
        """Whether the file starts as Pi's do, or holds entries with a parent in a file that lost its start."""
        del path
        start = head[:16384].replace(b'": ', b'":').lstrip()
        return start.startswith(b'{"type":"session",') or bool(_ENTRY.search(start))

    def read(self, path: Path, start: Position = START) -> Iterator[Item]:
        """All items behind `start`."""
        return jsonl.read(self, path, start)

    def folders(self, home: Path, env: Mapping[str, str]) -> list[Path]:
        """The sessions folder; `PI_CODING_AGENT_SESSION_DIR` and `PI_CODING_AGENT_DIR` move it."""
        if env.get("PI_CODING_AGENT_SESSION_DIR"):
            return [Path(env["PI_CODING_AGENT_SESSION_DIR"]).expanduser()]
        root = env.get("PI_CODING_AGENT_DIR")
        return [(Path(root).expanduser() if root else home / ".pi" / "agent") / "sessions"]

    def session_of(self, path: Path) -> str | None:
        """What follows the time in the file's name."""
        return path.stem.rpartition("_")[2]

    def glance(self, line: bytes) -> str:
        """Tell bookkeeping by its type, and tool results, which only matter when they failed."""
        found = _HEAD.match(line)
        if found is None:
            return PARSE
        if found[1] in _DULL:
            return IGNORE
        if found[1] == b"message" and b'"message":{"role":"toolResult"' in line[:400] and b'"isError":true' not in line:
            return "tool_result"
        return PARSE

    def record(self, data: dict[str, Any], turns: Assembly) -> None:
        """Tell what an entry says."""
        kind = named(data, "type")
        if kind not in _KNOWN:
            turns.wonders(str(kind))
            return
        turns.understands()
        if kind == "session":
            turns.context(session=data.get("id"), cwd=data.get("cwd"))
        elif kind == "custom_message":
            turns.said(Speech("", "hook_context"))
        elif kind == "message":
            _message(data, turns)


def _message(data: dict[str, Any], turns: Assembly) -> None:
    message = data.get("message")
    if not isinstance(message, dict):
        turns.said(Speech("", "unknown_speaker"))
        return
    role, content = named(message, "role"), message.get("content")
    if role == "user":
        said = words(content, TEXT)
        turns.said(
            Speech("", "no_text") if said.reason == "empty" else said, uuid=_id(data), time=data.get("timestamp")
        )
    elif role == "assistant":
        turns.messages += 1
        _assistant(content, turns)
    elif role == "toolResult":
        if message.get("isError") is True:
            turns.failed(message.get("toolCallId"))
        turns.said(Speech("", "tool_result"))
    elif role in _NOT_SPEECH:
        turns.said(Speech("", _NOT_SPEECH[role]))
    elif role != "system":
        turns.said(Speech("", "unknown_speaker"))


def _assistant(content: Any, turns: Assembly) -> None:
    if isinstance(content, str):
        turns.agent_said(content)
        return
    for block in content if isinstance(content, list) else ():
        if not isinstance(block, dict):
            continue
        if block.get("type") == "text":
            turns.agent_said(block.get("text"))
        elif block.get("type") == "toolCall":
            turns.tool(block.get("name"), block.get("arguments"), block.get("id"))


def _id(data: dict[str, Any]) -> str | None:
    """Entry ids are short and only unique within a session, but forks keep id and time."""
    ident, time = data.get("id"), data.get("timestamp")
    if isinstance(time, (str, int)):
        return f"{ident if isinstance(ident, str) else 'entry'}@{time}"
    return None
