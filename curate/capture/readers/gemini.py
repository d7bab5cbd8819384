"""Chat files of Gemini CLI: JSON lines that repeat records as they change, and the one document of older versions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from curate.capture.readers import document, jsonl
from curate.capture.readers.assembly import Assembly
from curate.capture.readers.blocks import named, texts, words
from curate.capture.readers.jsonl import PARSE
from curate.capture.speech import Speech
from curate.capture.turns import START, Growth, Item, Position

_AGENT = frozenset({"gemini", "model", "assistant"})
_NOTICES = frozenset({"info", "error", "warning"})
_PLAIN: frozenset[str | None] = frozenset({None, "text"})


class Gemini:
    """Reads `<gemini home>/tmp/<project>/chats/session-*.jsonl` and `.json`."""

    agent = "gemini"
    growth: Growth = "append"
    place = "/.gemini/tmp/"

    def sniff(self, path: Path, head: bytes) -> bool:
        """Whether the head names the hash of a project."""
        del path
        return b'"projectHash"' in head[:4096] and b'"sessionId"' in head[:4096]

    def read(self, path: Path, start: Position = START) -> Iterator[Item]:
        """All items behind `start`."""
        if path.suffix == ".json":
            return document.read(self, path, start)
        return jsonl.read(self, path, start)

    def folders(self, home: Path, env: Mapping[str, str]) -> list[Path]:
        """The folder of all projects' chats; `GEMINI_CLI_HOME` moves the home it is in."""
        root = env.get("GEMINI_CLI_HOME")
        return [(Path(root).expanduser() if root else home) / ".gemini" / "tmp"]

    def session_of(self, path: Path) -> str | None:
        """The head tells it."""
        return path.stem

    def glance(self, line: bytes) -> str:
        """Records are few and small."""
        del line
        return PARSE

    def records(self, found: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """The records of an older file, which is a single document."""
        messages = found.get("messages")
        yield {key: value for key, value in found.items() if key != "messages"}
        for message in messages if isinstance(messages, list) else ():
            yield message if isinstance(message, dict) else {"type": "?"}

    def record(self, data: dict[str, Any], turns: Assembly) -> None:
        """Tell what a record says."""
        kind = named(data, "type")
        if "sessionId" in data and kind is None:
            turns.understands()
            _head(data, turns)
        elif "$set" in data or "$rewindTo" in data:
            # The harness repeats here what was said before, and puts its own context first.
            turns.understands()
        elif kind in _AGENT or kind in _NOTICES:
            turns.understands()
            if kind in _AGENT:
                _agent(data, turns)
        elif kind == "user":
            turns.understands()
            _user(data, turns)
        elif kind is None and "content" in data:
            turns.understands()
            turns.said(Speech("", "unknown_speaker"))
        else:
            turns.wonders(str(kind))


def _head(data: dict[str, Any], turns: Assembly) -> None:
    directories = data.get("directories")
    cwd = directories[0] if isinstance(directories, list) and directories else None
    turns.context(session=data.get("sessionId"), cwd=cwd or turns.cwd or _project(Path(turns.path)))
    if data.get("kind") == "subagent":
        turns.keep["subagent"] = True


def _project(path: Path) -> str | None:
    """Newer versions note the project's folder beside its chats."""
    note = path.parent.parent / ".project_root"
    try:
        return note.read_text("utf-8").strip()[:4096] or None if note.is_file() else None
    except (OSError, UnicodeDecodeError):
        return None


def _user(data: dict[str, Any], turns: Assembly) -> None:
    content = data.get("content")
    said = words(content, _PLAIN)
    if said.reason == "empty" and isinstance(content, list) and any(_is_result(block) for block in content):
        said = Speech("", "tool_result")
    if turns.keep.get("subagent") and said.reason is None:
        said = Speech("", "sidechain")
    turns.said(said, uuid=data.get("id"), time=data.get("timestamp"))


def _is_result(block: Any) -> bool:
    return isinstance(block, dict) and "functionResponse" in block


def _agent(data: dict[str, Any], turns: Assembly) -> None:
    turns.messages += 1
    for text in texts(data.get("content"), _PLAIN):
        turns.agent_said(text)
    calls = data.get("toolCalls")
    for call in calls if isinstance(calls, list) else ():
        if isinstance(call, dict) and named(call, "status") not in {"error", "cancelled"}:
            turns.tool(call.get("name"), call.get("args"), call.get("id"))
