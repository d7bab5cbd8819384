"""Copilot is told each turn once, where its version listens: with the prompt, beside a tool's result, at the start."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from curate.agents.after_turn import forget_untold
from curate.agents.channels import EVERY, OVERRIDE, PROMPT, START, TOOL, VARIABLE, channels, here, parsed
from curate.agents.clients import CLIENTS
from curate.agents.clients.client import Surroundings
from curate.agents.copilot_turn import MARKS, told
from curate.agents.hook import plain
from curate.agents.install.command import Hook
from curate.agents.prompt import answer
from curate.recall import journal
from tests.curate.recalling import add, checkout


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COPILOT_CLI", "1")
    monkeypatch.setenv("COPILOT_HOME", str(tmp_path / "copilot"))
    monkeypatch.delenv("CLAUDE_CODE_SESSION_ID", raising=False)
    rule = {"id": "a", "statement": "Use pnpm for installs.", "rule_type": "prefer_pattern", "confidence": 0.9}
    return add(tmp_path / "store", rule)


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return checkout(tmp_path / "shop")


def session(home: Path, shop: Path, events: list[tuple[str, dict[str, Any]]]) -> list[str]:
    """The events of a session as the hook takes them; gives the names of those that told something."""
    heard = []
    for event, payload in events:
        known = {"sessionId": "s1", "cwd": str(shop), **payload}
        said = told(plain(event), known, str(home), lambda it: answer("copilot", it, str(home), None))
        if said:
            assert "pnpm" in json.loads(said)["additionalContext"]
            heard.append(event)
    return heard


TURN = [
    ("sessionStart", {"source": "new", "initialPrompt": "install the dependencies"}),
    ("userPromptSubmitted", {"prompt": "install the dependencies"}),
    ("postToolUse", {"toolName": "bash"}),
    ("postToolUse", {"toolName": "bash"}),
]


@pytest.mark.parametrize(
    ("version", "heard"),
    [
        ("1.0.11", ["sessionStart"]),
        ("1.0.48", ["sessionStart"]),
        ("1.0.50", ["postToolUse"]),
        ("1.0.64", ["postToolUse"]),
        ("1.0.65", ["userPromptSubmitted"]),
        ("1.0.102", ["userPromptSubmitted"]),
        ("2.0.0", ["userPromptSubmitted", "postToolUse"]),
        ("0.0.9", ["userPromptSubmitted", "postToolUse"]),
        ("", ["userPromptSubmitted", "postToolUse"]),
    ],
)
def test_a_turn_is_told_where_the_version_listens_and_retrieved_once(
    version: str, heard: list[str], home: Path, shop: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv(VARIABLE, version)
    assert session(home, shop, TURN) == heard
    assert len(journal.turns(str(home), "s1")) == 1


def test_a_turn_with_nothing_to_tell_leaves_nothing_for_the_next_tool(
    home: Path, shop: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv(VARIABLE, "1.0.60")
    turns = [TURN[1], ("userPromptSubmitted", {"prompt": "ok"}), TURN[2]]
    assert session(home, shop, turns) == []


def test_marks_of_turns_that_nobody_will_tell_any_more_go(home: Path, shop: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv(VARIABLE, "1.0.60")
    session(home, shop, [TURN[1]])
    forget_untold(home, time.time())
    assert len(list((home / MARKS).iterdir())) == 1
    forget_untold(home, time.time() + 90_000)
    assert list((home / MARKS).iterdir()) == []


def test_a_person_can_insist_on_a_channel(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv(VARIABLE, "1.0.102")
    assert here({VARIABLE: "1.0.102"}) == (PROMPT,)
    assert here({VARIABLE: "1.0.102", OVERRIDE: "postToolUse, sessionStart"}) == (TOOL, START)
    assert here({OVERRIDE: "none"}) == ("none",)


def test_versions_are_read_from_whatever_stands_around_them():
    assert parsed("GitHub Copilot CLI 1.0.102.\nCommit: abc") == (1, 0, 102)
    assert parsed("1.0.65-2") == parsed("v1.0.65+x") == (1, 0, 65)
    assert parsed("one.two.three") is parsed("") is parsed(None) is None
    assert channels("9.9.9") == EVERY


def test_the_hooks_file_hears_what_the_version_needs(tmp_path: Path):
    def events(version: str | None) -> set[str]:
        around = Surroundings(tmp_path, {}, Hook("/p", "/curate/agents/cold.py"), version=version)
        (file, *_) = CLIENTS["copilot"].pieces(around)
        return set(json.loads(file.text)["hooks"])

    always = {"userPromptSubmitted", "agentStop", "sessionEnd"}
    assert events("1.0.102") == always
    assert events("1.0.60") == always | {"postToolUse"}
    assert events("1.0.20") == always | {"sessionStart"}
    assert events(None) == events("3.0.0") == always | {"postToolUse"}


def test_a_hook_of_claude_code_run_by_copilot_is_silent_where_copilot_has_its_own(
    home: Path, shop: Path, tmp_path: Path
):
    payload = {"session_id": "s2", "cwd": str(shop), "prompt": "install the dependencies"}
    assert "additionalContext" in json.loads(answer("claude-code", payload, str(home), None))
    own = tmp_path / "copilot" / "hooks" / "curate.json"
    own.parent.mkdir(parents=True)
    own.write_text("{}")
    assert answer("claude-code", payload, str(home), None) == b""
    assert len(journal.turns(str(home), "s2")) == 1


def test_claude_code_started_by_copilot_is_claude_code(home: Path, shop: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", "s3")
    payload = {"session_id": "s3", "cwd": str(shop), "prompt": "install the dependencies"}
    assert "hookSpecificOutput" in json.loads(answer("claude-code", payload, str(home), None))


def test_a_hook_of_claude_code_run_by_cursor_is_answered_as_cursor_takes_it(
    home: Path, shop: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.delenv("COPILOT_CLI")
    payload = {"session_id": "s4", "cwd": str(shop), "prompt": "install the dependencies", "cursor_version": "3.20"}
    assert "additional_context" in json.loads(answer("claude-code", payload, str(home), None))
