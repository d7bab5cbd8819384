"""Event logs of Copilot CLI: one event a line, the typed text apart from what hooks added to it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from curate.capture.readers import jsonl
from curate.capture.readers.assembly import Assembly
from curate.capture.readers.blocks import named
from curate.capture.readers.jsonl import IGNORE, PARSE
from curate.capture.speech import Speech, speech
from curate.capture.turns import START, Growth, Item, Position

_FAMILIES = frozenset(
    {
        "session", "user", "system", "assistant", "tool", "hook", "subagent", "skill", "permission", "mcp", "abort",
        "conversation", "external_tool", "user_input", "elicitation", "command", "commands", "capabilities", "sampling",
        "exit_plan_mode", "auto_mode_switch", "pending_messages", "model", "custom_agent",
        "telemetry", "background_task",
    }
)  # fmt: skip
_HEARD = frozenset(
    {
        "session.start", "session.resume", "session.context_changed", "user.message", "assistant.message",
        "tool.execution_start", "tool.execution_complete", "conversation.message",
    }
)  # fmt: skip
_HEAD = re.compile(rb'\{"type":"(([\w-]+)(?:\.[\w.-]+)?)"')
_HEARD_BYTES = frozenset(kind.encode() for kind in _HEARD)
_FAMILIES_BYTES = frozenset(kind.encode() for kind in _FAMILIES)


class Copilot:
    """Reads `<copilot home>/session-state/<session>/events.jsonl`."""

    agent = "copilot"
    growth: Growth = "append"
    place = "/.copilot/session-state/"

    def sniff(self, path: Path, head: bytes) -> bool:
        """Whether events are of Copilot's types."""
        del path
        start = head[:16384].replace(b'": ', b'":')
        marks = (b'"type":"session.start"', b'"type":"user.message"', b'"type":"assistant.turn_start"')
        return any(mark in start for mark in (*marks, b'"type":"session.resume"', b'"event":"conversation.message"'))

    def read(self, path: Path, start: Position = START) -> Iterator[Item]:
        """All items behind `start`."""
        return jsonl.read(self, path, start)

    def folders(self, home: Path, env: Mapping[str, str]) -> list[Path]:
        """The session folder; `COPILOT_HOME` moves it."""
        root = env.get("COPILOT_HOME")
        return [(Path(root).expanduser() if root else home / ".copilot") / "session-state"]

    def session_of(self, path: Path) -> str | None:
        """The folder is named after the session."""
        return path.parent.name if path.name == "events.jsonl" else path.stem

    def glance(self, line: bytes) -> str:
        """Most events are bookkeeping."""
        found = _HEAD.match(line)
        if found is None or found[1] in _HEARD_BYTES or found[2] not in _FAMILIES_BYTES:
            return PARSE
        return IGNORE

    def record(self, data: dict[str, Any], turns: Assembly) -> None:
        """Tell what an event says."""
        kind = data.get("type", data.get("event"))
        if not isinstance(kind, str) or kind.partition(".")[0] not in _FAMILIES:
            turns.wonders(str(kind))
            return
        turns.understands()
        body = data.get("data")
        if kind not in _HEARD or not isinstance(body, dict):
            return
        if kind.startswith("session."):
            _context(body, turns)
        elif kind == "user.message":
            _user(data, body, turns)
        elif kind == "conversation.message":
            _conversation(data, body, turns)
        elif kind == "assistant.message":
            turns.messages += 1
            if not _subagent(data, body):
                turns.agent_said(body.get("content"))
        elif kind == "tool.execution_start":
            turns.tool(body.get("toolName"), body.get("arguments"), body.get("toolCallId"))
        else:
            _completed(body, turns)


def _context(body: dict[str, Any], turns: Assembly) -> None:
    found = body.get("context")
    context = found if isinstance(found, dict) else body
    turns.context(session=body.get("sessionId"), cwd=context.get("cwd"), branch=context.get("branch"))


def _user(data: dict[str, Any], body: dict[str, Any], turns: Assembly) -> None:
    content = body.get("content")
    if _subagent(data, body):
        said = Speech("", "sidechain")
    elif named(body, "source") not in {None, "user", "human", "cli"}:
        said = Speech("", "machine_prompt")
    elif isinstance(content, str):
        said = speech(content)
    else:
        said = Speech("", "no_text")
    turns.said(said, uuid=body.get("messageId") or data.get("id"), time=data.get("timestamp"))


def _conversation(data: dict[str, Any], body: dict[str, Any], turns: Assembly) -> None:
    """The envelope of early versions."""
    role, content = named(body, "role"), body.get("content", body.get("text"))
    if role == "assistant":
        turns.messages += 1
        turns.agent_said(content)
    elif role == "user":
        said = speech(content) if isinstance(content, str) else Speech("", "no_text")
        turns.said(said, uuid=data.get("id"), time=data.get("timestamp", body.get("timestamp")))
    elif role not in {"system", "tool"}:
        turns.said(Speech("", "unknown_speaker"))


def _completed(body: dict[str, Any], turns: Assembly) -> None:
    if body.get("success") is False:
        turns.failed(body.get("toolCallId"))
    edits = body.get("fileEdits")
    for edit in edits if isinstance(edits, list) else ():
        if isinstance(edit, dict):
            turns.wrote(edit.get("path"))


def _subagent(data: dict[str, Any], body: dict[str, Any]) -> bool:
    return bool(data.get("agentId") or body.get("parentToolCallId"))
