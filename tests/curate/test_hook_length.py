"""A block is never longer than the agent takes whole."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from curate.agents.prompt import answer
from curate.recall import journal
from curate.recall.budget import OTHERS, TAKEN_WHOLE, characters
from tests.curate.recalling import add, planned


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


@pytest.mark.parametrize("agent", ["claude-code", "codex", "copilot", "pi"])
@pytest.mark.parametrize("layout", ["governed", "knowledge", "context"])
def test_neither_a_setting_nor_what_is_pinned_or_disputed_makes_it_longer(agent: str, layout: str, tmp_path: Path):
    rules = [
        {"id": f"p{n}", "statement": f"Rule {n} of billing.", "body": f"Rule {n} of billing. {'It is öß. ' * 100}",
         "pinned": n % 3 == 0, "status": "contested" if n % 3 == 1 else "active", "rule_type": "workflow",
         "confidence": 0.9, "scope": {"type": "global"}} for n in range(120)
    ]  # fmt: skip
    home = add(tmp_path / "store", *rules)
    (home / "config.yaml").write_text(f"recall:\n  layout: {layout}\n  budget: 100000\n")
    payload = {"session_id": "s", "cwd": str(tmp_path), "prompt": "Actually, fix the billing tests of BILL_RULES"}
    assert answer(agent, payload, str(home), None, "UserPromptSubmit")
    (turn,) = journal.turns(str(home), "s")
    size = len(turn["block"].encode()) if agent == "codex" else characters(turn["block"])
    assert size <= TAKEN_WHOLE.get(agent, OTHERS)
    if layout == "context":
        assert size > 7_000
        assert turn["truncated"]
        assert {"guardrail", "tension", "index"} == {entry["reason"] for entry in turn["entries"]}
        (stage,) = [each for each in turn["traces"] if each["processor"] == "budget"]
        assert stage["dropped_total"] > 0
        assert any("takes whole" in reason for reason in stage["exclusion_reasons"].values())


def test_what_is_pinned_is_whole_where_no_agent_is_named(tmp_path: Path):
    body = "Rule of the billing. " + "It matters. " * 100
    rules = [{"id": f"p{n}", "statement": "Rule of the billing.", "body": body, "pinned": True} for n in range(12)]
    block = planned(add(tmp_path, *rules), "fix the billing", layout="context", budget=10, transcript="").block
    assert block.count(body.strip()) == len(rules)
