"""`mcp`: memory for anything that speaks the Model Context Protocol."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from curate.cli.options import Shell, command
from curate.cli.output import emit, say
from store.errors import InputError

PORT = 8423


class NoMcp(InputError):
    """The protocol is an extra."""

    def __init__(self) -> None:
        super().__init__("`curate mcp` needs the extra `mcp`: pip install 'curate-memory[mcp]'")


class PortTaken(InputError):
    """Nothing can be served there."""

    def __init__(self, host: str, port: int, fault: OSError) -> None:
        super().__init__(
            f"{host}:{port} cannot be served: {(fault.strerror or str(fault)).lower()}; name another --port"
        )


@command("mcp")
@click.option("--http", is_flag=True, help="Serve over HTTP instead of stdin and stdout.")
@click.option("--host", default="127.0.0.1", show_default=True, metavar="H", help="With --http: the address.")
@click.option("--port", default=PORT, show_default=True, type=click.IntRange(0, 65535), metavar="N",
              help="With --http: the port; 0 takes any that is free.")  # fmt: skip
@click.option("--token", metavar="T", envvar="CURATE_TOKEN", show_envvar=True,
              help="With --http: the token to ask for (else a new one).")  # fmt: skip
def mcp(shell: Shell, http: bool, host: str, port: int, token: str | None) -> None:
    """Serve memory over MCP, on stdin and stdout: what an agent's configuration starts.

    Tools search, read, explain, note and propose. Nothing an agent does with them makes a memory: a person decides.
    """
    try:
        from curate.agents.mcp.server import make_server
    except ModuleNotFoundError:
        raise NoMcp from None
    root = shell.open(create=True).root
    if not http:
        make_server(root, Path.cwd()).run("stdio")
        return
    from curate.agents.mcp.http import Refused, serve

    def ready(url: str, token: str) -> None:
        if shell.as_json:
            emit({"url": url, "token": token})
            sys.stdout.flush()
        else:
            say(f"Serving MCP at {url} with the token {token}  (Ctrl-C ends it)")

    try:
        serve(make_server(root, None), host=host, port=port, token=token, ready=ready)
    except Refused as fault:
        raise InputError(str(fault)) from None
    except OSError as fault:
        raise PortTaken(host, port, fault) from None
