"""Runs the service on a socket of this machine until it is interrupted."""

from __future__ import annotations

import contextlib
import secrets
import socket
from pathlib import Path
from typing import TYPE_CHECKING

import uvicorn

from curate.service.app import make_app

if TYPE_CHECKING:
    from collections.abc import Callable

LEAST = 16
"""Characters that a token of one's own must have."""


class Refused(Exception):
    """It cannot be served this way; the argument says why."""


def serve(
    root: Path, *, host: str, port: int, token: str | None = None, ready: Callable[[str, str], None] = lambda *_: None
) -> None:
    """Serve until interrupted; `ready` gets address and token. Raises `Refused`, and OSError for the port."""
    if token is not None and len(token) < LEAST:
        raise Refused(f"a token of your own needs at least {LEAST} characters")
    chosen = token or secrets.token_urlsafe(24)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        taken = listener.getsockname()[1]
        shown = f"[{host}]" if ":" in host else host
        server = _Server(
            uvicorn.Config(
                make_app(root, token=chosen), log_level="error", access_log=False, server_header=False,
                lifespan="off", timeout_keep_alive=30, timeout_graceful_shutdown=3, limit_concurrency=256,
            ),
            lambda: ready(f"http://{shown}:{taken}", chosen),
        )  # fmt: skip
        with contextlib.suppress(KeyboardInterrupt):  # that is how one ends it
            server.run(sockets=[listener])


class _Server(uvicorn.Server):
    """Says when it listens."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, then say so."""
        await super().startup(sockets=sockets)
        self._ready()
