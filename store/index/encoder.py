"""Text to a vector of 256 numbers, by the static table in the package. Standard library only, and no arithmetic
library.

All lanes of a vector are added at once, as one large integer with 64 bits for each lane: that is what makes plain
Python fast enough for the hook.
"""

from __future__ import annotations

import os
import sys
from _operator import mul

from store.index.pieces import FOLDER, Pieces

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

DIMS = 256
HALF_SHARE = 0.01
"""A piece that makes up this share of the store counts half in a query."""
_LANE = 8
_UNIT = 1 << 28
"""Weights are whole numbers of this fraction."""
_STEPS = 4000
"""A query's largest number, when it is compared: small enough that 256 products fit into a lane."""
_UNSIGNED = bytes(code ^ 0x80 for code in range(256))


class Encoder:
    """Encodes records and queries. A record is the plain sum of its pieces' vectors; in a query common ones weigh
    less.
    """

    def __init__(self, folder: str = FOLDER) -> None:
        self.pieces = Pieces(folder)
        self._scales = _floats(os.path.join(folder, "scales.f32"))
        self._file = os.open(os.path.join(folder, "vectors.i8"), os.O_RDONLY | getattr(os, "O_BINARY", 0))
        self._lanes: dict[int, int] = {}

    def record(self, text: str) -> tuple[list[int], dict[int, int]]:
        """The sum of the vectors of a text's pieces, in whole units, and how often each piece occurs."""
        counts = self.counts(text)
        return self._sum(counts, lambda _: 1.0), counts

    def query(self, text: str, share: Callable[[Iterable[int]], dict[int, float]]) -> list[int]:
        """As `record`, with each piece weighted by how rare it is: `share` gives the pieces' shares of the store."""
        counts = self.counts(text)
        shares = share(counts)
        return self._sum(counts, lambda piece: HALF_SHARE / (HALF_SHARE + shares.get(piece, 0.0)))

    def counts(self, text: str) -> dict[int, int]:
        """How often each piece occurs in a text."""
        counts: dict[int, int] = {}
        for piece in self.pieces.of(text):
            counts[piece] = counts.get(piece, 0) + 1
        return counts

    def close(self) -> None:
        """Let go of the file."""
        os.close(self._file)

    def _sum(self, counts: dict[int, int], weight: Callable[[int], float]) -> list[int]:
        total = 0
        bias = 0
        for piece, count in counts.items():
            lanes_of = self._lanes.get(piece)
            if lanes_of is None:
                lanes_of = self._lanes[piece] = self._read(piece)
            factor = round(count * weight(piece) * self._scales[piece] * _UNIT)
            total += lanes_of * factor
            bias += factor
        bias *= 128
        raw = total.to_bytes(DIMS * _LANE, sys.byteorder)
        lanes = [value - bias for value in memoryview(raw).cast("Q")]
        return lanes if sys.byteorder == "little" else lanes[::-1]

    def _read(self, piece: int) -> int:
        """A piece's vector with its lanes apart, each raised to be positive."""
        os.lseek(self._file, piece * DIMS, os.SEEK_SET)
        spread = bytearray(DIMS * _LANE)
        spread[::_LANE] = os.read(self._file, DIMS).translate(_UNSIGNED)
        return int.from_bytes(spread, "little")


def small(vector: Sequence[int]) -> bytes:
    """The vector in a byte for each number, as large as they go; its length is lost."""
    top = max(max(vector), -min(vector)) or 1  # noqa: PLW3301 - of the vector, and of one number
    half = top // 2
    return bytes([((value * 127 + half) // top) & 0xFF for value in vector])


def length(packed: bytes) -> float:
    """The length of a packed vector."""
    row = memoryview(packed).cast("b")
    return float(sum(map(mul, row, row)) ** 0.5)


def cosines(query: Sequence[int], packed: Sequence[bytes], lengths: Sequence[float]) -> list[float]:
    """The cosine of a vector with each of the packed ones, given their lengths.

    All are multiplied at once, number by number: a lane of 32 bits for each vector in one large integer.
    """
    count = len(packed)
    top = max(max(query), -min(query))  # noqa: PLW3301 - of the vector, and of one number
    if not count or not top:
        return [0.0] * count
    factors = [(value * _STEPS) // top for value in query]
    joined = b"".join(packed).translate(_UNSIGNED)
    above = below = 0
    for place, factor in enumerate(factors):
        if factor:
            spread = bytearray(4 * count)
            spread[::4] = joined[place::DIMS]
            if factor > 0:
                above += int.from_bytes(spread, "little") * factor
            else:
                below -= int.from_bytes(spread, "little") * factor
    bias = 128 * sum(factors)
    whole = sum(map(mul, factors, factors)) ** 0.5
    sums = zip(_lanes(above, count), _lanes(below, count), lengths, strict=True)
    return [(more - less - bias) / (whole * size) if size else 0.0 for more, less, size in sums]


def _lanes(total: int, count: int) -> Sequence[int]:
    lanes = memoryview(total.to_bytes(4 * count, sys.byteorder)).cast("I")
    return lanes if sys.byteorder == "little" else lanes[::-1].tolist()


def signature(vector: Sequence[float]) -> int:
    """A bit for each number: whether it is above zero, around which the table's vectors lie."""
    return int("".join(["1" if value > 0 else "0" for value in vector]), 2)


def _floats(path: str) -> Sequence[float]:
    with open(path, "rb", buffering=0) as file:
        raw = file.read()
    if sys.byteorder == "big":
        from array import array

        values = array("f", raw)
        values.byteswap()
        return values
    return memoryview(raw).cast("f")
