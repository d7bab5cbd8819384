"""Real agents given prompts, `curate` run by the person whose home it is, and what the model came to hear."""

from __future__ import annotations

import subprocess
import time
from collections import Counter
from typing import Any

from tests.agents.model import Model
from tests.agents.program import Bench, Program, environment
from tests.curate.command import Done, curate

HEAD = "# Persistent Intelligence Context"
"""How a memory block begins."""
KNOWN = {"id": "mem_subjects", "statement": "Commit subjects are in the imperative.", "layer": "L2",
         "rule_type": "convention", "confidence": 0.95}  # fmt: skip
"""What is remembered of the shop before the first turn."""


def asked(program: Program, bench: Bench, prompt: str, *, first: bool) -> None:
    """Give a real client a prompt, as a person does in print mode."""
    words = program.arguments(prompt, first)
    done = subprocess.run(
        [bench.bin / words[0], *words[1:]], cwd=bench.project, env=environment(program, bench),
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=program.patience, check=False,
    )  # fmt: skip
    assert done.returncode == 0, f"{done.stdout[-2000:]}\n{done.stderr[-4000:]}"


def own(bench: Bench, *args: str) -> Done:
    """Run `curate` as the person whose home this is."""
    done = curate(*args, cwd=bench.project, HOME=str(bench.home), PATH=bench.path)
    assert done.code == 0, done.err
    return done


def waiting(bench: Bench) -> list[dict[str, Any]]:
    """What waits for review, once the capture that the hook started apart has had its time."""
    until = time.monotonic() + 30
    while not (groups := own(bench, "inbox", "--json").json["groups"]) and time.monotonic() < until:
        time.sleep(0.1)
    return groups


def heard(model: Model) -> list[Counter[str]]:
    """For each request of the conversation: whose messages hold a memory block, and how many."""
    return [Counter(each.who for each in asked.messages for _ in range(each.text.count(HEAD)))
            for asked in model.conversation]  # fmt: skip
