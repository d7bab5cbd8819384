"""Which project a directory belongs to: by what its repository says, never by the directory's base name.

In order: `.curate.yaml`, the normalised remote, the root commit, the path. Git is run for the root commit only; where
nothing can tell, the answer is unknown and says why.
"""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from store.project import gitdir
from store.project.gitdir import BrokenLink, Repository
from store.project.naming import display_name
from store.project.remote import normalise
from store.project.settings import Settings, read_settings
from store.secrets import mask

Kind = Literal["config", "remote", "root_commit", "path", "unknown"]

GIT_TIMEOUT = 10.0
"""Seconds for finding a root commit; only a history of millions of commits takes that long."""


@dataclass(frozen=True, slots=True)
class Identity:
    """What a directory belongs to. Without `project_id` it is unknown, and `note` says why."""

    project_id: str | None
    root: Path
    name: str
    kind: Kind
    worktree_of: Path | None = None
    """Main checkout that a linked worktree shares its memory with."""
    parent: str | None = None
    """Project that has this one as a submodule: offered, never taken instead."""
    branch: str | None = None
    note: str | None = None
    profile: str | None = None
    aliases: tuple[str, ...] = ()
    branch_scope: bool = False
    root_commit: str | None = None
    """The first commit, in hex, where it was looked up."""

    @property
    def base_id(self) -> str | None:
        """The project's id without the branch."""
        return self.project_id.partition("#")[0] if self.project_id else None


def resolve(path: Path | str, *, missing_ok: bool = False) -> Identity:
    """The identity of a directory, or of the directory that holds a file.

    With `missing_ok` a path that is gone counts as inside the repository that its nearest remaining directory is in
    (a deleted file of a turn); otherwise what is gone is unknown.
    """
    given = Path(os.path.realpath(path))
    try:
        folder = _folder(given, missing_ok=missing_ok)
        if folder is None:
            return unknown(given, f"{given} is not there")
        if _is_no_project(folder):
            return unknown(folder, f"{folder} is no project's directory")
        return _of(folder, in_repository_only=folder != given and not given.exists())
    except BrokenLink as fault:
        return unknown(given, str(fault))
    except OSError as fault:
        return unknown(given, f"{fault.filename or given}: {(fault.strerror or 'cannot be read').lower()}")


def unknown(path: Path, why: str) -> Identity:
    """The identity of a directory that nothing is known of."""
    return Identity(None, path, mask(path.name or str(path)).text, "unknown", note=why)


def with_root_commit(identity: Identity) -> Identity:
    """The identity with its repository's first commit looked up: what tells a renamed remote from another repository.

    Runs git once; without git, a repository or a whole history it changes nothing.
    """
    if identity.root_commit or identity.kind == "unknown":
        return identity
    try:
        repository = gitdir.find(identity.root)
    except (BrokenLink, OSError):
        return identity
    return replace(identity, root_commit=root_commit(repository)) if repository else identity


def root_commit(repository: Repository) -> str | None:
    """The first commit of the checked-out history along first parents; None where it cannot be told."""
    if gitdir.is_shallow(repository) or not gitdir.has_commit(repository):
        return None
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    command = ["git", "--no-optional-locks", "rev-list", "--max-parents=0", "--first-parent", "HEAD", "--"]
    try:
        done = subprocess.run(
            command, cwd=repository.root, env=environment, stdin=subprocess.DEVNULL, capture_output=True,
            timeout=GIT_TIMEOUT, check=True,
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError):
        return None
    found = done.stdout.decode("ascii", "replace").split()
    return found[-1] if found else None


def local_id(name: str, commit: str) -> str:
    """The id of a project that is known by its root commit."""
    return f"local:{display_name(name).replace('#', '%23')}-{commit[:8]}"


def _of(folder: Path, *, in_repository_only: bool) -> Identity:
    repository = gitdir.find(folder)
    if repository is None and in_repository_only:
        return unknown(folder, "the path is gone, and what is left of it is in no repository")
    top = repository.root if repository else None
    root, settings = _settings(folder, top)
    found = _named(root, settings) if settings.project else _found(folder, repository)
    branch = gitdir.branch(repository) if repository else None
    worktree = repository.main if repository and repository.is_worktree else None
    identity = replace(
        found,
        worktree_of=worktree,
        parent=_parent(repository),
        branch=branch,
        profile=settings.profile,
        aliases=settings.aliases,
        branch_scope=settings.branch_scope,
        note=settings.problem or found.note,
    )
    return scoped_to_branch(identity) if settings.branch_scope else identity


def scoped_to_branch(identity: Identity) -> Identity:
    """The identity of one branch of a project whose memory is kept per branch; a detached HEAD has none of its own."""
    if identity.project_id is None or "#" in identity.project_id:
        return identity
    if identity.branch is None:
        return replace(identity, note="no branch is checked out, so no branch's memory holds here")
    return replace(identity, project_id=f"{identity.project_id}#{identity.branch}", branch_scope=True)


def _settings(folder: Path, top: Path | None) -> tuple[Path, Settings]:
    """The nearest `.curate.yaml` from a directory up to the top of its repository, or in the directory alone."""
    for here in (folder, *folder.parents):
        found = read_settings(here)
        if found is not None:
            return here, found
        if here == (top or folder):
            break
    return folder, Settings()


def _named(root: Path, settings: Settings) -> Identity:
    project = (settings.project or "").replace("#", "%23")
    return Identity(project, root, display_name(project), "config")


def _found(folder: Path, repository: Repository | None) -> Identity:
    if repository is None:
        return _by_path(folder, "not in a git repository: it is known by its path only")
    url = gitdir.remote(repository)
    remote = normalise(url, repository.main) if url else None
    if remote:
        return Identity(remote, repository.root, display_name(remote), "remote")
    if gitdir.is_shallow(repository):
        return _by_path(repository.main, "no remote, and its history is cut off: it is known by its path only")
    if not gitdir.has_commit(repository):
        return _by_path(repository.main, "no remote and no commit yet: it is known by its path only")
    commit = root_commit(repository)
    if commit is None:
        return _by_path(repository.main, "no remote, and git could not tell its first commit: known by its path only")
    note = "no remote: it is known by its first commit"
    found = local_id(mask(repository.name).text, commit)
    return Identity(found, repository.root, display_name(found), "root_commit", note=note, root_commit=commit)


def _by_path(root: Path, note: str) -> Identity:
    named = Path(mask(root.as_posix()).text)
    return Identity(f"path:{named.as_posix().replace('#', '%23')}", root, named.name, "path", note=note)


def _parent(repository: Repository | None) -> str | None:
    if repository is None or repository.superproject is None:
        return None
    return resolve(repository.superproject).project_id


def _folder(given: Path, *, missing_ok: bool) -> Path | None:
    if given.is_dir():
        os.scandir(given).close()  # raises where it may not be read
        return given
    if given.exists():
        return given.parent
    if not missing_ok:
        return None
    return next(folder for folder in given.parents if folder.is_dir())


def _is_no_project(folder: Path) -> bool:
    """The root of a file system and a home directory hold everything, so they tell nothing."""
    if folder.parent == folder:
        return True
    try:
        home = Path(os.path.realpath(Path.home()))
    except RuntimeError:
        return False
    return folder == home and gitdir.at(folder) is None and read_settings(folder) is None
