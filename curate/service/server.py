"""Runs the service on a socket of this machine until it is interrupted."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import uvicorn

from curate.listening import door
from curate.service.app import make_app
from store.errors import StoreUnusable
from store.index.lookup import Lookup

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable

    from curate.listening import Ready


def serve(
    root: Path, *, host: str, port: int, token: str | None = None, ready: Ready = lambda *_: None,
    heard: Callable[[dict[str, Any]], dict[str, Any]] | None = None,
) -> None:  # fmt: skip
    """Serve until interrupted; `ready` gets address and token, `heard` answers events of hooks. Raises `BadToken`,
    `PortTaken`.
    """
    with door(host, port, token) as opened:
        server = _Server(
            uvicorn.Config(
                make_app(root, token=opened.token, heard=heard), log_level="error", access_log=False,
                server_header=False, lifespan="off", timeout_keep_alive=30, timeout_graceful_shutdown=3,
                limit_concurrency=256,
            ),
            lambda: ready(opened.address, opened.token),
        )  # fmt: skip
        with contextlib.suppress(StoreUnusable):  # the answers will say it
            Lookup.open(root)  # the first to ask need not wait until the index is made
        with contextlib.suppress(KeyboardInterrupt):  # that is how one ends it
            server.run(sockets=[opened.socket])


class _Server(uvicorn.Server):
    """Says when it listens."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, then say so."""
        await super().startup(sockets=sockets)
        self._ready()
