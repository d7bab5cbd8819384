"""JSON as people write it into settings (comments, trailing commas), read with the place of everything in the text.

Places are what editing needs: a change is then a few characters put in or cut out, and the rest keeps every byte.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any, Literal

DEEPEST = 100
"""Levels of nesting; settings have a dozen."""

_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_WORD = re.compile(r"true|false|null")
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"')
_SPACE = " \t\r\n"


class BadJson(ValueError):
    """A text that is no JSON, with the line where reading ended."""

    def __init__(self, text: str, at: int, reason: str) -> None:
        self.line = text.count("\n", 0, at) + 1
        self.column = at - (text.rfind("\n", 0, at) + 1) + 1
        self.reason = reason
        super().__init__(f"line {self.line}, column {self.column}: {reason}")


@dataclass(slots=True)
class Node:
    """A value and where it stands: `text[start:end]`."""

    kind: Literal["object", "array", "plain"]
    start: int
    end: int
    value: Any
    """What a JSON reader makes of it."""
    items: list[Item] = field(default_factory=list)

    def member(self, key: str) -> Item | None:
        """The member of that name; of several the last, as readers of JSON take it."""
        return next((item for item in reversed(self.items) if item.key == key), None)


@dataclass(slots=True)
class Item:
    """A member of an object or an element of an array."""

    start: int
    """Where its key, or the element, begins."""
    node: Node
    key: str | None = None
    comma: int | None = None
    """Where the comma after it stands, if there is one."""


def parse(text: str) -> Node:
    """The value that a text holds. Raises `BadJson`."""
    reader = _Reader(text)
    node = reader.value(reader.skip(0), 0)
    end = reader.skip(node.end)
    if end != len(text):
        raise BadJson(text, end, "something follows the end of the settings")
    return node


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text

    def skip(self, at: int) -> int:
        """Past white space and comments."""
        text = self.text
        while at < len(text):
            if text[at] in _SPACE:
                at += 1
            elif text.startswith("//", at):
                end = text.find("\n", at)
                at = len(text) if end < 0 else end
            elif text.startswith("/*", at):
                end = text.find("*/", at + 2)
                if end < 0:
                    raise BadJson(text, at, "a comment that is never closed")
                at = end + 2
            else:
                break
        return at

    def value(self, at: int, depth: int) -> Node:
        text = self.text
        if depth > DEEPEST:
            raise BadJson(text, at, "nested too deeply")
        if at >= len(text):
            raise BadJson(text, at, "the text ends where a value should be")
        first = text[at]
        if first == "{":
            return self._container(at, depth, "object")
        if first == "[":
            return self._container(at, depth, "array")
        if first == '"':
            end, string = self._string(at)
            return Node("plain", at, end, string)
        match = _WORD.match(text, at) or _NUMBER.match(text, at)
        if match is None:
            raise BadJson(text, at, f"a value should be here, not {first!r}")
        return Node("plain", at, match.end(), json.loads(match[0]))

    def _string(self, at: int) -> tuple[int, str]:
        match = _STRING.match(self.text, at)
        if match is None:
            raise BadJson(self.text, at, "a text that is never closed, or has a line break in it")
        try:
            return match.end(), json.loads(match[0])
        except ValueError:
            raise BadJson(self.text, at, "a backslash before a character that needs none") from None

    def _container(self, start: int, depth: int, kind: Literal["object", "array"]) -> Node:
        text = self.text
        closing = "}" if kind == "object" else "]"
        items: list[Item] = []
        at = self.skip(start + 1)
        while True:
            if at >= len(text):
                raise BadJson(text, start, f"{text[start]!r} is never closed")
            if text[at] == closing:
                break
            if items and items[-1].comma is None:
                raise BadJson(text, at, "a comma is missing before this")
            item = self._item(at, depth, kind)
            at = self.skip(item.node.end)
            if at < len(text) and text[at] == ",":
                item.comma = at
                at = self.skip(at + 1)
            items.append(item)
        value: Any = [item.node.value for item in items]
        if kind == "object":
            value = {item.key: item.node.value for item in items}
        return Node(kind, start, at + 1, value, items)

    def _item(self, at: int, depth: int, kind: str) -> Item:
        if kind == "array":
            return Item(at, self.value(at, depth + 1))
        if self.text[at] != '"':
            raise BadJson(self.text, at, "a name in double quotes should be here")
        end, key = self._string(at)
        colon = self.skip(end)
        if not self.text.startswith(":", colon):
            raise BadJson(self.text, min(colon, len(self.text)), "a colon is missing after the name")
        return Item(at, self.value(self.skip(colon + 1), depth + 1), key)
