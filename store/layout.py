"""Where everything lives under a store's root, and how the root itself is found."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from store.errors import HomeIsNotAFolder

if TYPE_CHECKING:
    from collections.abc import Mapping

LOCAL_FOLDER = ".curate"
"""Name of a project-local store. It counts only where `curate init --local` left its config."""

IDENTITY = "memory/identity.jsonl"
GLOBAL = "memory/global.jsonl"
SHARED = (IDENTITY, GLOBAL)
"""Files of what holds in more than one project."""
PROJECT_MEMORY = "memory/projects"
EVIDENCE = "memory/evidence.jsonl"
TOMBSTONES = "memory/tombstones.jsonl"
CANDIDATES = "inbox/candidates.jsonl"
CAPTURING = "inbox/capturing.jsonl"
"""Journal of the one capture that is being written; empty at rest."""
DAILY = "notes/daily"
SCRATCHPAD = "notes/scratchpad.md"
PROJECTS = "projects.jsonl"
PURGING = "purging.jsonl"
"""Ids of a purge that is under way; not there at rest."""
PATCHES = "patches"
CHECKPOINTS = "checkpoints.jsonl"
CONFIG = "config.yaml"
VERSION = "schema.json"
INDEX_FOLDER = "index"
RENDERED = "rendered"
RENDERED_PROJECTS = "rendered/projects"
QUARANTINE = "quarantine/lines.jsonl"
LOCK = "store.lock"
HOLDER = "store.lock.json"
FOLDERS = ("memory", PROJECT_MEMORY, "inbox", PATCHES)
"""Folders a new store starts with; every other one is made when first needed."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Absolute paths of one store. Names relative to the root (as lines carry them) are the constants above."""

    root: Path

    def path(self, name: str) -> Path:
        """The absolute path of a name relative to the root."""
        return self.root / name

    def name(self, path: Path) -> str:
        """The name of a path relative to the root, with forward slashes."""
        return path.relative_to(self.root).as_posix()

    def record_files(self) -> list[str]:
        """Names of the files that hold records and exist, in a fixed order."""
        found = [name for name in SHARED if self.path(name).is_file()]
        return found + _jsonl_in(self.root, PROJECT_MEMORY)

    def patch_files(self) -> list[str]:
        """Names of the monthly patch logs that exist, oldest first."""
        return _jsonl_in(self.root, PATCHES)


def _jsonl_in(root: Path, folder: str) -> list[str]:
    try:
        with os.scandir(root / folder) as entries:
            return sorted(f"{folder}/{entry.name}" for entry in entries if entry.name.endswith(".jsonl"))
    except (FileNotFoundError, NotADirectoryError):
        return []


def patch_file(at: str) -> str:
    """Name of the patch log of the month of `at` (RFC 3339)."""
    return f"{PATCHES}/{at[:7]}.jsonl"


def record_file(data: Mapping[str, Any], projects: Mapping[str, Any]) -> str:
    """Name of the file that a record's line belongs in.

    `projects` is the folded registry: it knows the file name that a project was given when first seen. A project
    that is not in it yet gets the name that its id and base name make.
    """
    if data.get("layer") == "L1":
        return IDENTITY
    scope = data.get("scope") or {}
    if scope.get("type") != "project" or not scope.get("project"):
        return GLOBAL
    return f"{PROJECT_MEMORY}/{project_stem(scope['project'], projects)}.jsonl"


def project_stem(project: str, projects: Mapping[str, Any]) -> str:
    """Base name, without extension, of a project's files."""
    known = projects.get(project)
    if known is not None and known.data.get("file"):
        return str(known.data["file"])
    from store.project.naming import file_stem

    return file_stem(project)


def find_root(home: str | Path | None = None, *, env: Mapping[str, str] | None = None, cwd: Path | None = None) -> Path:
    """The root of the store that a command works on; it need not exist yet.

    The `--home` argument wins, then `$CURATE_HOME`, then the nearest local store upwards from `cwd`, then the user
    data directory. Raises `HomeIsNotAFolder` when the answer is a file.
    """
    env = os.environ if env is None else env
    named = home or env.get("CURATE_HOME")
    root = Path(named).expanduser() if named else _local_root(cwd) or _user_root()
    root = Path(os.path.abspath(root))
    check_root(root)
    return root


def check_root(root: Path) -> None:
    """Raise `HomeIsNotAFolder` when the root, or a folder on the way to it, is a file."""
    for path in (root, *root.parents):
        if path.is_dir():
            return
        if path.exists():
            raise HomeIsNotAFolder(path)


def _local_root(cwd: Path | None) -> Path | None:
    try:
        start = Path(os.path.abspath(cwd or Path.cwd()))
    except FileNotFoundError:  # the working directory was deleted under us
        return None
    for folder in (start, *start.parents):
        if (folder / LOCAL_FOLDER / CONFIG).is_file():
            return folder / LOCAL_FOLDER
    return None


def _user_root() -> Path:
    from platformdirs import user_data_dir

    return Path(user_data_dir("curate", appauthor=False))
