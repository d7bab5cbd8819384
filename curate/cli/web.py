"""`web`: the review in a browser, for whoever has the token of this run."""

from __future__ import annotations

from curate.cli.options import Shell, command
from curate.cli.served import announced, extra, listening

PORT = 8421


@command("web")
@listening(PORT)
def web(shell: Shell, host: str, port: int, token: str | None) -> None:
    """Serve the review to a browser, on this machine only unless --host says otherwise.

    The address that is printed holds a token; without it nobody gets in. Whoever has it can review and write as you
    can, and over plain HTTP it can be read on the way, so think twice before another --host. Ctrl-C ends it.
    """
    with extra("web", "web"):
        from curate.tui.web.server import serve

    root = shell.open(create=True).root
    serve(root, host=host, port=port, token=token, ready=announced(shell, "The review is at {url}"))
