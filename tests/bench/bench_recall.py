"""The hook as a whole cold process, the plan within a process, catching up after a patch, and building anew.

    python -m tests.bench.bench_recall [--quick]

Each figure is a ratio to the least that could do something of the kind, taken in turns with it: the hook against
`python -I -S -c pass`, the plan against a bare FTS5 query for the 50 best on the same table.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from curate.recall.planner import plan
from curate.recall.request import Request
from store.index import knowledge
from store.index.lexical import by_words, frequencies, rarest
from store.index.refresh import build, catch_up, refreshed
from store.index.terms import terms
from store.line import canonical
from store.project.naming import file_stem
from tests.bench.records import AREAS, TOOLS, project_id, record_line, write_store

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parent.parent.parent
PYTHON = os.path.realpath(sys.executable)
COLD = [PYTHON, "-I", "-S", str(ROOT / "curate" / "agents" / "cold.py"), "claude-code", "UserPromptSubmit"]
BARE = [PYTHON, "-I", "-S", "-c", "pass"]
RUNS = 60


def prompts() -> list[str]:
    """Prompts of the kind that people write, some about what is remembered, some not."""
    made = []
    for number, area in enumerate(AREAS):
        good, bad = TOOLS[number % len(TOOLS)]
        made += [
            f"run the tests of {area} and fix what fails",
            f"add a new field to {area}, then explain the change; use {good} rather than {bad} if you must",
            f"why does {area} return the wrong time when I call it from the worker?",
        ]
    return made


def events(folder: Path) -> list[bytes]:
    """The same as an agent sends it."""
    return [
        json.dumps(
            {"session_id": f"s{number % 7}", "cwd": str(folder), "hook_event_name": "UserPromptSubmit", "prompt": text}
        ).encode()
        for number, text in enumerate(prompts())
    ]


def checkout(folder: Path) -> Path:
    """A repository of the first project, as far as telling it needs one."""
    git = folder / ".git"
    git.mkdir(parents=True)
    (git / "HEAD").write_text("ref: refs/heads/main\n")
    (git / "config").write_text(f'[remote "origin"]\n\turl = https://{project_id(0)}.git\n')
    return folder


def timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def hook(root: Path, runs: int) -> tuple[list[float], list[float]]:
    """Seconds of the hook and of the bare interpreter, in turns."""
    folder = checkout(root.parent / f"checkout-{root.name}")
    sent = events(folder)
    env = {**os.environ, "CURATE_HOME": str(root)}
    ours, bare = [], []
    for number in range(runs + 3):
        event = sent[number % len(sent)]
        cost = timed(lambda: subprocess.run(COLD, input=event, stdout=subprocess.PIPE, env=env, check=True))  # noqa: B023
        least = timed(lambda: subprocess.run(BARE, input=event, stdout=subprocess.PIPE, env=env, check=True))  # noqa: B023
        if number >= 3:  # the first ones read from the disk and find out about the folder
            ours.append(cost)
            bare.append(least)
    return ours, bare


def memory(root: Path) -> float:
    """Megabytes of a hook process at its largest, seen from a parent that is small itself."""
    program = (
        "import sys, os, resource\n"
        "child = os.fork()\n"
        "if not child:\n    os.dup2(2, 1); os.execv(sys.argv[1], sys.argv[1:])\n"
        "os.waitpid(child, 0)\nprint(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)\n"
    )
    sent = events(root.parent / f"checkout-{root.name}")[0]
    done = subprocess.run(
        [*BARE[:3], "-c", program, *COLD], input=sent, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True,
        env={**os.environ, "CURATE_HOME": str(root)},
    )  # fmt: skip
    return int(done.stdout) / 1024


def planning(root: Path) -> tuple[float, float]:
    """Median seconds of a plan and of a bare FTS5 query for the same prompts."""
    db = refreshed(root)
    ours, bare = [], []
    for text in prompts():
        asked = rarest(frequencies(db, terms(text)))
        bare.append(timed(lambda: by_words(db, asked, None, 50)))  # noqa: B023
        request = Request(text, project=project_id(0), today="2026-11-29", agent="claude-code")
        ours.append(timed(lambda: plan(db, request)))  # noqa: B023
    return statistics.median(ours), statistics.median(bare)


def catching_up(root: Path, patches: int = 9) -> float:
    """Median seconds to take in one new record."""
    import random

    rng = random.Random(1)
    path = root / "memory" / "projects" / f"{file_stem(project_id(0))}.jsonl"
    db = refreshed(root)
    costs = []
    for number in range(patches):
        with path.open("ab") as file:
            file.write(canonical(record_line(90_000_000 + number, project_id(0), rng)) + b"\n")
        costs.append(timed(lambda: catch_up(db, root)))
    return statistics.median(costs)


def row(name: str, root: Path, runs: int) -> float:
    built = timed(lambda: build(root).close())
    ours, bare = hook(root, runs)
    plan_cost, query = planning(root)
    late = catching_up(root)
    median, least = statistics.median(ours), statistics.median(bare)
    high = sorted(ours)[int(len(ours) * 0.95)] / sorted(bare)[int(len(bare) * 0.95)]
    print(
        f"{name:>22} | {median * 1e3:>6.1f} / {least * 1e3:>5.1f} ms = {median / least:>4.2f}x, p95 {high:>4.2f}x | "
        f"{plan_cost * 1e3:>6.2f} / {query * 1e3:>5.2f} ms = {plan_cost / query:>5.2f}x | "
        f"{late * 1e3:>6.1f} ms | {built:>6.1f} s"
    )
    return median / least


def with_observations(root: Path, runs: int, count: int = 5_000) -> float:
    """The hook's median with so many observations, a hundred of today, against itself without, in turns."""
    import random

    rng = random.Random(1)
    today = time.strftime("%Y-%m-%d", time.gmtime())
    lines = [
        canonical(
            {"schema": "1.0", "id": f"obs_{number}", "day": today if number < 100 else "2026-01-01", "agent": "codex",
             "session": f"s{number // 20}", "project": project_id(number % 4), "name": "shop", "ended": "changed",
             "asked": f"{rng.choice(AREAS)}: {rng.choice(TOOLS)[0]}, case {number}", "steps": 1}
        ) + b"\n"
        for number in range(count)
    ]  # fmt: skip
    known, hidden = root / "knowledge", root / "hidden"
    known.mkdir()
    (known / "observations.jsonl").write_bytes(b"".join(lines))
    knowledge.build(root).close()
    sent = events(root.parent / f"checkout-{root.name}")
    env = {**os.environ, "CURATE_HOME": str(root)}
    told, untold = [], []
    for number in range(runs + 3):
        event = sent[number % len(sent)]
        told.append(timed(lambda: subprocess.run(COLD, input=event, stdout=subprocess.PIPE, env=env, check=True)))  # noqa: B023
        known.rename(hidden)
        untold.append(timed(lambda: subprocess.run(COLD, input=event, stdout=subprocess.PIPE, env=env, check=True)))  # noqa: B023
        hidden.rename(known)
    return statistics.median(told[3:]) / statistics.median(untold[3:])


def main() -> None:
    quick = "--quick" in sys.argv
    runs = 20 if quick else RUNS
    print(f"{'records':>22} | {'hook / bare Python':>40} | {'plan / FTS5 top 50':>27} | {'catch up':>9} | {'build':>8}")
    ratios = {}
    largest = 0.0
    root = Path()
    with tempfile.TemporaryDirectory() as folder:
        sizes = [(1_000, 250), (10_000, 250), (10_000, 10_000)] + ([] if quick else [(100_000, 250)])
        for count, each in sizes:
            name = f"{count:,}" + (", one project" if count == each else "")
            root = Path(folder) / f"store-{count}-{each}"
            write_store(root, count, per_project=each)
            ratios[name] = row(name, root, runs)
            largest = max(largest, memory(root))
        more = with_observations(root, runs)
    print(f"hook with 5,000 observations to itself without: {more:.2f}x")
    print(f"memory of the largest hook process: {largest:.0f} MB")
    print(f"hook at 10,000 records to itself at 1,000: {ratios['10,000'] / ratios['1,000']:.2f}x")


if __name__ == "__main__":
    main()
