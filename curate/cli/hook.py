"""`curate hook`: the same as `curate-hook`, for those who look for it among the commands."""

from __future__ import annotations

import click

from curate.cli.options import Shell, command


@command("hook")
@click.argument("agent")
@click.argument("event")
def hook(shell: Shell, agent: str, event: str) -> None:
    """Answer an agent's event; agents call this, people do not.

    stdin is the agent's own JSON. A prompt is answered in the agent's own format. When EVENT ends a turn, a capture of
    the transcript is started and not waited for. Leaves with 0, always.
    """
    from curate.agents.hook import main

    main([*(["--home", shell.home] if shell.home else []), agent, event])
