"""The fixed scoring model: weights as data, made by scripts/train_intent.py; sums of weights, nothing else."""

from __future__ import annotations

import json
from functools import lru_cache
from itertools import repeat
from math import exp, log, sqrt
from pathlib import Path
from typing import Any

from curate.capture.features import Features, Message
from curate.capture.lanes import HALF, lanes, lifting, packed
from curate.capture.vocabulary import Vocabulary


def sigmoid(x: float) -> float:
    """The logistic function, safe at the ends."""
    if x < -35.0:
        return 0.0
    return 1.0 / (1.0 + exp(-x))


def word_value(f: Features) -> float:
    """What one word counts in a sentence: less in a long one."""
    n = len(f.shaped)
    return 3.0 / sqrt(max(n * 2 if f.spaced else n, 12))


HOPELESS = -4.5
"""Below this, pairs of flags could not lift a sentence any more, and are not looked up."""


class Pairs:
    """Weights of pairs of flags, added in one sum of large integers.

    The row of a flag has the weight of a pair in the lane of the pair's other flag; so the lanes of the flags that a
    sentence has hold all that counts.
    """

    def __init__(self, pairs: dict[str, dict[str, int]]) -> None:
        names = sorted({*pairs, *(other for row in pairs.values() for other in row)})
        self._index = {flag: place for place, flag in enumerate(names)}
        self._width = len(names) + 1  # the last lane is that of flags in no pair, and stays empty
        self._rows = [
            packed((self._index[other], weight) for other, weight in pairs.get(flag, {}).items()) for flag in names
        ]
        self._rows.append(0)
        self._lift = lifting(self._width)

    def total(self, flags: list[str]) -> int:
        """The weights of all pairs of the flags; each flag is named once."""
        places = list(map(self._index.get, flags, repeat(self._width - 1)))
        found = lanes(sum(map(self._rows.__getitem__, places)) + self._lift, self._width)
        return sum(map(found.__getitem__, places)) - len(places) * HALF


class Model:
    """Weights of flags, pairs of flags, words and pairs of words, and of the message.

    Sentence and label weights are whole numbers: the order of adding differs between runs and must change nothing.
    """

    def __init__(self, data: dict[str, Any]) -> None:
        self.scale: float = data["scale"]
        self.bias: float = data["bias"]
        self.flags: dict[str, int] = data["flags"]
        self._pairs = Pairs(data["pairs"])
        self.vocabulary = Vocabulary(data["words"])
        self.message: dict[str, float] = data["message"]
        self.threshold: float = data["threshold"]
        self.item_threshold: float = data.get("item_threshold", 0.0)

    def score(self, f: Features) -> float:
        """The log-odds that a sentence states durable guidance."""
        total: float = sum(map(self.flags.get, f.flags, repeat(0)))
        if f.shaped:
            inside, opening = self.vocabulary.weigh(f.shaped, f.spaced)
            total += inside * word_value(f) + opening
        total = self.bias + total * self.scale
        if total < HOPELESS:
            return total
        return total + self._pairs.total(f.flags[: f.own]) * self.scale

    def weight(self, flag: str) -> float:
        """What a flag by itself adds to the log-odds."""
        return self.flags.get(flag, 0) * self.scale

    def whole(self, message: Message, scores: list[float]) -> float:
        """The log-odds that the message holds durable guidance, from the scores of its sentences."""
        if not scores:
            return -9.0
        w = self.message
        total = w["bias"]
        if len(scores) > 1:
            first, second = sorted(scores)[:-3:-1]
            total += w["top"] * first + w["second"] * max(second, -4.0) + w["many"] + w["sentences"] * log(len(scores))
        else:
            total += w["top"] * scores[0]
        total += w["words"] * log(sum(len(f.words) for f in message.kept) + 1)
        for flag in message.flags:
            total += w.get(flag, 0.0)
        return total


@lru_cache(maxsize=1)
def default() -> Model:
    """The model of the package."""
    return Model(json.loads(Path(__file__).with_name("model.json").read_text(encoding="utf-8")))
