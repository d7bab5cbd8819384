"""Bare `curate`: the review on the screen."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from curate.cli.options import Shell
from store.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path


class NoTerminal(InputError):
    """The review needs a screen."""

    def __init__(self) -> None:
        super().__init__(
            "the review needs a terminal; without one there are `curate inbox`, `curate propose` and `curate apply`"
        )


def review(shell: Shell) -> None:
    """Open the review of what waits in the inbox."""
    insist_on_terminal()
    # Opened here first, so that a store that cannot be used is one line on stderr and no screen.
    raise click.exceptions.Exit(open_review(shell.open(create=True).root))


def insist_on_terminal() -> None:
    """Raise `NoTerminal` when there is no screen to draw on or no keyboard to read."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise NoTerminal


def open_review(root: Path, *, demo: bool = False) -> int:
    """Draw the review until the person leaves it; gives the exit code."""
    from curate.tui.app import run

    return run(root, demo=demo)
