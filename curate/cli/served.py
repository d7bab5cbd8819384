"""What the commands that serve share: where to listen, which token, and what is said once somebody does."""

from __future__ import annotations

import contextlib
import sys
from typing import TYPE_CHECKING, Any, TypeVar

import click

from curate.cli.output import emit, say
from store.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from curate.cli.options import Shell

F = TypeVar("F", bound="Callable[..., Any]")


class NoExtra(InputError):
    """What serves is an extra that is not installed, or not whole."""

    def __init__(self, command: str, extra: str) -> None:
        super().__init__(f"`curate {command}` needs the extra `{extra}`: pip install 'curate-memory[{extra}]'")


@contextlib.contextmanager
def extra(command: str, name: str) -> Iterator[None]:
    """Around the imports of an extra. Raises `NoExtra`."""
    try:
        yield
    except ImportError:
        raise NoExtra(command, name) from None


def listening(port: int, *, when: str = "") -> Callable[[F], F]:
    """`--host`, `--port` and `--token`; `when` says when they count."""

    def wrap(function: F) -> F:
        for option in (
            click.option("--token", metavar="T", envvar="CURATE_TOKEN", show_envvar=True,
                         help=_told(when, "The token to ask for (else a new one).")),
            click.option("--port", default=port, show_default=True, type=click.IntRange(0, 65535), metavar="N",
                         help=_told(when, "The port; 0 takes any that is free.")),
            click.option("--host", default="127.0.0.1", show_default=True, metavar="H",
                         help=_told(when, "The address to listen on.")),
        ):  # fmt: skip
            function = option(function)
        return function

    return wrap


def announced(shell: Shell, words: str) -> Callable[[str, str], None]:
    """Says where somebody listens, with which token: in words with `{url}` and `{token}`, or as JSON."""

    def ready(url: str, token: str) -> None:
        if shell.as_json:
            emit({"url": url, "token": token})
            sys.stdout.flush()
        else:
            say(f"{words.format(url=url, token=token)}  (Ctrl-C ends it)")

    return ready


def _told(when: str, text: str) -> str:
    return f"{when}: {text[0].lower()}{text[1:]}" if when else text
