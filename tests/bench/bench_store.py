"""Opening and changing stores of growing size, as ratios to the least work that could do the same.

    python -m tests.bench.bench_store [--rounds 15]

Opening is compared with `json.loads` of the same lines; a patch of 200 ops, with everything that a caller waits for,
with appending the same bytes to as many files with as many fsyncs.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
from pathlib import Path

from store.store import Store
from tests.bench.applying import applying, report, timed
from tests.bench.records import write_store

SIZES = (1_000, 10_000, 100_000)


def opening(root: Path, runs: int) -> tuple[float, float]:
    """Median seconds of opening a store, and of parsing its lines."""
    lines = [line for path in root.rglob("*.jsonl") for line in path.read_bytes().splitlines()]
    ours, least = [], []
    for _ in range(runs):
        least.append(timed(lambda: [json.loads(line) for line in lines]))
        ours.append(timed(lambda: Store.open(root)))
    return statistics.median(ours), statistics.median(least)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15, help="patches applied to the stores of each size")
    rounds = parser.parse_args().rounds
    print(f"{'records':>8} | {'open':>8} {'json.loads':>10} {'ratio':>5}")
    for count in SIZES:
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder) / "store"
            write_store(root, count)
            ours, least = opening(root, 7 if count < max(SIZES) else 3)
            print(f"{count:>8} | {ours * 1e3:>5.0f} ms {least * 1e3:>7.0f} ms {ours / least:>5.2f}")
    print()
    report(applying(SIZES, rounds))


if __name__ == "__main__":
    main()
