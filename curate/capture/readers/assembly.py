"""Turns put together from what a reader recognises, line by line."""

from __future__ import annotations

import hashlib
import posixpath
import re
from collections import Counter
from collections.abc import Callable
from typing import Any

from curate.capture.readers.moments import moment
from curate.capture.readers.tools import Touched, touched
from curate.capture.speech import Speech
from curate.capture.turns import COMMAND_LIMIT, COMMANDS_LIMIT, FILES_LIMIT, PREVIOUS_LIMIT, Item, Position, Skip, Turn
from store.text import clean

_WINDOWS = re.compile(r"[A-Za-z]:[\\/]|\\\\")


class Draft:
    """A turn that is still being read."""

    def __init__(self, turn_id: str, time: str | None, cwd: str | None, line: int, offset: int) -> None:
        self.turn_id = turn_id
        self.time = time
        self.cwd = cwd
        self.line = line
        self.offset = offset
        self.end = offset
        self.words = Speech("")
        self.previous: str | None = None
        self.previous_at: int | None = None
        self.session: str | None = None
        self.branch: str | None = None
        self.read: dict[str, None] = {}
        self.written: dict[str, None] = {}
        self.commands: list[str] = []
        self.calls: dict[str, Touched] = {}
        self.grown = True
        """There is something to report that no earlier reading reported."""

    @property
    def worth_telling(self) -> bool:
        """Somebody spoke, or a command made the agent work, and it has not been told yet."""
        return self.grown and bool(self.words.text or self.written or self.read or self.commands)


class Assembly:
    """Collects what a reader recognises and hands out items. The driver sets `line`, `offset` and `end`."""

    def __init__(self, agent: str, path: str) -> None:
        self.agent = agent
        self.path = path
        self.line = 0
        self.offset = 0
        self.end = 0
        self.session: str | None = None
        self.cwd: str | None = None
        self.branch: str | None = None
        self.previous: str | None = None
        self.said_at: int | None = None
        """Offset of the line with the agent's last words."""
        self.unheard: bytes | None = None
        self.hear: Callable[[bytes], str | None] | None = None
        """The line with those words, while nobody needed them, and what gets them out of it."""
        self.draft: Draft | None = None
        self.out: list[Item] = []
        self.understood = 0
        self.messages = 0
        self.unknown: Counter[str] = Counter()
        self.seen: set[str] = set()
        """Ids of turns given in this reading: a copy inside the file is not given again."""
        self.keep: dict[str, Any] = {}
        """What a format must know of earlier lines, as JSON: it is part of every position."""
        self.pending: Callable[[], None] | None = None
        """A message that a format holds back until it knows whether the next record repeats it."""

    # what a reader says

    def context(self, *, session: Any = None, cwd: Any = None, branch: Any = None) -> None:
        """Note the session, working directory or branch of what follows."""
        if isinstance(session, str) and session:
            self.session = clean(session)
        if isinstance(cwd, str) and cwd:
            self.cwd = clean(cwd)
        if isinstance(branch, str) and branch:
            self.branch = clean(branch)

    def said(self, words: Speech, *, uuid: Any = None, time: Any = None) -> None:
        """The person spoke, or something else did in their role."""
        self.messages += 1
        if words.reason is not None:
            self.skip(words.reason)
            if words.reason != "command":
                return
            # The work that a command starts is its own, not that of what was said before it.
        when = moment(time)
        ident = clean(uuid) if isinstance(uuid, str) and uuid else _ident(self.session, when, words.text)
        if ident in self.seen:
            if words.reason is None:
                self.skip("copy")
            return
        self.close()
        self.seen.add(ident)
        if self.unheard is not None and self.hear is not None:
            self.previous, self.unheard = self.hear(self.unheard) or self.previous, None
        draft = Draft(ident, when, self.cwd, self.line, self.offset)
        draft.words, draft.previous, draft.previous_at = words, self.previous, self.said_at
        draft.session, draft.branch = self.session, self.branch
        self.draft = draft

    def skip(self, reason: str) -> None:
        """A message in the user's role is left out."""
        self.out.append(Skip(reason, self.line))

    def agent_said(self, text: Any) -> None:
        """The agent wrote a text."""
        if isinstance(text, str) and (text := text[-2 * PREVIOUS_LIMIT :].strip()):
            self.previous = clean(text)[-PREVIOUS_LIMIT:]
            self.said_at = self.offset
            self.unheard = None

    def agent_may_have_said(self, line: bytes) -> None:
        """The agent wrote a text; the line is kept and only read when the person answers it."""
        self.messages += 1
        self.unheard = line
        self.said_at = self.offset

    def tool(self, name: Any, arguments: Any, call: Any = None) -> None:
        """The agent called a tool."""
        if isinstance(name, str):
            self.touch(touched(name, arguments), call)

    def touch(self, what: Touched, call: Any = None) -> None:
        """The agent's work read or wrote files, or ran commands."""
        draft = self.draft
        if draft is None or not (what.read or what.written or what.commands):
            return
        if isinstance(call, str) and call in draft.calls:
            return
        draft.end = self.end
        for path in what.read:
            self._add(draft, draft.read, path)
        for path in what.written:
            self._add(draft, draft.written, path)
        for command in what.commands:
            if len(draft.commands) < COMMANDS_LIMIT:
                draft.commands.append(clean(command[:COMMAND_LIMIT]))
                draft.grown = True
        if isinstance(call, str) and len(draft.calls) < FILES_LIMIT:
            draft.calls[call] = what

    def wrote(self, *paths: Any) -> None:
        """The agent's work changed these files."""
        self.touch(Touched(written=tuple(path for path in paths if isinstance(path, str) and path)))

    def failed(self, call: Any) -> None:
        """A tool call did not succeed: what it should have written is not written."""
        draft = self.draft
        if draft is None or not isinstance(call, str) or (what := draft.calls.pop(call, None)) is None:
            return
        kept = {self._full(path) for other in draft.calls.values() for path in other.written}
        for path in what.written:
            if self._full(path) not in kept:
                draft.written.pop(self._full(path), None)

    def settle(self) -> None:
        """Nothing repeats the message that was held back: it counts."""
        pending, self.pending = self.pending, None
        if pending is not None:
            pending()

    def understands(self) -> None:
        """The record is of a known kind."""
        self.understood += 1

    def wonders(self, kind: str) -> None:
        """The record is of a kind that this reader does not know."""
        self.unknown[clean(kind)[:60]] += 1

    # where reading goes on

    def close(self) -> None:
        """The open turn has ended."""
        draft = self.draft
        if draft is not None and draft.worth_telling:
            self.draft = None
            self.out.append(self._turn(draft, self.position(self.offset, self.line - 1), is_open=False))
        self.draft = None

    def finish(self, offset: int, line: int) -> Position:
        """The file has been read: give the open turn as it is, and the place to go on."""
        position = self.position(offset, line)
        if self.draft is not None and self.draft.worth_telling:
            self.out.append(self._turn(self.draft, position, is_open=True))
        return position

    def position(self, offset: int, line: int) -> Position:
        """The place `offset`, with what must be known there of what lies before."""
        known = {"session": self.session, "cwd": self.cwd, "branch": self.branch}
        state: dict[str, Any] = {key: value for key, value in known.items() if value is not None}
        if self.keep:
            state["keep"] = dict(self.keep)
        if self.said_at is not None:
            state["said"] = self.said_at
        if (draft := self.draft) is not None:
            state["turn"] = {
                "id": draft.turn_id,
                "line": draft.line,
                "offset": draft.offset,
                "said": draft.previous_at,
                "read": list(draft.read),
                "written": list(draft.written),
            }
        return Position(offset, line, state)

    def _turn(self, draft: Draft, after: Position, *, is_open: bool) -> Turn:
        return Turn(
            agent=self.agent,
            session=draft.session,
            turn_id=draft.turn_id,
            time=draft.time,
            cwd=draft.cwd,
            text=draft.words.text,
            line=draft.line,
            offset=draft.offset,
            offset_end=draft.end,
            path=self.path,
            previous=draft.previous,
            files_read=tuple(draft.read),
            files_written=tuple(draft.written),
            commands=tuple(draft.commands),
            branch=draft.branch,
            stripped=draft.words.stripped,
            open=is_open,
            after=after,
        )

    def _add(self, draft: Draft, paths: dict[str, None], path: str) -> None:
        full = self._full(path)
        if full not in paths and len(paths) < FILES_LIMIT:
            paths[full] = None
            draft.grown = True

    def _full(self, path: str) -> str:
        """The path as an absolute one, where the working directory is known."""
        path = clean(path)
        if path.startswith(("/", "~")) or _WINDOWS.match(path) or not self.cwd:
            return path
        return posixpath.normpath(posixpath.join(self.cwd, path))


def _ident(session: str | None, time: str | None, text: str) -> str:
    """An id for a message that has none: the same message has the same one again."""
    parts = "\x1f".join((session or "", time or "", text))
    return "t-" + hashlib.sha256(parts.encode("utf-8", "surrogatepass")).hexdigest()[:24]
