"""Signatures of vectors, packed by the place their records hold in, so that one turn reads a few large values only.

A change rewrites one chunk, whatever the size of the store.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from sqlite3 import Connection

FULL = 256
BYTES = 32
"""Of one signature."""


class Chunks:
    """Adds and removes signatures; what changed is written by `flush`."""

    def __init__(self, db: Connection) -> None:
        self._db = db
        self._open: dict[int, int] = {}
        """The chunk of a bucket that has room."""
        self._loaded: dict[int, tuple[int, bytearray, bytearray]] = {}
        self._dirty: set[int] = set()
        self._next = int(db.execute("SELECT coalesce(max(chunk), 0) + 1 FROM chunk").fetchone()[0])

    def add(self, bucket: int, number: int, signature: int) -> int:
        """Put a record's signature with the others of its bucket; gives the chunk that it is in."""
        chunk = self._open.get(bucket)
        if chunk is None:
            row = self._db.execute(
                "SELECT chunk FROM chunk WHERE bucket = ? AND count < ? ORDER BY chunk LIMIT 1", (bucket, FULL)
            ).fetchone()
            chunk = row[0] if row else self._begin(bucket)
            self._open[bucket] = chunk
        _, numbers, signatures = self._load(chunk)
        numbers += number.to_bytes(4, "little")
        signatures += signature.to_bytes(BYTES, "little")
        self._dirty.add(chunk)
        if len(numbers) >= 4 * FULL:
            del self._open[bucket]
        return chunk

    def remove(self, chunk: int, number: int) -> None:
        """Take a record's signature out of its chunk."""
        _, numbers, signatures = self._load(chunk)
        wanted = number.to_bytes(4, "little")
        for at in range(0, len(numbers), 4):
            if numbers[at : at + 4] == wanted:
                del numbers[at : at + 4]
                del signatures[BYTES * at // 4 : BYTES * at // 4 + BYTES]
                self._dirty.add(chunk)
                return

    def flush(self) -> None:
        """Write the chunks that changed."""
        for chunk in self._dirty:
            bucket, numbers, signatures = self._loaded[chunk]
            row = (chunk, bucket, len(numbers) // 4, bytes(numbers), bytes(signatures))
            self._db.execute("INSERT OR REPLACE INTO chunk VALUES (?, ?, ?, ?, ?)", row)
        self._dirty.clear()

    def _begin(self, bucket: int) -> int:
        chunk, self._next = self._next, self._next + 1
        self._loaded[chunk] = (bucket, bytearray(), bytearray())
        return chunk

    def _load(self, chunk: int) -> tuple[int, bytearray, bytearray]:
        found = self._loaded.get(chunk)
        if found is None:
            bucket, numbers, signatures = self._db.execute(
                "SELECT bucket, numbers, signatures FROM chunk WHERE chunk = ?", (chunk,)
            ).fetchone()
            found = self._loaded[chunk] = (bucket, bytearray(numbers), bytearray(signatures))
        return found


def nearest(db: Connection, buckets: Iterable[int], signature: int, limit: int) -> list[int]:
    """Numbers of the records in these buckets whose signatures differ least, nearest first."""
    distances: list[int] = []
    for numbers, signatures in _stored(db, buckets):
        ints = [int.from_bytes(signatures[at : at + BYTES], "little") for at in range(0, len(signatures), BYTES)]
        order = memoryview(numbers).cast("I") if _LITTLE else [_int(numbers, at) for at in range(0, len(numbers), 4)]
        # Distance and number in one integer sort faster than pairs.
        distances += [(each ^ signature).bit_count() << 32 | number for each, number in zip(ints, order, strict=True)]
    if len(distances) > limit:
        distances.sort()
        del distances[limit:]
    return [each & 0xFFFFFFFF for each in distances]


def _stored(db: Connection, buckets: Iterable[int]) -> Iterator[tuple[bytes, bytes]]:
    for bucket in buckets:
        yield from db.execute("SELECT numbers, signatures FROM chunk WHERE bucket = ?", (bucket,))


def _int(data: bytes, at: int) -> int:
    return int.from_bytes(data[at : at + 4], "little")


def _little() -> bool:
    import sys

    return sys.byteorder == "little"


_LITTLE = _little()
