"""What a patch of 200 ops costs a caller, against appending the very bytes that it wrote.

Stores of several sizes take turns, and so do a patch and its least work, so that a noisy machine is noisy for all.
Projects have one size whatever the store's. Each round goes to four that none has been to before, with two patches:
the first finds their pages as another process left them, the next finds them remembered.
"""

from __future__ import annotations

import gc
import os
import random
import statistics
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from store.log.disk import Disk
from store.model import Op, Patch
from store.projection import page, render
from store.store import Store
from tests.bench.records import project_id, record_line, write_store

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

OPS = 200
TARGETS = 4
"""Projects that a patch writes to."""


class MeasuredDisk(Disk):
    """Remembers every step that writes bytes or makes them durable, in order."""

    def __init__(self) -> None:
        self.steps: list[tuple[Path, bytes | None]] = []
        """The file and the bytes appended to it; without bytes it was made durable."""

    def append(self, path: Path, data: bytes) -> None:
        self.steps.append((path, data))
        super().append(path, data)

    def fsync(self, path: Path) -> None:
        self.steps.append((path, None))
        super().fsync(path)

    def fsync_dir(self, path: Path) -> None:
        self.steps.append((path, None))
        super().fsync_dir(path)


class TimedStore(Store):
    """Keeps apart how long bringing the pages up to date took."""

    rendering = 0.0

    def _follow(self, lines: list[dict[str, Any]]) -> Any:
        start = time.perf_counter()
        followed = super()._follow(lines)
        self.rendering = time.perf_counter() - start
        return followed


@dataclass
class Figures:
    """Seconds of each round: the whole of an apply, its own work on the processor, the pages in it, the bare append."""

    whole: list[float] = field(default_factory=list)
    busy: list[float] = field(default_factory=list)
    pages: list[float] = field(default_factory=list)
    bare: list[float] = field(default_factory=list)

    def clear(self) -> None:
        for times in (self.whole, self.busy, self.pages, self.bare):
            times.clear()


class Subject:
    """Stores of one size; a new one when every project of the last has had its patch."""

    def __init__(self, count: int, folder: Path) -> None:
        self.count = count
        self.figures = (Figures(), Figures())
        """Of the first patch of each round, and of the next."""
        self._folder = folder
        self._disk = MeasuredDisk()
        self._rounds = self._turns()

    def turn(self) -> None:
        """Two patches and their least work, timed."""
        next(self._rounds)

    def _turns(self) -> Iterator[None]:
        number = 0
        while True:
            root = Path(tempfile.mkdtemp(dir=self._folder))
            projects = write_store(root, self.count)
            store = TimedStore.open(root, disk=self._disk)
            assert isinstance(store, TimedStore)
            render(root, store.state)  # a store in use has its pages
            store.apply(small_patch(number), select=["op_000"])  # and a patch log
            for first in range(0, projects - TARGETS + 1, TARGETS):
                page._ENTRIES.clear()  # as in a process that has just started
                for figures in self.figures:
                    number += 1
                    self._measure(store, patch(number, range(first, first + TARGETS)), figures)
                yield

    def _measure(self, store: TimedStore, document: Patch, figures: Figures) -> None:
        chosen = [op.op_id for op in document.ops]
        self._disk.steps = []
        busy = 0.0

        def applied() -> None:
            nonlocal busy
            start = time.thread_time()
            store.apply(document, select=chosen)
            busy = time.thread_time() - start

        figures.whole.append(timed(applied))
        figures.busy.append(busy)
        figures.pages.append(store.rendering)
        steps = self._disk.steps
        files = sum(path.suffix == ".tmp" for path, data in steps if data is not None)
        assert files == TARGETS + 1, "the pages and their manifest"
        figures.bare.append(timed(lambda: append_bare(self._folder / "bare", steps)))


def timed(work: Callable[[], object]) -> float:
    gc.collect()
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def patch(number: int, targets: range) -> Patch:
    """200 new records over a few projects."""
    rng = random.Random(number)
    ops = []
    for n in range(OPS):
        said = record_line(number * OPS + n, project_id(targets[n % TARGETS]), rng)
        record = {key: said[key] for key in ("statement", "rule_type", "scope", "tags", "applies_when")}
        ops.append(Op(op_id=f"op_{n:03}", op="add", record=record))
    return Patch(patch_id=f"pat_bench_{number:06}", created_at="2026-11-01T00:00:00Z", ops=ops)


def small_patch(number: int) -> Patch:
    op = Op(op_id="op_000", op="add", record={"statement": "Answer in one paragraph.", "scope": {"type": "global"}})
    return Patch(patch_id=f"pat_small_{number:06}", created_at="2026-11-01T00:00:00Z", ops=[op])


def append_bare(folder: Path, steps: list[tuple[Path, bytes | None]]) -> None:
    """The same bytes in the same number of writes to as many files, as many fsyncs, and nothing around them."""
    folder.mkdir(exist_ok=True)
    for path, data in steps:
        descriptor = os.open(folder / path.name, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        if data is None:
            os.fsync(descriptor)
        else:
            os.write(descriptor, data)
        os.close(descriptor)


def applying(counts: tuple[int, ...], rounds: int) -> dict[int, tuple[Figures, Figures]]:
    """The figures of each size, all measured in turns; the first round warms up and is not counted."""
    with tempfile.TemporaryDirectory() as folder:
        subjects = [Subject(count, Path(folder)) for count in counts]
        for number in range(rounds + 1):
            for subject in subjects:
                subject.turn()
                if number == 0:
                    for figures in subject.figures:
                        figures.clear()
        return {subject.count: subject.figures for subject in subjects}


def report(found: dict[int, tuple[Figures, Figures]]) -> None:
    """Best and median of each size, and how far the sizes are apart."""
    for number, title in enumerate(("first patch to its projects", "next patch to the same projects")):
        print(
            f"{title}\n {'records':>8} {'':6} | {'apply':>8} {'processor':>10} {'pages':>8} | {'bare':>8} | apply/bare"
        )
        each = {count: figures[number] for count, figures in found.items()}
        for count, one in each.items():
            for name, pick in (("best", min), ("median", statistics.median)):
                whole, busy, pages, bare = (pick(times) * 1e3 for times in (one.whole, one.busy, one.pages, one.bare))
                print(
                    f" {count:>8} {name:6} | {whole:>5.1f} ms {busy:>7.1f} ms {pages:>5.1f} ms | {bare:>5.1f} ms | "
                    f"{whole / bare:>10.2f}"
                )
        for name, pick in (("best", min), ("median", statistics.median)):
            whole, busy = (
                _apart([pick(times) for times in column])
                for column in ([one.whole for one in each.values()], [one.busy for one in each.values()])
            )
            print(f" {name} of {min(found):,} to {max(found):,} records: {whole:.0f} % apart, processor {busy:.0f} %")


def _apart(times: list[float]) -> float:
    return (max(times) / min(times) - 1) * 100
