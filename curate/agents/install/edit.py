"""Members put into the text of JSON settings and taken out again; all else in the text keeps every character.

What is put in follows the text around it: its indentation, its line breaks, whether a list stands on one line.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from curate.agents.install.jsonc import BadJson, Item, Node, parse

Place = tuple[str | int, ...]
"""The way to a value: names of members and numbers of elements."""


class WrongShape(ValueError):
    """Something else stands where an object or a list is needed."""

    def __init__(self, text: str, node: Node, place: Place, wanted: str) -> None:
        self.line = text.count("\n", 0, node.start) + 1
        self.reason = f"{'.'.join(map(str, place)) or 'the whole'} should be {wanted}"
        super().__init__(f"line {self.line}: {self.reason}")


def at(root: Node, place: Place) -> Node | None:
    """The value at a place, if there is one."""
    node = root
    for step in place:
        if isinstance(step, int):
            if node.kind != "array" or not -len(node.items) <= step < len(node.items):
                return None
            node = node.items[step].node
        else:
            item = node.member(step) if node.kind == "object" else None
            if item is None:
                return None
            node = item.node
    return node


def append(text: str, place: Place, value: Any) -> str:
    """Add an element to the list at a place; objects and the list on the way are made where they are missing.

    Raises `BadJson` and `WrongShape`.
    """
    return _put(text, place, [value], lambda text, node: _insert(text, node, None, value))


def put(text: str, place: Place, key: str, value: Any) -> str:
    """Add a member to the object at a place, which has none of that name. Raises `BadJson` and `WrongShape`."""
    return _put(text, place, {key: value}, lambda text, node: _insert(text, node, key, value))


def _put(text: str, place: Place, whole: Any, insert: Callable[[str, Node], str]) -> str:
    node = parse(text)
    kind = "array" if isinstance(whole, list) else "object"
    for depth, step in enumerate(place):
        if node.kind != "object":
            raise WrongShape(text, node, place[:depth], "an object")
        item = node.member(str(step))
        if item is None:
            rest: Any = whole
            for name in reversed(place[depth + 1 :]):
                rest = {name: rest}
            return _insert(text, node, str(step), rest)
        node = item.node
    if node.kind != kind:
        raise WrongShape(text, node, place, "a list" if kind == "array" else "an object")
    return insert(text, node)


def cut(text: str, place: Place) -> str:
    """Take out the member or element at a place, with the comma and the white space that came with it."""
    root = parse(text)
    parent = at(root, place[:-1])
    assert parent is not None
    last = place[-1]
    number = last if isinstance(last, int) else _numbered(parent, last)
    wanted = _without(root, (*place[:-1], number))
    start = parent.items[number].start
    for blank in (_blank_before(text, start), start):
        left = _cut(text, parent, number, blank)
        try:
            if parse(left).value == wanted:
                return left
        except BadJson:
            continue  # a remark up to the end of its line swallowed what follows: keep the line break
    return left


def _numbered(parent: Node, key: str) -> int:
    return max(number for number, item in enumerate(parent.items) if item.key == key)


def _without(node: Node, place: Place) -> Any:
    """The value of a node without what is at the place; names there are numbers already at the end."""
    step, *rest = place
    number = step if isinstance(step, int) else _numbered(node, step)
    kept = [
        (item.key, _without(item.node, tuple(rest)) if rest and each == number else item.node.value)
        for each, item in enumerate(node.items)
        if rest or each != number
    ]
    return [value for _, value in kept] if node.kind == "array" else dict(kept)


def _cut(text: str, parent: Node, number: int, blank: int) -> str:
    """The text without an item and without the white space from `blank` to it."""
    item = parent.items[number]
    end = item.node.end
    if number + 1 < len(parent.items) or (item.comma is not None and number):
        assert item.comma is not None
        return text[:blank] + text[item.comma + 1 :]
    if number:
        comma = parent.items[number - 1].comma
        assert comma is not None
        return text[:comma] + text[comma + 1 : blank] + text[end:]
    end = end if item.comma is None else item.comma + 1
    before = text[:blank]
    inner = text[end : parent.end - 1]
    if not inner.strip():
        inner = "" if before.endswith(("{", "[")) else inner
    return before + inner + text[parent.end - 1 :]


def fill(text: str, place: Place, inner: str) -> str:
    """Set what stands between the brackets of an empty container."""
    node = at(parse(text), place)
    assert node is not None
    return text[: node.start + 1] + inner + text[node.end - 1 :]


def inner_of(text: str, place: Place) -> str | None:
    """What stands between the brackets of the container at a place when nothing is in it; else None."""
    node = at(parse(text), place)
    if node is None or node.kind == "plain" or node.items:
        return None
    return text[node.start + 1 : node.end - 1]


def remove_elements(text: str, place: Place, own: Callable[[Any], bool], within: str | None = None) -> str:
    """Take out of the list at a place each element that is `own`.

    With `within`, an element is a group that keeps a list under that name: own entries of that list go, and groups
    in which nothing else was.
    """
    node = at(parse(text), place)
    if node is None or node.kind != "array":
        return text
    for number in reversed(range(len(node.items))):
        value = node.items[number].node.value
        entries = value.get(within) if within is not None and isinstance(value, dict) else None
        if isinstance(entries, list):
            found = [n for n, entry in enumerate(entries) if own(entry)]
            if found and len(found) == len(entries):
                text = cut(text, (*place, number))
            else:
                for each in reversed(found):
                    text = cut(text, (*place, number, str(within), each))
        elif within is None and own(value):
            text = cut(text, (*place, number))
    return text


def prune(text: str, places: list[Place], inner: Mapping[Place, str]) -> str:
    """Take out the containers that were made for us and are empty now; `inner` says what stood in empty ones that
    were there before.
    """
    for place in sorted(places, key=len, reverse=True):
        if place and inner_of(text, place) is not None:
            text = cut(text, place)
    for place, before in inner.items():
        now = inner_of(text, place)
        if now is not None and now.strip() == before.strip():
            text = fill(text, place, before)
    return text


def _insert(text: str, node: Node, key: str | None, value: Any) -> str:
    unit, line_break = unit_of(text), line_break_of(text)
    if not node.items:
        return _insert_first(text, node, key, value, unit, line_break)
    last = node.items[-1]
    indent = _own_line(text, last)
    if indent is None:
        written = " " + _written(key, value, None, "", "")
        if last.comma is not None:
            return text[: last.comma + 1] + written + "," + text[last.comma + 1 :]
        return text[: last.node.end] + "," + written + text[last.node.end :]
    written = line_break + indent + _written(key, value, unit, indent, line_break)
    end = last.node.end if last.comma is None else last.comma + 1
    rest = _end_of_remark(text, end)
    if last.comma is not None:
        return text[:rest] + written + "," + text[rest:]
    return text[:end] + "," + text[end:rest] + written + text[rest:]


def _insert_first(text: str, node: Node, key: str | None, value: Any, unit: str, line_break: str) -> str:
    inner = text[node.start + 1 : node.end - 1]
    closing = text[node.end - 1 :]
    if "\n" not in text:
        kept = inner.rstrip() + (" " if inner.strip() else "")
        return text[: node.start + 1] + kept + _written(key, value, None, "", "") + closing
    outer = _indent_of_line(text, node.start)
    indent = outer + unit
    written = line_break + indent + _written(key, value, unit, indent, line_break) + line_break + outer
    return text[: node.start + 1] + inner.rstrip() + written + closing


def _written(key: str | None, value: Any, unit: str | None, indent: str, line_break: str) -> str:
    name = "" if key is None else json.dumps(key, ensure_ascii=False) + ": "
    dumped = json.dumps(value, ensure_ascii=False, indent=unit)
    if unit is not None:
        dumped = dumped.replace("\n", line_break + indent)
    return name + dumped


def line_break_of(text: str) -> str:
    """How the lines of a text end."""
    first = text.find("\n")
    return "\r\n" if first > 0 and text[first - 1] == "\r" else "\n"


def unit_of(text: str) -> str:
    """One step of indentation: that of the first member that stands on a line of its own."""
    node = parse(text)
    for item in node.items:
        indent = _own_line(text, item)
        if indent:
            return indent
    return "  "


def _own_line(text: str, item: Item) -> str | None:
    """The white space before an item that begins a line; None when something else does."""
    start = text.rfind("\n", 0, item.start) + 1
    before = text[start : item.start]
    return before if start and not before.strip() else None


def _indent_of_line(text: str, where: int) -> str:
    start = text.rfind("\n", 0, where) + 1
    line = text[start:where]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _blank_before(text: str, where: int) -> int:
    while where and text[where - 1] in " \t\r\n":
        where -= 1
    return where


def _end_of_remark(text: str, where: int) -> int:
    """Past a comment on the same line, so that it stays with what it speaks of."""
    found = where
    while where < len(text):
        if text[where] in " \t":
            where += 1
        elif text.startswith("//", where):
            end = text.find("\n", where)
            end = len(text) if end < 0 else end
            return end - 1 if text[end - 1 : end] == "\r" else end
        elif text.startswith("/*", where):
            end = text.find("*/", where + 2) + 2
            if "\n" in text[where:end]:
                return found
            where = found = end
        else:
            return found
    return found
