"""The table of commands. A command's module is imported when the command is called, so that each loads only its own."""

from __future__ import annotations

import importlib

import click

from curate import __version__
from curate.cli.options import Shell, home_option

COMMANDS: dict[str, tuple[str, str, str]] = {
    "demo": ("curate.cli.demo", "demo", "try it: review what sample transcripts taught"),
    "init": ("curate.cli.init", "init", "make a store, and connect the agents that are there"),
    "install": ("curate.cli.agents", "install", "connect an agent"),
    "uninstall": ("curate.cli.agents", "uninstall", "disconnect it, every file as it was"),
    "doctor": ("curate.cli.doctor", "doctor", "what is connected, fresh and broken, and how to mend it"),
    "scan": ("curate.cli.scan", "scan", "capture from transcripts"),
    "consolidate": ("curate.cli.consolidate", "consolidate", "ask a model what else was meant to last (off)"),
    "inbox": ("curate.cli.inbox", "inbox", "what waits for review"),
    "review": ("curate.cli.review", "review_command", "decide on it, on the screen or in a text file"),
    "web": ("curate.cli.web", "web", "the same in a browser"),
    "propose": ("curate.cli.inbox", "propose", "a patch for what waits"),
    "apply": ("curate.cli.apply", "apply", "apply a patch"),
    "undo": ("curate.cli.undo", "undo", "take a patch back"),
    "purge": ("curate.cli.purge", "purge", "remove what was said from every file, for good"),
    "records": ("curate.cli.records", "records", "what is remembered"),
    "search": ("curate.cli.search", "search", "which memories a text is about"),
    "context": ("curate.cli.context", "context", "what a turn would get, and why"),
    "explain": ("curate.cli.context", "explain", "what turns really got, and what was left out"),
    "sessions": ("curate.cli.sessions", "sessions", "what was done in past sessions"),
    "note": ("curate.cli.notes", "note", "note something for today, or on the scratchpad"),
    "decisions": ("curate.cli.notes", "decisions", "what was noted as #decision"),
    "show": ("curate.cli.records", "show", "one record or candidate, and how it came to be so"),
    "history": ("curate.cli.records", "history", "what was decided, newest first"),
    "audit": ("curate.cli.audit", "audit", "what is in dispute, and settling it"),
    "blame": ("curate.cli.blame", "blame", "which decision put each field of a memory there"),
    "at": ("curate.cli.at", "at", "the memory as it was at a date"),
    "diff": ("curate.cli.at", "diff", "what changed between two dates"),
    "materialise": ("curate.cli.store_commands", "materialise", "write the Markdown pages"),
    "maintain": ("curate.cli.maintain", "maintain", "what has aged, is due, said twice, unused, or ripe for more"),
    "verify": ("curate.cli.store_commands", "verify", "check every invariant of the store"),
    "reindex": ("curate.cli.reindex", "reindex", "read all logs into the index again"),
    "migrate": ("curate.cli.migrate", "migrate", "bring an older store to this version"),
    "import": ("curate.cli.exchange", "import_", "bring records in"),
    "export": ("curate.cli.exchange", "export", "write records out"),
    "vault": ("curate.cli.vault", "vault", "what deserves a page in the Obsidian vault"),
    "sync": ("curate.cli.sync", "sync", "the same memory on every machine, through git"),
    "classify": ("curate.cli.text_commands", "classify", "is there a rule in each message on stdin"),
    "group": ("curate.cli.text_commands", "group", "which statements on stdin ask for the same thing"),
    "serve": ("curate.cli.serve", "serve", "recall and capture over HTTP"),
    "mcp": ("curate.cli.mcp", "mcp", "memory for what speaks the Model Context Protocol"),
    "hook": ("curate.cli.hook", "hook", "what agents call"),
}
"""Name of each command: the module and the name where it is found, and what the list of commands says of it."""


class Commands(click.Group):
    """A group that knows its commands by name and imports them late."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names in the order of a first use."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and give the command; None when there is none of that name."""
        if cmd_name not in COMMANDS:
            return None
        module, name, _ = COMMANDS[cmd_name]
        command = getattr(importlib.import_module(module), name)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, says) for name, (_, _, says) in COMMANDS.items()])


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
