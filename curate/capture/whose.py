"""Whose a directory is: the project and profile that an observation belongs to. Remembers what it looked up.

Nothing is registered here: a project that nothing was captured in stays out of the registry.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from store.project.registry import recognise
from store.secrets import mask
from store.text import clean, one_line, shorten

if TYPE_CHECKING:
    from curate.capture.activity import Activity
    from store.project.identity import Identity
    from store.state import State


@dataclass(frozen=True, slots=True)
class Home:
    """One project as a turn sees it."""

    project: str
    name: str
    profile: str | None
    root: str
    """The top of the checkout, without links."""
    inside: str | None = None
    """The project that has this one as a submodule."""


class Whose:
    """Answers by directory."""

    def __init__(self, state: State, activity: Activity, profile: str | None) -> None:
        self._state = state
        self._activity = activity
        self._profile = profile
        self._homes: dict[str, Home | None] = {}
        self._real: dict[str, str] = {}
        self._by_root: dict[str, Home | None] = {}

    def of(self, folder: str | None) -> Home | None:
        """The project of a directory, whether it still exists or not; None outside of any."""
        if not folder:
            return None
        if folder not in self._homes:
            identity = self._activity.identity(folder) if Path(folder).is_absolute() else None
            self._homes[folder] = self._home(identity) if identity is not None else None
        return self._homes[folder]

    def relative(self, path: str, home: Home) -> str | None:
        """A path inside of a project, from its top; None for one outside."""
        folder, _, name = path.rpartition("/")
        real = self._real.get(folder)
        if real is None:
            real = self._real[folder] = os.path.realpath(folder or "/").replace(os.sep, "/")
        if real == home.root:
            return name
        return f"{real[len(home.root) + 1 :]}/{name}" if real.startswith(home.root + "/") else None

    def _home(self, identity: Identity) -> Home | None:
        root = identity.root.as_posix()
        if root not in self._by_root:
            known = recognise(self._state, identity)
            self._by_root[root] = self._made(known, root) if known.project_id else None
        return self._by_root[root]

    def _made(self, identity: Identity, root: str) -> Home:
        project = str(identity.project_id)
        versions = self._state.projects.get(project) or self._state.projects.get(project.partition("#")[0])
        data = versions.data if versions else {}
        profile = identity.profile or data.get("profile") or self._profile
        name = shorten(one_line(mask(clean(str(data.get("name") or identity.name))).text), 80)
        return Home(project, name, str(profile) if profile else None, root, identity.parent)
