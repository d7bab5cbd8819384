"""Which names lead to which project, so that a turn finds the memory of a renamed, moved or aliased repository."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from sqlite3 import Connection
    from typing import Any


def write_project(db: Connection, ident: str, data: Mapping[str, Any]) -> None:
    """Put what the registry says of a project into the index."""
    row = (ident, data.get("name"), data.get("profile"), bool(data.get("branch_scope")))
    db.execute("INSERT OR REPLACE INTO project VALUES (?, ?, ?, ?)", row)
    db.execute("DELETE FROM project_name WHERE id = ?", (ident,))
    names = [("alias", alias) for alias in data.get("aliases") or ()]
    names += [("path", path) for path in data.get("paths") or ()]
    names += [("commit", commit) for commit in map(commit_of, (ident, *(data.get("aliases") or ()))) if commit]
    db.executemany("INSERT OR IGNORE INTO project_name VALUES (?, ?, ?)", [(name, kind, ident) for kind, name in names])
    db.execute("DELETE FROM place")  # what a folder belongs to is asked anew


def canonical(db: Connection, project: str) -> str:
    """The id that a project's memory is kept under; an unknown id is itself, a branch stays."""
    base, mark, branch = project.partition("#")
    if _is_known(db, project):
        return project
    if mark:
        return canonical(db, base) + mark + branch
    found = _named(db, "alias", project) or (commit_of(project) and _named(db, "commit", commit_of(project)))
    return found or project


def names_of(db: Connection, project: str) -> set[str]:
    """Every id that leads to a project, its own included; a branch's own memory is the project's, too."""
    base = project.partition("#")[0]
    found = {project, base}
    for (name,) in db.execute("SELECT name FROM project_name WHERE id IN (?, ?) AND kind != 'path'", (project, base)):
        found.add(name)
    return found


def is_other(db: Connection, name: str, project: str | None) -> bool:
    """Whether what a person put in brackets is a project, and not this one. Words in brackets may be anything else."""
    if not name or (project is not None and name in names_of(db, canonical(db, project))):
        return False
    return "/" in name or ":" in name or canonical(db, name) != name or _is_known(db, name)


def at_path(db: Connection, path: str) -> str | None:
    """The one project that was seen in a folder."""
    found = [row[0] for row in db.execute("SELECT id FROM project_name WHERE kind = 'path' AND name = ?", (path,))]
    return found[0] if len(found) == 1 else None


def commit_of(project: str) -> str:
    """The eight hex digits of an id by root commit; empty for any other id."""
    if not project.startswith("local:"):
        return ""
    tail = project.rpartition("-")[2]
    return tail if len(tail) == 8 and set(tail) <= set("0123456789abcdef") else ""


def _named(db: Connection, kind: str, name: str) -> str | None:
    row = db.execute("SELECT id FROM project_name WHERE kind = ? AND name = ? ORDER BY id", (kind, name)).fetchone()
    return row[0] if row else None


def _is_known(db: Connection, project: str) -> bool:
    return db.execute("SELECT 1 FROM project WHERE id = ?", (project,)).fetchone() is not None
