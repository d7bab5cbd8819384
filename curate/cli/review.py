"""Bare `curate`, and `curate review`: the review on the screen, or as a list to edit."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import click

from curate.cli.options import Shell, command
from curate.cli.output import emit, say, tell
from store.errors import InputError

SCREENS = ("explain", "vault", "audit", "upkeep", "history")
WEB_DRIVER = "textual.drivers.web_driver:"


class NoTerminal(InputError):
    """The review needs a screen."""

    def __init__(self) -> None:
        super().__init__(
            "the review needs a terminal; without one `curate review --text` writes it as a list for `curate apply`, "
            "and `curate web` opens it in a browser"
        )


@command("review")
@click.option("--text", "as_text", is_flag=True, help="Write what waits as a list to edit, for `curate apply`.")
@click.option("-o", "--output", metavar="FILE", help="With --text: write it there instead of to stdout.")
@click.option("--screen", type=click.Choice(SCREENS), help="Open this page at once; esc goes to the review.")
@click.option("--beside", is_flag=True, help="Open it in a pane or a window of its own; as text where there is none.")
def review_command(shell: Shell, as_text: bool, output: str | None, screen: str | None, beside: bool) -> None:
    """Open the review of what waits, as `curate` alone does; or write it as a list to edit.

    The list has one decision a line, with what is proposed filled in. Edit the verbs, scopes and words, take lines out,
    and give it to `curate apply FILE`: it says by line what cannot be done, and else writes all of it.
    """
    if beside and not as_text and not shell.as_json and output is None:
        if opened_beside(shell):
            return
        as_text = True
    if not as_text and not shell.as_json:
        if output is not None:
            raise click.UsageError("-o needs --text.")
        review(shell, screen)
    from curate.cli.review_list import listed

    text, waiting = listed(shell.open())
    if output is not None:
        _write(Path(output), text)
    if shell.as_json:
        emit({"waiting": waiting, "file": output, "list": text})
    elif output is None:
        sys.stdout.write(text)
    else:
        say(f"{output}: {waiting} waiting. Edit it, then `curate apply {output}`")


def review(shell: Shell, screen: str | None = None) -> None:
    """Open the review of what waits in the inbox."""
    insist_on_terminal()
    # Opened here first, so that a store that cannot be used is one line on stderr and no screen.
    raise click.exceptions.Exit(open_review(shell.open(create=True).root, screen=screen))


def opened_beside(shell: Shell) -> bool:
    """Open the review beside what runs in this terminal; False where there is no place for it."""
    from curate.cli.beside import opener, run

    root = shell.open(create=True).root
    # A multiplexer's server has surroundings of its own, so the store is named.
    words = [sys.executable, "-I", "-X", "utf8", "-m", "curate", "--home", str(root)]
    found = opener(words, os.environ, shutil.which, sys.platform)
    if found is None or not run(found[0], waits="pane" in found[1]):
        tell("There is no pane or window for the review, so this is what waits; `curate` in a terminal decides on it.")
        return False
    tell(f"The review is open in {found[1]}.")
    return True


def insist_on_terminal() -> None:
    """Raise `NoTerminal` when there is no screen to draw on or no keyboard to read; a browser has both."""
    if os.environ.get("TEXTUAL_DRIVER", "").startswith(WEB_DRIVER):
        return
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise NoTerminal


def open_review(root: Path, *, demo: bool = False, screen: str | None = None) -> int:
    """Draw the review until the person leaves it; gives the exit code."""
    from curate.tui.launch import run

    return run(root, demo=demo, page=screen)


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, "utf-8", newline="\n")
    except OSError as fault:
        raise InputError(f"{path}: {(fault.strerror or 'cannot be written').lower()}; name another file") from None
