"""Pi: an extension file of our own, which brings the command too, and a skill."""

from __future__ import annotations

from pathlib import Path

from curate.agents.clients.client import Client, Surroundings
from curate.agents.clients.opencode import extension
from curate.agents.clients.skills import memory_skill
from curate.agents.install.pieces import Piece


def _folder(surroundings: Surroundings) -> Path:
    return surroundings.named("PI_CODING_AGENT_DIR", ".pi/agent")


def _pieces(surroundings: Surroundings) -> list[Piece]:
    project = surroundings.project
    folder = _folder(surroundings) if project is None else project / ".pi"
    return [
        extension(folder / "extensions" / "curate.js", "pi", surroundings.hook),
        memory_skill(folder / "skills" / "memory-governance" / "SKILL.md", "/curate-memory"),
    ]


PI = Client("pi", "Pi", "pi", _folder, _pieces)
