"""What words weigh: each word anywhere, each pair of neighbours, and the words that a sentence opens with.

The weights of single words are folded from word vectors when the model is trained (scripts/training/), so that words
which no labelled message has count like those that mean nearly the same; a look-up is all that is left of it.
"""

from __future__ import annotations

from itertools import pairwise, repeat
from typing import Any

OPENING = 3
"""So many words open a sentence."""
ENDINGS = 3
"""Letters of the longest ending by which an unknown word is judged when it opens a sentence."""


class Vocabulary:
    """Tables of whole-number weights; the data are columns: words joined by spaces, and a list of weights for them."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.words: dict[str, int] = _table(data["words"])
        self.opening: dict[str, int] = _table(data["opening"])
        self.endings: dict[str, int] = _table(data["endings"])
        pairs = data["pairs"]
        self.pairs: dict[tuple[str, str], int] = dict(
            zip(zip(pairs["first"].split(" "), pairs["second"].split(" "), strict=True), pairs["weights"], strict=True)
        )

    def weigh(self, words: list[str], spaced: bool) -> tuple[int, int]:
        """The weights of all words and pairs of them, and of those that open the sentence."""
        zero = repeat(0)
        total = sum(map(self.words.get, words, zero))
        if not spaced:
            return total, 0
        pairs = self.pairs
        total += sum(map(pairs.get, pairwise(words), zero)) + pairs.get(("^", words[0]), 0)
        opening = self.opening
        opens = 0
        for word in words[:OPENING]:
            weight = opening.get(word)
            opens += self._ending(word) if weight is None else weight
        return total, opens

    def _ending(self, word: str) -> int:
        """The weight of an opening word that is not in the table: that of its last letters."""
        if not word.isalpha():
            return 0
        longest = min(ENDINGS, len(word) - 2)
        return sum(self.endings.get(word[-n:], 0) for n in range(1, longest + 1))


def _table(column: dict[str, Any]) -> dict[str, int]:
    return dict(zip(column["words"].split(" "), column["weights"], strict=True)) if column["words"] else {}
