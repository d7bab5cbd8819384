"""Our entries in somebody's settings: put in, found again, taken out. Pure: bytes in, bytes out."""

from __future__ import annotations

import codecs
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from curate.agents.install import edit
from curate.agents.install.command import is_own
from curate.agents.install.faults import BrokenSettings
from curate.agents.install.jsonc import BadJson, parse
from curate.agents.install.pieces import Element, Member, Merged

HOOKS = "hooks"
"""Where all agents keep lists of hooks, one for each event, and the list in a group of them."""
EMPTY = "{}\n"
"""The settings that a missing or empty file stands for."""


@dataclass(frozen=True, slots=True)
class Trace:
    """What to know for taking entries out again so that every byte is as before."""

    made: tuple[edit.Place, ...] = ()
    """Containers that were not there."""
    inner: dict[edit.Place, str] = field(default_factory=dict)
    """What stood between the brackets of containers that were there and empty."""
    members: tuple[edit.Place, ...] = ()
    """Members that are ours."""


def with_entries(file: Path, before: bytes | None, wanted: Merged) -> tuple[bytes, Trace]:
    """The settings with our entries, and what was there. Raises `BrokenSettings`."""
    mark, text = read(file, before)
    made: list[edit.Place] = []
    inner: dict[edit.Place, str] = {}
    try:
        root = parse(text)
        for entry in wanted.entries:
            for depth in range(len(entry.place) + 1):
                place = entry.place[:depth]
                if place in made or place in inner:
                    continue
                if edit.at(root, place) is None:
                    made.append(place)
                elif (space := edit.inner_of(text, place)) is not None:
                    inner[place] = space
        for entry in wanted.entries:
            if isinstance(entry, Element):
                text = edit.append(text, entry.place, entry.value)
            else:
                text = edit.put(text, entry.place, entry.key, entry.value)
        parse(text)
    except (BadJson, edit.WrongShape) as fault:
        raise BrokenSettings(file, fault.line, fault.reason) from None
    members = tuple((*entry.place, entry.key) for entry in wanted.entries if isinstance(entry, Member))
    return mark + text.encode("utf-8"), Trace(tuple(made), inner, members)


def without_entries(file: Path, now: bytes, trace: Trace | None) -> bytes:
    """The settings without any entry of ours; without a trace, containers that end up empty go too.

    Raises `BrokenSettings`.
    """
    mark, text = read(file, now)
    try:
        root = parse(text)
        touched: list[edit.Place] = []
        for event in _events(root.value):
            shorter = edit.remove_elements(text, (HOOKS, event), is_own, within=HOOKS)
            shorter = edit.remove_elements(shorter, (HOOKS, event), is_own)
            if shorter != text:
                touched += [(HOOKS, event)]
                text = shorter
        for place in trace.members if trace else ():
            if edit.at(parse(text), place) is not None:
                text = edit.cut(text, place)
        if trace is not None:
            return mark + edit.prune(text, list(trace.made), trace.inner).encode("utf-8")
        if touched:
            text = edit.prune(text, [*touched, (HOOKS,)], {})
    except BadJson as fault:
        raise BrokenSettings(file, fault.line, fault.reason) from None
    return mark + text.encode("utf-8")


def own_entries(file: Path, now: bytes) -> list[tuple[str, Any]]:
    """Our entries as they stand there, each with its event. Raises `BrokenSettings`."""
    _, text = read(file, now)
    try:
        value = parse(text).value
    except BadJson as fault:
        raise BrokenSettings(file, fault.line, fault.reason) from None
    found = []
    for event, groups in _events(value).items():
        for group in groups if isinstance(groups, list) else []:
            if is_own(group):
                found.append((event, group))
            elif isinstance(group, dict) and isinstance(group.get(HOOKS), list):
                found += [(event, group) for entry in group[HOOKS] if is_own(entry)]
    return found


def has_exactly(file: Path, now: bytes, wanted: Merged) -> bool:
    """Whether our entries stand there as they should, and none else of ours. Raises `BrokenSettings`."""
    elements = [(entry.place[-1], entry.value) for entry in wanted.entries if isinstance(entry, Element)]
    if sorted(own_entries(file, now), key=repr) != sorted(elements, key=repr):
        return False
    root = parse(read(file, now)[1])
    members = [entry for entry in wanted.entries if isinstance(entry, Member)]
    found = [(entry, edit.at(root, (*entry.place, entry.key))) for entry in members]
    return all(node is not None and node.value == entry.value for entry, node in found)


def read(file: Path, raw: bytes | None) -> tuple[bytes, str]:
    """The byte order mark, if there is one, and the text. Raises `BrokenSettings`."""
    if raw is None or not raw.strip():
        return b"", EMPTY
    mark = codecs.BOM_UTF8 if raw.startswith(codecs.BOM_UTF8) else b""
    try:
        text = raw[len(mark) :].decode("utf-8")
    except UnicodeDecodeError as fault:
        line = raw.count(b"\n", 0, len(mark) + fault.start) + 1
        raise BrokenSettings(file, line, "not UTF-8; save the file as UTF-8") from None
    return mark, text


def _events(value: Any) -> dict[str, Any]:
    hooks = value.get(HOOKS) if isinstance(value, dict) else None
    return hooks if isinstance(hooks, dict) else {}
