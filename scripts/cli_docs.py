"""Writes the help texts in docs/cli.md anew; `--check` says whether they are current."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import click

from curate.cli.app import app

PAGE = Path(__file__).parent.parent / "docs" / "cli.md"
WIDTH = 100
BLOCK = re.compile(r"(?P<head><!-- help: (?P<name>[a-z ]*) -->\n```text\n)(?:.*\n)*?(?P<tail>```\n)")


def help_of(name: str) -> str:
    """The help text of a command, as on a terminal of 100 columns."""
    settings = {**app.context_settings, "terminal_width": WIDTH, "max_content_width": WIDTH}
    top = click.Context(app, info_name="curate", **settings)
    if name == "curate":
        return app.get_help(top)
    command = app.get_command(top, name)
    assert command is not None, name
    return command.get_help(
        click.Context(command, parent=top, info_name=name, terminal_width=WIDTH, max_content_width=WIDTH)
    )


def renewed(text: str) -> str:
    """The page with every help text as it is now."""
    return BLOCK.sub(lambda block: block["head"] + help_of(block["name"]) + "\n" + block["tail"], text)


def main() -> None:
    """Write or check the page."""
    text = PAGE.read_text("utf-8")
    new = renewed(text)
    if "--check" in sys.argv[1:]:
        if new != text:
            sys.exit(f"{PAGE} is not current; run `make docs`")
    elif new != text:
        PAGE.write_text(new, "utf-8", newline="\n")


if __name__ == "__main__":
    main()
