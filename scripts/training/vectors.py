"""Word vectors out of the static table of the package, and the weights of words that are folded from them.

A linear weight of a sum of vectors is a sum of weights of words: so what is learned for a direction of meaning becomes
one number a word, for the words of the labelled messages and for all others of the table.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np

from store.index.pieces import COUNT, FOLDER, Pieces

DIMS = 256
COMMON = 12000
"""Pieces of the table, the most frequent first, that get weights though no labelled message has them."""


class Vectors:
    """The vector of a word: that of its piece in the table, or the sum of its pieces."""

    def __init__(self) -> None:
        folder = Path(FOLDER)
        scales = np.frombuffer((folder / "scales.f32").read_bytes(), dtype="<f4")
        rows = np.frombuffer((folder / "vectors.i8").read_bytes(), dtype=np.int8).reshape(COUNT, DIMS)
        self._table = rows.astype(np.float32) * scales[:, None]
        self._pieces = Pieces()
        self._found: dict[str, np.ndarray] = {}
        names = (folder / "vocab.txt").read_text(encoding="utf-8").split("\n")[:COMMON]
        self.whole = [name for name in names if name.isascii() and name.isalpha() and len(name) > 1]

    def of(self, word: str) -> np.ndarray:
        """The vector of one word; zero for marks and what has no pieces."""
        found = self._found.get(word)
        if found is None:
            places = self._pieces.of(word) if word[0].isalnum() else []
            found = self._found[word] = self._table[places].sum(axis=0)
        return found

    def total(self, words: Iterable[str]) -> np.ndarray:
        """The sum over words."""
        total = np.zeros(DIMS, dtype=np.float32)
        for word in words:
            total += self.of(word)
        return total

    def folded(self, words: list[str], direction: np.ndarray) -> np.ndarray:
        """The weight of each word along a direction."""
        return np.array([self.of(word) for word in words]) @ direction
