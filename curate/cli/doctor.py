"""`curate doctor`: what is connected, fresh and broken, and how to mend it."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import click

from curate.cli.options import Shell, command
from curate.cli.output import count, emit, tell

FOUND = 1
"""Exit code when something was found."""
SIGNS = {"ok": "✓", "note": "·", "problem": "✗"}


@command("doctor")
@click.option("--probe", metavar="AGENT", help="Run a real prompt through this agent: does the model receive memory?")
@click.option(
    "--requests", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
    help="With --probe: a log of what your own model server received, looked through as well.",
)  # fmt: skip
@click.option("--reset", is_flag=True, help="Let a hook that rests after failures try again at once.")
def doctor(shell: Shell, probe: str | None, requests: Path | None, reset: bool) -> None:
    """Look at the store, the hook and each agent; what is wrong is named with what mends it. Leaves with 1 then.

    --probe asks the agent's own model for a token that only a hook can have told it: it takes one prompt of what you
    pay for, in a throw-away folder and with a throw-away store.
    """
    from curate.agents.breaker import reset as forget
    from curate.agents.clients import CLIENTS, named
    from curate.agents.connection import here
    from curate.agents.doctor.agent_checks import agent_checks
    from curate.agents.doctor.probe import new_token
    from curate.agents.doctor.probe import probe as run_probe
    from curate.agents.doctor.store_checks import store_checks
    from store.text import one_line

    if requests is not None and probe is None:
        raise click.UsageError("--requests needs --probe.")
    asked = named(probe) if probe is not None else None
    root, surroundings = shell.root(), here(shell.home)
    if reset:
        forget(str(root))
    checks = list(store_checks(root, time.time()))
    for client in CLIENTS.values():
        checks += agent_checks(client, surroundings, root, Path.cwd())
    if asked is not None:
        checks.append(run_probe(asked, surroundings, new_token(), requests))
    problems = [check for check in checks if check.status == "problem"]
    if shell.as_json:
        emit({"ok": not problems, "checks": [check.document() for check in checks]})
    else:
        width = max(len(check.name) for check in checks)
        for check in checks:
            sys.stdout.write(f"{SIGNS[check.status]} {check.name:<{width}}  {one_line(check.detail)}\n")
            if check.mend:
                sys.stdout.write(f"  {'':<{width}}  → {one_line(check.mend)}\n")
        tell(count(len(problems), "problem") if problems else "Nothing is wrong.")
    if problems:
        raise click.exceptions.Exit(FOUND)
