"""What was really sent: one line for each turn, silent ones too, in `journal/<session>.jsonl`.

A line keeps the block as sent, its entries, the trace and the identifiers of the message, never the message. Replay
shows the line; it never asks the index what it would send today.
"""

from __future__ import annotations

import os

from curate.recall.plainjson import dumps, loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from curate.recall.planned import Plan

FOLDER = "journal"
SCHEMA = "1.0"
KEPT_DAYS = 14
NAME_LIMIT = 80
_TAIL = 256 * 1024
_HEAD = f'{{"schema":"{SCHEMA}","turn":'


def write(root: str, plan: Plan, *, session: str, agent: str, at: str, more: dict[str, Any] | None = None) -> int:
    """Append what one turn got, and `more` that its channel wants to keep of it; gives its ordinal in the session,
    which goes on after a restart. Raises OSError.
    """
    path = path_of(root, session)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "ab+", buffering=0) as file:
        turn, whole = _last(file)
        kept = dumps(_kept(plan, session, agent, at) | (more or {}))
        line = f"{_HEAD}{turn + 1},{kept[1:]}\n".encode("utf-8", "replace")
        raw = line if whole else b"\n" + line  # a crash cut the last line off
        if file.write(raw) != len(raw):
            raise OSError("the journal could not be written whole")
    return turn + 1


def turns(root: str, session: str) -> list[dict[str, Any]]:
    """The turns of a session as they were sent, oldest first; lines that cannot be read are left out."""
    found = []
    for line in _lines(path_of(root, session)):
        try:
            value = loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict) and isinstance(value.get("turn"), int):
            found.append(_sound(value))
    return found


def _sound(line: dict[str, Any]) -> dict[str, Any]:
    """The line with what every reader relies on: whoever edits a journal by hand breaks that turn and no command."""
    for name in ("entries", "traces"):
        if name in line:
            items = line[name]
            line[name] = [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []
    for name in ("at", "agent", "session", "project", "block", "layout"):
        if not isinstance(line.get(name, ""), str):
            line[name] = None
    return line


def sessions(root: str) -> list[str]:
    """Names of the sessions there are lines of, the one written to last at the end."""
    folder = os.path.join(root, FOLDER)
    try:
        with os.scandir(folder) as entries:
            found = [(entry.stat().st_mtime_ns, entry.name) for entry in entries if entry.name.endswith(".jsonl")]
    except OSError:
        return []
    return [name.removesuffix(".jsonl") for _, name in sorted(found)]


def used_in(root: str, session: str) -> dict[str, int]:
    """The turn in which each record was last put into this session."""
    found: dict[str, int] = {}
    for turn in turns(root, session):
        for entry in turn.get("entries") or ():
            found[str(entry.get("id"))] = turn["turn"]
    return found


def sweep(root: str, now: float) -> int:
    """Remove what is older than 14 days; gives the number of files that went or shrank. `now` is in seconds."""
    changed = 0
    oldest = now - KEPT_DAYS * 86_400
    for name in sessions(root):
        path = os.path.join(root, FOLDER, f"{name}.jsonl")
        try:
            if os.stat(path).st_mtime < oldest:
                os.unlink(path)
                changed += 1
            else:
                changed += _shorten(path, _moment(oldest))
        except OSError:
            continue
    return changed


def path_of(root: str, session: str) -> str:
    """The file of a session, whatever its agent calls it."""
    name = session or "no-session"
    if not (name.isascii() and name.replace("-", "").replace("_", "").isalnum() and len(name) <= NAME_LIMIT):
        from hashlib import sha256

        readable = "".join(char if char.isascii() and char.isalnum() else "-" for char in name)[:40].strip("-")
        name = f"{readable or 'session'}-{sha256(name.encode('utf-8', 'replace')).hexdigest()[:12]}"
    return os.path.join(root, FOLDER, f"{name}.jsonl")


def _kept(plan: Plan, session: str, agent: str, at: str) -> dict[str, Any]:
    return {"at": at, "agent": agent, "session": session, **plan.document()}


def _last(file: Any) -> tuple[int, bool]:
    """The ordinal of the last whole line, and whether the file ends in a whole line."""
    size = file.seek(0, os.SEEK_END)
    if not size:
        return 0, True
    file.seek(max(0, size - _TAIL))
    tail = file.read(_TAIL)
    whole = tail.endswith(b"\n")
    lines = tail.split(b"\n")[:-1]
    head = _HEAD.encode()
    for line in reversed(lines):
        digits = line[len(head) : len(head) + 12].partition(b",")[0]
        if line.startswith(head) and digits.isdigit():
            return int(digits), whole
    return 0, whole


def _shorten(path: str, oldest: str) -> int:
    kept = [line for line in _lines(path) if _at(line) >= oldest]
    if not kept or _at(next(_lines(path), "")) >= oldest:
        return 0
    draft = f"{path}.draft"
    with open(draft, "w", encoding="utf-8", newline="\n") as file:
        file.write("".join(f"{line}\n" for line in kept))
    os.replace(draft, path)
    return 1


def _at(line: str) -> str:
    try:
        return str(loads(line).get("at", ""))
    except (ValueError, RecursionError, AttributeError):
        return ""


def _moment(seconds: float) -> str:
    import time

    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


def _lines(path: str) -> Iterator[str]:
    try:
        with open(path, encoding="utf-8", errors="replace", newline="\n") as file:
            for line in file:
                if line.endswith("\n"):
                    yield line[:-1]
    except OSError:
        return
