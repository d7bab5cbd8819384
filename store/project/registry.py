"""The registry of projects: what was seen where, and which ids lead to the same memory.

Pure: functions answer with the project's next content, or with nothing when there is no news.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from store.log.fold import content
from store.model import Project
from store.project.identity import local_id, scoped_to_branch
from store.project.naming import file_stem
from store.secrets import mask

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from store.project.identity import Identity

PATHS_KEPT = 50
"""Directories remembered of a project; the newest matter."""


class Known(Protocol):
    """Where projects are looked up: a state, or one with news that is not written yet."""

    @property
    def projects(self) -> Mapping[str, Any]:
        """By id, each with its content as `data`."""
        ...


def canonical_id(state: Known, project_id: str) -> str:
    """The id that a project's memory is kept under: the registered one that has this id among its aliases.

    Ids by root commit lead to each other whatever the directory was called. An id with a branch (`id#branch`) follows
    its project's alias and keeps the branch. Unknown ids are themselves.
    """
    if project_id in state.projects:
        return project_id
    base, mark, branch = project_id.partition("#")
    if mark:
        return canonical_id(state, base) + mark + branch
    commit = _commit_of(project_id)
    for known, data in _known(state):
        names = (known, *(data.get("aliases") or ()))
        if project_id in names or (commit and commit in map(_commit_of, names)):
            return known
    return project_id


def recognise(state: Known, identity: Identity) -> Identity:
    """The identity under the id that its memory is kept under, as far as the registry can tell for sure.

    Beyond aliases it knows: a directory that is gone, if it was seen; a directory whose project has since got a first
    commit, a remote or another remote, if the first commit is the same; a clone of a directory that was seen. A
    project that the registry keeps per branch gets its branch.
    """
    known = _recognised(state, identity)
    if known is None:
        return identity
    data = state.projects[known].data if known in state.projects else {}
    branch = (identity.project_id or "").partition("#")[2]
    found = replace(
        identity,
        project_id=f"{known}#{branch}" if branch and "#" not in known else known,
        name=str(data.get("name") or identity.name),
        profile=identity.profile or data.get("profile"),
        kind=identity.kind if identity.kind != "unknown" else "path",
    )
    return scoped_to_branch(found) if data.get("branch_scope") else found


def seen(state: Known, identity: Identity, at: str) -> Project | None:
    """The registry's next entry for a project that was just seen, or None when that is no news.

    A new id for a known project becomes its alias: the memory stays where it is and is found under both.
    """
    if identity.project_id is None:
        return None
    base = identity.base_id or identity.project_id
    known = _recognised(state, replace(identity, project_id=base)) or base
    if known not in state.projects:
        made = Project(id=known, name=identity.name, file=file_stem(known), created_at=at, updated_at=at)
        return _with_news(state, made, identity, at)
    before = Project.model_validate(content(state.projects[known].data))
    after = _with_news(state, before, identity, at)
    same = after.model_copy(update={"updated_at": before.updated_at}) == before
    return None if same else after


def rivals(state: Known, identity: Identity) -> list[str]:
    """Known projects that this one may really be, for a person to say: they were seen in the same directory, but
    nothing proves that it is the same repository.
    """
    if identity.project_id is None or canonical_id(state, identity.base_id or "") in state.projects:
        return []
    if _recognised(state, identity) is not None:
        return []
    roots = _roots(identity)
    return [known for known, data in _known(state) if roots & set(data.get("paths") or ())]


def _recognised(state: Known, identity: Identity) -> str | None:
    if identity.project_id is None:
        return _by_lost_path(state, identity.root)
    base = identity.base_id or identity.project_id
    for name in (base, *identity.aliases):
        known = canonical_id(state, name)
        if known in state.projects:
            return known
    if identity.kind == "config":
        return None
    for known, data in _known(state):
        paths = set(data.get("paths") or ())
        commits = {_commit_of(name) for name in (known, *(data.get("aliases") or ()))} - {""}
        same_commit = bool(identity.root_commit) and (identity.root_commit or "")[:8] in commits
        if paths & _roots(identity) and (same_commit or known.startswith("path:")):
            return known
        if base.startswith("file:") and base.removeprefix("file:") in paths:
            return known
    return None


def _by_lost_path(state: Known, path: Path) -> str | None:
    """The project of a directory that is gone: one that was seen there, or around it."""
    for folder in (path, *path.parents):
        found = [known for known, data in _known(state) if folder.as_posix() in (data.get("paths") or ())]
        if found:
            return found[0] if len(found) == 1 else None
    return None


def _with_news(state: Known, project: Project, identity: Identity, at: str) -> Project:
    aliases = list(project.aliases)
    by_commit = [local_id(identity.name, identity.root_commit)] if identity.root_commit else []
    for name in (identity.base_id or "", *identity.aliases, *by_commit):
        if _is_free(state, name, project.id, aliases):
            aliases.append(name)
    # Where a secret is part of the path, the project is known by its id alone.
    roots = sorted(root for root in _roots(identity) - set(project.paths) if not mask(root).kinds)
    return project.model_copy(
        update={
            "aliases": aliases,
            "paths": [*project.paths, *roots][-PATHS_KEPT:],
            "profile": identity.profile or project.profile,
            "branch_scope": project.branch_scope or identity.branch_scope,
            "superproject": identity.parent or project.superproject,
            "note": identity.note if identity.base_id == project.id else project.note,
            "updated_at": at,
        }
    )


def _is_free(state: Known, name: str, project_id: str, aliases: list[str]) -> bool:
    """Whether a name says something new of this project and belongs to no other."""
    own = (project_id, *aliases)
    if not name or name in own or (_commit_of(name) and _commit_of(name) in map(_commit_of, own)):
        return False
    return name not in state.projects and canonical_id(state, name) in (name, project_id)


def _roots(identity: Identity) -> set[str]:
    return {path.as_posix() for path in (identity.root, identity.worktree_of) if path is not None}


def _known(state: Known) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for known in sorted(state.projects):
        yield known, state.projects[known].data


def _commit_of(project_id: str) -> str:
    """The eight hex digits of an id by root commit; empty for any other id."""
    if not project_id.startswith("local:"):
        return ""
    tail = project_id.rpartition("-")[2]
    return tail if len(tail) == 8 and set(tail) <= set("0123456789abcdef") else ""
