"""Readers of transcripts, one module per format. A new one is a module and a line in `REGISTRY`."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

from curate.capture.readers.aider import Aider
from curate.capture.readers.claude_code import ClaudeCode
from curate.capture.readers.codex import Codex
from curate.capture.readers.copilot import Copilot
from curate.capture.readers.gemini import Gemini
from curate.capture.readers.opencode import OpenCode
from curate.capture.readers.pi import Pi
from curate.capture.readers.plain import Plain
from curate.capture.readers.specstory import SpecStory

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from curate.capture.turns import Reader

REGISTRY: tuple[Reader, ...] = (
    OpenCode(),
    SpecStory(),
    Aider(),
    Codex(),
    Copilot(),
    Gemini(),
    Pi(),
    ClaudeCode(),
    Plain(),
)
"""In the order in which they are asked whether a file is theirs: the most telling first."""

_LAST = REGISTRY[-1]
"""Takes any JSON lines, so that a file that nobody knows is reported rather than passed over."""

BINARY = "a binary file, not a transcript"
_HEAD = 64 * 1024
_SUFFIXES = frozenset({".jsonl", ".json", ".md", ".db"})
_NOT_THERE = frozenset({".git", "node_modules", "tool-results", "subagents", "__pycache__", ".venv"})


def agents() -> list[str]:
    """Names of all agents whose transcripts can be read."""
    return [reader.agent for reader in REGISTRY]


def named(agent: str) -> Reader | None:
    """The reader of an agent."""
    return next((reader for reader in REGISTRY if reader.agent == agent), None)


def reader_for(path: Path, agent: str | None = None) -> Reader | str:
    """The reader for a file, or why there is none in one phrase. Raises OSError when it cannot be opened.

    `agent` forces a reader, so that a file in a changed format is reported by the one whose it is.
    """
    if not stat.S_ISREG(path.stat().st_mode):
        return "a pipe or device, not a transcript"  # opening a pipe would wait for its other end
    with path.open("rb") as file:
        head = file.read(_HEAD)
    if agent is not None and (reader := named(agent)) is not None:
        return BINARY if b"\0" in head and not reader.sniff(path, head) else reader
    if not head:
        return "an empty file"
    place = path.absolute().as_posix()
    for reader in REGISTRY:
        if reader is not _LAST and reader.sniff(path, head):
            return reader
    for reader in REGISTRY:
        if reader.place and reader.place in place and b"\0" not in head:
            return reader
    if _LAST.sniff(path, head):
        return _LAST
    if b"\0" in head:
        return BINARY
    return "not a transcript of any known agent"


def find(folder: Path) -> Iterator[Path]:
    """Files under a folder that may be transcripts, sorted. Which of them are, `reader_for` tells."""
    for root, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in _NOT_THERE)
        for name in sorted(files):
            if Path(name).suffix in _SUFFIXES:
                yield Path(root, name)


def default_folders(agent: str, home: Path, env: Mapping[str, str] | None = None) -> list[Path]:
    """Where an agent keeps its transcripts, existing places only."""
    reader = named(agent)
    if reader is None:
        return []
    return [place for place in reader.folders(home, os.environ if env is None else env) if place.exists()]
