"""Which intent, rule type and scope a statement has, by weights as data (labels.json, made by scripts/train_intent.py).

Loaded only when there is a statement to label.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import lru_cache
from itertools import repeat
from pathlib import Path
from typing import Any

from curate.capture.features import Features
from curate.capture.lanes import lanes, lifting, packed
from curate.capture.model import word_value

PARTS = 64
"""A flag weighs so many parts, a word a share of them."""
MOST_WORDS = 200
"""Words of a sentence that are looked at; no statement has more."""


class LabelModel:
    """Weights for each value of each label: of flags, of words and pairs of words, and of what words mean."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.values: list[tuple[str, list[str]]] = list(data["values"].items())
        bias = data["bias"]
        self._width = len(bias)
        self._start = packed(enumerate(bias)) * PARTS + lifting(self._width)
        self._flags = {name: packed(enumerate(row)) for name, row in data["flags"].items()}
        self._whole = {name: packed(enumerate(row)) for name, row in data["whole"].items()}
        meaning = data["meaning"]  # of the first label only
        columns = zip(*meaning["weights"], strict=True)
        self._words = _Words(data["words"], dict(zip(meaning["words"].split(" "), columns, strict=True)))

    def of(self, f: Features, own: Iterable[str], whole: Iterable[str]) -> dict[str, str]:
        """The likeliest value of each label of a sentence (`intent`, `rule_type`, `scope`).

        `own` are its flags and kinds, `whole` those of the sentences around it too.
        """
        zero = repeat(0)
        flags = sum(map(self._flags.get, own, zero)) + sum(map(self._whole.get, whole, zero))
        total = self._start + flags * PARTS
        shaped = f.shaped[:MOST_WORDS]
        if shaped:
            words = sum(map(self._words.__getitem__, shaped))
            if f.spaced:
                words += sum(map(self._words.__getitem__, map(" ".join, zip(["^", *shaped], shaped, strict=False))))
            total += words * round(word_value(f) * PARTS)
        totals = lanes(total, self._width).tolist()
        out = {}
        at = 0
        for key, values in self.values:
            part = totals[at : at + len(values)]
            out[key] = values[part.index(max(part))]
            at += len(values)
        return out


class _Words(dict[str, int]):
    """Packed rows of words, each made when it is first asked for: a statement has few of the thousands."""

    def __init__(self, rows: dict[str, list[int]], meant: dict[str, tuple[int, ...]]) -> None:
        super().__init__()
        self._rows = rows
        self._meant = meant

    def __missing__(self, word: str) -> int:
        row, meant = self._rows.get(word), self._meant.get(word)
        if row is None and meant is None:
            return 0  # and not kept: there is no end of such words
        found = self[word] = packed(enumerate(row or ())) + packed(enumerate(meant or ()))
        return found


@lru_cache(maxsize=1)
def default() -> LabelModel:
    """The labels of the package."""
    return LabelModel(json.loads(Path(__file__).with_name("labels.json").read_text(encoding="utf-8")))
