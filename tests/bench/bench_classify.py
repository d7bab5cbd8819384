"""What classifying costs, against finding the words of the same text by one regular expression; and on hostile text.

Run as `python -m tests.bench.bench_classify`.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from pathlib import Path

from curate.capture.intent import classify

DATA = Path(__file__).resolve().parent.parent / "data" / "capture"
LIMIT = 30.0
REPEATS = (
    "a",
    " ",
    "\n",
    "never ",
    "from now on ",
    "don't ",
    "`",
    '"',
    "'",
    "<",
    "<a>",
    "a.",
    "- ",
    "#",
    "|",
    ">",
    "，",
    "不要",
    "必ず",
    "항상",
    "é",
    "1. ",
    "…",
)


def seconds(work: Callable[[str], object], texts: list[str], rounds: int = 5) -> float:
    """The best of some rounds over all texts."""
    best = float("inf")
    for _ in range(rounds):
        start = time.perf_counter()
        for text in texts:
            work(text)
        best = min(best, time.perf_counter() - start)
    return best


def texts(name: str) -> list[str]:
    """The messages of a file of labelled ones."""
    return [json.loads(line)["text"] for line in (DATA / name).read_text(encoding="utf-8").splitlines()]


def main() -> None:
    """Print a small table of ratios and of the seconds for a megabyte of one thing."""
    word = re.compile(r"\w+")
    classify("warm up")
    print(f"{'messages':28}{'classify / words':>18}")
    for name in ("dev.jsonl", "check.jsonl", "extra.jsonl"):
        some = texts(name)
        # In turn, so that a busy moment of the machine does not fall on one side only; the best of each counts.
        pairs = [(seconds(classify, some, rounds=1), seconds(word.findall, some, rounds=3)) for _ in range(8)]
        ratio = min(a for a, _ in pairs) / min(b for _, b in pairs)
        print(f"{name:28}{ratio:18.1f}{'' if ratio <= LIMIT else '   above the limit'}")
    print(f"\n{'1 MB of':28}{'seconds':>18}")
    for piece in REPEATS:
        print(f"{piece!r:28}{seconds(classify, [piece * (1_000_000 // len(piece))], rounds=1):18.2f}")


if __name__ == "__main__":
    main()
