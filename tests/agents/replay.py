"""Runs the hook for recorded calls, each in a fork of its own: what it would print to the agent, and what it would
start. One process for all, so that a test can afford every event of every agent.

    python replay.py CALLS RESULTS     both JSON lines: {call, stdin, env} and {code, printed, started, seconds}
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from curate.agents import hook


def replayed(call: dict[str, Any], folder: Path) -> dict[str, Any]:
    """One call, as the agent makes it."""
    asked, printed, started = folder / "stdin", folder / "stdout", folder / "started"
    asked.write_text(json.dumps(call["stdin"]))
    printed.write_bytes(b"")
    started.write_bytes(b"")
    began = time.monotonic()
    child = os.fork()
    if not child:
        _be_the_hook(call, asked, printed, started)
    _, status = os.waitpid(child, 0)
    return {
        "code": os.waitstatus_to_exitcode(status),
        "printed": printed.read_text(),
        "started": [json.loads(line) for line in started.read_text().splitlines()],
        "seconds": time.monotonic() - began,
    }


def _be_the_hook(call: dict[str, Any], asked: Path, printed: Path, started: Path) -> None:
    os.environ.update(call.get("env", {}))
    os.dup2(os.open(asked, os.O_RDONLY), 0)
    os.dup2(os.open(printed, os.O_WRONLY | os.O_TRUNC), 1)

    def note(command: list[bytes | str], **_: object) -> None:
        with started.open("a") as file:
            file.write(json.dumps([os.fsdecode(word) for word in command]) + "\n")

    sys.addaudithook(lambda event, _: note(["network", event]) if event.startswith("socket.") else None)
    subprocess.Popen = note  # type: ignore[assignment, misc]
    hook.main(call["call"])


if __name__ == "__main__":
    calls = [json.loads(line) for line in Path(sys.argv[1]).read_text().splitlines()]
    with tempfile.TemporaryDirectory() as scratch:
        results = [json.dumps(replayed(call, Path(scratch))) + "\n" for call in calls]
    Path(sys.argv[2]).write_text("".join(results))
