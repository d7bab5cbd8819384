"""`mcp`: memory for anything that speaks the Model Context Protocol."""

from __future__ import annotations

from pathlib import Path

import click

from curate.cli.options import Shell, command
from curate.cli.served import announced, extra, listening

PORT = 8423


@command("mcp")
@click.option("--http", is_flag=True, help="Serve over HTTP instead of stdin and stdout.")
@listening(PORT, when="With --http")
def mcp(shell: Shell, http: bool, host: str, port: int, token: str | None) -> None:
    """Serve memory over MCP, on stdin and stdout: what an agent's configuration starts.

    Tools search, read, explain, note and propose. Nothing an agent does with them makes a memory: a person decides.
    """
    with extra("mcp", "mcp"):
        from curate.agents.mcp.server import make_server

        if http:
            from curate.agents.mcp.http import serve
    root = shell.open(create=True).root
    if not http:
        make_server(root, Path.cwd()).run("stdio")
        return
    ready = announced(shell, "Serving MCP at {url} with the token {token}")
    serve(make_server(root, None), host=host, port=port, token=token, ready=ready)
