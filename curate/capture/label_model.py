"""Which intent, rule type and scope a statement has, by weights as data (labels.json, made by scripts/train_intent.py).

Loaded only when there is a statement to label.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from curate.capture.features import Features
from curate.capture.lanes import MOST_ROWS, lanes, packed, surplus
from curate.capture.model import word_value


class LabelModel:
    """Weights for each value of each label: of flags, of words and pairs of words, and of what words mean."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.values: list[tuple[str, list[str]]] = list(data["values"].items())
        self._bias: list[int] = data["bias"]
        self._width = len(self._bias)
        self._flags = {name: packed(row) for name, row in data["flags"].items()}
        self._words = {name: packed(row) for name, row in data["words"].items()}
        meaning = data["meaning"]
        self._place = {word: place for place, word in enumerate(meaning["words"].split(" "))}
        self._meaning: list[list[int]] = meaning["weights"]

    def of(self, f: Features, names: Iterable[str]) -> dict[str, str]:
        """The likeliest value of each label of a sentence (`intent`, `rule_type`, `scope`), given what it is named."""
        totals = [float(n) for n in self._sum([self._flags[name] for name in names if name in self._flags])]
        totals = [t + bias for t, bias in zip(totals, self._bias, strict=True)]
        shaped = f.shaped[: MOST_ROWS // 4]
        if shaped:
            value = word_value(f)
            grams = set(shaped)
            if f.spaced:
                grams.update(map(" ".join, zip(["^", *shaped], shaped, strict=False)))
            words = self._sum([self._words[gram] for gram in grams if gram in self._words])
            totals = [t + n * value for t, n in zip(totals, words, strict=True)]
            places = [self._place[word] for word in shaped if word in self._place]
            for lane, column in enumerate(self._meaning):  # of the first label only
                totals[lane] += sum(map(column.__getitem__, places)) * value
        return self._best(totals)

    def _sum(self, rows: list[int]) -> Sequence[int]:
        if not rows:
            return [0] * self._width
        more = surplus(len(rows))
        return [lane - more for lane in lanes(sum(rows), self._width)]

    def _best(self, totals: Sequence[float]) -> dict[str, str]:
        out = {}
        at = 0
        for key, values in self.values:
            part = totals[at : at + len(values)]
            out[key] = values[part.index(max(part))]
            at += len(values)
        return out


@lru_cache(maxsize=1)
def default() -> LabelModel:
    """The labels of the package."""
    return LabelModel(json.loads(Path(__file__).with_name("labels.json").read_text(encoding="utf-8")))
