"""OpenCode: a plugin file of our own, a command and a skill in its folders."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path

from curate.agents.clients.client import Client, Surroundings
from curate.agents.clients.skills import OPEN, memory_skill
from curate.agents.install.command import Hook
from curate.agents.install.pieces import MARK, Piece, Whole

PLACE = 'const HOOK = ["curate-hook"];'
"""The line of an extension that names what it calls."""


def _folder(surroundings: Surroundings) -> Path:
    return surroundings.named("XDG_CONFIG_HOME", ".config") / "opencode"


def _pieces(surroundings: Surroundings) -> list[Piece]:
    hook, project = surroundings.hook, surroundings.project
    folder = _folder(surroundings) if project is None else project / ".opencode"
    command = (
        f"---\ndescription: {OPEN}\n---\n\n<!-- {MARK}. -->\n\n!`{hook.quoted(hook.review())}`\n\n"
        "Tell the person what this says, word for word, and do nothing else.\n"
    )
    return [
        extension(folder / "plugins" / "curate.js", "opencode", hook),
        Whole(folder / "commands" / "curate-memory.md", command),
        memory_skill(folder / "skills" / "memory-governance" / "SKILL.md", "/curate-memory"),
    ]


def extension(file: Path, agent: str, hook: Hook) -> Whole:
    """The extension for an agent that loads JavaScript, calling this curate."""
    text = files("curate.agents").joinpath(f"bundle/{agent}.js").read_text("utf-8")
    assert text.count(PLACE) == 1
    words = json.dumps(hook.words(agent))
    review = json.dumps(hook.review())
    text = text.replace(PLACE, f"const HOOK = {words};").replace(
        'const REVIEW = ["curate"];', f"const REVIEW = {review};"
    )
    return Whole(file, text)


OPENCODE = Client("opencode", "OpenCode", "opencode", _folder, _pieces, prompt=("run",))
