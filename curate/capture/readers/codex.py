"""Rollout files of Codex, in both histories: `paginated`, where completed items tell all, and the older one."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from curate.capture.readers import jsonl
from curate.capture.readers.assembly import Assembly
from curate.capture.readers.blocks import named, texts, words
from curate.capture.readers.jsonl import IGNORE, PARSE
from curate.capture.readers.tools import Touched, shell
from curate.capture.speech import Speech
from curate.capture.turns import START, Growth, Item, Position

_KNOWN = frozenset(
    {"session_meta", "turn_context", "event_msg", "response_item", "world_state", "token_usage_record", "compacted"}
    | {"ghost_snapshot", "inter_agent_communication", "environment_context", "session_state", "state"}
)
_DULL = frozenset({b"world_state", b"token_usage_record", b"compacted", b"ghost_snapshot"})
_DULL_PAYLOADS = frozenset(
    {
        b"token_count", b"task_started", b"task_complete", b"turn_started", b"turn_complete", b"agent_reasoning",
        b"agent_reasoning_raw_content", b"agent_reasoning_section_break", b"thread_settings_applied", b"reasoning",
        b"function_call_output", b"custom_tool_call_output", b"exec_command_begin", b"exec_command_end",
        b"exec_command_output_delta", b"turn_diff", b"context_compacted", b"web_search_call", b"compaction",
    }
)  # fmt: skip
_HEAD = re.compile(
    rb'\{(?:"timestamp":"[^"\\]*",)?(?:"ordinal":\d+,)?"type":"(\w+)"(?:,"payload":\{"type":"(\w+)")?'
    rb'(?:,"thread_id":"[^"\\]*","turn_id":"[^"\\]*","item":\{"type":"(\w+)")?'
)
_INPUT: frozenset[str | None] = frozenset({"input_text", "text"})
_OUTPUT: frozenset[str | None] = frozenset({"output_text", "Text", "text"})


class Codex:
    """Reads `<codex home>/sessions/<yyyy>/<mm>/<dd>/rollout-*.jsonl`."""

    agent = "codex"
    growth: Growth = "append"
    place = "/.codex/sessions/"

    def sniff(self, path: Path, head: bytes) -> bool:
        """Whether records are of Codex's types."""
        start = head[:16384].replace(b'": ', b'":')
        marks = (b'"type":"session_meta"', b'"type":"response_item"', b'"type":"event_msg"', b'"type":"turn_context"')
        return any(mark in start for mark in marks) or (path.name.startswith("rollout-") and b'"input_text"' in start)

    def read(self, path: Path, start: Position = START) -> Iterator[Item]:
        """All items behind `start`."""
        return jsonl.read(self, path, start)

    def folders(self, home: Path, env: Mapping[str, str]) -> list[Path]:
        """Sessions and archived ones; `CODEX_HOME` moves both."""
        root = Path(env["CODEX_HOME"]).expanduser() if env.get("CODEX_HOME") else home / ".codex"
        return [root / "sessions", root / "archived_sessions"]

    def session_of(self, path: Path) -> str | None:
        """The last five groups of `rollout-<time>-<uuid>`."""
        return "-".join(path.stem.split("-")[-5:]) if path.name.startswith("rollout-") else None

    def glance(self, line: bytes) -> str:
        """Tell bookkeeping and tool output by their first bytes."""
        found = _HEAD.match(line)
        if found is None:
            return PARSE
        kind, payload, item = found.groups()
        if kind in _DULL or payload in _DULL_PAYLOADS or item == b"Reasoning":
            return IGNORE
        return PARSE

    def record(self, data: dict[str, Any], turns: Assembly) -> None:
        """Tell what a record says."""
        kind, payload = named(data, "type"), data.get("payload")
        if kind in {"message", "function_call", "reasoning", "local_shell_call"} and payload is None:
            kind, payload = "response_item", data  # the oldest files hold bare items
        if kind not in _KNOWN:
            _other(data, turns)
            return
        turns.understands()
        if not isinstance(payload, dict):
            return
        if kind == "session_meta":
            _meta(payload, turns)
        elif kind == "turn_context":
            turns.context(cwd=payload.get("cwd"))
        elif kind == "event_msg":
            _event(payload, data.get("timestamp"), turns)
        elif kind == "response_item":
            _response(payload, data.get("timestamp"), turns)


def _other(data: dict[str, Any], turns: Assembly) -> None:
    """A header of the oldest files, a message without a role, or something new."""
    if "id" in data and "timestamp" in data and "type" not in data:
        turns.understands()
        _meta(data, turns)
    elif "type" not in data and ("content" in data or "text" in data):
        turns.understands()
        turns.said(Speech("", "unknown_speaker"))
    elif "record_type" in data:
        turns.understands()
    else:
        turns.wonders(str(data.get("type")))


def _meta(payload: dict[str, Any], turns: Assembly) -> None:
    """The head of the file; a fork repeats that of its parent further down, which changes nothing."""
    if turns.keep.get("meta"):
        return
    turns.keep["meta"] = True
    turns.context(session=payload.get("id") or payload.get("session_id"), cwd=payload.get("cwd"))
    git, source = payload.get("git"), payload.get("source")
    turns.context(branch=git.get("branch") if isinstance(git, dict) else None)
    if payload.get("thread_source") == "subagent" or (isinstance(source, dict) and "subagent" in source):
        turns.keep["subagent"] = True
    if payload.get("history_mode") == "paginated":
        turns.keep["items"] = True


def _event(payload: dict[str, Any], time: Any, turns: Assembly) -> None:
    kind = named(payload, "type")
    if kind == "item_completed":
        turns.keep["items"] = True
        item = payload.get("item")
        if isinstance(item, dict):
            _item(item, time, turns)
    elif kind == "user_message":
        message = payload.get("message")
        said = words(message, _INPUT) if isinstance(message, str) else Speech("", "no_text")
        _typed(said, None, time, turns)
    elif kind == "agent_message":
        turns.settle()
        turns.messages += 1
        turns.agent_said(payload.get("message"))
    elif kind == "patch_apply_end" and payload.get("success") is not False:
        changes = payload.get("changes")
        turns.wrote(*(changes if isinstance(changes, dict) else ()))
    elif kind == "turn_aborted":
        turns.settle()


def _item(item: dict[str, Any], time: Any, turns: Assembly) -> None:
    """A completed item of the paginated history."""
    kind = named(item, "type")
    if kind == "UserMessage":
        _typed(words(item.get("content"), _INPUT), item.get("id"), time, turns)
        return
    turns.settle()
    if kind == "AgentMessage":
        turns.messages += 1
        for text in texts(item.get("content"), _OUTPUT):
            turns.agent_said(text)
    elif kind == "CommandExecution":
        turns.touch(_executed(item), item.get("id"))
    elif kind == "FileChange" and named(item, "status") in {None, "completed"}:
        changes = item.get("changes")
        turns.wrote(*(changes if isinstance(changes, dict) else ()))
    elif kind == "HookPrompt":
        turns.said(Speech("", "hook_context"))


def _executed(item: dict[str, Any]) -> Touched:
    command = shell(item.get("command"))
    parsed = item.get("parsed_cmd")
    read = [
        part.get("path")
        for part in (parsed if isinstance(parsed, list) else ())
        if isinstance(part, dict) and part.get("type") == "read"
    ]
    return Touched(tuple(path for path in read if isinstance(path, str) and path), command.written, command.commands)


def _response(payload: dict[str, Any], time: Any, turns: Assembly) -> None:
    """A raw model item: the only source of prompts and tool calls in some older files."""
    kind = named(payload, "type")
    if kind == "message" or (kind is None and "content" in payload):
        _message(payload, time, turns)
        return
    turns.settle()
    if turns.keep.get("items"):
        return
    if kind == "function_call":
        turns.tool(payload.get("name"), _arguments(payload.get("arguments")), payload.get("call_id"))
    elif kind == "custom_tool_call":
        turns.tool(payload.get("name"), payload.get("input"), payload.get("call_id"))
    elif kind == "local_shell_call" and isinstance(action := payload.get("action"), dict):
        turns.touch(shell(action.get("command")), payload.get("call_id"))


def _message(payload: dict[str, Any], time: Any, turns: Assembly) -> None:
    role = named(payload, "role")
    if role == "assistant":
        turns.settle()
        if not turns.keep.get("items"):
            for text in texts(payload.get("content"), _OUTPUT):
                turns.agent_said(text)
    elif role in {"developer", "system"}:
        if "hooks.additional_context" in _kinds(payload):
            turns.skip("hook_context")
    elif role != "user":
        turns.said(Speech("", "unknown_speaker"))
    elif (kinds := _kinds(payload)) and "user.text" not in kinds:
        turns.skip("hook_context" if "hooks.additional_context" in kinds else "environment")
    else:
        _hold(words(payload.get("content"), _INPUT), payload.get("id"), time, turns)


def _hold(said: Speech, uuid: Any, time: Any, turns: Assembly) -> None:
    """Most files repeat a prompt as an event, before or behind it; only where none does this one counts."""
    if said.reason is not None:
        turns.settle()
        turns.said(_heard(said, turns), uuid=uuid, time=time)
        return
    if turns.keep.get("items"):
        return
    turns.settle()
    draft = turns.draft
    if draft is not None and draft.words.text == said.text and not (draft.written or draft.commands or draft.read):
        return
    place = turns.line, turns.offset, turns.end

    def count() -> None:
        now = turns.line, turns.offset, turns.end
        turns.line, turns.offset, turns.end = place
        turns.said(_heard(said, turns), uuid=uuid, time=time)
        turns.line, turns.offset, turns.end = now

    turns.pending = count


def _typed(said: Speech, uuid: Any, time: Any, turns: Assembly) -> None:
    turns.pending = None
    turns.said(_heard(said, turns), uuid=uuid, time=time)


def _heard(said: Speech, turns: Assembly) -> Speech:
    """In the thread of a sub-agent the agent speaks in the user's role."""
    return Speech("", "sidechain") if turns.keep.get("subagent") and said.reason is None else said


def _kinds(payload: dict[str, Any]) -> list[str]:
    passed = payload.get("internal_chat_message_metadata_passthrough")
    kinds = passed.get("content_item_kinds") if isinstance(passed, dict) else None
    return [kind for kind in kinds if isinstance(kind, str)] if isinstance(kinds, list) else []


def _arguments(text: Any) -> Any:
    if not isinstance(text, str):
        return text
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text
