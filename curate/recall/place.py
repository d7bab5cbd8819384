"""Which project a turn is in. Telling it takes imports and perhaps git, so the answer is kept in the index, with what
it rests on; a turn in a known folder costs a few looks at the disk.
"""

from __future__ import annotations

import os

from store.index.projects import at_path, canonical
from store.index.schema import Fault

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sqlite3 import Connection


class Place:
    """Where a turn happens."""

    __slots__ = ("cwd", "name", "profile", "project", "root")

    def __init__(self, project: str | None, root: str, name: str, profile: str | None, cwd: str) -> None:
        self.project = project
        self.root = root
        self.name = name
        self.profile = profile
        self.cwd = cwd
        """The folder relative to the root, with forward slashes; empty at the root."""


def place_of(db: Connection, folder: str) -> Place:
    """The project of a folder, under the id that its memory is kept under."""
    folder = os.path.realpath(folder)
    stamp = _stamp(folder)
    row = db.execute("SELECT stamp, project, root, name, profile FROM place WHERE folder = ?", (folder,)).fetchone()
    if row is None or row[0] != stamp:
        row = (stamp, *_asked(db, folder))
        _keep(db, folder, row)
    _, project, root, name, profile = row
    return Place(project, root, name, profile, _relative(folder, root))


def _keep(db: Connection, folder: str, row: tuple[str | None, ...]) -> None:
    """Remember the answer, unless a secret is part of it: then it is asked anew each time."""
    from store.secrets import mask

    if mask("\n".join(filter(None, (folder, *row[1:])))).kinds:
        return
    try:
        db.execute("INSERT OR REPLACE INTO place VALUES (?, ?, ?, ?, ?, ?)", (folder, *row))
    except Fault:  # read-only, or another process is writing: it is asked again next time
        pass


def _relative(folder: str, root: str) -> str:
    if not root or folder == root or not folder.startswith(root.rstrip(os.sep) + os.sep):
        return ""
    return folder[len(root.rstrip(os.sep)) + 1 :].replace(os.sep, "/")


def _asked(db: Connection, folder: str) -> tuple[str | None, str, str, str | None]:
    from pathlib import Path

    from store.project.identity import resolve, scoped_to_branch

    identity = resolve(Path(folder))
    if identity.project_id is None:
        lost = _lost(db, folder)
        if lost is None:
            return (None, str(identity.root), identity.name, identity.profile)
        known, root = lost
        return (known, root, _name(db, known), identity.profile or profile_of(db, known))
    project = canonical(db, identity.base_id or identity.project_id)
    for alias in identity.aliases:
        if not _is_known(db, project):
            project = canonical(db, alias)
    if not _is_known(db, project) and identity.kind != "config":
        seen = at_path(db, identity.root.as_posix())
        project = seen if seen is not None and seen.startswith("path:") else project
    branch = identity.project_id.partition("#")[2]
    if not branch and _is_per_branch(db, project):
        branch = (scoped_to_branch(identity).project_id or "").partition("#")[2]
    whole = f"{project}#{branch}" if branch and "#" not in project else project
    return (whole, str(identity.root), _name(db, project) or identity.name, identity.profile or profile_of(db, project))


def _is_known(db: Connection, project: str) -> bool:
    return db.execute("SELECT 1 FROM project WHERE id = ?", (project,)).fetchone() is not None


def _is_per_branch(db: Connection, project: str) -> bool:
    row = db.execute("SELECT branch_scope FROM project WHERE id = ?", (project,)).fetchone()
    return bool(row and row[0])


def _name(db: Connection, project: str) -> str:
    row = db.execute("SELECT name FROM project WHERE id = ?", (project,)).fetchone()
    return (row[0] or "") if row else ""


def profile_of(db: Connection, project: str) -> str | None:
    """The world that a project is known to belong to."""
    row = db.execute("SELECT profile FROM project WHERE id = ?", (project,)).fetchone()
    return row[0] if row else None


def _lost(db: Connection, folder: str) -> tuple[str, str] | None:
    """The project that was seen in a folder that is gone, or around it, and where."""
    if os.path.isdir(folder):
        return None
    while True:
        known = at_path(db, folder.replace(os.sep, "/"))
        if known is not None:
            return known, folder
        above = os.path.dirname(folder)
        if above == folder:
            return None
        folder = above


def _stamp(folder: str) -> str:
    """What the answer rests on: settings and git files from the folder upwards, as they are now."""
    found = [str(os.path.isdir(folder))]
    while True:
        found += [_seen(f"{folder}{os.sep}{name}") for name in (".curate.yaml", ".git")]
        if found[-1]:
            found += _git(f"{folder}{os.sep}.git")
            break
        if os.path.exists(f"{folder}{os.sep}HEAD"):  # a bare repository, perhaps
            found += _git(folder)
        above = os.path.dirname(folder)
        if above == folder:
            break
        folder = above
    return "|".join(found)


def _git(place: str) -> list[str]:
    """State of the configuration and what is checked out, in a repository or a linked worktree."""
    if os.path.isfile(place):
        link = _read(place).removeprefix("gitdir:").strip()
        place = os.path.join(os.path.dirname(place), link)
    return [
        _seen(f"{place}{os.sep}config"),
        _seen(f"{place}{os.sep}..{os.sep}..{os.sep}config"),
        _read(f"{place}{os.sep}HEAD"),
        _seen(f"{place}{os.sep}shallow"),
    ]


def _seen(path: str) -> str:
    try:
        found = os.stat(path)
    except OSError:
        return ""
    if os.path.isdir(path):  # its time changes with every file in it
        return f"{found.st_ino}"
    return f"{found.st_ino}.{found.st_size}.{found.st_mtime_ns}"


def _read(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read(4096).strip()
    except OSError:
        return ""
