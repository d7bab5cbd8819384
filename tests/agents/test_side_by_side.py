"""Ten sessions at once, of two agents in several worktrees: each gets what holds where it works, and what is said in
each is captured once, for its own repository.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from curate.agents.after_turn import PENDING
from curate.agents.install.command import Hook
from curate.logfile import FOLDER
from curate.recall import journal
from store.index.refresh import refreshed
from tests.curate.recalling import add
from tests.curate.scanning import Session, open_store, waiting

DEADLINE = 5.0
"""Seconds: two, and what a loaded machine adds; twenty processes share it."""
HOOK = Hook(os.path.abspath(sys.executable))
PROJECTS = {"shop": "github.com/acme/shop", "site": "github.com/acme/site"}
RULES = {
    "shop": "Commit subjects are in the imperative.",
    "site": "Every page has a title of its own.",
}
TOOLS = ["pnpm", "ruff", "poetry", "vitest", "biome", "gradle", "bazel", "cargo", "deno", "webpack"]


@pytest.fixture
def places(tmp_path: Path) -> list[tuple[str, Path]]:
    """Where the ten work: two repositories, one of them with two more worktrees."""
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.com", "-C"]
    for name, project in PROJECTS.items():
        folder = tmp_path / name
        subprocess.run(["git", "init", "-q", "-b", "main", folder], check=True)
        subprocess.run([*git, folder, "remote", "add", "origin", f"https://{project}.git"], check=True)
    subprocess.run([*git, tmp_path / "shop", "commit", "-q", "--allow-empty", "-m", "Begin"], check=True)
    for branch in ("one", "two"):
        tree = tmp_path / "trees" / branch
        subprocess.run([*git, tmp_path / "shop", "worktree", "add", "-q", "-b", branch, tree], check=True)
    folders = [("shop", tmp_path / "shop"), ("shop", tmp_path / "trees/one"), ("shop", tmp_path / "trees/two")]
    return [*folders, ("site", tmp_path / "site")] * 2 + folders[:2]


def test_ten_sessions_at_once_do_not_hear_each_other(tmp_path: Path, places: list[tuple[str, Path]]):
    store = tmp_path / "store"
    for name, statement in RULES.items():
        add(store, {
            "id": f"mem_{name}", "statement": statement, "layer": "L2", "rule_type": "convention", "confidence": 0.95,
            "scope": {"type": "project", "project": PROJECTS[name]},
        })  # fmt: skip
    refreshed(store).close()
    surroundings = {key: value for key, value in os.environ.items() if not key.startswith(("CURATE_", "XDG_"))}

    def session(number: int) -> tuple[bytes, bytes, float]:
        """A turn from prompt to end: what was printed at each, and the longer of the two waits."""
        _, folder = places[number]
        agent = ("claude-code", "codex")[number % 2]
        ident = f"session-{number}"
        said = f"From now on always use {TOOLS[number]} in this repo."
        transcript = Session(tmp_path / f"{ident}.jsonl", folder).says(said, wrote=(folder / "x.ts",)).save()
        event = {"session_id": ident, "cwd": str(folder), "transcript_path": str(transcript), "prompt": said}
        printed, waits = [], []
        for name in ("UserPromptSubmit", "Stop"):
            began = time.monotonic()
            done = subprocess.run(
                ["sh", "-c", HOOK.line(agent, name)], input=json.dumps(event).encode(), capture_output=True,
                env={**surroundings, "CURATE_HOME": str(store)}, check=True, timeout=20,
            )  # fmt: skip
            waits.append(time.monotonic() - began)
            printed.append(done.stdout)
        return printed[0], printed[1], max(waits)

    with ThreadPoolExecutor(len(places)) as pool:
        turns = list(pool.map(session, range(len(places))))

    assert any(answer for answer, _, _ in turns)
    for number, (answer, end, waited) in enumerate(turns):
        name, _ = places[number]
        assert waited < DEADLINE
        assert end == b""
        if not answer:
            continue  # the machine was too slow for ten: nothing is said, and nobody waits
        block = json.loads(answer)["hookSpecificOutput"]["additionalContext"]
        assert [rule in block for rule in RULES.values()] == [each == name for each in RULES]
        (turn,) = journal.turns(str(store), f"session-{number}")
        assert turn["block"] == block

    until = time.monotonic() + 30
    pending = store / FOLDER / PENDING
    while time.monotonic() < until:
        if pending.is_dir() and not any(pending.iterdir()) and len(waiting(open_store(store))) >= len(places):
            break
        time.sleep(0.05)
    captured = waiting(open_store(store))
    assert sorted(
        (next(tool for tool in TOOLS if tool in each.statement), list(each.targets)) for each in captured
    ) == (sorted((TOOLS[number], [PROJECTS[name]]) for number, (name, _) in enumerate(places)))
    assert all(len(each.evidence) == 1 for each in captured)
