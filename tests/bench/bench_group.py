"""Grouping of many statements: how time grows with their number, and the memory it takes.

Run as `python -m tests.bench.bench_group`. The statements are made up: rules about a vocabulary that grows with their
number, some said twice, some contradicted.
"""

from __future__ import annotations

import random
import resource
import subprocess
import sys
import time

SIZES = (12_500, 25_000, 50_000, 100_000)

OPENINGS = (
    "use {x} for {y}",
    "please use {x} for {y}",
    "always use {x} for {y}",
    "from now on, use {x} for {y}",
    "never use {x} for {y}",
    "don't use {x} for {y}",
    "I prefer {x} over {z} for {y}",
    "use {x} instead of {z} for {y}",
    "keep {x} out of {y}",
    "run {x} before you touch {y}",
    "ask me before changing {x} in {y}",
    "no {x} in {y}",
    "{y} must not depend on {x}",
    "limit {x} to 3 per {y}",
    "never merge {y} without {x}",
)
SYLLABLES = "ka lo mi ne ru ta so pe di va zu chi fro gle dex ron lum pix tor bin".split()


def statements(count: int, seed: int = 7) -> list[str]:
    """So many statements about a vocabulary that grows with them, each rule said about twice."""
    chance = random.Random(seed)
    names = [a + b + c for a in SYLLABLES for b in SYLLABLES for c in SYLLABLES]
    made = []
    while len(made) < count:
        x, y, z = chance.sample(names, 3)
        openings = chance.sample(OPENINGS, chance.randint(1, 3))
        made += [opening.format(x=x, y=y, z=z) for opening in openings]
    chance.shuffle(made)
    return made[:count]


def measure(count: int) -> None:
    """Group so many statements in this process and print what came of it and what it took."""
    from curate.matching.group import Claim, group
    from curate.matching.normal import meaning

    claims = [Claim(str(number), text) for number, text in enumerate(statements(count))]
    meaning("warm up")
    started, busy = time.perf_counter(), time.process_time()
    grouping = group(claims)
    seconds, busy = time.perf_counter() - started, time.process_time() - busy
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(len(grouping.groups), len(grouping.conflicts), f"{seconds:.2f}", f"{busy:.2f}", peak // 1024)


def main() -> None:
    """One process per size, so that each has its own peak of memory."""
    heads = ("statements", "groups", "conflicts", "seconds", "cpu", "cpu/1,000", "ratio", "peak MB")
    print(" ".join(f"{head:>10}" for head in heads))
    first = 0.0
    for count in SIZES:
        run = [sys.executable, "-m", "tests.bench.bench_group", str(count)]
        groups, conflicts, seconds, busy, peak = subprocess.run(
            run, capture_output=True, text=True, check=True
        ).stdout.split()
        each = float(busy) / count * 1000
        first = first or each
        cells = (f"{count:,}", groups, conflicts, seconds, busy, f"{each:.4f}", f"{each / first:.2f}", peak)
        print(" ".join(f"{cell:>10}" for cell in cells))


if __name__ == "__main__":
    if len(sys.argv) > 1:
        measure(int(sys.argv[1]))
    else:
        main()
