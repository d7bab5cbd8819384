"""What every command takes: which store, and whether the answer is for a program."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from pathlib import Path

    from store.state import State
    from store.store import Store

F = TypeVar("F", bound=Callable[..., Any])


@dataclass
class Shell:
    """How this call was made."""

    home: str | None = None
    """What `--home` named; None for the store that the surroundings name."""
    as_json: bool = False

    def root(self) -> Path:
        """The root of the store, which need not exist."""
        from store.layout import find_root

        return find_root(self.home)

    def open(self, *, create: bool = False) -> Store:
        """The store, ready for use; what a crash left behind is mended on the way."""
        from store.store import Store

        store = Store.open(self.root(), create=create)
        if store.state.purged:
            from curate.sync.pending import finish

            finish(store)
        return store

    def read(self) -> State:
        """What is in the store."""
        return self.open().state


def home_option(function: F) -> F:
    """`--home DIR`, before or after the name of the command; the later one wins."""
    return click.option(
        "--home",
        metavar="DIR",
        expose_value=False,
        is_eager=True,
        callback=_remember_home,
        help="The store to use (else $CURATE_HOME, a local .curate/, or the user's own).",
    )(function)


def json_option(function: F) -> F:
    """`--json`: one JSON document on stdout and nothing else there."""
    return click.option(
        "--json",
        is_flag=True,
        expose_value=False,
        callback=_remember_json,
        help="Print one JSON document.",
    )(function)


def command(name: str) -> Callable[[F], click.Command]:
    """A command with the options that all have. Its function gets the `Shell` first."""

    def wrap(function: F) -> click.Command:
        return click.command(name)(home_option(json_option(click.pass_obj(function))))

    return wrap


def _remember_home(ctx: click.Context, _parameter: click.Parameter, value: str | None) -> None:
    shell = ctx.ensure_object(Shell)
    if value is not None:
        shell.home = value


def _remember_json(ctx: click.Context, _parameter: click.Parameter, value: bool) -> None:
    shell = ctx.ensure_object(Shell)
    shell.as_json = shell.as_json or value
