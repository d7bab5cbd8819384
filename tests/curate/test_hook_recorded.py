"""What each agent was recorded to send to its hooks is answered as it takes it: one answer for each prompt of a person,
nothing for all else.
"""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

import pytest

from curate.agents.channels import VARIABLE
from curate.agents.hook import handle
from curate.recall import journal
from tests.curate.recalling import add

DATA = Path(__file__).parent.parent / "data" / "hooks"
ANSWER = {
    "claude-code": ("UserPromptSubmit", "hookSpecificOutput", "additionalContext"),
    "codex": ("UserPromptSubmit", "hookSpecificOutput", "additionalContext"),
    "copilot": ("userPromptSubmitted", "additionalContext"),
    "gemini": ("BeforeAgent", "hookSpecificOutput", "additionalContext"),
    "opencode": ("chat.message", "parts", 0, "text"),
    "pi": ("before_agent_start", "message", "content"),
}
"""The event that brings the prompt, and the way to the block in the answer."""


def fire(agent: str, event: str, stdin: dict[str, Any], home: Path) -> bytes:
    """The hook's answer to an event, with the payload on the real stdin of this process."""
    reading, writing = os.pipe()
    kept = os.dup(0)
    os.dup2(reading, 0)
    try:
        os.write(writing, json.dumps(stdin).encode())
        os.close(writing)
        return handle(agent, event, str(home), time.monotonic())
    finally:
        os.dup2(kept, 0)
        os.close(kept)
        os.close(reading)


@pytest.mark.parametrize("agent", sorted(ANSWER))
def test_one_answer_for_each_prompt_of_a_person_and_none_for_all_else(
    agent: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv(VARIABLE, "1.0.102")
    monkeypatch.delenv("COPILOT_CLI", raising=False)
    rule = {"id": "a", "statement": "Use pnpm for installs.", "rule_type": "prefer_pattern", "confidence": 0.9}
    home = add(tmp_path / "store", {**rule, "scope": {"type": "global"}})
    events = [json.loads(line) for line in (DATA / f"{agent}.jsonl").read_text("utf-8").splitlines()]
    heard, *way = ANSWER[agent]
    answers = [(each["event"], fire(agent, each["event"], each["stdin"], home)) for each in events]
    said = [(event, answer) for event, answer in answers if answer]
    assert [event for event, _ in said] == [heard]
    value = json.loads(said[0][1])
    if "hookSpecificOutput" in value:
        assert (set(value), value["hookSpecificOutput"]["hookEventName"]) == ({"hookSpecificOutput"}, heard)
    for step in way:
        value = value[step]
    assert value.startswith("# Persistent Intelligence Context\n")
    (session,) = journal.sessions(str(home))
    assert [turn["agent"] for turn in journal.turns(str(home), session)] == [agent]
    assert sorted(path.name for path in (home / "logs" / "fired").iterdir()) == [f"{agent}.prompt"]


@pytest.mark.parametrize("agent", ["claude-code", "codex"])
def test_no_answer_is_longer_than_the_agent_takes_whole(agent: str, tmp_path: Path):
    words = (
        "billing login search export import cart invoice refund report audit cache queue mail chat map photo".split()
    )
    rules = [
        {"id": f"m{n}", "statement": f"The {word} service: {'öß' * 450}", "rule_type": "workflow", "confidence": 0.8,
         "scope": {"type": "global"}} for n, word in enumerate(words)
    ]  # fmt: skip
    home = add(tmp_path / "store", *rules)
    payload = {"session_id": "s", "cwd": str(tmp_path), "prompt": f"Fix {', '.join(words)}"}
    answer = json.loads(fire(agent, "UserPromptSubmit", payload, home))
    block = answer["hookSpecificOutput"]["additionalContext"]
    assert 1000 < len(block) <= 10_000
