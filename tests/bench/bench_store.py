"""Opening and changing stores of growing size, as ratios to the least work that could do the same.

    python -m tests.bench.bench_store

Opening is compared with `json.loads` of the same lines; a patch of 200 ops with appending the bytes it wrote, file by
file, with as many fsyncs; planning it and rendering pages are shown apart. Each figure is the median of several runs,
taken in turns with what it is compared with.
"""

from __future__ import annotations

import gc
import json
import os
import statistics
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from store.ids import new_id, now
from store.log.disk import Disk
from store.model import Op, Patch
from store.patch import fill, plan
from store.store import Store
from tests.bench.records import project_id, write_store

if TYPE_CHECKING:
    from collections.abc import Callable

    from store.following import Followed

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


class TimedStore(Store):
    """Keeps apart how long the pages took."""

    rendering = 0.0

    def _render(self, lines: list[dict[str, Any]]) -> Followed:
        start = time.perf_counter()
        followed = super()._render(lines)
        self.rendering = time.perf_counter() - start
        return followed


@dataclass
class Applying:
    """Median seconds: the whole of an apply, planning it, rendering, what is left, and appending the same bytes."""

    whole: float
    planning: float
    rendering: float
    transaction: float
    bare: float


def applying(root: Path, runs: int) -> Applying:
    """Patches applied one after the other, each in turn with the bare append of what it wrote to the logs."""
    disk = MeasuredDisk()
    store = TimedStore.open(root, disk=disk)
    assert isinstance(store, TimedStore)
    figures: list[tuple[float, ...]] = []
    for number in range(runs + 1):
        document = patch(number)
        chosen = [op.op_id for op in document.ops]

        def planned(document: Patch = document, chosen: list[str] = chosen) -> object:
            return plan(store.state, fill(store.state, document), select=chosen, at=now(), new_id=new_id)

        def applied(document: Patch = document, chosen: list[str] = chosen) -> object:
            return store.apply(document, select=chosen)

        planning = timed(planned)
        disk.written, disk.fsyncs = [], 0
        whole = timed(applied)
        logs = [(path, data) for path, data in disk.written if path.suffix == ".jsonl"]
        bare = timed(lambda logs=logs: append_bare(root / "bare", logs, disk.fsyncs))
        figures.append((whole, planning, store.rendering, whole - planning - store.rendering, bare))
    return Applying(*(statistics.median(column) for column in zip(*figures[1:], strict=True)))  # the first warms up


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
    print(
        f"{'records':>8} | {'open':>8} {'json.loads':>10} {'ratio':>5} | {'apply':>8} = {'plan':>8} + {'pages':>8} + "
        f"{'write':>8} | {'bare':>8} | {'write/bare':>10} {'(plan+write)/bare':>17}"
    )
    for count in (1_000, 10_000, 100_000):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder) / "store"
            write_store(root, count)
            ours, least = opening(root, 7 if count < 100_000 else 3)
            one = applying(root, 15)
            times = [f"{value * 1e3:5.1f} ms" for value in (one.whole, one.planning, one.rendering, one.transaction)]
            print(
                f"{count:>8} | {ours * 1e3:>5.0f} ms {least * 1e3:>7.0f} ms {ours / least:>5.2f} | "
                f"{times[0]:>8} = {times[1]:>8} + {times[2]:>8} + {times[3]:>8} | {one.bare * 1e3:>5.1f} ms | "
                f"{one.transaction / one.bare:>10.2f} {(one.transaction + one.planning) / one.bare:>17.2f}"
            )


if __name__ == "__main__":
    main()
