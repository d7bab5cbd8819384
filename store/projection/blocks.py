"""The files that hold a managed block of this store, so that they can be renewed, checked, and emptied by a purge."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from store.errors import CurateError, WriteFailed
from store.log.disk import Disk, write_whole
from store.project.registry import canonical_id
from store.projection.block import Done, check, put

if TYPE_CHECKING:
    from collections.abc import Collection

    from store.state import State

BLOCKS = "rendered/.blocks.json"


def known(root: Path) -> dict[str, str]:
    """The project of each file that a block was put into, by absolute path."""
    try:
        data: Any = json.loads((root / BLOCKS).read_bytes())
    except (OSError, ValueError):
        return {}
    found = data.get("blocks") if isinstance(data, dict) else None
    return {str(path): str(project) for path, project in found.items()} if isinstance(found, dict) else {}


def note(root: Path, path: Path, project: str | None, disk: Disk) -> None:
    """Remember that a file holds a block of a project; with None, that it holds none any more."""
    before = known(root)
    after = {key: value for key, value in before.items() if key != str(path)}
    if project is not None:
        after[str(path)] = project
    if after != before:
        document = {"schema": "1.0", "blocks": dict(sorted(after.items()))}
        write_whole(disk, root / BLOCKS, json.dumps(document, ensure_ascii=False, indent=1).encode() + b"\n")


def renew(
    root: Path, state: State, projects: Collection[str] | None, disk: Disk, *, overwrite: bool = False
) -> list[Done]:
    """Bring the blocks of these projects (None: all) up to date. One that a person took out is not put back."""
    done = []
    for path, project in _wanted(root, state, projects):
        if check(path, state, project).outcome == "absent":
            note(root, path, None, disk)
            continue
        done.append(put(path, state, project, overwrite=overwrite))
    return done


def after_purge(root: Path, state: State, disk: Disk) -> list[str]:
    """Bring every block up to date when something was purged; gives the files that may still show it, because the
    block was edited or the file cannot be written: they are left to a person.
    """
    left = []
    for path, project in _wanted(root, state, None):
        try:
            if check(path, state, project).outcome == "absent":
                with contextlib.suppress(WriteFailed):
                    note(root, path, None, disk)
            elif put(path, state, project).outcome == "edited":
                left.append(str(path))
        except CurateError:
            left.append(str(path))
    return left


def checked(root: Path, state: State, projects: Collection[str] | None) -> list[Done]:
    """Every block of these projects (None: all) that is not as it should be. Writes nothing."""
    found = (check(path, state, project) for path, project in _wanted(root, state, projects))
    return [one for one in found if one.outcome in ("edited", "written")]


def _wanted(root: Path, state: State, projects: Collection[str] | None) -> list[tuple[Path, str]]:
    named = [(Path(path), canonical_id(state, project)) for path, project in known(root).items()]
    return [(path, project) for path, project in named if projects is None or project in projects]
