"""Which repositories the agent's work really changed: a turn's own, and its session's up to there.

What is noted of a turn costs no look at the disk; directories are resolved, and ignored files told apart, only when a
capture asks.
"""

from __future__ import annotations

import contextlib
import os
import re
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from curate.capture.shell import written_paths
from store.project import gitdir
from store.project.identity import Identity, resolve
from store.secrets import mask

if TYPE_CHECKING:
    from curate.capture.turns import Turn

_BUILT = re.compile(
    r"(?:^|/)(?:node_modules|bower_components|dist|build|target|out|coverage|htmlcov|vendor/bundle|site-packages|__pycache__|"
    r"\.(?:git|venv|next|nuxt|cache|tox|nox|gradle|turbo|parcel-cache|svelte-kit|terraform|pytest_cache|mypy_cache|ruff_cache|"
    r"npm|yarn/cache|pnpm-store|eggs|idea|vs|hypothesis)|venv|[^/]+\.egg-info)(?:/|$)"
)
_DRIVE = re.compile(r"[A-Za-z]:[\\/]")
_PATHS_OF_A_FOLDER = 20
_FOLDERS = 500
"""Per session; a longer list of directories tells nothing new."""

Touched = dict[str, list[str]]
"""Directory -> some paths in it that were written."""


class Activity:
    """Answers which repositories were modified; remembers what it looked up."""

    def __init__(
        self,
        *,
        vaults: Iterable[Path] = (),
        not_these: Iterable[Path] = (),
        lost: Callable[[Identity], Identity] = lambda identity: identity,
    ) -> None:
        """`lost` tells the project of a directory that is gone, if it was ever seen there."""
        self._lost = lost
        self._vouched: set[Path] = set()
        self._identities: dict[str, Identity | None] = {}
        self._ignored: dict[tuple[str, tuple[str, ...]], frozenset[str]] = {}
        self._vaults = [Path(os.path.realpath(vault)) for vault in vaults]
        self._not_these = [Path(os.path.realpath(folder)) for folder in not_these]
        self._scratch = _scratch_folders()

    def repositories(self, touched: Touched) -> tuple[Identity, ...]:
        """The repositories that these writes materially modified, in the order of their first write."""
        by_root: dict[Path, tuple[Identity, list[str]]] = {}
        for folder, paths in touched.items():
            for path in paths:
                identity = self._identity_of(path, folder)
                if identity is not None and self._counts(identity):
                    by_root.setdefault(identity.root, (identity, []))[1].append(path)
        return tuple(identity for identity, paths in by_root.values() if self._is_material(identity.root, paths))

    def identity(self, folder: str) -> Identity | None:
        """The identity of a directory in a real repository, whether it still exists or not; else None."""
        if folder not in self._identities:
            self._identities[folder] = _in_repository(folder) or self._in_lost_one(folder)
        return self._identities[folder]

    def _identity_of(self, path: str, folder: str) -> Identity | None:
        """Where a path belongs; `cp x ../shop` names a directory, which may be the top of a repository."""
        top = path.rstrip("/")
        return self.identity(top if top != folder and Path(top).is_dir() else folder)

    def _in_lost_one(self, folder: str) -> Identity | None:
        gone = resolve(folder)
        if gone.project_id is not None or Path(folder).exists():
            return None
        found = self._lost(gone)
        if found.project_id is None:
            return None
        self._vouched.add(found.root)
        return found

    def is_vault(self, root: Path) -> bool:
        """Whether a directory is an Obsidian vault, by its settings folder or by configuration."""
        return (root / ".obsidian").is_dir() or any(root == vault or vault in root.parents for vault in self._vaults)

    def _counts(self, identity: Identity) -> bool:
        root = identity.root
        if any(root == folder or folder in root.parents for folder in self._not_these) or self.is_vault(root):
            return False
        scratch = any(folder in root.parents for folder in self._scratch)
        # A demo or a test is a real repository under a temporary folder; a folder with nothing but `git init` is not.
        return not scratch or root in self._vouched or identity.kind in {"remote", "root_commit", "config"}

    def _is_material(self, root: Path, paths: list[str]) -> bool:
        inside = []
        for path in paths:
            relative = _relative(path, root)
            if relative is not None and not _BUILT.search(relative):
                inside.append(relative)
        if not inside:
            return False
        if "" in inside or not any(_may_be_ignored(root, path) for path in inside):
            return True
        return bool(set(inside) - self._ignored_of(root, tuple(dict.fromkeys(inside))))

    def _ignored_of(self, root: Path, paths: tuple[str, ...]) -> frozenset[str]:
        key = (str(root), paths)
        if key not in self._ignored:
            self._ignored[key] = _git_ignores(root, paths)
        return self._ignored[key]


class Trail:
    """What the sessions of one transcript have written so far."""

    def __init__(self, touched: Touched | None = None, session: str | None = None) -> None:
        self.session = session
        self._touched: Touched = dict(touched or {})

    def note(self, turn: Turn) -> tuple[Touched, Touched]:
        """Take in a turn; gives what it wrote, and what its session wrote up to and with it."""
        if turn.session != self.session:
            self.session, self._touched = turn.session, {}
        own = touched_by(turn)
        for folder, paths in own.items():
            if folder in self._touched or len(self._touched) < _FOLDERS:
                kept = self._touched.setdefault(folder, [])
                kept.extend(path for path in paths if path not in kept and len(kept) < _PATHS_OF_A_FOLDER)
        return own, self._touched

    def dump(self) -> Touched:
        """What was written, as JSON: one path of each directory is enough to go on."""
        return {folder: [_kept(path) for path in paths[:2]] for folder, paths in list(self._touched.items())[:100]}


def _kept(path: str) -> str:
    """A path as it may be written down: a command line can hold a secret where a file name is expected."""
    folder, slash, name = path.rpartition("/")
    return folder + slash + mask(name).text


def touched_by(turn: Turn) -> Touched:
    """The directories a turn wrote to, by its tool calls."""
    paths = dict.fromkeys(turn.files_written)
    here = turn.cwd
    for command in turn.commands:
        found, after = written_paths(command, here)
        paths.update(dict.fromkeys(found))
        if turn.agent == "claude-code":  # its shell stays where a command left it
            here = after
    touched: Touched = {}
    for path in paths:
        full = _expanded(path)
        if not full.startswith("/") and not _DRIVE.match(full):
            continue
        # A slash behind means the directory itself: what was written in it is not known.
        kept = touched.setdefault(full.rpartition("/")[0] or "/", [])
        if len(kept) < _PATHS_OF_A_FOLDER:
            kept.append(full)
    return touched


def _expanded(path: str) -> str:
    """The path with the home folder named, and with forward slashes on Windows."""
    if path.startswith("~"):
        with contextlib.suppress(RuntimeError):
            path = str(Path(path).expanduser()) + ("/" if path.endswith("/") else "")
    return path.replace("\\", "/") if _DRIVE.match(path) else path


def _in_repository(folder: str) -> Identity | None:
    identity = resolve(folder, missing_ok=True)
    if identity.project_id is None:
        return None
    if identity.kind != "path":
        return identity
    try:
        found = gitdir.find(identity.root)
    except (gitdir.BrokenLink, OSError):
        return None
    return identity if found else None


def _scratch_folders() -> list[Path]:
    named = [tempfile.gettempdir(), "/tmp", "/var/tmp", "/dev/shm", os.environ.get("TMPDIR", "")]  # noqa: S108
    return [Path(os.path.realpath(name)) for name in dict.fromkeys(named) if name]


def _relative(path: str, root: Path) -> str | None:
    """The path inside the repository, empty for its top, None for one outside. Links above the last name count."""
    given = Path(path)
    real = given if given == root else Path(os.path.realpath(given.parent)) / given.name
    try:
        relative = real.relative_to(root).as_posix()
    except ValueError:
        return None
    return "" if relative == "." else relative


def _may_be_ignored(root: Path, relative: str) -> bool:
    """Whether any ignore file could say so; most often none does, and git need not be asked."""
    folder = root
    for part in ("", *relative.split("/")[:-1]):
        folder = folder / part if part else folder
        if (folder / ".gitignore").is_file():
            return True
    exclude = root / ".git" / "info" / "exclude"
    try:
        return any(
            line.strip() and not line.startswith("#") for line in exclude.read_text("utf-8", "replace").splitlines()
        )
    except OSError:
        return (root / ".git").is_file()


def _git_ignores(root: Path, paths: tuple[str, ...]) -> frozenset[str]:
    from git import Repo
    from git.exc import GitError

    try:
        with Repo(root) as repository:
            return frozenset(str(path).replace(os.sep, "/") for path in repository.ignored(*paths))
    except (GitError, OSError, ValueError):
        return frozenset()
