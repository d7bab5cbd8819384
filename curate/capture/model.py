"""The fixed scoring model: weights as data, made by scripts/train_intent.py; sums of weights, nothing else."""

from __future__ import annotations

import json
from functools import lru_cache
from itertools import combinations, repeat
from math import exp, sqrt
from pathlib import Path
from typing import Any

from curate.capture.features import Features, Message


def sigmoid(x: float) -> float:
    """The logistic function, safe at the ends."""
    if x < -35.0:
        return 0.0
    return 1.0 / (1.0 + exp(-x))


def gram_value(f: Features) -> float:
    """What one word counts in a sentence: less in a long one."""
    n = len(f.grams)
    return 3.0 / sqrt(max(n, 12))


HOPELESS = -4.5
"""Below this, pairs of flags could not lift a sentence any more, and are not looked up."""


class Model:
    """Weights of flags, pairs of flags, words and pairs of words, and of the message.

    Sentence and label weights are whole numbers: the order of adding differs between runs and must change nothing.
    """

    def __init__(self, data: dict[str, Any]) -> None:
        self.scale: float = data["scale"]
        self.bias: float = data["bias"]
        self.flags: dict[str, int] = data["flags"]
        self.pairs: dict[tuple[str, str], int] = {}
        for key, value in data["pairs"].items():
            a, b = key.split("|")
            self.pairs[a, b] = value
        self.paired = frozenset(flag for pair in self.pairs for flag in pair)
        self.grams: dict[str, int] = data["grams"]
        self.message: dict[str, float] = data["message"]
        self.threshold: float = data["threshold"]
        self.item_threshold: float = data.get("item_threshold", 0.0)
        labels = data.get("labels") or {"values": {}, "bias": [], "weights": {}}
        self.label_values: list[tuple[str, list[str]]] = list(labels["values"].items())
        self.label_bias: list[int] = labels["bias"]
        self.label_weights: dict[str, list[int]] = labels["weights"]

    def score(self, f: Features) -> float:
        """The log-odds that a sentence states durable guidance."""
        flags = set(f.flags)
        zero = repeat(0)
        total = self.bias + sum(map(self.flags.get, flags, zero)) * self.scale
        if f.grams:
            total += sum(map(self.grams.get, set(f.grams), zero)) * gram_value(f) * self.scale
        if total < HOPELESS:
            return total
        return total + sum(map(self.pairs.get, combinations(sorted(flags & self.paired), 2), zero)) * self.scale

    def weight(self, flag: str) -> float:
        """What a flag by itself adds to the log-odds."""
        return self.flags.get(flag, 0) * self.scale

    def label(self, f: Features, kinds: set[str]) -> dict[str, str]:
        """The likeliest value of each label of a sentence: `intent`, `rule_type`, `scope`."""
        table = self.label_weights
        flags = [self.label_bias, *(table[flag] for flag in kinds.union(f.flags) if flag in table)]
        totals: list[float] = list(map(sum, zip(*flags, strict=True)))
        words = [table[word] for word in map("g:".__add__, set(f.grams)) if word in table]
        if words:
            value = gram_value(f)
            totals = [t + w * value for t, w in zip(totals, map(sum, zip(*words, strict=True)), strict=True)]
        out = {}
        at = 0
        for key, names in self.label_values:
            part = totals[at : at + len(names)]
            out[key] = names[part.index(max(part))]
            at += len(names)
        return out

    def whole(self, message: Message, scores: list[float]) -> float:
        """The log-odds that the message holds durable guidance, from the scores of its sentences."""
        if not scores:
            return -9.0
        ordered = sorted(scores, reverse=True)
        w = self.message
        total = w["bias"] + w["top"] * ordered[0]
        if len(ordered) > 1:
            total += w["second"] * max(ordered[1], -4.0) + w["many"]
        for flag in message.flags:
            total += w.get(flag, 0.0)
        return total


@lru_cache(maxsize=1)
def default() -> Model:
    """The model of the package."""
    return Model(json.loads(Path(__file__).with_name("model.json").read_text(encoding="utf-8")))
