"""Aider's chat history: Markdown in which `#### ` lines are the person's, `> ` lines the program's."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Mapping
from pathlib import Path

from curate.capture.readers.assembly import Assembly
from curate.capture.readers.markdown import TextLine, text_lines
from curate.capture.speech import speech
from curate.capture.turns import START, Bad, End, Growth, Item, Position, Unknown

_STARTED = re.compile(r"# aider chat started at (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)")
_APPLIED = re.compile(r"> (?:Applied edit to|Creating empty file) (\S.*?)\s*$")
_RAN = re.compile(r"> (?:Running|Ran) (\S.*?)\s*$")
_USER = "#### "


class Aider:
    """Reads `.aider.chat.history.md`, one file for all sessions in a repository."""

    agent = "aider"
    growth: Growth = "append"
    place = "/.aider.chat.history.md"

    def sniff(self, path: Path, head: bytes) -> bool:
        """Whether the file says when a chat started."""
        return b"# aider chat started at" in head[:4096] or path.name == ".aider.chat.history.md"

    def read(self, path: Path, start: Position = START) -> Iterator[Item]:
        """All items behind `start`."""
        return _Reading(path, start).items()

    def folders(self, home: Path, env: Mapping[str, str]) -> list[Path]:
        """The history of the folder that one stands in; `AIDER_CHAT_HISTORY_FILE` names another."""
        del home
        if env.get("AIDER_CHAT_HISTORY_FILE"):
            return [Path(env["AIDER_CHAT_HISTORY_FILE"])]
        return [Path(env["PWD"]) / ".aider.chat.history.md"] if env.get("PWD") else []


class _Reading:
    """One pass over a history."""

    def __init__(self, path: Path, start: Position) -> None:
        self.path = path
        self.start = start
        self.turns = Assembly(Aider.agent, str(path))
        self.turns.context(session=start.state.get("session"), cwd=str(path.absolute().parent))
        self.time = start.state.get("time")
        self.first: TextLine | None = None
        self.words: list[str] = []
        self.tail: deque[str] = deque(maxlen=40)
        self.records = 0
        self.open: Position | None = None

    def items(self) -> Iterator[Item]:
        for line in text_lines(self.path, self.start):
            if isinstance(line, Bad):
                yield line
                continue
            self._line(line)
            yield from self._drained()
        self._said()
        turns = self.turns
        size = self.path.stat().st_size
        turns.finish(size, 0)
        yield from self._drained()
        if not self.records and not self.start.offset:
            yield Unknown(1, 0, {"no chat": 1})
        yield End(self.open or self.start, self.records, self.records, turns.messages)

    def _drained(self) -> Iterator[Item]:
        out, self.turns.out = self.turns.out, []
        yield from out

    def _line(self, line: TextLine) -> None:
        text = line.text
        if text.startswith(_USER) or text.rstrip() == "####":
            if self.first is None:
                self.turns.agent_said("\n".join(self.tail).strip())
                self.tail.clear()
                self.first = line
            self.words.append(text[5:].rstrip())
            return
        self._said()
        self.turns.end = line.end
        if found := _STARTED.match(text):
            self.records += 1
            self.time = found[1]
            self.turns.previous = None
            self.turns.context(session=f"aider {found[1]}")
            self.tail.clear()
        elif text.startswith(">"):
            if found := _APPLIED.match(text):
                self.turns.wrote(found[1])
            elif found := _RAN.match(text):
                self.turns.tool("bash", {"command": found[1]})
        else:
            self.tail.append(text)

    def _said(self) -> None:
        first, self.first = self.first, None
        if first is None:
            return
        self.records += 1
        turns = self.turns
        turns.line, turns.offset, turns.end = first.number, first.offset, first.end
        text, self.words = "\n".join(self.words), []
        before = turns.draft
        turns.said(speech(text), time=self.time)
        if turns.draft is not before:
            state = {"session": turns.session, "time": self.time}
            self.open = Position(first.offset, first.number - 1, {k: v for k, v in state.items() if v})
