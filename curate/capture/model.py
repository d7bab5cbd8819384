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


class Model:
    """Weights of flags, pairs of flags, words and pairs of words, and of the message."""

    def __init__(self, data: dict[str, Any]) -> None:
        scale = data["scale"]
        self.bias: float = data["bias"]
        self.flags: dict[str, float] = {k: v * scale for k, v in data["flags"].items()}
        self.pairs: dict[tuple[str, str], float] = {}
        for key, value in data["pairs"].items():
            a, b = key.split("|")
            self.pairs[a, b] = value * scale
        self.grams: dict[str, float] = {k: v * scale for k, v in data["grams"].items()}
        self.message: dict[str, float] = data["message"]
        self.threshold: float = data["threshold"]
        self.item_threshold: float = data.get("item_threshold", 0.0)
        self.labels: dict[str, dict[str, dict[str, float]]] = data.get("labels", {})

    def score(self, f: Features) -> float:
        """The log-odds that a sentence states durable guidance."""
        flags = sorted(set(f.flags))
        zero = repeat(0.0)
        total = self.bias + sum(map(self.flags.get, flags, zero)) + sum(map(self.pairs.get, combinations(flags, 2), zero))
        grams = f.grams
        if grams:
            total += sum(map(self.grams.get, set(grams), zero)) * gram_value(f)
        return total

    def label(self, key: str, f: Features) -> str:
        """The likeliest value of a label of a sentence: `intent`, `rule_type` or `scope`."""
        flags = sorted(set(f.flags))
        names = [*flags, *map("|".join, combinations(flags, 2))]
        words = ["g:" + g for g in set(f.grams)]
        value = gram_value(f) if words else 0.0
        best, found = -1e9, ""
        zero = repeat(0.0)
        for name, weights in self.labels[key].items():
            total = weights[""] + sum(map(weights.get, names, zero)) + sum(map(weights.get, words, zero)) * value
            if total > best:
                best, found = total, name
        return found

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
