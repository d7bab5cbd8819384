"""Gemini CLI: hooks in its settings, a command file and a skill.

Context goes by `BeforeAgent` alone: what is said at the start of a session becomes part of the first prompt, which is
then missing when the session is resumed.
"""

from __future__ import annotations

import json
from pathlib import Path

from curate.agents.clients.client import Client, Gate, Surroundings, groups, read
from curate.agents.clients.skills import OPEN, memory_skill
from curate.agents.install.pieces import MARK, Merged, Piece, Whole

EVENTS = {"BeforeAgent": 5_000, "AfterAgent": 10_000, "SessionEnd": 10_000}
"""Each event that is heard, with milliseconds."""


def _folder(surroundings: Surroundings) -> Path:
    home = surroundings.env.get("GEMINI_CLI_HOME")
    return (Path(home) if home else surroundings.home) / ".gemini"


def _pieces(surroundings: Surroundings) -> list[Piece]:
    hook, project = surroundings.hook, surroundings.project
    folder = _folder(surroundings) if project is None else project / ".gemini"
    prompt = (
        f"Tell the person what this says, word for word, and do nothing else:\n\n!{{{hook.quoted(hook.review())}}}\n"
    )
    command = f"# {MARK}.\ndescription = {json.dumps(OPEN)}\nprompt = {json.dumps(prompt)}\n"
    return [
        Merged(folder / "settings.json", groups(hook, "gemini", EVENTS, name="curate")),
        Whole(folder / "commands" / "curate-memory.toml", command),
        memory_skill(folder / "skills" / "memory-governance" / "SKILL.md", "/curate-memory"),
    ]


def _gates(surroundings: Surroundings, _cwd: Path) -> list[Gate]:
    file = _folder(surroundings) / "settings.json"
    settings = read(file)
    tools, hooks = settings.get("tools"), settings.get("hooksConfig")
    off = (isinstance(tools, dict) and tools.get("enableHooks") is False) or (
        isinstance(hooks, dict) and (hooks.get("enabled") is False or "curate" in (hooks.get("disabled") or ()))
    )
    return [Gate("hooks", not off, f"hooks are {'off' if off else 'on'} in {file}", f"turn hooks on in {file}")]


GEMINI = Client("gemini", "Gemini CLI", "gemini", _folder, _pieces, _gates)
