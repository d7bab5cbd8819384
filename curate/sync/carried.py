"""Which files of a store travel: what was said and decided, notes and settings. What is derived, or of one machine
only, stays out of git.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Literal

from store import layout

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

Kind = Literal["log", "text", "settings", "git", "local", "foreign"]

IGNORE = ".gitignore"
ATTRIBUTES = ".gitattributes"
_LOCAL_FOLDERS = ("index/", "rendered/", "quarantine/", "logs/", "inbox/")
_LOCAL_FILES = (
    layout.CHECKPOINTS, layout.PURGING, layout.LOCK, layout.HOLDER, "consolidation.jsonl", "consolidation.lock",
)  # fmt: skip
_LOCAL_ENDS = (".lock", ".tmp", ".draft")
_LOG_FOLDERS = ("memory/", f"{layout.PATCHES}/", "knowledge/")
_TEXT_FOLDERS = ("notes/", "reports/")
JOURNAL = "journal/"

_IGNORED = (
    "# What is derived, or belongs to one machine, is not carried.",
    "/index/", "/rendered/", "/quarantine/", "/logs/", "/inbox/*", f"!/{layout.CANDIDATES}", f"/{layout.CHECKPOINTS}",
    f"/{layout.PURGING}", "/consolidation.*", f"/{layout.LOCK}", f"/{layout.HOLDER}", "*.lock", "*.tmp", "*.draft",
)  # fmt: skip
_ATTRIBUTES = ("# Bytes are kept as they are; logs merge by keeping all lines.", "* -text", "*.jsonl merge=union -text",
               "*.md merge=union -text")  # fmt: skip


def kind_of(name: str, *, journal: bool) -> Kind:
    """What a file of that name, relative to the root, is to git."""
    if name in (IGNORE, ATTRIBUTES):
        return "git"
    if name in (layout.CONFIG, layout.VERSION):
        return "settings"
    if name in (layout.CANDIDATES, layout.PROJECTS):
        return "log"
    if name in _LOCAL_FILES or name.endswith(_LOCAL_ENDS) or name.startswith(_LOCAL_FOLDERS):
        return "local"
    if name.startswith(JOURNAL):
        return "log" if journal and name.endswith(".jsonl") else "local"
    if name.startswith(_LOG_FOLDERS):
        return "log" if name.endswith(".jsonl") else "foreign"
    return "text" if name.startswith(_TEXT_FOLDERS) else "foreign"


def files(root: Path) -> Iterator[str]:
    """Names of all files under the root, git's own left out, in a fixed order. Links are not followed."""
    yield from sorted(_walk(os.fspath(root), ""))


def ignoring(text: str, *, journal: bool) -> str:
    """A `.gitignore` that holds our lines, with whatever a person has in it."""
    wanted = _IGNORED if journal else (*_IGNORED, f"/{JOURNAL}")
    kept = [line for line in text.splitlines() if not (journal and line == f"/{JOURNAL}")]
    return _with(kept, wanted)


def attributing(text: str) -> str:
    """A `.gitattributes` that holds our lines, with whatever a person has in it."""
    return _with(text.splitlines(), _ATTRIBUTES)


def _with(lines: list[str], wanted: tuple[str, ...]) -> str:
    return "".join(f"{line}\n" for line in [*lines, *(line for line in wanted if line not in lines)])


def _walk(folder: str, prefix: str) -> Iterator[str]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name == ".git":
                continue
            if entry.is_dir(follow_symlinks=False):
                yield from _walk(entry.path, f"{prefix}{entry.name}/")
            else:
                yield prefix + entry.name
