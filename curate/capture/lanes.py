"""Rows of whole numbers that are added all at once, as large integers with a lane for each number.

That is what makes adding dozens of rows cheap in plain Python; the sums are exact, so their order changes nothing.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterable

_OFFSET = 1 << 19
"""Added to each number, so that no lane ever goes below zero."""
MOST_ROWS = 1 << 11
"""So many rows at most, of numbers between -_OFFSET and _OFFSET, are added without touching the next lane."""


def packed(numbers: Iterable[int]) -> int:
    """One row as an integer."""
    return int.from_bytes(array("I", [number + _OFFSET for number in numbers]).tobytes(), sys.byteorder)


def lanes(total: int, width: int) -> memoryview:
    """The lanes of a sum of packed rows; each holds `surplus(rows)` more than the sum of its numbers."""
    found = memoryview(total.to_bytes(width * 4, sys.byteorder)).cast("I")
    return found if sys.byteorder == "little" else found[::-1]


def surplus(rows: int) -> int:
    """What a lane of a sum of so many rows holds too much."""
    return rows * _OFFSET
