"""Search by meaning with Qdrant: a server, spoken to over HTTP with the standard library alone, or its local mode, a
folder that `qdrant-client` (the extra `qdrant`) reads. The vectors are those of the static table in the package.

A point holds an id and a mark, no words. There is one collection for each tier, and none is ever dropped.
"""

from __future__ import annotations

import hashlib
import os
import time

from store.index.semantic import Unavailable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence
    from http.client import HTTPResponse
    from typing import Any, Protocol

    from store.index.semantic import Patience, Point

    class Server(Protocol):
        """What is asked of either kind, in the words of the HTTP interface."""

        def call(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
            """The `result` of an answer; None for 404. Raises `Unavailable`."""
            ...


TIERS = ("insights", "digests", "kg_entities", "observations")
DIMS = 256
BATCH = 256
ANSWER = 8 * 1024 * 1024


class Qdrant:
    """The collections of one store."""

    name = "qdrant"

    def __init__(self, server: Server, prefix: str) -> None:
        self._server = server
        self._prefix = prefix

    def nearest(
        self, text: str, vector: Callable[[], Sequence[float]], *, tiers: Collection[str], limit: int
    ) -> list[tuple[str, float]]:
        """Ids of what is nearest, with the cosine."""
        found: list[tuple[str, float]] = []
        asked = _unit(vector())
        for tier in tiers:
            rows = self._server.call(
                "POST", f"/collections/{self._prefix}{tier}/points/query",
                {"query": asked, "limit": limit, "with_payload": ["id"]},
            )  # fmt: skip
            if rows is None:
                raise Unavailable(f"it has no collection {self._prefix}{tier}; `curate reindex` makes it")
            found += _scored(rows)
        return sorted(found, key=lambda each: (-each[1], each[0]))[:limit]

    def known(self) -> dict[str, str]:
        """The mark of each point, by its id."""
        found: dict[str, str] = {}
        for tier in TIERS:
            offset: Any = None
            while True:
                page = self._server.call(
                    "POST", f"/collections/{self._prefix}{tier}/points/scroll",
                    {"limit": 10 * BATCH, "with_payload": ["id", "mark"], "offset": offset},
                )  # fmt: skip
                for point in (page or {}).get("points") or ():
                    payload = point.get("payload") or {}
                    found[str(payload.get("id"))] = str(payload.get("mark"))
                offset = (page or {}).get("next_page_offset")
                if offset is None:
                    break
        return found

    def put(self, points: Sequence[Point]) -> None:
        """Upsert points, in collections that are made when missing."""
        for tier in TIERS:
            name = f"/collections/{self._prefix}{tier}"
            if self._server.call("GET", name) is None:
                self._server.call("PUT", name, {"vectors": {"size": DIMS, "distance": "Cosine"}})
            own = [point for point in points if point.tier == tier]
            for start in range(0, len(own), BATCH):
                body = [
                    {"id": _number(point.id), "vector": _unit(point.vector),
                     "payload": {"id": point.id, "mark": point.mark, "tier": tier}}
                    for point in own[start : start + BATCH]
                ]  # fmt: skip
                self._server.call("PUT", f"{name}/points?wait=true", {"points": body})

    def drop(self, ids: Iterable[str]) -> None:
        """Delete points."""
        gone = [_number(ident) for ident in ids]
        for tier in TIERS if gone else ():
            for start in range(0, len(gone), BATCH):
                name = f"/collections/{self._prefix}{tier}/points/delete?wait=true"
                self._server.call("POST", name, {"points": gone[start : start + BATCH]})


def _scored(rows: Any) -> list[tuple[str, float]]:
    try:
        return [(str(point["payload"]["id"]), float(point["score"])) for point in rows["points"]]
    except (KeyError, TypeError, ValueError):
        raise Unavailable("its answer is not Qdrant's") from None


class Http:
    """A server over HTTP."""

    def __init__(self, url: str, key_env: str, patience: Patience) -> None:
        self._url = url
        self._key_env = key_env
        self._patience = patience

    def call(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        """The `result` of an answer; None for 404. Raises `Unavailable`."""
        import json
        from http.client import HTTPConnection, HTTPException, HTTPSConnection
        from urllib.parse import urlsplit

        if not self._url:
            raise Unavailable("has no address, and its local mode is not for the hook")
        limit = self._patience.left()
        until = time.monotonic() + limit
        try:
            parts = urlsplit(self._url)
            kind = {"http": HTTPConnection, "https": HTTPSConnection}[parts.scheme]
            connection = kind(parts.hostname or "", parts.port or 6333, timeout=limit)
        except (KeyError, ValueError):
            raise Unavailable("recall.qdrant.url is no address of HTTP") from None
        headers = {"Content-Type": "application/json", "Connection": "close"}
        key = os.environ.get(self._key_env) if self._key_env else None
        if key:
            headers["api-key"] = key
        try:
            raw = None if body is None else json.dumps(body).encode()
            connection.request(method, parts.path.rstrip("/") + path, raw, headers)
            response = connection.getresponse()
            answer = _read(response, until)
        except TimeoutError:
            raise Unavailable(f"no answer within {limit:.1f} s") from None
        except (OSError, HTTPException, ValueError) as fault:
            raise Unavailable(f"not reachable ({type(fault).__name__})") from None
        finally:
            connection.close()
        if response.status == 404:
            return None
        if response.status != 200:
            raise Unavailable(f"HTTP {response.status}")
        try:
            return json.loads(answer)["result"]
        except (ValueError, KeyError, TypeError, RecursionError):
            raise Unavailable("its answer is not Qdrant's") from None


def _read(response: HTTPResponse, until: float) -> bytes:
    """The body. A socket's own timeout starts anew with every byte. Raises TimeoutError."""
    data = bytearray()
    while len(data) < ANSWER and (chunk := response.read1(1 << 16)):
        data += chunk
        if time.monotonic() > until:
            raise TimeoutError
    return bytes(data)


def _number(ident: str) -> str:
    """The id of a point, which has to be a UUID."""
    digits = hashlib.sha256(ident.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:32]}"


def _unit(vector: Sequence[float]) -> list[float]:
    """The vector with the length one, in few digits: what is sent is text."""
    length = sum(value * value for value in vector) ** 0.5 or 1.0
    return [round(value / length, 6) for value in vector]
