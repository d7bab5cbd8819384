"""Learns the labels of a statement: intent, rule type and scope."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix, hstack
from sklearn.linear_model import LogisticRegression

from curate.capture.labels import Named
from curate.capture.model import word_value
from scripts.training.messages import Prepared
from scripts.training.sentences import Columns, couples
from scripts.training.vectors import Vectors

LABELS = ("intent", "rule_type", "scope")
STRENGTH = 0.2
C_FLAG, C_WHOLE, C_WORD, C_MEANING = 2.0, 0.5, 1.5, 1.6
UNIT = 100
WHOLE = "M:"
"""Marks what comes from the whole message."""
FLOOR, FLOOR_MEANING = 10, 40


def fit(prepared: list[Prepared], vectors: Vectors) -> dict[str, Any]:
    """Weights for each value of each label, from the stated sentences of durable messages."""
    rows = [(p, i) for p in prepared if p.durable for i, g in enumerate(p.gold) if g]
    sentences = [p.message.kept[i] for p, i in rows]
    sets = [_names(p, i) for p, i in rows]
    counts = Counter(k for s in sets for k in s)
    flags = {k: i for i, k in enumerate(sorted(k for k, n in counts.items() if n >= 3))}
    factors = np.array([C_WHOLE if k.startswith(WHOLE) else C_FLAG for k in flags])
    cells = [(i, flags[k]) for i, s in enumerate(sets) for k in sorted(s) if k in flags]
    marked = csr_matrix(
        ([factors[j] for _, j in cells], tuple(zip(*cells, strict=True))), shape=(len(rows), len(flags))
    )
    columns = Columns(lambda f: {*f.shaped, *couples(f)}, 2, C_WORD, word_value)
    columns.learn(sentences)
    plain = hstack([marked, columns.matrix(sentences)]).tocsr()
    meaning = np.array([vectors.total(f.shaped if f.spaced else ()) * (word_value(f) * C_MEANING) for f in sentences])
    deep = hstack([plain, csr_matrix(meaning)]).tocsr()
    weights = [p.weight * (1.0 if p.row["id"].startswith("x") else 2.0) for p, _ in rows]  # x: plain ones, many alike
    titles = [*flags, *columns.names]
    factor = np.concatenate([factors, np.full(len(columns.names), C_WORD)])
    out: dict[str, Any] = {"values": {}, "bias": []}
    lanes: list[np.ndarray] = []
    every = sorted({w for f in sentences if f.spaced for w in f.shaped} | set(vectors.whole))
    for key in LABELS:
        model = LogisticRegression(C=STRENGTH, max_iter=2000, class_weight=None if key == "intent" else "balanced")
        model.fit(deep if key == "intent" else plain, [p.row[key] for p, _ in rows], sample_weight=weights)
        out["values"][key] = [str(v) for v in model.classes_]
        out["bias"] += [round(float(v) * UNIT) for v in model.intercept_]
        lanes += [row[: len(titles)] * factor * UNIT for row in model.coef_]
        if key == "intent":
            kinds = [vectors.folded(every, row[len(titles) :] * C_MEANING) * UNIT for row in model.coef_]
            out["meaning"] = _meaning(every, np.array(kinds))
    table = np.round(np.array(lanes)).astype(int).T
    kept = {name: row.tolist() for name, row in zip(titles, table, strict=True) if np.abs(row).max() >= FLOOR}
    out["flags"] = {k: v for k, v in kept.items() if k in flags and not k.startswith(WHOLE)}
    out["whole"] = {k.removeprefix(WHOLE): v for k, v in kept.items() if k in flags and k.startswith(WHOLE)}
    out["words"] = {k: v for k, v in kept.items() if k not in flags}
    return out


def _names(p: Prepared, index: int) -> set[str]:
    """What the labels of a sentence are learned from, beside its words."""
    own, whole = Named(p.message).of(index)
    return own.union(map(WHOLE.__add__, whole))


def _meaning(words: list[str], kinds: np.ndarray) -> dict[str, Any]:
    """The words with a weight for a kind that is worth keeping, and their weights, a list for each kind."""
    kinds = np.round(kinds).astype(int)
    kept = [n for n in range(len(words)) if np.abs(kinds[:, n]).max() >= FLOOR_MEANING]
    return {"words": " ".join(words[n] for n in kept), "weights": kinds[:, kept].tolist()}
