"""Claude Code: hooks in its settings, a skill for the routing rule, and `/curate-memory`.

The end of a session is heard too, since a turn that the person interrupts has no end of its own. Nothing is ever
printed at the end of a turn: Claude Code would go on without limit.
"""

from __future__ import annotations

import json
from pathlib import Path

from curate.agents.clients.client import Client, Gate, Surroundings, groups, read
from curate.agents.clients.skills import memory_skill, review_skill
from curate.agents.install.pieces import Merged, Piece

EVENTS = {"UserPromptSubmit": 5, "Stop": 10, "SessionEnd": 10}
"""Each event that is heard, with seconds after which Claude Code goes on without us."""


def _folder(surroundings: Surroundings) -> Path:
    return surroundings.named("CLAUDE_CONFIG_DIR", ".claude")


def _pieces(surroundings: Surroundings) -> list[Piece]:
    hook, project = surroundings.hook, surroundings.project
    folder = _folder(surroundings) if project is None else project / ".claude"
    # The commands name places on this machine, so they do not belong into a file that is shared.
    settings = folder / ("settings.json" if project is None else "settings.local.json")
    command = f"!`{hook.quoted(hook.review())}`"
    return [
        Merged(settings, groups(hook, "claude-code", EVENTS)),
        review_skill(
            folder / "skills" / "curate-memory" / "SKILL.md",
            f"{command}\n\nTell the person what this says, word for word, and do nothing else.",
            ("disable-model-invocation: true", f"allowed-tools: {json.dumps(f'Bash({hook.quoted(hook.review())})')}"),
        ),
        memory_skill(folder / "skills" / "memory-governance" / "SKILL.md", "/curate-memory"),
    ]


def _gates(surroundings: Surroundings, cwd: Path) -> list[Gate]:
    own = [cwd / ".claude" / name for name in ("settings.json", "settings.local.json")]
    found = [
        Gate("hooks", False, f"{file} has disableAllHooks", f"take `disableAllHooks` out of {file}")
        for file in (_folder(surroundings) / "settings.json", *own)
        if read(file).get("disableAllHooks") is True
    ]
    return found or [Gate("hooks", True, "no setting turns hooks off")]


def _plugin(surroundings: Surroundings) -> str | None:
    enabled = read(_folder(surroundings) / "settings.json").get("enabledPlugins")
    names = [name for name, on in enabled.items() if on is True] if isinstance(enabled, dict) else []
    return next((name for name in names if name.startswith("curate@")), None)


CLAUDE_CODE = Client("claude-code", "Claude Code", "claude", _folder, _pieces, _gates, _plugin)
