"""`serve`: recall and capture over HTTP, for whoever has the token."""

from __future__ import annotations

from functools import partial

from curate.cli.options import Shell, command
from curate.cli.served import announced, extra, listening

PORT = 8422
LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})


@command("serve")
@listening(PORT)
def serve(shell: Shell, host: str, port: int, token: str | None) -> None:
    """Serve recall and capture over HTTP, on this machine only unless --host says otherwise.

    /openapi.json describes it; every other path but /health asks for the token, as `Authorization: Bearer TOKEN`.
    What is proposed over HTTP becomes a candidate, never a record. Ctrl-C ends it.
    """
    with extra("serve", "serve"):
        from curate.service.server import serve as run
    from curate.agents.resident import heard

    root = shell.open(create=True).root
    run(
        root, host=host, port=port, token=token, ready=announced(shell, "Serving at {url} with the token {token}"),
        # Events name files of this machine, which nobody elsewhere is to have read.
        heard=partial(heard, root, "claude-code") if host in LOOPBACK else None,
    )  # fmt: skip
