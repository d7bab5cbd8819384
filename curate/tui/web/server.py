"""Serves the app to browsers: each gets a process of its own on the same store, and none gets in without the token.

The token stands in the address once, then in a cookie that no other site can use. Requests under a foreign host name
are refused, so that a page elsewhere cannot reach in by pointing its own name at this machine.
"""

from __future__ import annotations

import asyncio
import ipaddress
import shlex
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlsplit

from aiohttp import web
from textual_serve.server import Server

from curate.listening import door, opens

if TYPE_CHECKING:
    import socket
    from collections.abc import Awaitable, Callable

    from curate.listening import Ready

COOKIE = "curate"
TEMPLATES = Path(__file__).parent
POLICY = (
    "default-src 'none'; script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; font-src 'self' data:; connect-src 'self' ws: wss:; frame-ancestors 'none'; base-uri 'none'"
)
"""Nothing comes from elsewhere, and nobody may frame it."""
SAFE_HEADERS = {
    "Content-Security-Policy": POLICY,
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
}


class Guarded(Server):
    """The server of textual-serve behind a token."""

    def __init__(self, command: str, *, host: str, port: int, token: str) -> None:
        super().__init__(command, host=host, port=port, title="curate", templates_path=TEMPLATES)
        self._token = token
        self._names = {_bare(host), *(("localhost", "127.0.0.1", "::1") if _loopback(host) else ())}
        self.public_url = ""

    def initialize_logging(self) -> None:
        """Nothing is logged: what happened is on the screen."""

    async def on_startup(self, app: web.Application) -> None:
        """The command line says where it is."""

    async def application(self) -> web.Application:
        """The routes of textual-serve, each behind the guard."""
        app = await self._make_app()
        app.middlewares.append(self._guard())
        return app

    def _guard(self) -> Any:
        @web.middleware
        async def guard(
            request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
        ) -> web.StreamResponse:
            refused = self.refusal(request)
            if refused is not None:
                return refused
            if "token" in request.query:
                # From here on the cookie stands for it, and the address can be shown to anybody.
                clean = web.HTTPSeeOther("/")
                clean.set_cookie(COOKIE, self._token, httponly=True, samesite="Strict", path="/")
                clean.headers.update(SAFE_HEADERS)
                raise clean
            response = await handler(request)
            if not response.prepared:
                response.headers.update(SAFE_HEADERS)
            return response

        return guard

    def refusal(self, request: web.Request) -> web.Response | None:
        """Why a request is turned away, None when it may come in."""
        name = _bare(urlsplit(f"//{request.host}").hostname or "")
        origin = request.headers.get("Origin")
        if not self._listens_to(name) or (origin is not None and urlsplit(origin).netloc != request.host):
            return _answer(403, "This is not for other sites.")
        given = request.query.get("token") or request.cookies.get(COOKIE) or ""
        if not opens(given, self._token):
            return _answer(
                403, "Open the address that `curate web` printed: it holds a token, without which nobody gets in."
            )
        return None

    def _listens_to(self, name: str) -> bool:
        """By its own name; where it listens to all the world, by any address, but by no name that could be rebound."""
        return name in self._names or (bool(self._names & {"0.0.0.0", "::"}) and _is_address(name))  # noqa: S104

    async def handle_index(self, request: web.Request) -> Any:
        """The page, with addresses as this browser has them."""
        import aiohttp_jinja2

        scheme = "wss" if request.secure else "ws"
        found = {"font_size": _size(request.query.get("fontsize")), "socket": f"{scheme}://{request.host}/ws"}
        return aiohttp_jinja2.render_template("index.html", request, found)


def serve(root: Path, *, host: str, port: int, token: str | None = None, ready: Ready = lambda *_: None) -> None:
    """Serve until interrupted; `ready` gets the address, which holds the token, and the token.

    Raises `BadToken`, `PortTaken`.
    """
    with door(host, port, token) as opened:
        server = Guarded(_command(root), host=host, port=opened.port, token=opened.token)
        address = f"{opened.address}/?token={quote(opened.token)}"
        asyncio.run(_run(server, opened.socket, lambda: ready(address, opened.token)))


async def _run(server: Guarded, listener: socket.socket, ready: Callable[[], None]) -> None:
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        try:
            loop.add_signal_handler(number, ended.set)
        except NotImplementedError:  # Windows: Ctrl-C raises
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(ended.set))
    runner = web.AppRunner(await server.application(), access_log=None, shutdown_timeout=3.0)
    await runner.setup()
    try:
        await web.SockSite(runner, listener).start()
        ready()
        await ended.wait()
    finally:
        await runner.cleanup()


def _command(root: Path) -> str:
    words = [sys.executable, "-m", "curate", "--home", str(root)]
    return subprocess.list2cmdline(words) if sys.platform == "win32" else shlex.join(words)


def _answer(status: int, text: str) -> web.Response:
    return web.Response(status=status, text=text + "\n", headers=SAFE_HEADERS)


def _size(given: str | None) -> int:
    return min(40, max(8, int(given))) if given and given.isdecimal() and len(given) < 4 else 16


def _bare(host: str) -> str:
    return host.strip("[]").rstrip(".").casefold()


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _loopback(host: str) -> bool:
    name = _bare(host)
    return name == "localhost" or (_is_address(name) and ipaddress.ip_address(name).is_loopback)
