"""Connecting and disconnecting an agent on this machine: the edge where plan, files and receipt meet."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Literal

from curate import __version__
from curate.agents.clients.client import Client, Surroundings
from curate.agents.install import apply, plan, receipt
from curate.agents.install.command import Hook
from curate.agents.install.plan import Change

Scope = Literal["user", "project"]


def here(
    store: str | None = None,
    *,
    project: Path | None = None,
    env: Mapping[str, str] | None = None,
    home: Path | None = None,
) -> Surroundings:
    """This machine. `store` is a store that the person named; any other is found by each hook from where it runs."""
    hook = Hook(
        os.path.abspath(sys.executable),
        home=os.path.abspath(Path(store).expanduser()) if store else None,
        windows=sys.platform == "win32",
    )
    return Surroundings(home or Path.home(), os.environ if env is None else env, hook, project)


def project_folder(cwd: Path) -> Path:
    """The folder that agents take for the project: where `.git` is, else the one that one is in."""
    return next((each for each in (cwd, *cwd.parents) if (each / ".git").exists()), cwd)


def informed(client: Client, surroundings: Surroundings) -> Surroundings:
    """The surroundings with the version of the agent, where what is written depends on it."""
    program = surroundings.which(client.program)
    if client.name != "copilot" or surroundings.version or program is None:
        return surroundings
    from curate.agents.clients.copilot import version_of

    return replace(surroundings, version=version_of(program))


def changes_to_connect(client: Client, surroundings: Surroundings) -> list[Change]:
    """What connecting would write. Raises the faults of `install.faults`."""
    known = receipt.load(receipt_of(client, surroundings))
    return plan.to_connect(client.pieces(surroundings), known, apply.look)


def changes_to_disconnect(client: Client, surroundings: Surroundings) -> list[Change]:
    """What disconnecting would write. Raises the faults of `install.faults`."""
    known = receipt.load(receipt_of(client, surroundings))
    return plan.to_disconnect(client.pieces(surroundings), known, apply.look)


def connect(client: Client, surroundings: Surroundings, changes: list[Change]) -> None:
    """Write those changes, and what tells them from all else. Raises the faults of `install.faults`."""
    project = surroundings.project
    path = receipt_of(client, surroundings)
    if path.exists() and all(change.action == "unchanged" for change in changes):
        return
    kept = receipt.Receipt(
        client.name, "user" if project is None else "project", str(project) if project else None, __version__
    )
    apply.connect(changes, kept, path)


def disconnect(client: Client, surroundings: Surroundings, changes: list[Change]) -> list[Path]:
    """Write those changes and forget them; gives copies of files of ours that somebody had edited.

    Raises the faults of `install.faults`.
    """
    path = receipt_of(client, surroundings)
    apply.disconnect(changes, path)
    return [apply.set_aside(change, path) for change in changes if change.edited]


def receipt_of(client: Client, surroundings: Surroundings) -> Path:
    """Where the receipt of this connection is, or would be."""
    states = receipt.state_folder(surroundings.env, surroundings.home)
    return receipt.receipt_path(states, client.name, surroundings.project)


def connected(client: Client, surroundings: Surroundings) -> bool:
    """Whether hooks of ours stand where they should. Raises the faults of `install.faults`."""
    changes = changes_to_connect(client, surroundings)
    return all(change.now is not None for change in changes[:1])
