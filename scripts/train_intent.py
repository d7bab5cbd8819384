"""Train the weights of the scoring model from the labelled messages: python scripts/train_intent.py [--cross-validate].

Needs scikit-learn and numpy, which the package itself does not. Same data, same weights.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from curate.capture.label_model import LabelModel  # noqa: E402
from curate.capture.model import Model  # noqa: E402
from scripts.training import labels, sentences, whole  # noqa: E402
from scripts.training.messages import LEARNED, Prepared, load, parts  # noqa: E402
from scripts.training.vectors import Vectors  # noqa: E402

TARGET = ROOT / "curate" / "capture" / "model.json"
LABEL_TARGET = ROOT / "curate" / "capture" / "labels.json"
ITEM_THRESHOLD = 0.5

Trained = list[tuple[list[Prepared], dict[str, Any], dict[str, Any]]]


def held_out(prepared: list[Prepared]) -> Trained:
    """For each part: its messages, and the sentence part and the labels learned from the others."""
    vectors = Vectors()
    return [(held, sentences.fit(train, vectors), labels.fit(train, vectors)) for train, held in parts(prepared)]


def scored(trained: Trained) -> whole.Held:
    """Each message with the scores of its sentences by a model that saw none of its project."""
    out: whole.Held = []
    for held, data, _ in trained:
        model = Model({**whole.EMPTY, **data})
        out += [(p, [model.score(f) for f in p.message.kept]) for p in held]
    return out


def complete(data: dict[str, Any], weights: dict[str, float], threshold: float) -> dict[str, Any]:
    """The data of a whole model."""
    return {**data, "message": weights, "threshold": threshold, "item_threshold": ITEM_THRESHOLD}


def models(prepared: list[Prepared]) -> dict[str, tuple[Model, LabelModel]]:
    """For the id of each message a whole model that saw none of its project but for the message part."""
    trained = held_out(prepared)
    held = scored(trained)
    weights = whole.fit(held)
    threshold = whole.threshold(whole.totals(held, weights))
    out: dict[str, tuple[Model, LabelModel]] = {}
    for messages, data, named in trained:
        both = (Model(complete(data, weights, threshold)), LabelModel(named))
        out.update({p.row["id"]: both for p in messages})
    return out


def report(title: str, rows: list[tuple[float, Prepared]], threshold: float) -> None:
    """Print what the held-out scores of some messages come to."""
    if any(p.durable for _, p in rows):
        print(
            f"{title:12} n={len(rows):5} AP {whole.average_precision(rows):.3f}"
            f"  F1 {whole.f1(rows, threshold, None):.3f}  at a share of {whole.RARE}: {whole.f1(rows, threshold):.3f}"
        )


def by_file(rows: Iterable[tuple[float, Prepared]]) -> dict[str, list[tuple[float, Prepared]]]:
    """The rows of each file, by the first letter of the ids, and of languages other than English."""
    out: dict[str, list[tuple[float, Prepared]]] = {}
    for r, p in rows:
        out.setdefault(p.row["id"][0], []).append((r, p))
        if p.row["lang"] != "en":
            out.setdefault("not English", []).append((r, p))
    return out


def main() -> int:
    """Print what held-out projects come to, and write the weights unless only that was asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cross-validate", action="store_true")
    args = parser.parse_args()
    prepared = [Prepared(r) for r in load(*LEARNED)]
    vectors = Vectors()
    held = scored([(part, sentences.fit(train, vectors), {}) for train, part in parts(prepared)])
    weights = whole.fit(held)
    rows = whole.totals(held, weights)
    threshold = whole.threshold(rows)
    print(f"threshold {threshold}")
    report("all", rows, threshold)
    for name, some in sorted(by_file(rows).items()):
        report(name, some, threshold)
    if args.cross_validate:
        return 0
    data = complete(sentences.fit(prepared, vectors), weights, threshold)
    write(TARGET, data)
    write(LABEL_TARGET, labels.fit(prepared, vectors))
    return 0


def write(path: Path, data: dict[str, Any]) -> None:
    """Write weights in a fixed order."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    path.write_text(text + "\n", encoding="utf-8", newline="\n")
    print(f"{path.name}: {len(text.encode())} bytes")


if __name__ == "__main__":
    sys.exit(main())
