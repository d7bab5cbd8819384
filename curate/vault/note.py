"""A note of the vault: its front matter and its body, and changes of our own keys that leave every other byte alone.

YAML is parsed to find where things stand; it is never dumped again, so comments, quotes and order cannot get lost.
"""

from __future__ import annotations

import io
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from store.projection.markers import line_of, newline_of

BOM = "\ufeff"
FENCE = "---"
OUR_KEYS = "curate_"
"""Keys of the front matter that start with this belong to us; every other one belongs to the person."""

_FENCE_LINE = re.compile(r"---[ \t]*\r?$", re.MULTILINE)
_NESTING = 50
FRONT_LIMIT = 50_000
"""Characters of front matter that are read."""


class BrokenNote(ValueError):
    """A note that cannot be read safely, and so is neither suggested nor changed: the line and the reason."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line = line
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Span:
    """Where the value of a key stands in the text, and the value as plain text or a list of it."""

    start: int
    end: int
    value: Any
    plain: bool
    """True for a value on one line that may be replaced."""


@dataclass(frozen=True, slots=True)
class Note:
    """The text of a note without its byte order mark, and what its front matter says."""

    text: str
    bom: bool = False
    opened: int | None = None
    """Where the front matter's YAML starts; None when there is none."""
    closed: int = 0
    """Where the closing fence starts."""
    body: int = 0
    """Where the body starts."""
    keys: Mapping[str, Span] = field(default_factory=dict)

    def get(self, key: str) -> Any:
        """The value of a key: text, a list, a mapping, or None."""
        span = self.keys.get(key)
        return None if span is None else span.value

    def texts(self, *keys: str) -> list[str]:
        """The values of keys that hold text or lists of text, in order, each once."""
        found: dict[str, None] = {}
        for key in keys:
            value = self.get(key)
            for each in value if isinstance(value, list) else [value]:
                if isinstance(each, str) and each.strip():
                    found[each.strip()] = None
        return list(found)

    @property
    def newline(self) -> str:
        """How its lines end."""
        return newline_of(self.text)

    def encode(self) -> bytes:
        """The bytes of the file."""
        return ((BOM if self.bom else "") + self.text).encode("utf-8")


def parse(data: bytes) -> Note:
    """The note in a file's bytes. Raises `BrokenNote`."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as fault:
        raise BrokenNote(data.count(b"\n", 0, fault.start) + 1, "not UTF-8") from None
    bom = text.startswith(BOM)
    return _parsed(text.removeprefix(BOM), bom=bom)


def _parsed(text: str, *, bom: bool) -> Note:
    first = _FENCE_LINE.match(text)
    if first is None or text[first.end() : first.end() + 1] != "\n":
        if first is not None and first.end() == len(text):
            raise BrokenNote(1, "the front matter is opened and never closed")
        return Note(text, bom)
    opened = first.end() + 1
    last = next((mark for mark in _FENCE_LINE.finditer(text, opened) if text[mark.start() - 1] == "\n"), None)
    if last is None:
        raise BrokenNote(1, "the front matter is opened and never closed")
    closed = last.start()
    body = min(last.end() + 1, len(text))
    return Note(text, bom, opened, closed, body, _keys(text, opened, closed))


def with_keys(note: Note, values: Mapping[str, str]) -> Note:
    """The note with these keys of ours set: a value that is there is replaced in its place, a new key comes last.

    Raises `BrokenNote` where that would need more than one line to change.
    """
    text = note.text
    edits: list[tuple[int, int, str]] = []
    fresh = []
    for key, value in values.items():
        assert key.startswith(OUR_KEYS), key
        span = note.keys.get(key)
        if span is None:
            fresh.append(f"{key}: {scalar(value)}{note.newline}")
        elif span.value != value:
            if not span.plain:
                raise BrokenNote(line_of(text, span.start), f"{key} is no text on one line any more")
            gap = "" if text[span.start - 1] == " " else " "
            edits.append((span.start, span.end, gap + scalar(value)))
    if fresh and note.opened is None:
        edits.append((0, 0, "".join([FENCE, note.newline, *fresh, FENCE, note.newline])))
    elif fresh:
        if note.keys and text[note.opened : note.closed].lstrip().startswith("{"):
            raise BrokenNote(2, "the front matter is one braced mapping; write it as lines")
        edits.append((note.closed, note.closed, "".join(fresh)))
    for start, end, told in sorted(edits, reverse=True):
        text = text[:start] + told + text[end:]
    changed = _parsed(text, bom=note.bom)
    kept = {key: span.value for key, span in note.keys.items() if key not in values}
    if kept != {key: span.value for key, span in changed.keys.items() if key not in values}:
        raise BrokenNote(1, "a key of ours cannot be set without changing another")
    return changed


def front_matter(values: Mapping[str, str | list[str]]) -> str:
    """The front matter of a new note, fences included, with plain newlines; valid whatever the values hold."""
    lines = [FENCE]
    for key, value in values.items():
        told = scalar(value) if isinstance(value, str) else "[" + ", ".join(scalar(each) for each in value) + "]"
        lines.append(f"{key}: {told}")
    return "\n".join([*lines, FENCE, ""])


def scalar(value: str) -> str:
    """Text as a YAML value on one line, in quotes where it would mean something else without."""
    if re.fullmatch(r"[A-Za-z][A-Za-z0-9_./-]*(?: [A-Za-z0-9_./-]+)*", value) and value.lower() not in _NOT_TEXT:
        return value
    if re.fullmatch(r"\d{4}-\d\d-\d\d", value):
        return value
    from json import dumps

    return dumps(value, ensure_ascii=False).replace("\x7f", "\\x7f").replace("\x85", "\\x85")


_NOT_TEXT = frozenset("true false yes no on off null y n".split())


def _keys(text: str, opened: int, closed: int) -> dict[str, Span]:
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError
    from ruamel.yaml.nodes import MappingNode, ScalarNode

    source = text[opened:closed]
    if not source.strip():
        return {}
    _check_bounds(text, source, opened)
    try:
        root = YAML(typ="rt", pure=True).compose(io.StringIO(source))
    except YAMLError as fault:
        raise _broken(text, source, opened, fault) from None
    except RecursionError:
        raise BrokenNote(line_of(text, opened), "the front matter is nested too deeply") from None
    except (ValueError, TypeError, AttributeError) as fault:
        raise BrokenNote(line_of(text, opened), f"the front matter cannot be read ({fault})") from None
    if root is None:
        return {}
    if not isinstance(root, MappingNode):
        raise BrokenNote(line_of(text, opened), "the front matter is no mapping of keys")
    found: dict[str, Span] = {}
    for key, value in root.value:
        at = opened + key.start_mark.index
        name = str(key.value) if isinstance(key, ScalarNode) else ""
        if name in found:
            raise BrokenNote(line_of(text, at), f"the key {name} stands there twice")
        start, end = opened + value.start_mark.index, opened + value.end_mark.index
        if start == end:  # no value: it would stand right behind the colon
            start = end = text.index(":", opened + key.end_mark.index) + 1
        plain = isinstance(value, ScalarNode) and value.style not in {"|", ">"} and "\n" not in text[start:end]
        found[name] = Span(start, end, _value(value, text, opened), plain and not value.anchor)
    return found


def _check_bounds(text: str, source: str, opened: int) -> None:
    """Refuse what nobody wrote by hand before the parser takes minutes over it."""
    if len(source) > FRONT_LIMIT:
        raise BrokenNote(line_of(text, opened), f"the front matter is longer than {FRONT_LIMIT:,} characters")
    depth = 0
    for at, char in enumerate(source):
        depth += (char in "[{") - (char in "]}")
        if depth > _NESTING:
            raise BrokenNote(line_of(text, opened + at), "the front matter is nested too deeply")


def _value(node: Any, text: str, opened: int, depth: int = 0) -> Any:
    """A node as text, list or mapping. Dates and numbers stay the text they are written as."""
    from ruamel.yaml.nodes import MappingNode, SequenceNode

    if depth > _NESTING:
        raise BrokenNote(line_of(text, opened + node.start_mark.index), "the front matter is nested too deeply")
    if isinstance(node, SequenceNode):
        return [_value(each, text, opened, depth + 1) for each in node.value]
    if isinstance(node, MappingNode):
        return {str(key.value): _value(value, text, opened, depth + 1) for key, value in node.value}
    plain_null = node.style is None and node.value.lower() in {"", "~", "null"}
    return None if plain_null else str(node.value)


def _broken(text: str, source: str, opened: int, fault: Any) -> BrokenNote:
    mark, opening = getattr(fault, "problem_mark", None), getattr(fault, "context_mark", None)
    if opening is not None and (mark is None or mark.index >= len(source.rstrip())):
        mark = opening  # what was opened and never closed is wrong where it was opened
    position = getattr(fault, "position", None)
    at = mark.index if mark is not None else position if isinstance(position, int) else 0
    reason = str(getattr(fault, "problem", None) or getattr(fault, "reason", None) or "no valid YAML")
    return BrokenNote(line_of(text, opened + at), f"the front matter is no valid YAML ({reason})")
