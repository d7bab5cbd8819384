"""Session files of Claude Code: one record a line, of which few hold what a person typed."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from curate.capture.readers import jsonl
from curate.capture.readers.blocks import TEXT, named, words
from curate.capture.readers.jsonl import IGNORE, LATER, PARSE
from curate.capture.speech import Speech
from curate.capture.turns import START, Growth, Item, Position

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from curate.capture.readers.assembly import Assembly

_KNOWN = frozenset(
    {
        "user", "assistant", "system", "attachment", "summary", "queue-operation", "last-prompt", "api-request",
        "api-request-blob", "api-request-shape", "tools-used", "cost-state", "mode", "permission-mode", "ai-title",
        "atis-latch", "bridge-session", "file-history-snapshot", "file-history-delta", "progress", "custom-title",
        "agent-name", "agent-color", "agent-setting", "tag", "pr-link", "worktree-state", "content-replacement",
        "started", "result", "speculation-accept", "task-summary",
    }
)  # fmt: skip
_BOOKKEEPING = frozenset(kind.encode() for kind in _KNOWN - {"user", "assistant", "system", "attachment"})

_HEAD = re.compile(
    rb'\{(?:"(?!type"|message"|attachment")\w++":(?:"[^"\\]*+(?:\\.[^"\\]*+)*+"|null|true|false|-?[\d.]++),)*+'
    rb'"(type|message|attachment)":(?:"([\w-]+)"|\{(?:"type":"([\w-]+)")?)'
)
"""The first telling key of a record that is written without spaces, behind keys with plain values."""


class ClaudeCode:
    """Reads `<config>/projects/<folder>/<session>.jsonl`."""

    agent = "claude-code"
    growth: Growth = "append"
    place = "/.claude/projects/"

    def sniff(self, path: Path, head: bytes) -> bool:
        """Whether the first records look like Claude Code's."""
        del path
        start = head[:16384].replace(b'": ', b'":')
        if b'"leafUuid":' in start or (b'"sessionId":' in start and any(mark in start for mark in _MARKS)):
            return True
        return b'"message":{' in start and (b'"type":"user"' in start or b'"type":"assistant"' in start)

    def read(self, path: Path, start: Position = START) -> Iterator[Item]:
        """All items behind `start`."""
        return jsonl.read(self, path, start)

    def folders(self, home: Path, env: Mapping[str, str]) -> list[Path]:
        """The projects folder; `CLAUDE_CONFIG_DIR` moves it."""
        config = env.get("CLAUDE_CONFIG_DIR")
        return [(Path(config).expanduser() if config else home / ".claude") / "projects"]

    def session_of(self, path: Path) -> str | None:
        """Files are named after their session."""
        return path.stem

    def glance(self, line: bytes) -> str:
        """Tell bookkeeping, tool output and thinking by their first bytes."""
        found = _HEAD.match(line)
        if found is None:
            return PARSE
        key, kind, inner = found.groups()
        if key == b"attachment":
            return _attachment(inner)
        if key == b"message":
            return _agent_line(line) if b'"type":"assistant"' in line else PARSE
        if kind == b"user":
            return _tool_output(line)
        if kind == b"assistant":
            return _agent_line(line)
        if kind in _BOOKKEEPING:
            return IGNORE
        if kind == b"system":
            return PARSE if b"blocked by hook" in line else IGNORE
        return PARSE

    def record(self, data: dict[str, Any], turns: Assembly) -> None:
        """Tell what a record says."""
        kind = named(data, "type")
        if kind not in _KNOWN:
            message = data.get("message")
            if kind is None and isinstance(message, dict) and "content" in message:
                turns.understands()
                turns.said(Speech("", "unknown_speaker"))
            else:
                turns.wonders(str(kind))
            return
        turns.understands()
        if kind == "user":
            _user(data, turns)
        elif kind == "assistant":
            _assistant(data, turns)
        elif kind == "attachment":
            _attached(data, turns)
        elif kind == "system" and _blocked(data):
            turns.said(Speech("", "blocked_prompt"))


_MARKS = (
    b'"parentUuid":', b'"isSidechain":', b'"type":"queue-operation"', b'"type":"last-prompt"', b'"type":"mode"',
    b'"type":"user"', b'"type":"assistant"', b'"type":"permission-mode"', b'"type":"summary"', b'"type":"api-request',
    b'"type":"file-history', b'"type":"custom-title"', b'"type":"agent-name"', b'"type":"ai-title"',
)  # fmt: skip


def _attachment(kind: bytes | None) -> str:
    if kind is None or kind == b"queued_command":
        return PARSE
    return "hook_context" if kind in {b"hook_additional_context", b"hook_system_message"} else IGNORE


def _agent_line(line: bytes) -> str:
    """Thoughts are of no interest, and what the agent said only when the person answers it."""
    if b'"type":"tool_use"' in line:
        return PARSE
    if b'"type":"text"' in line:
        return PARSE if b'"isSidechain":true' in line or b'"isApiErrorMessage":' in line else LATER
    return IGNORE if b'"type":"thinking"' in line or b'"type":"redacted_thinking"' in line else PARSE


def _tool_output(line: bytes) -> str:
    """Tool output is most of a transcript; it matters where a call failed or a command changed files."""
    behind = line.find(b'"toolUseResult":')
    end = len(line) if behind < 0 else behind
    if line.find(b'"type":"tool_result"', 0, end) < 0 or line.find(b'"type":"text"', 0, end) >= 0:
        return PARSE
    if line.find(b'"is_error":true', 0, end) >= 0:
        return PARSE
    if behind >= 0 and line.find(b'"bashEditDiff":', behind) >= 0:  # it stands in there, or means nothing
        return PARSE
    return "tool_result"


def _user(data: dict[str, Any], turns: Assembly) -> None:
    message = data.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    results = _results(content)
    if results:
        _outcomes(results, data.get("toolUseResult"), turns)
    reason = _machine(data)
    if reason is None and (not isinstance(message, dict) or message.get("role") != "user"):
        reason = "unknown_speaker"
    if reason is not None:
        turns.said(Speech("", reason))
        return
    turns.context(session=data.get("sessionId"), cwd=data.get("cwd"), branch=data.get("gitBranch"))
    said = words(content, TEXT)
    if said.reason == "empty":
        said = Speech("", "tool_result" if results else "no_text")
    turns.said(said, uuid=data.get("uuid"), time=data.get("timestamp"))


def _machine(data: dict[str, Any]) -> str | None:
    """Why a record in the user's role was not typed by the person."""
    if data.get("isSidechain"):
        return "sidechain"
    if data.get("isCompactSummary") or data.get("repeatsCompactSummary"):
        return "compaction"
    if data.get("isMeta") or data.get("isVisibleInTranscriptOnly") or data.get("rowSource") == "harness":
        return "meta"
    origin = data.get("origin")
    kind = named(origin, "kind") if isinstance(origin, dict) else None
    return "machine_prompt" if kind not in {None, "human"} else None


def _results(content: Any) -> list[dict[str, Any]]:
    if not isinstance(content, list):
        return []
    return [block for block in content if isinstance(block, dict) and block.get("type") == "tool_result"]


def _outcomes(results: list[dict[str, Any]], detail: Any, turns: Assembly) -> None:
    """What became of tool calls."""
    for result in results:
        if result.get("is_error") is True:
            turns.failed(result.get("tool_use_id"))
    changes = detail.get("bashEditDiff") if isinstance(detail, dict) else None
    if isinstance(changes, dict):
        files = changes.get("changedFiles")
        turns.wrote(*(files if isinstance(files, list) else ()))


def _assistant(data: dict[str, Any], turns: Assembly) -> None:
    message = data.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    turns.messages += 1
    heard = not data.get("isSidechain") and not data.get("isApiErrorMessage")
    if isinstance(content, str):
        content = [{"type": "text", "text": content}]
    for block in content if isinstance(content, list) else ():
        if not isinstance(block, dict):
            continue
        if block.get("type") == "text" and heard:
            turns.agent_said(block.get("text"))
        elif block.get("type") == "tool_use":
            turns.tool(block.get("name"), block.get("input"), block.get("id"))


def _attached(data: dict[str, Any], turns: Assembly) -> None:
    """Text typed while the agent works arrives as an attachment; hooks and the harness attach too."""
    found = data.get("attachment")
    kind = found.get("type") if isinstance(found, dict) else None
    if not isinstance(found, dict) or kind != "queued_command":
        if isinstance(kind, str) and _attachment(kind.encode("utf-8", "replace")) == "hook_context":
            turns.said(Speech("", "hook_context"))
        return
    reason = _machine(data) or _machine(found)
    if reason is None and found.get("commandMode", "prompt") != "prompt":
        reason = "machine_prompt"
    if reason is not None:
        turns.said(Speech("", reason))
        return
    turns.context(session=data.get("sessionId"), cwd=data.get("cwd"), branch=data.get("gitBranch"))
    time = data.get("timestamp") or found.get("timestamp")
    turns.said(words(found.get("prompt"), TEXT), uuid=data.get("uuid"), time=time)


def _blocked(data: dict[str, Any]) -> bool:
    """A hook refused a prompt: it never reached the agent, and may have been refused for a secret."""
    content = data.get("content")
    return isinstance(content, str) and "blocked by hook" in content and "Original prompt:" in content
