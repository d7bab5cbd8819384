"""`/curate-memory` within real clients: what waits is put before the model, and is not captured as said again."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from tests.agents.driving import own, waiting
from tests.agents.model import Model
from tests.agents.program import Bench, environment
from tests.agents.programs import PROGRAMS
from tests.curate.scanning import Session

pytestmark = pytest.mark.clients

COMMANDS = {
    "claude-code": ["claude", "-p", "/curate-memory", "--permission-mode", "acceptEdits", "--model", "sonnet"],
    "gemini": ["gemini", "--approval-mode", "yolo", "-p", "/curate-memory"],
    "opencode": ["opencode", "run", "--command", "curate-memory"],
}
SAID = "Always use pnpm in this repo."


@pytest.mark.parametrize("name", COMMANDS)
def test_the_review_is_shown_where_there_is_no_screen_for_it(name: str, bench: Bench, tmp_path: Path):
    program = PROGRAMS[name]
    with Model({}) as model:
        bench = replace(bench, url=model.url)
        program.set_up(bench)
        transcript = Session(tmp_path / "a.jsonl", bench.project).says(SAID, wrote=(bench.project / "x.ts",)).save()
        own(bench, "scan", str(transcript))
        own(bench, "install", name)
        words = COMMANDS[name]
        subprocess.run(
            [bench.bin / words[0], *words[1:]], cwd=bench.project, env=environment(program, bench), check=True,
            stdin=subprocess.DEVNULL, capture_output=True, timeout=program.patience,
        )  # fmt: skip
    assert model.conversation
    assert all(f"github.com/acme/shop  {SAID}" in each.whole for each in model.conversation)
    own(bench, "scan")
    (group,) = waiting(bench)
    assert (group["recurrence"], group["sessions"]) == (1, ["a"])
