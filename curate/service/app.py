"""The routes of the service, and which work each leads to."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from curate import __version__
from curate.service.asked import Context, Event, Outcome, Remember, Retrieve
from curate.service.counted import Counted
from curate.service.desk import Desk, NothingKept
from curate.service.guard import SECONDS, Guard, Refused, asked, in_thread, refusal
from curate.service.openapi import description
from store.ids import Clock, now

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.requests import Request

HOOK_SECONDS = 2.0
"""The longest that an agent is kept waiting at an event."""
PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8"


def make_app(
    root: Path, *, token: str | None, clock: Clock = now, seconds: float = SECONDS,
    heard: Callable[[dict[str, Any]], dict[str, Any]] | None = None,
) -> Starlette:  # fmt: skip
    """The service of one store. Without a `token` everybody who can reach it may use it. `heard` answers the events of
    Claude Code's hooks, where they are to be answered here.
    """
    routes = _Routes(Desk(root, clock=clock), Counted(), heard)
    guard = Guard(token, routes.counted, seconds=seconds)
    behind = guard.behind
    return Starlette(
        routes=[
            Route("/health", behind("health", routes.health, open_to_all=True), methods=["GET"]),
            Route("/openapi.json", behind("openapi", routes.openapi, open_to_all=True), methods=["GET"]),
            Route("/metrics", behind("metrics", routes.metrics), methods=["GET"]),
            Route("/api/retrieve", behind("retrieve", routes.retrieve), methods=["POST"]),
            Route("/api/retrieve-capture", behind("retrieve-capture", routes.captures), methods=["GET"]),
            Route("/v1/context", behind("context", routes.context), methods=["POST"]),
            Route("/v1/remember", behind("remember", routes.remember), methods=["POST"]),
            Route("/v1/outcomes", behind("outcomes", routes.outcome), methods=["POST"]),
            *([Route("/hooks/claude-code", behind("hooks", routes.hook, seconds=HOOK_SECONDS), methods=["POST"])]
              if heard else ()),
        ],
        exception_handlers={HTTPException: _lost},
    )  # fmt: skip


class _Routes:
    """From request to answer; the work itself is the desk's."""

    def __init__(self, desk: Desk, counted: Counted, heard: Callable[[dict[str, Any]], dict[str, Any]] | None) -> None:
        self._desk = desk
        self._heard = heard
        self.counted = counted

    async def health(self, request: Request) -> Response:
        return JSONResponse({"ok": True, "version": __version__})

    async def openapi(self, request: Request) -> Response:
        return JSONResponse(description(hooks=self._heard is not None))

    async def metrics(self, request: Request) -> Response:
        memories = await in_thread(self._desk.counts)
        return Response(self.counted.exposition(memories), media_type=PROMETHEUS)

    async def retrieve(self, request: Request) -> Response:
        body = asked(request, Retrieve)
        found = await in_thread(self._desk.retrieve, body)
        self.counted.turn("knowledge", len(found["items"]))
        return JSONResponse(found)

    async def captures(self, request: Request) -> Response:
        task = request.query_params.get("task_id", "")
        turn = request.query_params.get("turn")
        if not task:
            raise Refused(422, "invalid", "task_id: name the session")
        if turn is not None and not (turn.isascii() and turn.isdecimal() and len(turn) < 10):
            raise Refused(422, "invalid", "turn: a number from 1 on")
        try:
            return JSONResponse(await in_thread(self._desk.captures, task, int(turn) if turn else None))
        except NothingKept as fault:
            raise Refused(404, "not_found", str(fault)) from None

    async def context(self, request: Request) -> Response:
        body = asked(request, Context)
        found = await in_thread(self._desk.context, body)
        self.counted.turn(body.layout, len(found["entries"]))
        return JSONResponse(found)

    async def remember(self, request: Request) -> Response:
        body = asked(request, Remember)
        return JSONResponse(await in_thread(self._desk.remember, body), 202)

    async def outcome(self, request: Request) -> Response:
        body = asked(request, Outcome)
        return JSONResponse(await in_thread(self._desk.outcome, body), 201)

    async def hook(self, request: Request) -> Response:
        event = asked(request, Event)
        assert self._heard is not None  # else there is no such route
        return JSONResponse(await in_thread(self._heard, event.model_dump(exclude_unset=True)))


async def _lost(request: Request, fault: Exception) -> Response:
    """No such path or method."""
    assert isinstance(fault, HTTPException)
    return refusal(fault.status_code, "not_found" if fault.status_code == 404 else "refused",
                   f"{request.method} {request.url.path}: {fault.detail.lower()}; see /openapi.json",
                   dict(fault.headers or {}))  # fmt: skip
