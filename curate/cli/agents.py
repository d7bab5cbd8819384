"""`curate install` and `curate uninstall`: an agent is connected in one command, and disconnected without a trace."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from curate.cli.options import Shell, command
from curate.cli.output import count, emit, say, tell

if TYPE_CHECKING:
    from curate.agents.clients.client import Client, Surroundings
    from curate.agents.install.plan import Change

_scope = click.option(
    "--scope",
    type=click.Choice(["user", "project"]),
    default="user",
    help="For you in every folder, or for the project that this folder is in.",
)
_dry_run = click.option("--dry-run", is_flag=True, help="Show what would be written, write nothing.")


@command("install")
@click.argument("agent")
@_scope
@_dry_run
def install(shell: Shell, agent: str, scope: str, dry_run: bool) -> None:
    """Connect an agent: show what is added to its settings, and add it.

    From then on each prompt gets its memory and each turn is captured. Settings keep every other byte: comments,
    order, hooks of others. Running it again changes nothing. `curate uninstall AGENT` restores every file.

    AGENT is claude-code, codex, copilot, opencode, pi or gemini.
    """
    from curate.agents.connection import changes_to_connect, connect, project_folder, receipt_of

    client, surroundings = _named(shell, agent, scope)
    if plugin := client.plugin(surroundings):
        say(f"{client.title} has the plugin {plugin} too; with both, each prompt gets its memory twice")
    other = replace(surroundings, project=None if surroundings.project else project_folder(Path.cwd()))
    if client.name != "claude-code" and receipt_of(client, other).exists():
        said = "this project" if surroundings.project is None else "you in every folder"
        say(f"{client.title} is connected for {said} too; with both, each prompt gets its memory twice")
    changes = changes_to_connect(client, surroundings)
    if not shell.as_json:
        show(changes)
    if not dry_run:
        connect(client, surroundings, changes)
    if shell.as_json:
        emit(document(client, changes, scope, dry_run=dry_run))
        return
    if dry_run:
        tell("Nothing was written.")
        return
    altered = sum(change.action != "unchanged" for change in changes)
    tell(f"{client.title} is connected; {count(altered, 'file')} written." if altered else
         f"{client.title} is connected already.")  # fmt: skip
    if surroundings.project is not None and altered:
        tell("These files name places on this machine; do not commit them.")
    if client.after:
        tell(client.after)


@command("uninstall")
@click.argument("agent")
@_scope
@_dry_run
def uninstall(shell: Shell, agent: str, scope: str, dry_run: bool) -> None:
    """Disconnect an agent: every file becomes as it was, without what `curate install` added.

    Where nothing else changed a file, it is restored to the byte; where something did, only our entries go.
    """
    from curate.agents.connection import changes_to_disconnect, disconnect

    client, surroundings = _named(shell, agent, scope)
    changes = changes_to_disconnect(client, surroundings)
    if not shell.as_json:
        show(changes)
    aside = [] if dry_run else disconnect(client, surroundings, changes)
    for copy in aside:
        say(f"a file of curate's that had been edited was kept as {copy}")
    if shell.as_json:
        emit(document(client, changes, scope, dry_run=dry_run))
    elif dry_run:
        tell("Nothing was written.")
    else:
        tell(f"{client.title} is disconnected; {count(len(changes), 'file')} restored or removed." if changes else
             f"{client.title} was not connected.")  # fmt: skip


def document(client: Client, changes: list[Change], scope: str, *, dry_run: bool) -> dict[str, object]:
    """What was done, for programs."""
    listed = [{"file": str(change.file), "action": change.action} for change in changes]
    return {"agent": client.name, "scope": scope, "dry_run": dry_run, "changes": listed, "next": client.after}


def show(changes: list[Change], *, brief: bool = False) -> None:
    """Print the changes as diffs; what looks like a secret in the lines around them is masked.

    `brief` only names files that are new and ours alone.
    """
    from curate.agents.install.plan import diff
    from store.secrets import mask

    for change in changes:
        text = diff(change)
        if text and brief and change.action == "created" and not change.merged:
            tell(f"  new file {change.file}")
        elif text:
            masked = mask(text).text
            sys.stdout.write("\n".join(map(_printable, masked.split("\n"))) + "\n\n")


def _printable(line: str) -> str:
    return "".join(char if char.isprintable() or char == "\t" else "�" for char in line)


def _named(shell: Shell, agent: str, scope: str) -> tuple[Client, Surroundings]:
    from curate.agents.clients import named
    from curate.agents.connection import here, informed, project_folder

    client = named(agent)
    project = project_folder(Path.cwd()) if scope == "project" else None
    return client, informed(client, here(shell.home, project=project))
