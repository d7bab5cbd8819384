"""The MCP server over streamable HTTP, on this machine, for whoever has the token."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

import uvicorn
from mcp.server.transport_security import TransportSecuritySettings
from starlette.responses import JSONResponse

from curate.listening import bearer, door, opens

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, MutableMapping

    from mcp.server import MCPServer

    from curate.listening import Ready

    Scope = MutableMapping[str, Any]
    Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
    Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
    Asgi = Callable[[Scope, Receive, Send], Awaitable[None]]

PATH = "/mcp"


class Guarded:
    """An application behind a token."""

    def __init__(self, app: Asgi, token: str) -> None:
        self._app = app
        self._token = token

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
        return opens(bearer(given.decode("latin-1")), self._token)


def serve(server: MCPServer, *, host: str, port: int, token: str | None, ready: Ready) -> None:
    """Serve until interrupted; `ready` gets address and token. Raises `BadToken`, `PortTaken`."""
    with door(host, port, token) as opened:
        # The token guards against pages that point a name of their own at this machine: they cannot know it.
        app = server.streamable_http_app(
            streamable_http_path=PATH,
            transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
        )
        config = uvicorn.Config(
            Guarded(app, opened.token), log_level="error", access_log=False, server_header=False,
            timeout_graceful_shutdown=3, limit_concurrency=256,
        )  # fmt: skip
        ready(f"{opened.address}{PATH}", opened.token)
        with contextlib.suppress(KeyboardInterrupt):  # that is how one ends it
            uvicorn.Server(config).run(sockets=[opened.socket])
