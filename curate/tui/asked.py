"""What a turn with a message would get now: the planner that the hook runs, asked from the screen. Nothing is written
but the index, which is derived.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from curate.recall.planned import Plan
    from store.index.lookup import Lookup
    from store.state import State

NOWHERE = "/"
"""A folder that is in no project, for a project that is not on this disk."""


def folder_of(state: State, project: str | None) -> str:
    """Where the project is on this disk, as far as it was seen and is still there; else a folder of no project."""
    known = state.projects.get(project) if project else None
    paths: Sequence[str] = (known.data.get("paths") or ()) if known is not None else ()
    return next((path for path in reversed(paths) if Path(path).is_dir()), NOWHERE)


def would_get(root: Path, message: str, *, project: str | None, folder: str, agent: str, now: str) -> dict[str, Any]:
    """The answer in the shape of a turn of the journal, with `preview` for the message. Raises `StoreUnusable`."""
    from curate.recall.planner import plan
    from curate.recall.turn import request_for
    from store.index.lookup import Lookup

    def planned(lookup: Lookup) -> Plan:
        request = request_for(
            lookup.db, str(root), message, folder=folder, today=now[:10], agent=agent, project=project
        )  # fmt: skip
        try:
            return plan(lookup.db, request)
        finally:
            lookup.db.close()

    return {"preview": message, "at": now, "agent": agent, **Lookup.ask(root, planned).document()}
