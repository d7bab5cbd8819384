"""Train the weights of the scoring model from the labelled messages: python scripts/train_intent.py [--cross-validate].

Needs scikit-learn and numpy, which the package itself does not. Same data, same weights.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix, hstack
from sklearn.linear_model import LogisticRegression

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from itertools import combinations  # noqa: E402

from curate.capture import lexicon  # noqa: E402
from curate.capture.features import Features, Message, analyse  # noqa: E402
from curate.capture.labels import kinds  # noqa: E402
from curate.capture.model import Model, gram_value  # noqa: E402

DATA = ROOT / "tests" / "data" / "capture"
TARGET = ROOT / "curate" / "capture" / "model.json"
SCALE = 0.001
STRENGTH = 0.6  # inverse of the regularisation
MIN_FLAG, MIN_PAIR, MIN_GRAM = 3, 6, 2
C_FLAG, C_PAIR, C_GRAM = 2.0, 0.5, 1.5


def load(*names: str) -> list[dict[str, Any]]:
    """Labelled messages of the named files."""
    rows: list[dict[str, Any]] = []
    for name in names:
        path = DATA / name
        if path.exists():
            rows += [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    return rows


def gold_spans(row: dict[str, Any]) -> list[tuple[int, int]]:
    """Where the labelled statements stand in the text."""
    spans = []
    for statement in row["statements"]:
        at = row["text"].find(statement)
        if at >= 0:
            spans.append((at, at + len(statement)))
    return spans


def is_gold(f: Features, spans: list[tuple[int, int]]) -> bool:
    """The sentence carries at least half of a statement, or is half covered by one."""
    lo, hi = f.sentence.start, f.sentence.end
    for a, b in spans:
        shared = min(b, hi) - max(a, lo)
        if shared > 0 and shared * 2 >= min(b - a, hi - lo):
            return True
    return False


class Prepared:
    """A labelled message with its features."""

    def __init__(self, row: dict[str, Any]) -> None:
        self.row = row
        self.message: Message = analyse(row["text"], lexicon.default())
        spans = gold_spans(row)
        self.gold = [is_gold(f, spans) for f in self.message.kept]
        self.durable = bool(row["durable"])
        self.weight = 0.6 if row.get("borderline") else 1.0


class Space:
    """Columns of the training matrix, by name."""

    def __init__(self, sentences: list[Features], pairs: bool = True) -> None:
        flags: Counter[str] = Counter()
        both: Counter[tuple[str, str]] = Counter()
        grams: Counter[str] = Counter()
        for f in sentences:
            own = sorted(set(f.flags))
            flags.update(own)
            if pairs:
                both.update(combinations(own, 2))
            grams.update(set(f.grams))
        self.flags = {k: i for i, k in enumerate(sorted(k for k, n in flags.items() if n >= MIN_FLAG))}
        self.pairs = {k: i for i, k in enumerate(sorted(k for k, n in both.items() if n >= MIN_PAIR and usable(k)))}
        self.grams = {k: i for i, k in enumerate(sorted(k for k, n in grams.items() if n >= MIN_GRAM))}

    def matrix(self, sentences: list[Features]) -> csr_matrix:
        """One row a sentence."""
        parts = [
            self._sparse(sentences, self.flags, lambda f: ((k, 1.0) for k in set(f.flags)), C_FLAG),
            self._sparse(
                sentences, self.pairs, lambda f: ((k, 1.0) for k in combinations(sorted(set(f.flags)), 2)), C_PAIR
            ),
            self._sparse(sentences, self.grams, lambda f: ((k, gram_value(f)) for k in set(f.grams)), C_GRAM),
        ]
        return hstack(parts).tocsr()

    @staticmethod
    def _sparse(sentences: list[Features], columns: dict[Any, int], cells: Any, factor: float) -> csr_matrix:
        rows, cols, values = [], [], []
        for i, f in enumerate(sentences):
            for key, value in cells(f):
                j = columns.get(key)
                if j is not None:
                    rows.append(i)
                    cols.append(j)
                    values.append(value * factor)
        return csr_matrix((values, (rows, cols)), shape=(len(sentences), len(columns)))

    def export(self, coefficients: np.ndarray) -> dict[str, Any]:
        """Weights by name; small ones are left out."""
        out: dict[str, Any] = {}
        at = 0
        for name, columns, factor in (
            ("flags", self.flags, C_FLAG),
            ("pairs", self.pairs, C_PAIR),
            ("grams", self.grams, C_GRAM),
        ):
            part = coefficients[at : at + len(columns)] * factor
            at += len(columns)
            floor = 4 if name == "pairs" else 8 if name == "grams" else 1
            kept = {
                ("|".join(k) if isinstance(k, tuple) else k): round(float(part[j]) / SCALE) for k, j in columns.items()
            }
            out[name] = {k: v for k, v in kept.items() if abs(v) >= floor}
        return out


def usable(pair: tuple[str, str]) -> bool:
    """Pairs of two context flags say little and are many."""
    return not all(p.startswith(("m.", "m:", "next:", "prev:", "len")) for p in pair)


def fit(prepared: list[Prepared], c: float) -> dict[str, Any]:
    """The sentence part of the model."""
    sentences = [f for p in prepared for f in p.message.kept]
    y = np.array([g for p in prepared for g in p.gold], dtype=int)
    weights = []
    for p in prepared:
        n = len(p.message.kept)
        other = 0.5 if p.durable else min(1.0, 2.0 / math.sqrt(max(1, n)))
        weights += [p.weight * (1.0 if g else other) for g in p.gold]
    space = Space(sentences)
    x = space.matrix(sentences)
    model = LogisticRegression(C=c, max_iter=2000, solver="liblinear", random_state=0, intercept_scaling=10)
    model.fit(x, y, sample_weight=np.array(weights))
    data = space.export(model.coef_[0])
    data["bias"] = float(model.intercept_[0])
    data["scale"] = SCALE
    data["message"] = {"bias": 0.0, "top": 1.0, "second": 0.0, "many": 0.0}
    data["threshold"] = 0.0
    return data


LABEL_STRENGTH = 0.3
LABELS = ("intent", "rule_type", "scope")


def label_sets(p: Prepared, index: int) -> set[str]:
    """What the labels of a sentence are learned from, beside its words."""
    f = p.message.kept[index]
    return kinds(f, p.message, index).union(f.flags)


def fit_labels(prepared: list[Prepared]) -> dict[str, Any]:
    """Weights for each value of each label, from the stated sentences of durable messages."""
    rows = [(p, i) for p in prepared if p.durable for i, g in enumerate(p.gold) if g]
    sentences = [p.message.kept[i] for p, i in rows]
    sets = [label_sets(p, i) for p, i in rows]
    space = Space(sentences, pairs=False)
    counts = Counter(k for s in sets for k in s)
    flags = {k: i for i, k in enumerate(sorted(k for k, n in counts.items() if n >= MIN_FLAG))}
    columns = [*((k, C_FLAG) for k in flags), *(("g:" + k, C_GRAM) for k in space.grams)]
    cells = [(i, flags[k]) for i, s in enumerate(sets) for k in sorted(s) if k in flags]
    marked = csr_matrix(([C_FLAG] * len(cells), tuple(zip(*cells, strict=True))), shape=(len(sentences), len(flags)))
    matrix = hstack([marked, space.matrix(sentences)[:, len(space.flags) :]]).tocsr()
    weights = [p.weight * (2.0 if p.row["id"].startswith("m") else 1.0) for p, _ in rows]
    values: dict[str, list[str]] = {}
    bias: list[int] = []
    table: dict[str, list[int]] = {name: [] for name, _ in columns}
    for key in LABELS:
        model = LogisticRegression(C=LABEL_STRENGTH, max_iter=2000, class_weight="balanced")
        model.fit(matrix, [p.row[key] for p, _ in rows], sample_weight=weights)
        values[key] = [str(v) for v in model.classes_]
        bias += [round(float(v) * 100) for v in model.intercept_]
        for (name, factor), column in zip(columns, model.coef_.T, strict=True):
            table[name] += [round(float(v) * factor * 100) for v in column]
    kept = {name: row for name, row in table.items() if max(map(abs, row)) >= 6}
    return {"values": values, "bias": bias, "weights": kept}


def labelled(model: Model, p: Prepared, index: int) -> dict[str, str]:
    """The labels that a model gives to a sentence."""
    f = p.message.kept[index]
    return model.label(f, kinds(f, p.message, index))


def label_accuracy(prepared: list[Prepared]) -> None:
    """Print how often the labels are right for topics that were not seen."""
    right: Counter[tuple[str, bool]] = Counter()
    for train, held in folds(prepared):
        model = Model({**EMPTY, "labels": fit_labels(train)})
        for p in held:
            stated = [i for i, g in enumerate(p.gold) if g]
            if p.durable and stated and p.row["id"].startswith("m"):
                right.update((key, value == p.row[key]) for key, value in labelled(model, p, stated[0]).items())
    for key in LABELS:
        print(f"{key}: {right[key, True] / (right[key, True] + right[key, False]):.3f}")


EMPTY: dict[str, Any] = {"bias": 0, "scale": 1, "flags": {}, "pairs": {}, "grams": {}, "message": {}, "threshold": 0.0}
MESSAGE_FLAGS = [
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


def message_row(message: Message, scores: list[float]) -> list[float]:
    """What the message part weighs: the best two sentences, and the shape of the message."""
    ordered = sorted(scores, reverse=True)
    second = max(ordered[1], -4.0) if len(ordered) > 1 else 0.0
    return [ordered[0], second, float(len(ordered) > 1), *[float(f in message.flags) for f in MESSAGE_FLAGS]]


def fit_message(held_out: list[tuple[Prepared, list[float]]]) -> dict[str, float]:
    """The message part, from scores of sentences that the sentence part had not seen."""
    rows = [(p, s) for p, s in held_out if s]
    x = np.array([message_row(p.message, s) for p, s in rows])
    y = np.array([p.durable for p, _ in rows], dtype=int)
    w = np.array([p.weight for p, _ in rows])
    model = LogisticRegression(C=0.1, max_iter=1000)
    model.fit(x, y, sample_weight=w)
    names = ["top", "second", "many", *MESSAGE_FLAGS]
    out = {name: round(float(v), 3) for name, v in zip(names, model.coef_[0], strict=True)}
    out["bias"] = round(float(model.intercept_[0]), 3)
    return out


FOLDS = 8


def folds(prepared: list[Prepared]) -> list[tuple[list[Prepared], list[Prepared]]]:
    """Leave topics out: no topic of dev.jsonl is in both parts; the further messages go by their order."""
    topics = sorted({p.row["topic"] for p in prepared if p.row["id"].startswith("m")})
    place = {}
    for n, p in enumerate(prepared):
        place[p.row["id"]] = (topics.index(p.row["topic"]) if p.row["id"].startswith("m") else n) % FOLDS
    return [
        ([p for p in prepared if place[p.row["id"]] != k], [p for p in prepared if place[p.row["id"]] == k])
        for k in range(FOLDS)
    ]


def cross_validated(prepared: list[Prepared], c: float) -> list[tuple[Prepared, list[float]]]:
    """Each message with the scores of its sentences by a model that saw none of its topic."""
    out = []
    for train, held in folds(prepared):
        model = Model(fit(train, c))
        out += [(p, [model.score(f) for f in p.message.kept]) for p in held]
    return out


def complete(prepared: list[Prepared]) -> Model:
    """A whole model from these messages; the message part and the threshold, 15 numbers, are those of the package."""
    shipped = json.loads(TARGET.read_text(encoding="utf-8"))
    data = fit(prepared, STRENGTH)
    data["message"], data["threshold"] = shipped["message"], shipped["threshold"]
    data["item_threshold"] = shipped.get("item_threshold", 0.0)
    data["labels"] = fit_labels(prepared)
    return Model(data)


def average_precision(rows: list[tuple[float, bool]]) -> float:
    """Of the ranking by score."""
    rows = sorted(rows, key=lambda r: -r[0])
    total = sum(d for _, d in rows)
    hits, ap = 0, 0.0
    for i, (_, d) in enumerate(rows, 1):
        if d:
            hits += 1
            ap += hits / i / total
    return ap


def report(held: list[tuple[Prepared, list[float]]], weights: dict[str, float], title: str) -> float:
    """Print what the held-out scores come to and give back the threshold to use."""
    model = Model({**EMPTY, "message": weights})
    rows = [(model.whole(p.message, s), p) for p, s in held]
    ap = average_precision([(r, p.durable) for r, p in rows])
    clear = average_precision([(r, p.durable) for r, p in rows if not p.row.get("borderline")])
    grid = [round(-2.0 + 0.1 * i, 2) for i in range(41)]
    plain = [f1(rows, t, 1.0) for t in grid]
    # Everyday messages hold fewer rules than the labelled ones, so false ones weigh more; smoothed, the curve is noisy.
    rare = [f1(rows, t, RARER) for t in grid]
    smooth = [sum(rare[max(0, i - 4) : i + 5]) / len(rare[max(0, i - 4) : i + 5]) for i in range(len(grid))]
    best = grid[smooth.index(max(smooth))]
    at = grid.index(best)
    print(
        f"{title}: n={len(rows)} AP {ap:.3f} clear {clear:.3f}  F1 at {best}: {plain[at]:.3f}  best F1 {max(plain):.3f}"
    )
    return best


RARER = 1.8


def f1(rows: list[tuple[float, Prepared]], t: float, weight: float) -> float:
    """F1 at a threshold, with each false positive counted `weight` times."""
    tp = sum(r > t and p.durable for r, p in rows)
    fp = sum(r > t and not p.durable for r, p in rows) * weight
    fn = sum(r <= t and p.durable for r, p in rows)
    return 2 * tp / max(1.0, 2 * tp + fp + fn)


def main() -> int:
    """Print what held-out topics come to, and write the weights unless only that was asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cross-validate", action="store_true")
    parser.add_argument("--c", type=float, default=STRENGTH)
    parser.add_argument("--errors", action="store_true")
    args = parser.parse_args()
    prepared = [Prepared(r) for r in load("dev.jsonl", "extra.jsonl")]
    held = cross_validated(prepared, args.c)
    dev = [(p, s) for p, s in held if p.row["id"].startswith("m")]
    weights = fit_message(dev)
    best = report(dev, weights, "dev")
    report(held, weights, "all")
    report([(p, s) for p, s in dev if p.row["lang"] != "en"], weights, "dev not English")
    report([(p, s) for p, s in held if not p.row["id"].startswith("m")], weights, "extra")
    if args.errors:
        errors(dev, weights)
    if args.cross_validate:
        label_accuracy(prepared)
        return 0
    data = fit(prepared, args.c)
    data["message"] = weights
    data["labels"] = fit_labels(prepared)
    data["threshold"] = best
    data["item_threshold"] = -0.5
    TARGET.write_text(
        json.dumps(data, ensure_ascii=False, separators=(",", ":"), sort_keys=True) + "\n",
        encoding="utf-8",
        newline="\n",
    )
    print({k: len(v) for k, v in data.items() if isinstance(v, dict)}, TARGET.stat().st_size)
    return 0


def errors(held: list[tuple[Prepared, list[float]]], weights: dict[str, float]) -> None:
    """Print what was decided wrongly, the surest mistakes first, with the sentence that weighed most."""
    model = Model({**EMPTY, "message": weights})
    rows = [(model.whole(p.message, s), p, s) for p, s in held]
    false = sorted((r for r in rows if r[0] > 0 and not r[1].durable), key=lambda r: -r[0])
    missed = sorted((r for r in rows if r[0] <= 0 and r[1].durable), key=lambda r: r[0])
    for title, chosen in (("FALSE POSITIVES", false), ("MISSES", missed)):
        print(title, len(chosen))
        for score, p, s in chosen:
            text = p.message.kept[s.index(max(s))].sentence.text[:140] if s else ""
            tags = ",".join(p.row["tags"])
            print(f"{score:6.2f} {p.row['id']} {p.row['lang']} [{tags}] {text!r} {p.row['statements'][:1] or ''}")


if __name__ == "__main__":
    sys.exit(main())
