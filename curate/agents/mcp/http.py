"""The MCP server over streamable HTTP, on this machine, for whoever has the token."""

from __future__ import annotations

import contextlib
import hmac
import secrets
import socket
from typing import TYPE_CHECKING, Any

import uvicorn
from mcp.server.transport_security import TransportSecuritySettings
from starlette.responses import JSONResponse

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, MutableMapping

    from mcp.server import MCPServer

    Scope = MutableMapping[str, Any]
    Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
    Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
    Asgi = Callable[[Scope, Receive, Send], Awaitable[None]]

PATH = "/mcp"
LEAST = 16
"""Characters that a token of one's own must have."""


class Refused(Exception):
    """It cannot be served this way; the argument says why."""


class Guarded:
    """An application behind a token."""

    def __init__(self, app: Asgi, token: str) -> None:
        self._app = app
        self._token = token.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through that has the token."""
        if scope["type"] == "http" and not self._is_known(scope):
            refused = {"error": "send the token that `curate mcp --http` printed: Authorization: Bearer …"}
            answer = JSONResponse(refused, 401, {"WWW-Authenticate": "Bearer"})
            await answer(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _is_known(self, scope: Scope) -> bool:
        given = next((value for name, value in scope["headers"] if name == b"authorization"), b"")
        kind, _, token = given.partition(b" ")
        return kind.lower() == b"bearer" and hmac.compare_digest(token.strip(), self._token)


def serve(server: MCPServer, *, host: str, port: int, token: str | None, ready: Callable[[str, str], None]) -> None:
    """Serve until interrupted; `ready` gets address and token. Raises `Refused`, and OSError for the port."""
    if token is not None and len(token) < LEAST:
        raise Refused(f"a token of your own needs at least {LEAST} characters")
    chosen = token or secrets.token_urlsafe(24)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(16)
        taken = listener.getsockname()[1]
        shown = f"[{host}]" if ":" in host else host
        # The token guards against pages that point a name of their own at this machine: they cannot know it.
        app = server.streamable_http_app(
            streamable_http_path=PATH,
            transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
        )
        config = uvicorn.Config(
            Guarded(app, chosen), log_level="error", access_log=False, server_header=False, timeout_graceful_shutdown=3
        )
        ready(f"http://{shown}:{taken}{PATH}", chosen)
        with contextlib.suppress(KeyboardInterrupt):  # that is how one ends it
            uvicorn.Server(config).run(sockets=[listener])
