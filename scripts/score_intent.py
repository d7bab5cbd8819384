"""Score the classifier on labelled messages: python scripts/score_intent.py [--errors] [--prior 0.1] [FILE ...].

Without files: those that are learned from, each message by a model that saw none of its project; check.jsonl and
handed.jsonl by the model of the package. Precision, recall, F1 and average precision on messages, F1 of statements
(token Dice of at least 0.6, one to one), and how often the intent of a hit is right.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from curate.capture.intent import Verdict, classify  # noqa: E402

DATA = ROOT / "tests" / "data" / "capture"
_TOKEN = re.compile(r"[぀-ヿ㐀-鿿가-힯]|[^\W_]+")
LEARNED = ("dev", "work", "short", "stream", "voices", "desk", "extra")
"""Files that are learned from: each message of them is scored by a model that saw none of its project."""

Row = dict[str, Any]


def dice(a: str, b: str) -> float:
    """How much of their words two statements share."""
    x, y = (Counter(t.lower() for t in _TOKEN.findall(s)) for s in (a, b))
    both = x.total() + y.total()
    return 2 * (x & y).total() / both if both else 0.0


def matched(gold: list[str], found: list[str]) -> int:
    """The size of a largest one-to-one matching of statements."""
    edges = [[j for j, p in enumerate(found) if dice(g, p) >= 0.6] for g in gold]
    owner: dict[int, int] = {}

    def place(i: int, seen: set[int]) -> bool:
        for j in edges[i]:
            if j not in seen:
                seen.add(j)
                if j not in owner or place(owner[j], seen):
                    owner[j] = i
                    return True
        return False

    return sum(place(i, set()) for i in range(len(gold)))


def average_precision(rows: list[tuple[float, bool]]) -> float:
    """Of the ranking by confidence; equal confidences share one threshold."""
    total = sum(d for _, d in rows)
    groups: dict[float, list[int]] = {}
    for c, d in rows:
        group = groups.setdefault(c, [0, 0])
        group[0] += d
        group[1] += 1
    hits = seen = 0
    result = 0.0
    for c in sorted(groups, reverse=True):
        d, k = groups[c]
        hits += d
        seen += k
        result += d / total * hits / seen if total else 0.0
    return result


def measure(rows: list[Row], verdicts: list[Verdict], prior: float) -> dict[str, float]:
    """All figures of one set of messages."""
    tp = fp = fn = gold = found = hit = right = 0
    for row, v in zip(rows, verdicts, strict=True):
        tp += row["durable"] and v.durable
        fp += v.durable and not row["durable"]
        fn += row["durable"] and not v.durable
        statements = [i.statement for i in v.items]
        gold += len(row["statements"])
        found += len(statements)
        hit += matched(row["statements"], statements)
        right += row["durable"] and v.durable and v.intent == row["intent"]
    negatives = sum(not r["durable"] for r in rows)
    recall, rate = tp / max(1, tp + fn), fp / max(1, negatives)
    return {
        "n": len(rows),
        "precision": tp / max(1, tp + fp),
        "recall": recall,
        "f1": 2 * tp / max(1, 2 * tp + fp + fn),
        "false positive rate": rate,
        f"precision at {prior}": prior * recall / max(1e-9, prior * recall + (1 - prior) * rate),
        "average precision": average_precision(
            [(v.confidence, r["durable"]) for r, v in zip(rows, verdicts, strict=True)]
        ),
        "span f1": 2 * hit / max(1, gold + found),
        "intent": right / max(1, tp),
    }


def show(title: str, rows: list[Row], verdicts: list[Verdict], prior: float) -> None:
    """Print one line of figures."""
    figures = measure(rows, verdicts, prior)
    print(f"{title:24s}" + "  ".join(f"{k} {v:.3f}" if k != "n" else f"n {v}" for k, v in figures.items()))


def read(path: Path) -> list[Row]:
    """The labelled messages of a file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def report(title: str, rows: list[Row], verdict: Callable[[Row], Verdict], args: argparse.Namespace) -> None:
    """Print the figures of a set, of its clear messages and of those not in English."""
    verdicts = [verdict(row) for row in rows]
    show(title, rows, verdicts, args.prior)
    for name, keep in (
        ("clear", lambda r: not r.get("borderline")),
        ("English", lambda r: r["lang"] == "en"),
        ("other languages", lambda r: r["lang"] != "en"),
    ):
        some = [(r, v) for r, v in zip(rows, verdicts, strict=True) if keep(r)]
        if 0 < len(some) < len(rows):
            show("  " + name, [r for r, _ in some], [v for _, v in some], args.prior)
    if args.errors:
        for r, v in zip(rows, verdicts, strict=True):
            found = [i.statement for i in v.items]
            if v.durable != r["durable"]:
                print(
                    "  ",
                    "MISS " if r["durable"] else "FALSE",
                    r["id"],
                    v.confidence,
                    " ".join(r["text"].split())[:150],
                    "|",
                    found[:2],
                )
            elif r["durable"] and (
                matched(r["statements"], found) < len(r["statements"]) or len(found) > len(r["statements"])
            ):
                print("   SPAN ", r["id"], r["statements"], "|", found)


def cross_validated() -> Callable[[Row], Verdict]:
    """A verdict on each learned message by a model that saw none of its project."""
    from scripts.train_intent import models
    from scripts.training.messages import LEARNED, Prepared, load

    by_id = models([Prepared(row) for row in load(*LEARNED)])

    def verdict(row: Row) -> Verdict:
        weights, naming = by_id[row["id"]]
        return classify(row["text"], weights=weights, naming=naming)

    return verdict


def main() -> int:
    """Print the figures asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--prior", type=float, default=0.1)
    parser.add_argument("--errors", action="store_true")
    parser.add_argument("--only", choices=(*LEARNED, "check", "handed"))
    args = parser.parse_args()
    if args.files:
        for path in args.files:
            report(path.name, read(path), lambda row: classify(row["text"]), args)
        return 0
    if args.only in (None, *LEARNED):
        verdict = cross_validated()
        for name in LEARNED:
            if args.only in (None, name):
                report(f"{name}, held out", read(DATA / f"{name}.jsonl"), verdict, args)
    for name in ("check", "handed"):
        if args.only in (None, name):
            report(name, read(DATA / f"{name}.jsonl"), lambda row: classify(row["text"]), args)
    return 0


if __name__ == "__main__":
    sys.exit(main())
