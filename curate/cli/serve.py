"""`serve`: recall and capture over HTTP, for whoever has the token."""

from __future__ import annotations

import sys

import click

from curate.cli.options import Shell, command
from curate.cli.output import emit, say
from store.errors import InputError

PORT = 8422


class NoService(InputError):
    """What serves is an extra."""

    def __init__(self) -> None:
        super().__init__("`curate serve` needs the extra `serve`: pip install 'curate-memory[serve]'")


class PortTaken(InputError):
    """Nothing can be served there."""

    def __init__(self, host: str, port: int, fault: OSError) -> None:
        super().__init__(
            f"{host}:{port} cannot be served: {(fault.strerror or str(fault)).lower()}; name another --port"
        )


@command("serve")
@click.option("--host", default="127.0.0.1", show_default=True, metavar="H", help="The address to listen on.")
@click.option("--port", default=PORT, show_default=True, type=click.IntRange(0, 65535), metavar="N",
              help="The port; 0 takes any that is free.")  # fmt: skip
@click.option("--token", metavar="T", envvar="CURATE_TOKEN", show_envvar=True,
              help="The token to ask for (else a new one).")  # fmt: skip
def serve(shell: Shell, host: str, port: int, token: str | None) -> None:
    """Serve recall and capture over HTTP, on this machine only unless --host says otherwise.

    /openapi.json describes it; every other path but /health asks for the token, as `Authorization: Bearer TOKEN`.
    What is proposed over HTTP becomes a candidate, never a record. Ctrl-C ends it.
    """
    try:
        from curate.service.server import Refused
        from curate.service.server import serve as run
    except ModuleNotFoundError:
        raise NoService from None
    root = shell.open(create=True).root

    def ready(url: str, token: str) -> None:
        if shell.as_json:
            emit({"url": url, "token": token})
            sys.stdout.flush()
        else:
            say(f"Serving at {url} with the token {token}  (Ctrl-C ends it)")

    try:
        run(root, host=host, port=port, token=token, ready=ready)
    except Refused as fault:
        raise InputError(str(fault)) from None
    except OSError as fault:
        raise PortTaken(host, port, fault) from None
