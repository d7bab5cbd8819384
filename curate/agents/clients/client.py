"""What is to know of an agent for connecting it, and what all of them share."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from curate.agents.install.command import Hook
from curate.agents.install.jsonc import BadJson, parse
from curate.agents.install.pieces import Element, Piece


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Whose machine it is, and where on it the agent is to be connected."""

    home: Path
    env: Mapping[str, str]
    hook: Hook
    project: Path | None = None
    """The folder of the project that it is connected for; None for the user, wherever they work."""
    version: str | None = None
    """The version of the agent, where that matters and could be told."""

    def named(self, variable: str, otherwise: str) -> Path:
        """The folder that a variable names, else one under the home folder."""
        value = self.env.get(variable)
        return Path(os.path.abspath(Path(value).expanduser())) if value else self.home / otherwise

    def which(self, program: str) -> str | None:
        """Where a program is, on the search path of these surroundings."""
        return shutil.which(program, path=self.env.get("PATH", os.defpath))


@dataclass(frozen=True, slots=True)
class Gate:
    """Something of the agent's own that keeps its hooks from running, or may."""

    name: str
    open: bool
    detail: str
    mend: str = ""


@dataclass(frozen=True, slots=True)
class Client:
    """An agent that can be connected."""

    name: str
    title: str
    program: str
    folder: Callable[[Surroundings], Path]
    """Its own folder; an agent that was ever started has one."""
    pieces: Callable[[Surroundings], list[Piece]]
    """What connecting it writes."""
    gates: Callable[[Surroundings, Path], list[Gate]] = lambda _surroundings, _cwd: []
    """What else has to be so that the hooks run, in that folder."""
    plugin: Callable[[Surroundings], str | None] = lambda _surroundings: None
    """A plugin of ours that it has switched on, which connects it as well."""
    prompt: tuple[str, ...] = ("-p",)
    """Words before a prompt that is answered on stdout at once."""
    after: str = ""
    """What the person has to do themselves once it is connected."""
    review: str = "/curate-memory"
    """What opens the review from within the agent."""

    def is_here(self, surroundings: Surroundings) -> bool:
        """Whether the agent is on this machine."""
        return surroundings.which(self.program) is not None or self.folder(surroundings).is_dir()


def groups(hook: Hook, agent: str, events: Mapping[str, int], **more: Any) -> tuple[Element, ...]:
    """A group of one hook for each event, in the shape that Claude Code began; the number is the timeout."""
    return tuple(
        Element(
            ("hooks", event),
            {"hooks": [{**more, "type": "command", "command": hook.line(agent, event), "timeout": limit}]},
        )
        for event, limit in events.items()
    )


def read(file: Path) -> dict[str, Any]:
    """Settings of an agent, for looking at; empty where they cannot be read."""
    try:
        value = parse(file.read_bytes().decode("utf-8-sig")).value
    except (OSError, UnicodeDecodeError, BadJson):
        return {}
    return value if isinstance(value, dict) else {}


def folders_above(folder: Path) -> Iterable[Path]:
    """A folder and those above it, as the agent may name them."""
    real = Path(os.path.realpath(folder))
    return dict.fromkeys([folder, *folder.parents, real, *real.parents])
