"""Copilot CLI: a hooks file of our own, whose events depend on what the installed version lets through.

Its payload at the end of a turn has no text and its log is late, so the end of the session is heard as well.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

from curate.agents.channels import CHANNELS, START, TOOL, channels, parsed
from curate.agents.clients.client import Client, Gate, Surroundings, folders_above, read
from curate.agents.clients.skills import memory_skill, review_skill, run_and_tell
from curate.agents.install.pieces import Piece, Whole

EVENTS = {"userPromptSubmitted": 5, "agentStop": 10, "sessionEnd": 10}
"""Events that are always heard, with seconds."""
SOMETIMES = {START: "sessionStart", TOOL: "postToolUse"}
"""Heard where the version takes what we say there and nowhere better."""
TIMEOUT = 5


def _folder(surroundings: Surroundings) -> Path:
    return surroundings.named("COPILOT_HOME", ".copilot")


def _pieces(surroundings: Surroundings) -> list[Piece]:
    hook, project = surroundings.hook, surroundings.project
    folder = _folder(surroundings) if project is None else project / ".github"
    events = EVENTS | {SOMETIMES[each]: TIMEOUT for each in channels(surroundings.version) if each in SOMETIMES}
    hooks: dict[str, Any] = {
        event: [
            {
                "type": "command",
                "bash": hook.line("copilot", event),
                "powershell": hook.powershell("copilot", event),
                "timeoutSec": limit,
            }
        ]
        for event, limit in events.items()
    }
    text = json.dumps({"version": 1, "hooks": hooks}, indent=2, ensure_ascii=False) + "\n"
    return [
        Whole(folder / "hooks" / "curate.json", text),
        review_skill(folder / "skills" / "curate-memory" / "SKILL.md", run_and_tell(hook)),
        memory_skill(folder / "skills" / "memory-governance" / "SKILL.md", "/curate-memory"),
    ]


def version_of(program: str) -> str | None:
    """The version that the installed program tells; None when it does not."""
    try:
        done = subprocess.run([program, "--version"], capture_output=True, timeout=10, check=False)
    except (OSError, subprocess.SubprocessError):
        return None
    number = parsed(done.stdout.decode("utf-8", "replace"))
    return ".".join(map(str, number)) if number else None


def _gates(surroundings: Surroundings, cwd: Path) -> list[Gate]:
    gates = [_channel(surroundings)]
    settings = read(_folder(surroundings) / "settings.json")
    if settings.get("enableFileHooks") is False:
        # No setting of the CLI as measured; versions that knew it kept hooks off with it.
        gates.append(Gate("enableFileHooks", False, "enableFileHooks is false",
                          f"set it to true in {_folder(surroundings) / 'settings.json'}"))  # fmt: skip
    if settings.get("disableAllHooks") is True:
        gates.append(Gate("hooks", False, "disableAllHooks is true",
                          f"take it out of {_folder(surroundings) / 'settings.json'}"))  # fmt: skip
    if surroundings.project is not None:
        known = read(_folder(surroundings) / "config.json").get("trustedFolders")
        trusted = isinstance(known, list) and any(str(each) in known for each in folders_above(cwd))
        gates.append(Gate("trust", trusted, f"{cwd} is {'' if trusted else 'not '}among the trusted folders",
                          f"start copilot in {cwd} and trust the folder"))  # fmt: skip
    return gates


def _channel(surroundings: Surroundings) -> Gate:
    version = surroundings.version
    number = parsed(version)
    if version is None or number is None:
        return Gate("channel", True, "version not known: context goes by every channel")
    measured = any(first <= number < beyond for first, beyond, _ in CHANNELS)
    wanted = {SOMETIMES[each] for each in channels(version) if each in SOMETIMES}
    piece = _pieces(surroundings)[0]
    try:
        heard = set(json.loads(piece.file.read_bytes())["hooks"])
    except (OSError, ValueError, KeyError, TypeError):
        heard = wanted
    return Gate(
        "channel",
        wanted <= heard,
        f"{version}{'' if measured else ', which nobody has measured'}: {', '.join(channels(version))}",
        "run `curate install copilot` again: this version takes context elsewhere",
    )


COPILOT = Client("copilot", "Copilot CLI", "copilot", _folder, _pieces, _gates)
