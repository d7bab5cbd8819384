"""A table of ours at the end of TOML settings, and out again; every other character stays.

Written as text and read back by the standard library's parser: what comes out must say exactly what was there and what
was asked for, or nothing is written. (A library that rewrites documents would do for this, and mixes line ends.)
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Sequence
from typing import Any

from curate.agents.install.edit import line_break_of

_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_HEADER = re.compile(r"^[ \t]*\[")
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_AT = re.compile(r"at line (\d+)")


class BadToml(ValueError):
    """A text that is no TOML, or has no place for our table."""

    def __init__(self, line: int, reason: str) -> None:
        self.line = line
        self.reason = reason
        super().__init__(f"line {line}: {reason}")


def parsed(text: str) -> dict[str, Any]:
    """What the settings say. Raises `BadToml`."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as fault:
        where = _AT.search(str(fault))
        line = int(where[1]) if where else text.count("\n") + 1
        raise BadToml(line, re.sub(r" \(at .*", "", str(fault)).lower()) from None
    except RecursionError:
        raise BadToml(1, "nested too deeply") from None


def with_table(text: str, place: Sequence[str], values: dict[str, Any]) -> str:
    """The settings with a table at the place, where there is none. Raises `BadToml`."""
    before = parsed(text)
    line_break = line_break_of(text) if text else "\n"
    lines = [f"[{'.'.join(map(_key, place))}]", *(f"{_key(key)} = {_value(value)}" for key, value in values.items())]
    body = text.rstrip("\r\n")
    after = (body + 2 * line_break if body else "") + line_break.join(lines) + line_break
    _insist(after, (_put(before, place, values),), text, "is written in a way that leaves no place for a table of ours")
    return after


def without_table(text: str, place: Sequence[str], tail: str | None = None) -> str:
    """The settings without the table at the place; `tail` is the line ends that closed the text before it was put in.

    Raises `BadToml`.
    """
    before = parsed(text)
    if _at(before, place) is None:
        return text
    lines = _LINE.findall(text)
    heads = [number for number, line in enumerate(lines) if _HEADER.match(line)]
    kept = list(lines)
    for head, following in reversed(list(zip(heads, [*heads[1:], len(lines)], strict=True))):
        if not _is_ours(lines[head], place):
            continue
        # Blank lines and remarks before the next table belong to that; the blank line above sets ours apart.
        end = following
        while end > head + 1 and (not lines[end - 1].strip() or lines[end - 1].lstrip().startswith("#")):
            end -= 1
        start = head - 1 if head and not lines[head - 1].strip() else head
        if not "".join(kept[end:]).strip() and tail is not None:
            kept = ["".join(kept[:start]).rstrip("\r\n"), tail]
        else:
            kept = kept[:start] + kept[end:]
    after = "".join(kept)
    left = (_drop(before, place, bare=True), _drop(before, place, bare=False))
    _insist(after, left, text, "cannot be taken out; remove our table by hand")
    return after


def tail_of(text: str) -> str:
    """The line ends that close a text."""
    return text[len(text.rstrip("\r\n")) :]


def _is_ours(header: str, place: Sequence[str]) -> bool:
    """Whether a header is that of our table or of one within."""
    try:
        value: Any = tomllib.loads(header)
    except (tomllib.TOMLDecodeError, RecursionError):
        return False
    for name in place:
        if not isinstance(value, dict) or set(value) != {name}:
            return False
        value = value[name]
    return True


def _insist(text: str, wanted: Sequence[dict[str, Any]], before: str, reason: str) -> None:
    """Raise unless the text says one of these."""
    try:
        found: dict[str, Any] | None = parsed(text)
    except BadToml:
        found = None
    if found not in wanted:
        raise BadToml(before.count("\n") + 1, reason)


def _at(value: Any, place: Sequence[str]) -> Any:
    for name in place:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _put(value: Any, place: Sequence[str], inner: Any) -> dict[str, Any]:
    name, *rest = place
    old = value if isinstance(value, dict) else {}
    return {**old, name: _put(old.get(name, {}), rest, inner) if rest else inner}


def _drop(value: dict[str, Any], place: Sequence[str], *, bare: bool) -> dict[str, Any]:
    """The value without what is at the place; `bare` without containers that end up empty, too."""
    name, *rest = place
    if not rest:
        return {key: each for key, each in value.items() if key != name}
    inner = _drop(value[name], rest, bare=bare)
    return {key: inner if key == name else each for key, each in value.items() if key != name or inner or not bare}


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else _value(name)


def _value(value: Any) -> str:
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, list):
        return f"[{', '.join(map(_value, value))}]"
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{_key(key)} = {_value(each)}' for key, each in value.items())} }}"
    return json.dumps(value)
