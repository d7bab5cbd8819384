"""Instruction files of agents (AGENTS.md, CLAUDE.md, Cursor rules, ...): each rule a candidate, its line as evidence.

Whoever may write into a repository may write these, so their trust is that of repository text and their risk is high.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from store.exchange.found import Entry
from store.exchange.front import BrokenFront, split_front, texts
from store.exchange.proposals import Proposal, Read, joined, project_of
from store.exchange.rules import Rule, rules

if TYPE_CHECKING:
    from store.state import State

NAMES = (
    "AGENTS.md", "CLAUDE.md", "GEMINI.md", "CONVENTIONS.md", ".github/copilot-instructions.md", ".cursorrules",
    ".windsurfrules", ".clinerules",
)  # fmt: skip
"""Files of a repository that are read when its folder is named."""
NESTED = frozenset({"AGENTS.md", "CLAUDE.md", "GEMINI.md"})
"""Files that agents read in folders below, too, for what is in there."""
FOREIGN = frozenset({"node_modules", "vendor", "third_party", "site-packages", "target", "dist", "build"})
"""Folders that hold what others wrote, or what was made."""
DEEPEST = 6
FOLDERS = (".cursor/rules", ".github/instructions", ".claude/rules", ".windsurf/rules")


def read_folder(state: State, folder: Path, at: str) -> Read:
    """Every instruction file of a repository."""
    found = [folder / name for name in NAMES if (folder / name).is_file()]
    found += _nested(folder)
    for name in FOLDERS:
        found += sorted(path for path in (folder / name).rglob("*.md*") if path.is_file())
    return joined(
        read_text(state, path.read_bytes(), at, path=path, file=path.relative_to(folder).as_posix(), home=folder)
        for path in found
    )


def _nested(folder: Path) -> list[Path]:
    """Instruction files of folders below; those of another repository inside are its own."""
    found = []
    for place, folders, files in os.walk(folder):
        here = Path(place)
        depth = len(here.relative_to(folder).parts)
        if depth:
            if ".git" in (*folders, *files):
                folders.clear()
                continue
            found += [here / name for name in files if name in NESTED and (here / name).is_file()]
        folders[:] = [name for name in folders if not name.startswith(".") and name not in FOREIGN]
        if depth >= DEEPEST:
            folders.clear()
    return sorted(found)


def read_text(
    state: State, data: bytes, at: str, *, path: Path | None = None, file: str | None = None, home: Path | None = None
) -> Read:
    """The rules of one file; `path`, or the folder `home`, says whose repository it belongs to."""
    read = Read()
    project: str | None = None
    inside = ""
    if path is not None:
        identity, read.projects = project_of(state, home or path, at)
        project = identity.project_id
        root = Path(os.path.realpath(identity.root)) if project else None
        here = Path(os.path.realpath(path)).parent
        inside = here.relative_to(root).as_posix() if root and here.is_relative_to(root) else ""
    try:
        front, body, first = split_front(data.decode("utf-8", "replace").replace("\r\n", "\n"), lenient=True)
    except BrokenFront as fault:
        read.fault(fault.line, fault.reason, file)
        return read
    paths = _paths(front, inside)
    told = "read in the instructions of this repository" if project else "read in instructions; nobody said whose"
    for rule in rules(body, first):
        if not isinstance(rule, Rule):
            read.fault(*rule, file)
            continue
        read.proposals.append(
            Proposal(
                entry=Entry(rule.line, file=file),
                statement=rule.text,
                excerpt=rule.excerpt,
                source=f"agents-md {project or (path.name if path else 'stdin')}",
                project=project,
                paths=paths,
                reason=told,
                context=rule.heading,
                path=str(path) if path else None,
            )
        )
    return read


def _paths(front: dict[str, object], inside: str) -> tuple[str, ...]:
    """Globs that a rule file names, else the folder it stands in when that is a part of the repository."""
    if str(front.get("alwaysApply", "")).lower() == "true":
        return ()
    globs = [glob for name in ("globs", "applyTo", "paths") for glob in texts(front.get(name))]
    if globs:
        return () if any(glob in {"*", "**", "**/*"} for glob in globs) else tuple(globs)
    return () if inside in {"", "."} or inside.startswith(".") else (f"{inside}/**",)
