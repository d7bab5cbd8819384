"""Rows of whole numbers that are added all at once, as large integers with a lane for each number.

That is what makes adding dozens of rows cheap in plain Python; the sums are exact, so their order changes nothing.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable

BITS = 32
HALF = 1 << (BITS - 1)
"""The sum of any lane must stay below this, and above its negative."""


def packed(numbers: Iterable[tuple[int, int]]) -> int:
    """One row as an integer, from places and the numbers there; lanes below zero borrow from the next."""
    return sum(number << (BITS * place) for place, number in numbers)


def lifting(width: int) -> int:
    """What lifts every lane of a sum of packed rows by HALF, so that none is below zero."""
    return packed((place, HALF) for place in range(width))


def lanes(lifted: int, width: int) -> memoryview:
    """The lanes of a lifted sum of packed rows, each HALF more than its number."""
    found = memoryview(lifted.to_bytes(width * BITS // 8, sys.byteorder)).cast("I")
    return found if sys.byteorder == "little" else found[::-1]
