"""Scanning against only reading the same lines: time as a ratio, memory, and what a second scan still reads.

    python -m tests.bench.bench_scan [--megabytes 60]

`--megabytes 600` is the size that the promise on memory is about.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.bench.sessions import write_session, write_turn
from tests.store.repositories import repository

SCAN = """
import json, resource, sys, time
from pathlib import Path
from curate.capture.capture import scan
from store.store import Store
store = Store.open(Path(sys.argv[1]), create=True)
started = time.perf_counter()
report = scan(store, [Path(sys.argv[2])])
took = time.perf_counter() - started
try:  # what getrusage says includes the process that started this one
    status = open("/proc/self/status").read()
    peak = int(status.split("VmHWM:")[1].split()[0]) / 1024
except OSError:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024 if sys.platform != "darwin" else 1024 * 1024)
print(json.dumps({"took": took, "peak": peak, "created": report.created, "reinforced": report.reinforced,
                  "turns": report.turns, "bytes": report.bytes_read, "known": report.known}))
"""
IDLE = """
import time
from curate.capture.capture import scan
from store.store import Store
import curate.capture.intent, curate.matching.recurrence
"""


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=int, default=60)
    size = parser.parse_args().megabytes * 1_000_000
    with tempfile.TemporaryDirectory(prefix="curate-bench-") as name:
        folder = Path(name)
        cwd = repository(folder / "shop", "git@github.com:acme/shop.git")
        file = folder / "session.jsonl"
        prompts = write_session(file, size, str(cwd))
        real = file.stat().st_size
        print(f"{real / 1e6:.0f} MB, {prompts} prompts")
        loops, firsts = [], []
        for number in range(3):  # in turns, so that a busy machine hits both alike
            loops.append(read_lines(file))
            firsts.append(scan(folder / (f"store{number}" if number else "store"), file))
        loop, first = min(loops), min(firsts, key=lambda one: one["took"])
        again = scan(folder / "store", file)
        with file.open("ab") as grown:
            write_turn(grown, file.stem, prompts + 1, "Always answer in English.", str(cwd), random.Random(1), rounds=2)
        tail = file.stat().st_size - real
        started = time.perf_counter()
        more = scan(folder / "store", file)
        whole = time.perf_counter() - started
        started = time.perf_counter()
        subprocess.run([sys.executable, "-c", IDLE], check=True)
        idle = time.perf_counter() - started
    rows = [
        ("reading each line with json.loads", f"{loop:.2f} s", "1.0 x"),
        ("first scan", f"{first['took']:.2f} s", f"{first['took'] / loop:.2f} x (at most 3)"),
        ("peak memory", f"{first['peak']:.0f} MB", "(at most 200)"),
        ("found", f"{first['created']} created", f"of 2 said, in {first['turns']} turns"),
        ("second scan", f"{again['took'] * 1000:.0f} ms", f"{again['bytes']:.0f} bytes read"),
        (
            "one turn more",
            f"{more['took'] * 1000:.0f} ms",
            f"{more['bytes']:.0f} of {tail} new bytes read, {more['created']} created",
        ),
        ("its whole process, against only importing", f"{whole:.2f} s", f"{whole / idle:.2f} x (at most 2)"),
    ]
    for label, value, note in rows:
        print(f"  {label:<44}{value:>12}  {note}")


def scan(store: Path, file: Path) -> dict[str, float]:
    """Scan in a process of its own, so that its memory is its own."""
    done = subprocess.run([sys.executable, "-c", SCAN, str(store), str(file)], capture_output=True, check=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def read_lines(file: Path) -> float:
    """Seconds that reading and parsing each line takes."""
    started = time.perf_counter()
    with file.open("rb") as lines:
        for line in lines:
            json.loads(line)
    return time.perf_counter() - started


if __name__ == "__main__":
    main()
