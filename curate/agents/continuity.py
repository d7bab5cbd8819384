"""Writes down what a session leaves behind, for the agent that goes on in the same project: agent, project, moment,
recent files, decisions. From the observations of its turns, so masked already. Written at each end of a turn, since a
session's own end is not always told.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from curate.capture.checkpoint import Checkpoints
from curate.recall.continuity import inside, state_path
from curate.recall.settings import read_settings
from store.knowledge.lines import OBSERVATIONS, read, texts
from store.line import canonical
from store.log.disk import Disk, write_whole

if TYPE_CHECKING:
    from collections.abc import Iterable

    from store.knowledge.lines import Item
    from store.store import Store

FILES, DECISIONS = 12, 8


def hand_over(store: Store, transcript: Path, at: str) -> list[Path]:
    """Write the state of each project that the transcript's last session worked in; gives the files. Raises
    `StoreUnusable`.
    """
    known = Checkpoints(store.root).of(transcript) if transcript.exists() else None
    if known is None or not known.session:
        return []
    found = [
        one
        for one in read(store.root, OBSERVATIONS, [canonical({"session": known.session})[1:-1]]).values()
        if one.get("session") == known.session and one.get("agent") == known.agent and one.get("project")
    ]
    named = read_settings(str(store.root)).session_state
    written: list[Path] = []
    disk = Disk()
    for project in dict.fromkeys(str(one["project"]) for one in found):
        state = _state([one for one in found if one["project"] == project], at)
        paths = [state_path(str(store.root), project)]
        paths += [there for place in _places(store, project)[:1] if named and (there := inside(place, named))]
        for path in map(Path, paths):
            write_whole(disk, path, canonical(state) + b"\n")
            written.append(path)
    return written


def _state(turns: list[Item], at: str) -> dict[str, Any]:
    turns.sort(key=lambda one: (str(one.get("time") or ""), str(one["id"])), reverse=True)
    last = turns[0]
    state = {
        "agent": last.get("agent"),
        "project": last.get("project"),
        "profile": last.get("profile"),
        "session": last.get("session"),
        "timestamp": at,
        "asked": next(iter(_all(turns, "asked")), None),
        "recent_files": _all(turns, "files")[:FILES],
        "key_decisions": _all(turns, "decisions", "corrections")[:DECISIONS],
    }
    return {key: value for key, value in state.items() if value}


def _all(turns: Iterable[Item], *names: str) -> list[str]:
    """Texts of these fields, each once, the latest first."""
    return list(dict.fromkeys(text for one in turns for text in texts(one, *names)))


def _places(store: Store, project: str) -> list[str]:
    """Checkouts of a project that are there, the one seen last first."""
    versions = store.state.projects.get(project)
    paths = versions.data.get("paths", ()) if versions else ()
    return [path for path in reversed(list(paths)) if Path(path).is_dir()]
