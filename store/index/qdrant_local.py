"""Qdrant's local mode: a folder, without a server. Needs the extra `qdrant`, and one process at a time."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from store.index.semantic import Unavailable

if TYPE_CHECKING:
    from qdrant_client import QdrantClient


class Local:
    """A folder that is asked as a server would be."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._client: QdrantClient | None = None

    def call(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        """The `result` of an answer; None where there is no such collection. Raises `Unavailable`."""
        client = self._open()
        _, _, name, *rest = path.partition("?")[0].split("/")
        body = body or {}
        try:
            if not client.collection_exists(name):
                if (method, rest) == ("PUT", []):
                    return self._make(client, name, body)
                return None
            return self._asked(client, name, "/".join(rest), method, body)
        except (ValueError, OSError, RuntimeError) as fault:
            raise Unavailable(f"its folder cannot be used ({type(fault).__name__})") from None

    def close(self) -> None:
        """Let go of the folder."""
        if self._client is not None:
            self._client.close()
            self._client = None

    def _open(self) -> QdrantClient:
        if self._client is None:
            try:
                from qdrant_client import QdrantClient
            except ImportError:
                raise Unavailable("qdrant-client is not installed: pip install 'curate-memory[qdrant]'") from None
            try:
                self._client = QdrantClient(path=self._path)
            except (ValueError, OSError, RuntimeError) as fault:
                raise Unavailable(f"its folder cannot be opened ({type(fault).__name__})") from None
        return self._client

    @staticmethod
    def _make(client: QdrantClient, name: str, body: dict[str, Any]) -> bool:
        from qdrant_client import models

        size = int(body["vectors"]["size"])
        return client.create_collection(name, models.VectorParams(size=size, distance=models.Distance.COSINE))

    @staticmethod
    def _asked(client: QdrantClient, name: str, what: str, method: str, body: dict[str, Any]) -> Any:
        from qdrant_client import models

        if what == "points/query":
            found = client.query_points(name, query=body["query"], limit=body["limit"], with_payload=True)
            return {"points": [{"payload": point.payload, "score": point.score} for point in found.points]}
        if what == "points/scroll":
            points, offset = client.scroll(name, limit=body["limit"], offset=body.get("offset"), with_payload=True)
            return {"points": [{"payload": point.payload} for point in points], "next_page_offset": offset}
        if what == "points/delete":
            client.delete(name, models.PointIdsList(points=body["points"]))
        elif what == "points" and method == "PUT":
            client.upsert(name, [models.PointStruct(**point) for point in body["points"]])
        return True


@lru_cache(maxsize=4)
def local(path: str) -> Local:
    """The one that has a folder open in this process: a second one could not."""
    return Local(path)
