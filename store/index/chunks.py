"""Signatures of vectors, packed by the place their records hold in, so that one turn reads a few large values only.

A change rewrites one chunk, whatever the size of the store.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
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
    numbers = bytearray()
    signatures = bytearray()
    for bucket in buckets:
        for some, signs in db.execute(
            "SELECT numbers, signatures FROM chunk WHERE bucket = ? ORDER BY chunk", (bucket,)
        ):
            numbers += some
            signatures += signs
    if 4 * limit >= len(numbers):
        return [_int(numbers, at) for at in range(0, len(numbers), 4)]
    found: list[int] = []
    away = distances(bytes(signatures), signature)
    for distance in range(256):
        at = away.find(distance)
        while at >= 0:
            found.append(_int(numbers, 4 * at))
            if len(found) == limit:
                return found
            at = away.find(distance, at + 1)
    return found


def distances(signatures: bytes, signature: int) -> bytes:
    """How many bits of each signature differ from one, a byte for each.

    Bits are counted in all at once, as one large integer whose halves are added again and again. 256, the distance of
    exact opposites, does not fit and reads as 0; they are compared as vectors later anyhow.
    """
    count = len(signatures) // BYTES
    size = min(count, _BLOCK)
    masks = [int.from_bytes(mask * (BYTES * size // 2), "little") for mask in _MASKS]
    own = int.from_bytes(signature.to_bytes(BYTES, "little") * size, "little")
    step = BYTES * size or 1
    # The last block is filled up, so that all share the masks.
    whole = signatures + bytes(-len(signatures) % step)
    return b"".join(_count(whole[at : at + step], own, masks) for at in range(0, len(whole), step))[:count]


_BLOCK = 2048
"""Signatures that are counted at once: what fits into a processor's near memory."""


def _count(block: bytes, own: int, masks: list[int]) -> bytes:
    one, two, four, eight = masks
    bits = int.from_bytes(block, "little") ^ own
    bits -= bits >> 1 & one
    bits = (bits & two) + (bits >> 2 & two)
    bits = bits + (bits >> 4) & four
    bits = (bits & eight) + (bits >> 8 & eight)
    for shift in (16, 32, 64, 128):
        bits += bits >> shift  # what runs in from the next signature stays above the lane that is read
    return bits.to_bytes(len(block) + 1, "little")[: len(block) : BYTES]


_MASKS = (b"\x55\x55", b"\x33\x33", b"\x0f\x0f", b"\xff\x00")


def _int(data: bytearray, at: int) -> int:
    return int.from_bytes(data[at : at + 4], "little")
