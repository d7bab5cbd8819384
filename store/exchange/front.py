"""Front matter of foreign Markdown: a mapping, the text behind it, and the line where that starts."""

from __future__ import annotations

import io
import re
from typing import Any

FRONT_LIMIT = 50_000
_FENCE = re.compile(r"---[ \t]*\r?$", re.MULTILINE)


class BrokenFront(ValueError):
    """Front matter that cannot be read, with its line."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(reason)
        self.line = line
        self.reason = reason


def split_front(text: str, *, lenient: bool = False) -> tuple[dict[str, Any], str, int]:
    """The front matter of a text, the rest, and the 1-based line of the rest. Raises `BrokenFront`.

    Lenient: where it is no YAML (`globs: *.ts`, as editors write it), each `key: value` line is taken as it stands.
    """
    text = text.removeprefix("\ufeff")
    first = _FENCE.match(text)
    if first is None or first.end() == len(text):
        return {}, text, 1
    last = next((mark for mark in _FENCE.finditer(text, first.end() + 1) if text[mark.start() - 1] == "\n"), None)
    if last is None:
        raise BrokenFront(1, "the front matter is opened and never closed")
    source = text[first.end() + 1 : last.start()]
    body = text[last.end() + 1 :]
    line = text.count("\n", 0, last.end()) + 2
    try:
        return _mapping(source), body, line
    except BrokenFront:
        if not lenient:
            raise
        return _plainly(source), body, line


def _mapping(source: str) -> dict[str, Any]:
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    if len(source) > FRONT_LIMIT or max(source.count("["), source.count("{")) > 500:
        raise BrokenFront(2, "the front matter is too large")
    try:
        data = YAML(typ="safe", pure=True).load(io.StringIO(source))
    except YAMLError as fault:
        mark = getattr(fault, "problem_mark", None)
        reason = getattr(fault, "problem", None) or "no valid YAML"
        raise BrokenFront(mark.line + 2 if mark else 2, f"the front matter is no valid YAML ({reason})") from None
    except (RecursionError, ValueError, TypeError, AttributeError):
        raise BrokenFront(2, "the front matter is no valid YAML") from None
    if data is None:
        return {}
    if not isinstance(data, dict):
        raise BrokenFront(2, "the front matter is no mapping of keys")
    return {str(key): value for key, value in data.items()}


def _plainly(source: str) -> dict[str, Any]:
    pairs = (line.partition(":") for line in source.splitlines() if ":" in line and not line.startswith((" ", "#")))
    return {key.strip(): value.strip().strip("'\"") for key, _, value in pairs}


def texts(value: Any) -> list[str]:
    """A value of front matter as a list of text: a list, or one text with commas."""
    if value is None or isinstance(value, bool):
        return []
    values = value if isinstance(value, list) else str(value).split(",")
    return [str(each).strip() for each in values if isinstance(each, (str, int, float)) and str(each).strip()]
