"""A block is never longer than the agent takes whole."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from curate.agents.prompt import answer
from tests.curate.recalling import add


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
    said = json.loads(answer(agent, payload, str(home), None, "UserPromptSubmit"))
    block = said["hookSpecificOutput"]["additionalContext"]
    assert 1000 < len(block) <= 10_000
