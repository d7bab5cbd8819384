"""`web`: the review in a browser, for whoever has the token of this run."""

from __future__ import annotations

import sys

import click

from curate.cli.options import Shell, command
from curate.cli.output import emit, say
from store.errors import InputError

PORT = 8421


class NoWeb(InputError):
    """What serves the app is an extra."""

    def __init__(self) -> None:
        super().__init__("`curate web` needs the extra `web`: pip install 'curate-memory[web]'")


class PortTaken(InputError):
    """Nothing can be served there."""

    def __init__(self, host: str, port: int, fault: OSError) -> None:
        super().__init__(
            f"{host}:{port} cannot be served: {(fault.strerror or str(fault)).lower()}; name another --port"
        )


@command("web")
@click.option("--host", default="127.0.0.1", show_default=True, metavar="H", help="The address to listen on.")
@click.option("--port", default=PORT, show_default=True, type=click.IntRange(0, 65535), metavar="N",
              help="The port; 0 takes any that is free.")  # fmt: skip
@click.option("--token", metavar="T", help="The token to ask for (else a new one).")
def web(shell: Shell, host: str, port: int, token: str | None) -> None:
    """Serve the review to a browser, on this machine only unless --host says otherwise.

    The address that is printed holds a token; without it nobody gets in. Whoever has it can review and write as you
    can, and over plain HTTP it can be read on the way, so think twice before another --host. Ctrl-C ends it.
    """
    try:
        from curate.tui.web.server import Refused, serve
    except ModuleNotFoundError:
        raise NoWeb from None
    root = shell.open(create=True).root

    def ready(url: str) -> None:
        if shell.as_json:
            emit({"url": url})
            sys.stdout.flush()
        else:
            say(f"The review is at {url}  (Ctrl-C ends it)")

    try:
        serve(root, host=host, port=port, token=token, ready=ready)
    except Refused as fault:
        raise InputError(str(fault)) from None
    except OSError as fault:
        raise PortTaken(host, port, fault) from None
