"""Our entries in somebody's settings: put in, found again, taken out. Pure: bytes in, bytes out."""

from __future__ import annotations

import codecs
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from curate.agents.install import edit, toml
from curate.agents.install.command import is_own
from curate.agents.install.faults import BrokenSettings
from curate.agents.install.jsonc import BadJson, parse
from curate.agents.install.pieces import Element, Member, Merged

HOOKS = "hooks"
"""Where all agents keep lists of hooks, one for each event, and the list in a group of them."""
EMPTY = "{}\n"
"""The JSON settings that a missing or empty file stands for."""
TOML = ".toml"
SERVERS = ("mcpServers", "mcp_servers", "mcp")
"""Where agents keep MCP servers, by name."""
OWN_NAME = "curate"
"""Our name among them."""


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
    if file.suffix == TOML:
        return _with_tables(file, before, wanted)
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
    if file.suffix == TOML:
        return _without_tables(file, now, trace)
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
        for place in trace.members if trace else _own_members(root.value):
            if edit.at(parse(text), place) is not None:
                text = edit.cut(text, place)
        if trace is not None:
            text = edit.prune(text, list(trace.made), trace.inner)
        elif touched:
            text = edit.prune(text, [*touched, (HOOKS,)], {})
        parse(text)
    except BadJson as fault:
        raise BrokenSettings(file, fault.line, fault.reason) from None
    return mark + text.encode("utf-8")


def own_entries(file: Path, now: bytes) -> list[tuple[str, Any]]:
    """Our entries as they stand there, each with its event or its place. Raises `BrokenSettings`."""
    value = _value(file, now)
    found = [(".".join(place), _at(value, place)) for place in _own_members(value)]
    for event, groups in _events(value).items():
        for group in groups if isinstance(groups, list) else []:
            if is_own(group):
                found.append((event, group))
            elif isinstance(group, dict) and isinstance(group.get(HOOKS), list):
                found += [(event, group) for entry in group[HOOKS] if is_own(entry)]
    return found


def has_exactly(file: Path, now: bytes, wanted: Merged) -> bool:
    """Whether our entries stand there as they should, and none else of ours. Raises `BrokenSettings`."""
    entries = [(entry.place[-1], entry.value) for entry in wanted.entries if isinstance(entry, Element)]
    entries += [
        (".".join((*entry.place, entry.key)), entry.value) for entry in wanted.entries if isinstance(entry, Member)
    ]
    return sorted(own_entries(file, now), key=repr) == sorted(entries, key=repr)


def read(file: Path, raw: bytes | None) -> tuple[bytes, str]:
    """The byte order mark, if there is one, and the text. Raises `BrokenSettings`."""
    if raw is None or not raw.strip():
        return b"", "" if file.suffix == TOML else EMPTY
    mark = codecs.BOM_UTF8 if raw.startswith(codecs.BOM_UTF8) else b""
    try:
        text = raw[len(mark) :].decode("utf-8")
    except UnicodeDecodeError as fault:
        line = raw.count(b"\n", 0, len(mark) + fault.start) + 1
        raise BrokenSettings(file, line, "not UTF-8; save the file as UTF-8") from None
    return mark, text


def _with_tables(file: Path, before: bytes | None, wanted: Merged) -> tuple[bytes, Trace]:
    mark, text = read(file, before)
    members = [entry for entry in wanted.entries if isinstance(entry, Member)]
    tail: dict[edit.Place, str] = {(): toml.tail_of(text)} if text.strip() else {}
    try:
        for entry in members:
            text = toml.with_table(text, (*entry.place, entry.key), entry.value)
    except toml.BadToml as fault:
        raise BrokenSettings(file, fault.line, fault.reason) from None
    return mark + text.encode("utf-8"), Trace((), tail, tuple((*entry.place, entry.key) for entry in members))


def _without_tables(file: Path, now: bytes, trace: Trace | None) -> bytes:
    mark, text = read(file, now)
    try:
        for place in trace.members if trace else _own_members(toml.parsed(text)):
            text = toml.without_table(text, [str(step) for step in place], trace.inner.get(()) if trace else None)
    except toml.BadToml as fault:
        raise BrokenSettings(file, fault.line, fault.reason) from None
    return mark + text.encode("utf-8")


def _value(file: Path, now: bytes) -> Any:
    _, text = read(file, now)
    try:
        return toml.parsed(text) if file.suffix == TOML else parse(text).value
    except (BadJson, toml.BadToml) as fault:
        raise BrokenSettings(file, fault.line, fault.reason) from None


def _own_members(value: Any) -> list[tuple[str, ...]]:
    """Where servers of ours are named: by our name, and running something of ours."""
    found: list[tuple[str, ...]] = []
    for container in SERVERS:
        server = _at(value, (container, OWN_NAME))
        if isinstance(server, dict) and "curate" in repr(
            [server.get("command"), server.get("args"), server.get("url")]
        ):
            found.append((container, OWN_NAME))
    return found


def _at(value: Any, place: tuple[str, ...]) -> Any:
    for name in place:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _events(value: Any) -> dict[str, Any]:
    hooks = value.get(HOOKS) if isinstance(value, dict) else None
    return hooks if isinstance(hooks, dict) else {}
