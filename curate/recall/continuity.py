"""What one agent hands over to another: the session before, when it was another agent's, in the same project, and not
two hours ago. The same agent, or a later one, gets nothing: the aim is handover, not repetition.

Standard library only. The state is one small file for each project; `curate.agents.continuity` writes it.
"""

from __future__ import annotations

import os

from curate.recall.plainjson import loads
from curate.recall.staleness import days_between

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from curate.recall.request import Request

FOLDER = "index/handover"
"""Of one machine, and derived from what was observed; so it goes with the index."""
WINDOW = 2 * 3600
"""Seconds within which another agent is told."""
SKEW = 60
"""Seconds that the writer's clock may be ahead."""
HEADING = "Previous Session"
LIMIT = 64 * 1024
FILES, DECISIONS = 6, 4
_LINE = 150


def state_path(root: str, project: str) -> str:
    """The file of a project, whatever its id is made of."""
    name = "".join(
        char if char.isascii() and char.isalnum() or char in "-_." else f"%{ord(char):x}" for char in project
    )
    if len(name) > 180:
        from hashlib import sha256

        name = f"{name[:100]}-{sha256(project.encode('utf-8', 'replace')).hexdigest()[:16]}"
    return os.path.join(root, *FOLDER.split("/"), f"{name}.json")


def inside(place: str, name: str) -> str | None:
    """The path of a file that the settings name within a repository; None for one outside."""
    plain = os.path.normpath(name)
    if not place or not name or os.path.isabs(plain) or plain.startswith(".."):
        return None
    path = os.path.join(place, plain)
    folder = os.path.realpath(os.path.dirname(path))
    top = os.path.realpath(place)
    return path if (folder + os.sep).startswith(top.rstrip(os.sep) + os.sep) and not os.path.islink(path) else None


def previous_session(paths: list[str], request: Request, at: str) -> tuple[str, ...]:
    """What to tell of the session before; nothing unless another agent has just left. `at` is RFC 3339 in UTC."""
    for path in paths:
        state = _read(path)
        if state is not None and _is_handed_over(state, request, at):
            return _lines(state)
    return ()


def is_starting(root: str, session: str) -> bool:
    """Whether a session has had no turn yet that anything was looked up for."""
    from curate.recall.journal import path_of

    try:
        with open(path_of(root, session), "rb") as file:
            return all(b'"skipped":' in line for line in file)
    except OSError:
        return True


def _is_handed_over(state: dict[str, Any], request: Request, at: str) -> bool:
    agent, ended = state.get("agent"), state.get("timestamp")
    if not isinstance(agent, str) or not isinstance(ended, str) or not agent or not request.agent:
        return False
    if agent == request.agent or request.session and state.get("session") == request.session:
        return False
    if state.get("profile") and state["profile"] != request.profile:
        return False
    passed = seconds_between(ended, at)
    return passed is not None and -SKEW <= passed <= WINDOW


def seconds_between(before: str, after: str) -> int | None:
    """Seconds from one moment to another, both RFC 3339 in UTC; None where one is no moment."""
    days = days_between(before, after)
    first, second = _second(before), _second(after)
    return None if days is None or first is None or second is None else 86_400 * days + second - first


def _second(moment: str) -> int | None:
    hour, minute, second = moment[11:13], moment[14:16], moment[17:19]
    if not (hour.isdecimal() and minute.isdecimal() and second.isdecimal() and moment.isascii()):
        return None
    return 3600 * int(hour) + 60 * int(minute) + int(second)


def _lines(state: dict[str, Any]) -> tuple[str, ...]:
    from store.index.shown import shown
    from store.text import shorten

    def plain(text: str) -> str:
        return shorten(shown(text), _LINE)

    lines = [f"- {plain(str(state['agent']))}, until {state['timestamp'][:16].replace('T', ' ')} UTC"]
    asked = state.get("asked")
    if isinstance(asked, str) and asked:
        lines.append(f"- Asked last: {plain(asked)}")
    files = _texts(state, "recent_files")[:FILES]
    if files:
        lines.append(f"- Files: {plain(', '.join(files))}")
    lines += [f"- Decided: {plain(text)}" for text in _texts(state, "key_decisions")[:DECISIONS]]
    return tuple(lines)


def _texts(state: dict[str, Any], name: str) -> list[str]:
    first, *rest = name.split("_")
    found = state.get(name) or state.get(first + "".join(map(str.capitalize, rest)))
    return [text for text in found if isinstance(text, str) and text.strip()] if isinstance(found, list) else []


def _read(path: str) -> dict[str, Any] | None:
    try:
        with open(path, "rb") as file:
            state = loads(file.read(LIMIT).decode("utf-8", "replace"))
    except (OSError, ValueError, RecursionError):
        return None
    return state if isinstance(state, dict) else None
