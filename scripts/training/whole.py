"""Learns the message part and the threshold, from scores of sentences by models that had not seen them."""

from __future__ import annotations

import math

import numpy as np
from sklearn.linear_model import LogisticRegression

from curate.capture.features import Message
from curate.capture.model import Model
from scripts.training.messages import Prepared

FLAGS = [
    "m.size0",
    "m.size1",
    "m.size2",
    "m.size3",
    "m.size4",
    "m.machine",
    "m.mostly",
    "m.fence",
    "m.log",
    "m.quote",
    "m.wrapper",
    "m.list",
    "m.heading",
]
RARE = 0.2
"""Share of durable messages that the threshold is chosen for: less than in the labelled ones, more than of all."""

Held = list[tuple[Prepared, list[float]]]
EMPTY = {
    "bias": 0, "scale": 1, "flags": {}, "pairs": {}, "message": {}, "threshold": 0.0,
    "words": {**{key: {"words": "", "weights": []} for key in ("words", "opening", "endings")},
              "pairs": {"first": "^", "second": "^", "weights": [0]}},
}  # fmt: skip


def row(message: Message, scores: list[float]) -> list[float]:
    """What the message part weighs: the best two sentences, and the shape of the message."""
    ordered = sorted(scores, reverse=True)
    several = len(ordered) > 1
    return [
        ordered[0],
        max(ordered[1], -4.0) if several else 0.0,
        float(several),
        math.log(len(ordered)),
        math.log(sum(len(f.words) for f in message.kept) + 1),
        *[float(f in message.flags) for f in FLAGS],
    ]


def fit(held: Held) -> dict[str, float]:
    """The weights of the message part."""
    rows = [(p, s) for p, s in held if s]
    x = np.array([row(p.message, s) for p, s in rows])
    y = np.array([p.durable for p, _ in rows], dtype=int)
    model = LogisticRegression(C=0.1, max_iter=2000)
    model.fit(x, y, sample_weight=np.array([p.weight for p, _ in rows]))
    names = ["top", "second", "many", "sentences", "words", *FLAGS]
    out = {name: round(float(v), 3) for name, v in zip(names, model.coef_[0], strict=True)}
    out["bias"] = round(float(model.intercept_[0]), 3)
    return out


def totals(held: Held, weights: dict[str, float]) -> list[tuple[float, Prepared]]:
    """The log-odds of each message."""
    model = Model({**EMPTY, "message": weights})
    return [(model.whole(p.message, s), p) for p, s in held]


def threshold(rows: list[tuple[float, Prepared]]) -> float:
    """Where F1 is best when the given share is durable; the curve is noisy, so it is smoothed."""
    grid = [round(-2.0 + 0.1 * i, 2) for i in range(41)]
    found = [f1(rows, t) for t in grid]
    smooth = [sum(part) / len(part) for i in range(len(grid)) if (part := found[max(0, i - 4) : i + 5])]
    return grid[smooth.index(max(smooth))]


def f1(rows: list[tuple[float, Prepared]], t: float, share: float | None = RARE) -> float:
    """F1 at a threshold; with a share, false positives count as they would if that share were durable."""
    durable = sum(p.durable for _, p in rows)
    weight = 1.0 if share is None else durable * (1 - share) / share / max(1, len(rows) - durable)
    tp = sum(r > t and p.durable for r, p in rows)
    fp = sum(r > t and not p.durable for r, p in rows) * weight
    return 2 * tp / max(1.0, tp + fp + durable)


def average_precision(rows: list[tuple[float, Prepared]]) -> float:
    """Of the ranking."""
    ordered = sorted(rows, key=lambda r: -r[0])
    total = sum(p.durable for _, p in ordered)
    hits, ap = 0, 0.0
    for i, (_, p) in enumerate(ordered, 1):
        if p.durable:
            hits += 1
            ap += hits / i / total
    return ap
