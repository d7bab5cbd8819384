"""Codex: hooks in `hooks.json` of its own folder, and skills where it looks for them.

Its hooks run only once the person has trusted them in `/hooks`; that is theirs to give, so it is said and not done.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

from curate.agents.clients.client import Client, Gate, Surroundings, folders_above, groups
from curate.agents.clients.skills import memory_skill, review_skill, run_and_tell
from curate.agents.install.faults import BrokenSettings
from curate.agents.install.merging import own_entries
from curate.agents.install.pieces import Merged, Piece

EVENTS = {"UserPromptSubmit": 5, "Stop": 10, "SessionEnd": 3}
"""Each event that is heard, with seconds; Codex warns of more than 3 at the end of a session."""


def _folder(surroundings: Surroundings) -> Path:
    return surroundings.named("CODEX_HOME", ".codex")


def _hooks_file(surroundings: Surroundings) -> Path:
    project = surroundings.project
    return (_folder(surroundings) if project is None else project / ".codex") / "hooks.json"


def _pieces(surroundings: Surroundings) -> list[Piece]:
    hook = surroundings.hook
    skills = (surroundings.home if surroundings.project is None else surroundings.project) / ".agents" / "skills"
    return [
        Merged(_hooks_file(surroundings), groups(hook, "codex", EVENTS)),
        review_skill(skills / "curate-memory" / "SKILL.md", run_and_tell(hook)),
        memory_skill(skills / "memory-governance" / "SKILL.md", "$curate-memory"),
    ]


def _gates(surroundings: Surroundings, cwd: Path) -> list[Gate]:
    file = _folder(surroundings) / "config.toml"
    try:
        config = tomllib.loads(file.read_text("utf-8"))
    except FileNotFoundError:
        config = {}
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as fault:
        where = re.search(r"line (\d+)", str(fault))
        line = f", line {where[1]}" if where else ""
        return [Gate("settings", False, f"{file}{line}: cannot be read", f"mend {file}{line}")]
    features = config.get("features")
    off = isinstance(features, dict) and False in (features.get("hooks"), features.get("codex_hooks"))
    gates = [
        Gate("hooks", not off, "hooks are off in [features]" if off else "hooks are on",
             f"take `hooks = false` out of [features] in {file}"),
        _trust(surroundings, config),
    ]  # fmt: skip
    if surroundings.project is not None:
        projects = config.get("projects")
        known = [projects.get(str(each)) for each in folders_above(cwd)] if isinstance(projects, dict) else []
        trusted = any(isinstance(each, dict) and each.get("trust_level") == "trusted" for each in known)
        gates.append(Gate("project", trusted, f"{cwd} is {'' if trusted else 'not '}trusted",
                          f"start codex in {cwd} and trust the folder"))  # fmt: skip
    return gates


def _trust(surroundings: Surroundings, config: dict[str, Any]) -> Gate:
    """Whether the person has trusted each of our hooks. A changed hook is as one never trusted, and Codex alone can
    tell; that it has a hash at all is what can be seen from outside.
    """
    file = _hooks_file(surroundings)
    try:
        events = {event for event, _ in own_entries(file, file.read_bytes())}
    except (OSError, BrokenSettings):
        events = set()
    hooks = config.get("hooks")
    state = hooks.get("state") if isinstance(hooks, dict) else None
    trusted = {
        key.removeprefix(f"{name}:").partition(":")[0]
        for name in {str(file), str(file.resolve())}
        for key, value in (state.items() if isinstance(state, dict) else ())
        if key.startswith(f"{name}:") and isinstance(value, dict) and value.get("trusted_hash")
        and value.get("enabled") is not False
    }  # fmt: skip
    waiting = sorted(event for event in events if _snake(event) not in trusted)
    return Gate(
        "trust",
        not waiting,
        f"not trusted yet: {', '.join(waiting)}" if waiting else "every hook was trusted",
        "start codex, type /hooks, look at the hooks of curate and trust them",
    )


def _snake(event: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", event).lower()


CODEX = Client(
    "codex",
    "Codex",
    "codex",
    _folder,
    _pieces,
    _gates,
    prompt=("exec", "--skip-git-repo-check"),
    after="Codex runs no hook before you trust it: start codex, type /hooks and trust those of curate.",
    review="$curate-memory",
)
