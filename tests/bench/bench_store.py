"""Opening and changing stores of growing size, as ratios to the least work that could do the same.

    python -m tests.bench.bench_store

Opening is compared with `json.loads` of the same lines; a patch of 200 ops with appending the bytes it wrote, file by
file, with as many fsyncs. Each figure is the median of several runs, taken in turns with what it is compared with.
"""

from __future__ import annotations

import gc
import json
import os
import statistics
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from store.log.disk import Disk
from store.model import Op, Patch
from store.projection import render
from store.store import Store
from tests.bench.records import project_id, write_store

if TYPE_CHECKING:
    from collections.abc import Callable

OPS = 200
TARGETS = 4
"""Projects that the patch writes to."""


class MeasuredDisk(Disk):
    """Remembers what was written where, and how often it was made durable."""

    def __init__(self) -> None:
        self.written: list[tuple[Path, bytes]] = []
        self.fsyncs = 0

    def append(self, path: Path, data: bytes) -> None:
        self.written.append((path, data))
        super().append(path, data)

    def fsync(self, path: Path) -> None:
        self.fsyncs += 1
        super().fsync(path)


def timed(work: Callable[[], object]) -> float:
    gc.collect()
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def opening(root: Path, runs: int) -> tuple[float, float]:
    """Median seconds of opening a store, and of parsing its lines."""
    lines = [line for path in root.rglob("*.jsonl") for line in path.read_bytes().splitlines()]
    ours, least = [], []
    for _ in range(runs):
        least.append(timed(lambda: [json.loads(line) for line in lines]))
        ours.append(timed(lambda: Store.open(root)))
    return statistics.median(ours), statistics.median(least)


def patch(number: int) -> Patch:
    """200 new records over the same few projects, whatever the store's size."""
    ops = [
        Op(
            op_id=f"op_{n:03}",
            op="add",
            record={
                "statement": f"Rule {n} of patch {number}: run the checks of this part before every push.",
                "scope": {"type": "project", "project": project_id(n % TARGETS)},
                "tags": ["checks"],
            },
        )
        for n in range(OPS)
    ]
    return Patch(patch_id=f"pat_bench_{number:03}", created_at="2026-11-01T00:00:00Z", ops=ops)


def applying(root: Path, runs: int) -> tuple[float, float, float, float]:
    """Median seconds of a whole apply, of its rendering, of the rest, and of appending the same bytes."""
    disk = MeasuredDisk()
    store = Store.open(root, disk=disk)
    projects = [project_id(n) for n in range(TARGETS)]
    whole, rendering, least = [], [], []
    for number in range(runs + 1):
        document = patch(number)
        chosen = [op.op_id for op in document.ops]
        disk.written, disk.fsyncs = [], 0
        took = timed(lambda document=document, chosen=chosen: store.apply(document, select=chosen))
        rendered = timed(lambda: render(root, store.state, projects))
        bare = timed(lambda: append_bare(root / "bare", disk.written, disk.fsyncs))
        if number:  # the first one warms up imports
            whole.append(took)
            rendering.append(rendered)
            least.append(bare)
    return (
        statistics.median(whole),
        statistics.median(rendering),
        statistics.median(a - b for a, b in zip(whole, rendering, strict=True)),
        statistics.median(least),
    )


def append_bare(folder: Path, written: list[tuple[Path, bytes]], fsyncs: int) -> None:
    """The same bytes in the same number of writes, and the same number of fsyncs, with nothing around them."""
    folder.mkdir(exist_ok=True)
    done = 0
    for path, data in written:
        descriptor = os.open(folder / path.name, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        os.write(descriptor, data)
        if done < fsyncs:
            os.fsync(descriptor)
            done += 1
        os.close(descriptor)


def main() -> None:
    print(f"{'records':>9} {'open':>9} {'json.loads':>11} {'ratio':>6} {'apply 200':>10} {'rendering':>10} "
          f"{'transaction':>12} {'bare append':>12} {'ratio':>6}")  # fmt: skip
    for count in (1_000, 10_000, 100_000):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder) / "store"
            write_store(root, count)
            ours, least = opening(root, 7 if count < 100_000 else 3)
            whole, rendering, rest, bare = applying(root, 9)
            print(
                f"{count:>9} {ours * 1e3:>6.0f} ms {least * 1e3:>8.0f} ms {ours / least:>6.2f} {whole * 1e3:>7.1f} ms "
                f"{rendering * 1e3:>7.1f} ms {rest * 1e3:>9.1f} ms {bare * 1e3:>9.1f} ms {rest / bare:>6.2f}"
            )


if __name__ == "__main__":
    main()
