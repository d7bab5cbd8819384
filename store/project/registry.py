"""The registry of projects: what was seen where, and which ids lead to the same memory.

Pure: functions answer with the content of the next line, or with nothing when there is no news.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from store.state import State


def canonical_id(state: State, project_id: str) -> str:
    """The id that a project's memory is kept under: the registered one that has this id among its aliases.

    An id with a branch (`id#branch`) follows its project's alias and keeps the branch. Unknown ids are themselves.
    """
    if project_id in state.projects:
        return project_id
    for known in sorted(state.projects):
        if project_id in (state.projects[known].data.get("aliases") or ()):
            return known
    base, mark, branch = project_id.partition("#")
    if mark:
        return canonical_id(state, base) + mark + branch
    return project_id
