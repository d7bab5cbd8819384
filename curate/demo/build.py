"""Lay the demo out in a folder: repositories, and the bundled transcripts with their paths filled in."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from curate.demo import repositories

_ROOT = "@ROOT@"
_KEY = "@KEY@"


@dataclass(frozen=True, slots=True)
class Demo:
    """Where everything is."""

    home: Path
    """A place for the store; nothing is there yet."""
    repositories: dict[str, Path]
    """Folders of the repositories and worktrees by name."""
    transcripts: Path
    """The folder to scan."""
    root: Path
    """What all of it is in."""


def make(root: Path) -> Demo:
    """Make the demo's world in `root`, a folder of its own."""
    root.mkdir(parents=True, exist_ok=True)
    root = root.resolve()
    made = repositories.create(root / "work")
    transcripts = root / "transcripts"
    for name, text in bundled():
        filled = _filled(text, root)
        _put(transcripts / _place(name, filled, root), filled)
    return Demo(root / "store", made, transcripts, root)


def place(part: str, root: Path) -> Path:
    """Lay a bundled folder out in the demo's root: `earlier`, `lately`, `vault`; gives where it is."""
    for name, text in _walk(files("curate.demo") / part, ""):
        _put(root / part / name, _filled(text, root))
    return root / part


def bundled() -> Iterator[tuple[str, str]]:
    """Name and text of every bundled transcript, sorted, with the placeholders still in it."""
    yield from _walk(files("curate.demo") / "transcripts", "")


def secret() -> str:
    """The key that somebody pastes in one of the transcripts: invented, and put together only here at run time, so
    that no file of the package holds anything that a scanner takes for a live one.
    """
    return "_".join(("sk", "live", "51Hq9ZtKw" + "X3vNb7RmD2" + "yLc8PfJe4G"))


def _walk(folder: Traversable, prefix: str) -> Iterator[tuple[str, str]]:
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        name = f"{prefix}{entry.name}"
        if entry.is_dir():
            yield from _walk(entry, f"{name}/")
        elif name.endswith((".jsonl", ".md")):
            yield name, entry.read_text(encoding="utf-8")


def _filled(text: str, root: Path) -> str:
    """The text with its paths and key. Forward slashes need no escaping in JSON."""
    path = json.dumps(root.as_posix(), ensure_ascii=False)[1:-1]
    return text.replace(_ROOT, path).replace(_KEY, secret())


def _put(target: Path, text: str) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text, encoding="utf-8", newline="\n")


def _place(name: str, text: str, root: Path) -> Path:
    """Where the agent would have put it, under the folder of transcripts."""
    kind, _, rest = name.partition("/")
    if kind == "specstory":
        repository, _, file = rest.partition("/")
        return Path("specstory", repository, ".specstory", "history", file)
    found = re.search(r'"cwd":"([^"]*)","sessionId":"([^"]*)"', text)
    cwd, session = found.groups() if found else (str(root), rest.removesuffix(".jsonl"))
    return Path("claude", "projects", re.sub(r"[^A-Za-z0-9]", "-", cwd), f"{session}.jsonl")
