"""The hook of an agent with a stray print, a warning of a library, an empty store, or a crash inside. One JSON document
or not a byte on stdout, 0 as the exit code, and the fault on stderr and in the log.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.curate.recalling import add, checkout

ROOT = Path(__file__).parent.parent.parent
EVENTS = {
    "claude-code": "UserPromptSubmit", "copilot": "userPromptSubmitted", "pi": "before_agent_start",
    "opencode": "chat.message",
}  # fmt: skip
"""One for each shape of an answer."""
RULE = {"id": "a", "statement": "Use pnpm for installs.", "rule_type": "prefer_pattern", "confidence": 0.9}
PROGRAM = """
import os, sys, warnings
sys.path.append(sys.argv.pop(1))
trouble = sys.argv.pop(1)
import curate.agents.prompt as prompt, curate.agents.hook as hook
real = prompt.plan
def noisy(*args):
    print("stray")
    warnings.warn("something is old")
    os.write(2, b"a library complains\\n")
    if trouble == "crash":
        raise RuntimeError("what somebody said")
    return real(*args)
prompt.plan = noisy
hook.main()
"""


def call(agent: str, trouble: str, store: Path, shop: Path) -> subprocess.CompletedProcess[bytes]:
    event = {"session_id": "s", "sessionId": "s", "cwd": str(shop), "prompt": "Install the dependencies."}
    return subprocess.run(
        [sys.executable, "-I", "-S", "-c", PROGRAM, str(ROOT), trouble, agent, EVENTS[agent]],
        input=json.dumps(event).encode(), capture_output=True, timeout=20, check=False,
        env={**os.environ, "CURATE_HOME": str(store)},
    )  # fmt: skip


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return checkout(tmp_path / "shop")


@pytest.mark.parametrize("agent", EVENTS)
def test_stray_words_do_not_reach_the_agent(agent: str, tmp_path: Path, shop: Path):
    done = call(agent, "noise", add(tmp_path / "store", RULE), shop)
    assert done.returncode == 0
    assert done.stdout.count(b"\n") == 1
    assert "Use pnpm for installs." in json.dumps(json.loads(done.stdout))
    assert b"stray" not in done.stdout
    assert b"stray" in done.stderr


@pytest.mark.parametrize("agent", ["claude-code", "copilot"])
def test_a_crash_inside_is_not_a_byte_on_stdout_and_is_told_without_anybodys_words(
    agent: str, tmp_path: Path, shop: Path
):
    store = add(tmp_path / "store", RULE)
    done = call(agent, "crash", store, shop)
    assert (done.returncode, done.stdout) == (0, b"")
    log = (store / "logs" / "hook.log").read_text()
    for said in (done.stderr.decode(), log):
        assert "RuntimeError at hook.py" in said
        assert "what somebody said" not in said


def test_an_empty_store_says_nothing(tmp_path: Path, shop: Path):
    store = tmp_path / "store"
    store.mkdir()
    done = call("claude-code", "noise", store, shop)
    assert (done.returncode, done.stdout) == (0, b"")
    assert call("claude-code", "noise", tmp_path / "nowhere", shop).stdout == b""
