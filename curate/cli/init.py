"""`curate init`: a store, and the agents of this machine connected to it, each after a look at what that changes."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from curate.cli.options import Shell, command
from curate.cli.output import count, emit, say, table, tell
from store.errors import CurateError, InputError

if TYPE_CHECKING:
    from curate.agents.clients.client import Client, Surroundings
    from curate.agents.install.plan import Change


@command("init")
@click.option("--local", is_flag=True, help="Make the store in .curate/ of this folder, for what is done below it.")
@click.option("--yes", is_flag=True, help="Connect every agent that is found, without asking.")
@click.option("--agents", metavar="A,B", help="Connect these and no others, without asking; `none` for none.")
def init(shell: Shell, local: bool, yes: bool, agents: str | None) -> None:
    """Make a store, find the agents on this machine, show what connecting them changes, and connect them.

    On a terminal each is asked about. Elsewhere only --yes or --agents connects any. `curate uninstall AGENT` takes
    it back.
    """
    from curate.agents.clients import named

    words = [word.strip() for word in (agents or "").split(",")]
    asked = None if agents is None else [named(word) for word in words if word not in {"", "none"}]
    if local:
        if shell.home is not None:
            raise InputError("--local and --home name two stores; give one of them")
        from store.layout import LOCAL_FOLDER

        root = str(Path.cwd() / LOCAL_FOLDER)
        store = Shell(root).open(create=True)
    else:
        store = shell.open(create=True)
    if not shell.as_json:
        tell(f"Store: {store.root}")
    found = found_agents(shell.home)
    faults = [_offer(each, asked, yes=yes, quiet=shell.as_json) for each in found if each.client is not None]
    if asked is not None:
        here = {each.client.name for each in found if each.client is not None}
        faults += [
            _connect_unseen(client, shell.home, quiet=shell.as_json) for client in asked if client.name not in here
        ]
    if shell.as_json:
        emit({"home": str(store.root), "agents": [each.document() for each in found]})
        return
    transcripts = [each for each in found if each.transcripts]
    table(((each.agent, count(each.transcripts, "transcript"), each.folder) for each in transcripts), indent=2)
    tell("Read them with `curate scan`." if transcripts else
         "No agent's transcripts found; name some: `curate scan PATH`.")  # fmt: skip
    if any(faults):
        tell("`curate doctor` tells more.")


@dataclass
class Found:
    """An agent on this machine: where its transcripts are, and what connecting it would change."""

    agent: str
    folder: str
    transcripts: int
    surroundings: Surroundings
    client: Client | None = None
    """None for what can be read and not connected."""
    connected: bool = False
    changes: list[Change] = field(default_factory=list)

    def document(self) -> dict[str, Any]:
        """The agent for programs."""
        listed = [{"file": str(change.file), "action": change.action} for change in self.changes]
        return {"agent": self.agent, "folder": self.folder, "transcripts": self.transcripts,
                "connected": self.connected, "changes": listed}  # fmt: skip


def found_agents(home: str | None = None) -> list[Found]:
    """Agents that are here: started once, on the search path, or with transcripts."""
    from curate.agents.clients import CLIENTS
    from curate.agents.connection import here
    from curate.capture.readers import agents, default_folders

    surroundings = here(home)
    found = []
    for agent in dict.fromkeys([*CLIENTS, *agents()]):
        client = CLIENTS.get(agent)
        places = default_folders(agent, surroundings.home, surroundings.env)
        if not places and not (client is not None and client.is_here(surroundings)):
            continue
        folder = places[0] if places else client.folder(surroundings) if client else surroundings.home
        transcripts = sum(_transcripts(place) for place in places)
        found.append(Found(agent, str(folder), transcripts, surroundings, client))
    return found


def _transcripts(place: Path) -> int:
    if not place.is_dir():
        return 1
    return sum(1 for path in place.rglob("*") if path.suffix in {".jsonl", ".json", ".md"})


def _offer(found: Found, asked: list[Client] | None, *, yes: bool, quiet: bool) -> bool:
    """Show what connecting changes, and connect when that is wanted; whether something stood in the way."""
    from curate.agents.connection import changes_to_connect, connect, informed
    from curate.cli.agents import show

    assert found.client is not None
    client, surroundings = found.client, informed(found.client, found.surroundings)
    if plugin := client.plugin(surroundings):
        found.connected = True
        if not quiet:
            tell(f"{client.title} is connected by its plugin {plugin}.")
        return False
    try:
        found.changes = changes_to_connect(client, surroundings)
        if all(change.action == "unchanged" for change in found.changes):
            found.connected = True
            if not quiet:
                tell(f"{client.title} is connected already.")
            return False
        wanted = yes if asked is None else client in asked
        if not quiet and (wanted or asked is None):
            tell(f"{client.title} is here. Connecting it changes:")
            show(found.changes, brief=True)
        if asked is None and not yes:
            if quiet or not (sys.stdin.isatty() and sys.stdout.isatty()):
                if not quiet:
                    tell(f"Connect it with `curate install {client.name}`.")
                return False
            wanted = click.confirm(f"Connect {client.title}?", default=True)
        if wanted:
            connect(client, surroundings, found.changes)
            found.connected = True
            if not quiet:
                tell(f"{client.title} is connected." + (f" {client.after}" if client.after else ""))
    except CurateError as fault:
        say(f"curate: {client.title} is left alone: {fault}")
        return True
    return False


def _connect_unseen(client: Client, home: str | None, *, quiet: bool) -> bool:
    """Connect an agent that was named and has left no sign of itself yet."""
    from curate.agents.connection import here

    return _offer(Found(client.name, "", 0, here(home), client), [client], yes=False, quiet=quiet)
