"""Learns what tells a sentence that states durable guidance: weights of flags, pairs of flags, words, openings."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterable
from itertools import combinations
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix, hstack
from sklearn.linear_model import LogisticRegression

from curate.capture.features import Features
from curate.capture.model import word_value
from curate.capture.vocabulary import ENDINGS, OPENING
from scripts.training.messages import Prepared
from scripts.training.vectors import Vectors

SCALE = 0.001
STRENGTH = 0.45  # inverse of the regularisation
C_FLAG, C_PAIR, C_WORD, C_MEANING, C_OPENING, C_ENDING = 2.0, 0.5, 1.5, 0.8, 0.7, 0.5
FLOOR_PAIR, FLOOR_WORD, FLOOR_OPENING = 10, 120, 150


def couples(f: Features) -> list[str]:
    """The pairs of neighbouring words of a sentence, as names."""
    return [f"{a} {b}" for a, b in zip(["^", *f.shaped], f.shaped, strict=False)] if f.spaced else []


def pairs(f: Features) -> list[tuple[str, str]]:
    """The pairs of flags that are weighed: not those from the surroundings, which say little together and are many."""
    return list(combinations(sorted(k for k in f.flags[: f.own] if not k.startswith("len")), 2))


def openers(f: Features) -> list[str]:
    """The words that open a sentence."""
    return f.shaped[:OPENING] if f.spaced else []


def endings(f: Features) -> list[str]:
    """The last letters of the opening words."""
    return [w[-n:] for w in openers(f) if w.isalpha() for n in range(1, min(ENDINGS, len(w) - 2) + 1)]


class Columns:
    """Columns of the training matrix of one sort, by name."""

    def __init__(
        self, cells: Callable[[Features], Iterable[Any]], least: int, factor: float, value: Callable[[Features], float]
    ) -> None:
        self.cells, self.least, self.factor, self.value = cells, least, factor, value
        self.names: list[Any] = []

    def learn(self, sentences: list[Features]) -> None:
        """Take the names that occur often enough."""
        counts: Counter[Hashable] = Counter()
        for f in sentences:
            counts.update(set(self.cells(f)))
        self.names = sorted(k for k, n in counts.items() if n >= self.least)

    def matrix(self, sentences: list[Features]) -> csr_matrix:
        """One row a sentence; what occurs twice counts twice."""
        place = {name: n for n, name in enumerate(self.names)}
        rows, cols, values = [], [], []
        for i, f in enumerate(sentences):
            value = self.value(f) * self.factor
            for key in self.cells(f):
                j = place.get(key)
                if j is not None:
                    rows.append(i)
                    cols.append(j)
                    values.append(value)
        return csr_matrix((values, (rows, cols)), shape=(len(sentences), len(self.names)))


def one(_f: Features) -> float:
    """Counts as it is."""
    return 1.0


class Space:
    """All columns, and how their weights become those of the model."""

    def __init__(self, sentences: list[Features], vectors: Vectors) -> None:
        self.vectors = vectors
        self.sorts = {
            "flags": Columns(lambda f: f.flags, 3, C_FLAG, one),
            "pairs": Columns(pairs, 6, C_PAIR, one),
            "words": Columns(lambda f: f.shaped, 2, C_WORD, word_value),
            "couples": Columns(couples, 2, C_WORD, word_value),
            "endings": Columns(endings, 3, C_ENDING, one),
        }
        for columns in self.sorts.values():
            columns.learn(sentences)
        self.known = sorted({w for f in sentences if f.spaced for w in f.shaped})

    def matrix(self, sentences: list[Features]) -> csr_matrix:
        """The training matrix."""
        meaning = np.array(
            [self.vectors.total(f.shaped if f.spaced else ()) * (word_value(f) * C_MEANING) for f in sentences]
        )
        opening = np.array([self.vectors.total(openers(f)) * C_OPENING for f in sentences])
        parts = [columns.matrix(sentences) for columns in self.sorts.values()]
        return hstack([*parts, csr_matrix(meaning), csr_matrix(opening)]).tocsr()

    def export(self, coefficients: np.ndarray) -> dict[str, Any]:
        """The parts of the model; small weights are left out."""
        found: dict[str, dict[Any, float]] = {}
        at = 0
        for name, columns in self.sorts.items():
            own = coefficients[at : at + len(columns.names)] * columns.factor
            found[name] = dict(zip(columns.names, own.tolist(), strict=True))
            at += len(columns.names)
        size = (len(coefficients) - at) // 2
        every = sorted({*self.known, *self.vectors.whole})
        meaning = dict(zip(every, self.vectors.folded(every, coefficients[at : at + size] * C_MEANING), strict=True))
        opening = dict(zip(every, self.vectors.folded(every, coefficients[at + size :] * C_OPENING), strict=True))
        words = {w: meaning.get(w, 0.0) + found["words"].get(w, 0.0) for w in {*every, *found["words"]}}
        ends = found["endings"]
        opening = {w: v for w, v in opening.items() if not w.isalpha() or abs(v) >= FLOOR_OPENING * SCALE}
        for word in opening:
            if word.isalpha():
                opening[word] += sum(ends.get(word[-n:], 0.0) for n in range(1, min(ENDINGS, len(word) - 2) + 1))
        couples = whole(found["couples"], FLOOR_WORD) or {"^ ^": 0}
        split = [key.split(" ") for key in couples]
        rows: dict[str, dict[str, int]] = {}
        for (a, b), weight in whole(found["pairs"], FLOOR_PAIR).items():
            rows.setdefault(a, {})[b] = weight
        flags = {k: round(v / SCALE) for k, v in found["flags"].items()}
        for a, row in rows.items():
            for name in (a, *row):
                flags.setdefault(name, 0)
        return {
            "scale": SCALE,
            "flags": dict(sorted(flags.items())),
            "pairs": rows,
            "words": {
                "words": column(whole(words, FLOOR_WORD)),
                "opening": column(whole(opening, 0)),
                "endings": column(whole(ends, 1)),
                "pairs": {
                    "first": " ".join(a for a, _ in split),
                    "second": " ".join(b for _, b in split),
                    "weights": list(couples.values()),
                },
            },
        }


def whole(weights: dict[Any, float], floor: int) -> dict[Any, int]:
    """Whole numbers by name, in order, without those below the floor."""
    rounded = {k: round(v / SCALE) for k, v in sorted(weights.items())}
    return {k: v for k, v in rounded.items() if abs(v) >= floor}


def column(weights: dict[str, int]) -> dict[str, Any]:
    """Words joined by spaces, and their weights."""
    return {"words": " ".join(weights), "weights": list(weights.values())}


def fit(prepared: list[Prepared], vectors: Vectors, strength: float = STRENGTH) -> dict[str, Any]:
    """The sentence part of the model."""
    sentences = [f for p in prepared for f in p.message.kept]
    y = np.array([g for p in prepared for g in p.gold], dtype=int)
    weights = []
    for p in prepared:
        n = len(p.message.kept)
        other = 0.5 if p.durable else min(1.0, 2.0 / math.sqrt(max(1, n)))
        weights += [p.weight * (1.0 if g else other) for g in p.gold]
    space = Space(sentences, vectors)
    model = LogisticRegression(C=strength, max_iter=2000, solver="liblinear", random_state=0, intercept_scaling=10)
    model.fit(space.matrix(sentences), y, sample_weight=np.array(weights))
    return {"bias": round(float(model.intercept_[0]), 4), **space.export(model.coef_[0])}
