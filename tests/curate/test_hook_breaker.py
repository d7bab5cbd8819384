"""What fails again and again rests, tries again, and is forgotten once it works; each call leaves its time behind."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from curate.agents import breaker, fired
from tests.curate.recalling import add, checkout

ROOT = Path(__file__).parent.parent.parent
COLD = [sys.executable, "-I", "-S", str(ROOT / "curate" / "agents" / "cold.py"), "claude-code"]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    rule = {"id": "a", "statement": "Use pnpm for installs.", "rule_type": "prefer_pattern", "confidence": 0.9}
    return add(tmp_path / "store", rule)


def ask(home: Path, cwd: Path) -> bytes:
    event = {"session_id": "s", "cwd": str(cwd), "prompt": "How do I install the dependencies?"}
    done = subprocess.run(
        [*COLD, "UserPromptSubmit"], input=json.dumps(event).encode(), capture_output=True, check=True,
        env={**os.environ, "CURATE_HOME": str(home)},
    )  # fmt: skip
    return done.stdout


def test_after_failures_in_a_row_it_rests_and_works_again_when_the_rest_is_over(home: Path, tmp_path: Path):
    shop = checkout(tmp_path / "shop")
    (home / "journal").write_bytes(b"")  # a file where a folder is needed: every answer fails
    for _ in range(breaker.LIMIT):
        assert ask(home, shop) == b""
    assert len(breaker.failures(str(home))) == breaker.LIMIT
    (home / "journal").unlink()
    assert ask(home, shop) == b""  # mended, and still resting
    past = time.time() - breaker.REST - 1
    os.utime(home / breaker.FILE, (past, past))
    assert b"pnpm" in ask(home, shop)
    assert breaker.failures(str(home)) == []
    assert fired.last(str(home), "claude-code", fired.PROMPT) is not None


def test_a_few_failures_do_not_silence_it_and_one_success_clears_them(tmp_path: Path):
    root = str(tmp_path)
    for _ in range(breaker.LIMIT - 1):
        breaker.failed(root, "RuntimeError")
    assert breaker.rests_until(root, breaker.failures(root)) == 0
    breaker.failed(root, "deadline")
    assert breaker.rests_until(root, breaker.failures(root)) > time.time() + breaker.REST - 60
    assert [line.split()[1] for line in breaker.failures(root)] == ["RuntimeError"] * 4 + ["deadline"]
    assert breaker.reset(root)
    assert breaker.rests_until(root, breaker.failures(root)) == 0
    assert not breaker.reset(root)


def test_the_record_of_failures_stays_small_and_a_missing_store_is_not_made(tmp_path: Path):
    for _ in range(300):
        breaker.failed(str(tmp_path), "OperationalError")
    assert (tmp_path / breaker.FILE).stat().st_size <= 4096
    breaker.failed(str(tmp_path / "gone"), "x")
    fired.note(str(tmp_path / "gone"), "pi", fired.END, 3)
    assert not (tmp_path / "gone").exists()


def test_when_an_agent_last_called_is_known_with_the_time_it_took(tmp_path: Path):
    root = str(tmp_path)
    assert fired.last(root, "pi", fired.END) is None
    fired.note(root, "pi", fired.END, 12.7)
    moment, took = fired.last(root, "pi", fired.END) or (0, 0)
    assert (took, abs(moment - time.time()) < 60) == (12, True)
    fired.note(root, "../../x", fired.END, 1)
    assert not (tmp_path.parent / "x.end").exists()
