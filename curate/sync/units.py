"""What is new in the logs told apart into commits: one for what was captured, one for each patch, one for the rest.

Pure. Every commit is a store by itself: a file in it holds the lines of all commits up to it, in the file's order.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from curate.sync import message
from curate.sync.carried import Kind, kind_of
from store import layout
from store.log.merge import joined
from store.log.parse import NotALine, parse
from store.log.patches import PREFIX

_HEAD = re.compile(rb'\{"schema":"[\d.]+","id":"[^"\\]+","rev":\d+(?P<rest>[^{]*?)(?:,"op":)')
_PATCH = re.compile(rb'"patch":"([^"\\]+)"')
MOST_BYTES = 1_000_000_000
"""Bytes that the commits of one sync may write for git to compress; with more, patches share a commit."""
MOST_PATCHES = 2_000

Files = dict[str, bytes | None]


@dataclass(slots=True)
class Unit:
    """One commit: its message, its moment, and what files hold after it; None for a file that is gone."""

    message: str
    at: str
    files: Files = field(default_factory=dict)
    patches: int = 0


def split(before: Mapping[str, bytes], after: Mapping[str, bytes | None], *, journal: bool, at: str) -> list[Unit]:
    """The commits that lead from one content of files to another. Only files that differ are given."""
    logs = {name: raw for name, raw in after.items() if raw is not None and _is_log(name, journal=journal)}
    rest: Files = {name: raw for name, raw in after.items() if name not in logs}
    owners = {name: _owners(name, before.get(name, b""), raw) for name, raw in logs.items()}
    patches = _patches(logs, owners)
    steps: list[list[str]] = _grouped(patches, logs, owners)
    captured = {owner for lines in owners.values() for owner in lines.values()} - {"", *patches}
    units = []
    done: set[str] = {"", *captured}
    if any(owner in captured for lines in owners.values() for owner in lines.values()):
        lost = [name for name in logs if _lost(before.get(name, b""), owners[name])]
        said = (
            message.whole(f"Rewrite {len(lost)} file{'' if len(lost) == 1 else 's'}", lost)
            if lost
            else _captured(owners, captured)
        )
        units.append(Unit(said, at, _up_to(logs, owners, done, captured)))
    for step in steps:
        done |= set(step)
        lines = [patches[ident] for ident in step]
        said = message.of_patch(lines[0]) if len(step) == 1 else _several(lines)
        units.append(Unit(said, str(lines[-1]["at"]), _up_to(logs, owners, done, set(step)), len(step)))
    left = {name: raw for name, raw in logs.items() if not any(name in unit.files for unit in units)}
    if rest or left:
        units.append(Unit(_others({**rest, **left}), at, {**rest, **left}))
    if units:  # whatever could not be told apart: at the end every file is as it is
        for name, raw in logs.items():
            last = next(unit for unit in reversed(units) if name in unit.files)
            last.files[name] = raw
    return units


def _lost(before: bytes, after: Mapping[bytes, str]) -> bool:
    """Whether lines are gone: words were purged, or somebody took lines out."""
    return any(line and line not in after for line in before.split(b"\n"))


def _is_log(name: str, *, journal: bool) -> bool:
    kind: Kind = kind_of(name, journal=journal)
    return kind == "log" and not name.startswith(("journal/", "knowledge/"))


def _owners(name: str, before: bytes, after: bytes) -> dict[bytes, str]:
    """Whose each line is: a patch's by its id, `captured`, or nobody's (empty) when it was there before."""
    known = set(before.split(b"\n"))
    found: dict[bytes, str] = {}
    for line in after.split(b"\n"):
        if not line:
            continue
        if line in known:
            found[line] = ""
        elif name.startswith(f"{layout.PATCHES}/"):
            head = PREFIX.match(line)
            found[line] = head[1].decode("utf-8", "replace") if head else "captured"
        else:
            head = _HEAD.match(line)
            patch = _PATCH.search(head["rest"]) if head else None
            found[line] = patch[1].decode("utf-8", "replace") if patch else "captured"
    return found


def _patches(logs: Mapping[str, bytes], owners: Mapping[str, Mapping[bytes, str]]) -> dict[str, dict[str, Any]]:
    """The newest `applying` line of each patch that is new, by its id, in the order of time."""
    found: dict[str, dict[str, Any]] = {}
    for name in logs:
        if not name.startswith(f"{layout.PATCHES}/"):
            continue
        for line, owner in owners[name].items():
            if owner and (head := PREFIX.match(line)) and head[2] == b"applying":
                try:
                    data = parse(line, _NOWHERE, 0)
                except NotALine:
                    continue
                if owner not in found or found[owner]["at"] < data["at"]:
                    found[owner] = data
    return dict(sorted(found.items(), key=lambda item: (str(item[1]["at"]), item[0])))


def _grouped(
    patches: Mapping[str, Any], logs: Mapping[str, bytes], owners: Mapping[str, Mapping[bytes, str]]
) -> list[list[str]]:
    """The patches in steps: each by itself, unless git would have to write too much."""
    touched = dict.fromkeys(patches, 0)
    for name, lines in owners.items():
        for owner in set(lines.values()):
            if owner in touched:
                touched[owner] += len(logs[name])
    total = sum(touched.values())
    size = max(-(-total // MOST_BYTES), -(-len(patches) // MOST_PATCHES), 1)
    order = list(patches)
    return [order[start : start + size] for start in range(0, len(order), size)]


def _up_to(
    logs: Mapping[str, bytes], owners: Mapping[str, Mapping[bytes, str]], done: set[str], fresh: set[str]
) -> Files:
    """The files that have lines of what is fresh, with all lines of what is done."""
    found: Files = {}
    for name, lines in owners.items():
        if not fresh.isdisjoint(lines.values()):
            found[name] = joined(line for line in logs[name].split(b"\n") if line and lines[line] in done)
    return found


def _captured(owners: Mapping[str, Mapping[bytes, str]], captured: set[str]) -> str:
    def new(name: str) -> int:
        return sum(owner in captured for owner in owners.get(name, {}).values())

    told = [
        f"{number} {word if number == 1 else word + 's'}"
        for name, word in ((layout.CANDIDATES, "candidate line"), (layout.EVIDENCE, "piece of evidence"))
        if (number := new(name))
    ]
    others = sorted(name for name in owners if new(name) and name not in (layout.CANDIDATES, layout.EVIDENCE))
    return message.whole(f"Capture {' and '.join(told)}".replace("piece of evidences", "pieces of evidence")
                         if told else "Take in new lines", [*others])  # fmt: skip


def _several(lines: list[dict[str, Any]]) -> str:
    subject = f"Apply {len(lines)} patches"
    return message.whole(subject, (), [("Curate-Patch", str(line["patch_id"])) for line in lines])


def _others(files: Mapping[str, bytes | None]) -> str:
    names = sorted(files)
    subject = f"Keep {names[0]}" if len(names) == 1 else f"Keep {len(names)} files"
    return message.whole(subject[:72], names[:50] if len(names) > 1 else ())


class _Nowhere:
    """Stands for the path of lines that are in no file yet."""

    def __str__(self) -> str:
        return "a patch log"


_NOWHERE: Any = _Nowhere()
