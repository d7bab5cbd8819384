"""The one loop that all JSONL transcripts are read by: places, broken lines, unknown records, reading on."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Protocol

from curate.capture.readers.assembly import Assembly, Draft
from curate.capture.readers.lines import LINE_LIMIT, Line, line_at, read_lines
from curate.capture.turns import START, Bad, End, Item, Position, Skip, Unknown

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PARSE = ""
"""A glance was not enough: the record must be read."""

LATER = "+"
"""A record that holds nothing but what the agent said: it is read if the person speaks next."""

IGNORE = "-"
"""A record that is known and holds nothing of interest."""


_decode = json.JSONDecoder().raw_decode
"""Reads a value, without the steps of `json.loads` around it, which take as long for a short line."""

_SHORT = 2048
"""Bytes up to which a line's braces are counted; a longer one that was cut short hardly ever ends in one."""


class Format(Protocol):
    """What the loop asks of a JSONL format."""

    agent: str

    def glance(self, line: bytes) -> str:
        """`PARSE`, `IGNORE`, or the reason why the message is skipped, from bytes, without parsing."""
        ...

    def record(self, data: dict[str, Any], turns: Assembly) -> None:
        """Tell the assembly what a record says."""
        ...

    def session_of(self, path: Path) -> str | None:
        """The session that the file's name tells, for files whose records do not."""
        ...


def read(form: Format, path: Path, start: Position = START) -> Iterator[Item]:
    """All items of a JSONL transcript behind `start`."""
    turns = _resume(form, path, start)
    offset, number, records = start.offset, start.line, 0
    for line in read_lines(path, start.offset, start.line):
        if not line.data or line.data.isspace():
            if line.ended:
                offset, number = line.end, line.number
            continue
        _, turns.line, turns.offset, turns.end, _, _ = line
        problem = _take(form, line, turns)
        if problem and not line.ended:
            # A half-written last line: it is read again when it is whole.
            yield Skip("unfinished_line", line.number)
            break
        records += 1
        offset, number = line.end, line.number
        if turns.out:
            yield from turns.out
            turns.out.clear()
        if problem:
            yield Bad(line.number, line.offset, problem)
    turns.line, turns.offset, turns.end = number + 1, offset, offset
    turns.settle()
    position = turns.finish(offset, number)
    yield from turns.out
    if turns.unknown:
        yield Unknown(records, turns.understood, dict(turns.unknown))
    yield End(position, records, turns.understood, turns.messages)


def parse(data: bytes) -> dict[str, Any] | str:
    """The object of a line, or why there is none."""
    try:
        text = data.decode("utf-8")
        found, end = _decode(text) if text.startswith("{") else (None, 0)
        if end != len(text):
            found = json.loads(text)  # with white space around it, or for the reason why not
    except UnicodeDecodeError:
        return "not UTF-8"
    except json.JSONDecodeError as fault:
        return f"not JSON: {fault.msg} at column {fault.colno}"
    except RecursionError:
        return "nested too deeply"
    except ValueError:
        return "not JSON: a number is too long"
    return found if isinstance(found, dict) else "not a JSON object"


def _take(form: Format, line: Line, turns: Assembly) -> str | None:
    """Read one line; the reason why that is not possible."""
    data = line.data
    cut = line.size > len(data)
    if cut or _looks_whole(data):
        seen = form.glance(data)
        if seen != PARSE:
            turns.understood += 1
            if seen == LATER:
                turns.agent_may_have_said(data)
            elif seen != IGNORE:
                turns.messages += 1
                turns.skip(seen)
            return None
    if cut:
        return f"a line of {line.size // 1_000_000} MB; at most {LINE_LIMIT // 1_000_000} MB are read"
    found = parse(data)
    if isinstance(found, str):
        return found
    form.record(found, turns)
    return None


def _looks_whole(data: bytes) -> bool:
    """Whether a line may be judged by its first bytes: one that was cut short is parsed, and found broken."""
    return (
        data.startswith(b"{")
        and data.endswith((b"}", b"}\r"))
        and (len(data) > _SHORT or data.count(b"{") == data.count(b"}"))
    )


def _resume(form: Format, path: Path, start: Position) -> Assembly:
    """An assembly as it was at `start`. The words it needs are read again from their lines, never kept elsewhere."""
    turns = Assembly(form.agent, str(path))
    turns.hear = lambda line: _said(form, line)
    state = start.state
    keep = state.get("keep")
    turns.keep = dict(keep) if isinstance(keep, dict) else {}
    turns.context(
        session=state.get("session") or form.session_of(path), cwd=state.get("cwd"), branch=state.get("branch")
    )
    if isinstance(said := state.get("said"), int):
        turns.previous = _replay(form, path, said, turns).previous
        turns.said_at = said
    if isinstance(turn := state.get("turn"), dict) and isinstance(turn.get("offset"), int):
        draft = _replay(form, path, turn["offset"], turns).draft
        if draft is not None and draft.turn_id == turn.get("id"):
            turns.draft = _restored(draft, turn)
            if isinstance(said := turn.get("said"), int):
                draft.previous, draft.previous_at = _replay(form, path, said, turns).previous, said
            turns.seen.add(draft.turn_id)
    return turns


def _said(form: Format, line: bytes) -> str | None:
    """What the agent says in a line that was put off."""
    alone = Assembly(form.agent, "")
    if isinstance(found := parse(line), dict):
        form.record(found, alone)
    return alone.previous


def _replay(form: Format, path: Path, offset: int, turns: Assembly) -> Assembly:
    """What the single line at `offset` says."""
    alone = Assembly(form.agent, turns.path)
    alone.context(session=turns.session, cwd=turns.cwd, branch=turns.branch)
    alone.keep = dict(turns.keep)
    alone.offset = offset
    data = line_at(path, offset)
    if data and isinstance(found := parse(data), dict):
        form.record(found, alone)
        alone.settle()
    return alone


def _restored(draft: Draft, turn: dict[str, Any]) -> Draft:
    draft.line = int(turn.get("line", 0))
    draft.read = dict.fromkeys(path for path in turn.get("read", ()) if isinstance(path, str))
    draft.written = dict.fromkeys(path for path in turn.get("written", ()) if isinstance(path, str))
    draft.grown = False
    return draft
