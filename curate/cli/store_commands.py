"""Commands on the store as a whole: `init`, `materialise`, `verify`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from curate.cli.options import Shell, command
from curate.cli.output import count, emit, table, tell
from store.errors import InputError

FOUND = 1
"""Exit code of a check that found something."""


@command("init")
@click.option("--local", is_flag=True, help="Make the store in .curate/ of this folder, for what is done below it.")
def init(shell: Shell, local: bool) -> None:
    """Make a store and say which agents' transcripts can be read."""
    if local:
        if shell.home is not None:
            raise InputError("--local and --home name two stores; give one of them")
        from store.layout import LOCAL_FOLDER

        shell.home = str(Path.cwd() / LOCAL_FOLDER)
    store = shell.open(create=True)
    agents = found_agents()
    if shell.as_json:
        emit({"home": str(store.root), "agents": agents})
        return
    tell(f"Store: {store.root}")
    table(((agent["agent"], count(agent["transcripts"], "transcript"), agent["folder"]) for agent in agents), indent=2)
    tell("Read them with `curate scan`." if agents else "No agent's transcripts found; name some: `curate scan PATH`.")


def found_agents() -> list[dict[str, Any]]:
    """Agents whose folder of transcripts is on this machine, with how many are in it."""
    from curate.capture.readers import REGISTRY, default_folders

    found = []
    for agent in dict.fromkeys(reader.agent for reader in REGISTRY):
        for folder in default_folders(agent, Path.home()):
            if folder.is_dir():
                number = sum(1 for path in folder.rglob("*") if path.suffix in {".jsonl", ".json", ".md"})
                found.append({"agent": agent, "folder": str(folder), "transcripts": number})
    return found


@command("verify")
def verify(shell: Shell) -> None:
    """Check every invariant of the store; each problem is named with its file, its line, and how to mend it."""
    problems = shell.open().verify()
    if shell.as_json:
        listed = [
            {"file": each.file, "line": each.line, "problem": each.problem, "mend": each.mend} for each in problems
        ]
        emit({"ok": not problems, "problems": listed})
    else:
        for each in problems:
            tell(f"{each.file}{f', line {each.line}' if each.line else ''}: {each.problem}")
            tell(f"    {each.mend}")
        tell(count(len(problems), "problem") if problems else "The store is sound.")
    if problems:
        raise click.exceptions.Exit(FOUND)
