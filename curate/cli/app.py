"""The table of commands. A command's module is imported when the command is called, so that each loads only its own."""

from __future__ import annotations

import importlib

import click

from curate import __version__
from curate.cli.options import Shell, home_option

COMMANDS: dict[str, tuple[str, str]] = {
    "demo": ("curate.cli.demo", "demo"),
    "init": ("curate.cli.store_commands", "init"),
    "scan": ("curate.cli.scan", "scan"),
    "inbox": ("curate.cli.inbox", "inbox"),
    "propose": ("curate.cli.inbox", "propose"),
    "apply": ("curate.cli.apply", "apply"),
    "undo": ("curate.cli.apply", "undo"),
    "records": ("curate.cli.records", "records"),
    "show": ("curate.cli.records", "show"),
    "history": ("curate.cli.records", "history"),
    "materialise": ("curate.cli.store_commands", "materialise"),
    "verify": ("curate.cli.store_commands", "verify"),
    "import": ("curate.cli.exchange", "import_"),
    "export": ("curate.cli.exchange", "export"),
    "classify": ("curate.cli.text_commands", "classify"),
    "group": ("curate.cli.text_commands", "group"),
    "hook": ("curate.cli.hook", "hook"),
}
"""Name of each command, and the module and name where it is found."""


class Commands(click.Group):
    """A group that knows its commands by name and imports them late."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - as click calls it
        """Names in the order of a first use."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import and give the command; None when there is none of that name."""
        if cmd_name not in COMMANDS:
            return None
        module, name = COMMANDS[cmd_name]
        command = getattr(importlib.import_module(module), name)
        assert isinstance(command, click.Command)
        return command


@click.group(
    cls=Commands,
    invoke_without_command=True,
    subcommand_metavar="[COMMAND] ...",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, message="curate %(version)s")
@home_option
@click.pass_context
def app(ctx: click.Context) -> None:
    """Governed memory for coding agents: what you told them that should hold from now on.

    Without a command it opens the review of what waits in the inbox.
    """
    shell = ctx.ensure_object(Shell)
    if ctx.invoked_subcommand is None:
        from curate.cli.review import review

        review(shell)
