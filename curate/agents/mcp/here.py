"""Where an agent works, and what may be shown to it there: its project's, what is nobody's, and only of its profile."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from curate.recall.place import place_of
from curate.recall.settings import read_settings
from store.index.projects import names_of

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from pathlib import Path
    from sqlite3 import Connection
    from typing import Any


@dataclass(frozen=True, slots=True)
class Here:
    """A project by all its names, none where nobody can tell, and a profile."""

    project: str | None = None
    names: frozenset[str] = frozenset()
    profile: str | None = None

    def world(self, _project: str, profile: str) -> bool:
        """Whether what belongs to a profile (empty: to all) may be seen, whatever its project."""
        return not profile or profile == self.profile

    def sees(self, project: str, profile: str) -> bool:
        """Whether what belongs to a project (empty: to none in particular) and a profile may be seen."""
        return (not project or project in self.names) and self.world(project, profile)

    def holds(self, scope: Mapping[str, Any] | None, profile: str | None, targets: Collection[str] = ()) -> bool:
        """Whether what has this scope, or is meant for these projects, holds here. What is unassigned does nowhere."""
        scope = scope or {}
        if scope.get("type", "project") != "project":
            return self.sees("", profile or "")
        homes = [*targets, *filter(None, [scope.get("project")])]
        return any(self.sees(project, profile or "") for project in homes)


def here_of(db: Connection, root: Path, folder: Path | None) -> Here:
    """What the index of a store knows of a folder."""
    profile = read_settings(str(root)).profile
    if folder is None:
        return Here(profile=profile)
    place = place_of(db, str(folder))
    names = names_of(db, place.project) if place.project else set()
    return Here(place.project, frozenset(names), place.profile or profile)
