"""What stands before every answer: the token, the size of a body, how many at once, how long, and the counting.

A fault of ours is an answer, too: a sentence and a number, never a trace.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
import time
from typing import TYPE_CHECKING, Any, TypeVar

from anyio import to_thread
from pydantic import BaseModel, ValidationError
from starlette.responses import JSONResponse

from curate.listening import bearer, opens
from curate.service.counted import Counted
from store.errors import CurateError, InputError
from store.secrets import mask

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from starlette.requests import Request
    from starlette.responses import Response

Body = TypeVar("Body", bound=BaseModel)
Result = TypeVar("Result")

_HALF = re.compile(rb"\\u[dD][89a-fA-F]")
"""A surrogate, written out; most have their other half behind them."""
_LOG = logging.getLogger("curate.service")

BODY_LIMIT = 5 * 1024 * 1024
"""Bytes of a body; a transcript may be in it."""
AT_ONCE = 8
"""Requests that are worked on at a time."""
WAITING = 64
"""Requests that may wait for their turn; one more is sent away."""
SECONDS = 5.0
"""The longest that anybody waits (the ceiling that clients have themselves)."""


class Guard:
    """Lets requests through to their work."""

    def __init__(self, token: str | None, counted: Counted, *, seconds: float = SECONDS) -> None:
        self._token = token
        self._counted = counted
        self._seconds = seconds
        self._slots = asyncio.Semaphore(AT_ONCE)
        self._inside = 0

    def behind(
        self, name: str, work: Callable[[Request], Awaitable[Response]], *, open_to_all: bool = False,
        seconds: float | None = None,
    ) -> Callable[[Request], Awaitable[Response]]:  # fmt: skip
        """An endpoint that asks for the token, counts, and answers faults in words; within `seconds` of its own."""
        longest = self._seconds if seconds is None else min(seconds, self._seconds)

        async def endpoint(request: Request) -> Response:
            began = time.perf_counter()
            answer = await self._answer(request, work, longest, open_to_all=open_to_all)
            self._counted.request(name, request.method, answer.status_code, time.perf_counter() - began)
            return answer

        return endpoint

    async def _answer(
        self, request: Request, work: Callable[[Request], Awaitable[Response]], longest: float, *, open_to_all: bool
    ) -> Response:
        if not open_to_all and not self._is_known(request):
            return refusal(401, "unauthorized", "send the token that `curate serve` printed: Authorization: Bearer …",
                           {"WWW-Authenticate": "Bearer"})  # fmt: skip
        if self._inside >= AT_ONCE + WAITING:
            return refusal(503, "busy", "too many requests at once; try again in a moment", {"Retry-After": "1"})
        self._inside += 1
        try:
            async with asyncio.timeout(longest):
                if request.method == "POST":
                    # Whoever sends slowly waits for itself, and keeps nobody from being worked for.
                    request.state.body = await _body(request)
                async with self._slots:
                    return await work(request)
        except TimeoutError:
            return refusal(504, "too_slow", f"no answer within {longest:g} seconds")
        except Refused as fault:
            return refusal(fault.status, fault.code, str(fault))
        except InputError as fault:
            return refusal(422, "invalid", str(fault))
        except CurateError as fault:
            return refusal(503, "unusable", str(fault))
        except OSError as fault:
            return refusal(503, "unusable", f"the store: {(fault.strerror or 'cannot be used').lower()}")
        except Exception as fault:  # noqa: BLE001 - a mistake of ours must not end the service, nor show its inside
            _LOG.error("%s %s: %s", request.method, request.url.path, type(fault).__name__)
            return refusal(500, "internal", "an internal fault; nothing was written by halves")
        finally:
            self._inside -= 1

    def _is_known(self, request: Request) -> bool:
        if self._token is None:
            return True
        return opens(bearer(request.headers.get("authorization", "")), self._token)


class Refused(Exception):
    """The request itself is at fault."""

    def __init__(self, status: int, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status
        self.code = code


def asked(request: Request, model: type[Body]) -> Body:
    """The checked body. Raises `Refused`."""
    raw: bytes = request.state.body
    try:
        value = json.loads(raw.decode("utf-8"), parse_constant=_no_constant)
        if _HALF.search(raw):  # clients that cut a text may cut a character in two
            value = json.loads(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace"))
    except (UnicodeDecodeError, ValueError, RecursionError):
        raise Refused(400, "not_json", "the body is not JSON in UTF-8") from None
    try:
        return model.model_validate(value)
    except ValidationError as fault:
        raise Refused(422, "invalid", _first(fault)) from None


async def in_thread(function: Callable[..., Result], *args: Any) -> Result:
    """Work that reads the disk, off the loop."""
    return await to_thread.run_sync(function, *args, abandon_on_cancel=True)


def refusal(status: int, code: str, sentence: str, headers: dict[str, str] | None = None) -> JSONResponse:
    """An answer that says what was wrong and what to do; a secret in it is masked."""
    return JSONResponse({"error": {"code": code, "message": mask(sentence).text}}, status, headers)


async def _body(request: Request) -> bytes:
    length = request.headers.get("content-length", "")
    if length.isdecimal() and int(length) > BODY_LIMIT:
        raise Refused(413, "too_large", f"the body may have at most {BODY_LIMIT} bytes")
    parts: list[bytes] = []
    size = 0
    async for part in request.stream():
        size += len(part)
        if size > BODY_LIMIT:
            raise Refused(413, "too_large", f"the body may have at most {BODY_LIMIT} bytes")
        parts.append(part)
    return b"".join(parts)


def _no_constant(name: str) -> None:
    raise ValueError(name)


def _first(fault: ValidationError) -> str:
    """The first thing that is wrong, with its place."""
    one = fault.errors(include_url=False, include_context=False, include_input=False)[0]
    where = ".".join(map(str, one["loc"])) or "the body"
    more = f" (and {fault.error_count() - 1} more)" if fault.error_count() > 1 else ""
    return f"{where}: {one['msg'][:1].lower()}{one['msg'][1:]}{more}"
