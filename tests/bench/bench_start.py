"""How long a call takes, against a Python that does nothing.

    python -m tests.bench.bench_start [--runs 25]

`the hook` is what an agent waits for at the end of a turn: the event is read and a capture started, not awaited.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def median(command: list[str], stdin: bytes, env: dict[str, str], runs: int) -> float:
    """Milliseconds from start to exit, the middle of so many runs after one that warms the caches."""
    taken = []
    for _ in range(runs + 1):
        start = time.perf_counter()
        subprocess.run(command, input=stdin, capture_output=True, env=env, check=True)
        taken.append((time.perf_counter() - start) * 1000)
    return statistics.median(taken[1:])


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=25)
    runs = parser.parse_args().runs
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        transcript = Path(folder, "t.jsonl")
        transcript.write_text("{}\n", "utf-8")
        event = json.dumps({"transcript_path": str(transcript), "cwd": folder}).encode()
        env = {**os.environ, "CURATE_HOME": str(Path(folder, "store"))}
        curate = [sys.executable, "-m", "curate"]
        rows = [
            ("python that does nothing", [sys.executable, "-c", "pass"], b""),
            ("curate --version", [*curate, "--version"], b""),
            ("the hook, an event of no interest", [*curate, "hook", "claude-code", "PreToolUse"], b"{}"),
            ("the hook, the end of a turn", [*curate, "hook", "claude-code", "Stop"], event),
            ("curate classify, one message", [*curate, "classify"], b'{"id": 1, "text": "Never use npm here."}\n'),
            ("curate records, an empty store", [*curate, "records"], b""),
        ]
        bare = 0.0
        for name, command, stdin in rows:
            took = median(command, stdin, env, runs)
            bare = bare or took
            print(f"{name:36} {took:7.0f} ms  {took / bare:5.1f} x")


if __name__ == "__main__":
    main()
