"""What each agent sends at each event, as recorded, and what the hook answers: the agent's own shape with a prompt,
nothing at all at any other event. Versions that do not run here are covered by this alone.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from curate.recall import journal
from tests.curate.recalling import add, checkout

CALLS = [
    json.loads(line)
    for line in (Path(__file__).parent.parent / "data" / "agents" / "protocol.jsonl").read_text("utf-8").splitlines()
]
RULE = {"id": "mem_subjects", "statement": "Commit subjects are in the imperative.", "layer": "L2",
        "rule_type": "convention", "confidence": 0.95}  # fmt: skip


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[dict[str, Any], dict[str, Any], Path]]:
    """Each call, what became of it, and the store that it was answered from."""
    folder = tmp_path_factory.mktemp("recorded")
    store, project = add(folder / "store", RULE), checkout(folder / "the shop")
    transcript = folder / "session.jsonl"
    transcript.write_text("{}\n")
    calls = folder / "calls.jsonl"
    lines = (json.dumps(call) for call in CALLS)
    calls.write_text("".join(
        line.replace("{project}", str(project)).replace("{transcript}", str(transcript)) + "\n" for line in lines
    ))  # fmt: skip
    surroundings = {key: value for key, value in os.environ.items() if not key.startswith(("CURATE_", "COPILOT_"))}
    subprocess.run(
        [sys.executable, "-m", "tests.agents.replay", calls, folder / "results.jsonl"], check=True,
        env={**surroundings, "CURATE_HOME": str(store), "HOME": str(folder)},
    )  # fmt: skip
    results = (json.loads(line) for line in (folder / "results.jsonl").read_text().splitlines())
    return [(call, result, store) for call, result in zip(CALLS, results, strict=True)]


def named(number: int) -> str:
    return f"{number}-{CALLS[number]['client']}-{CALLS[number]['call'][1]}".replace(" ", "_")


@pytest.mark.parametrize("number", range(len(CALLS)), ids=named)
def test_each_event_is_answered_as_its_agent_takes_it(number: int, answers: list[Any]):
    call, result, store = answers[number]
    assert result["code"] == 0
    assert result["seconds"] < 2
    if "answer" not in call:
        assert result["printed"] == ""
    else:
        assert result["printed"].count("\n") == 1
        value = json.loads(result["printed"])
        assert set(value) == {call["answer"][0], *(["continue"] if "additional_context" in value else [])}
        if "hookSpecificOutput" in value:
            assert value["hookSpecificOutput"].keys() == {"hookEventName", "additionalContext"}
            assert value["hookSpecificOutput"]["hookEventName"] == call["call"][1]
        for key in call["answer"]:
            value = value[key]
        assert "Commit subjects are in the imperative." in value
        assert len(value) < 10_000
        session = next(
            call["stdin"][key] for key in call["stdin"] if key in {"session_id", "sessionId", "conversation_id"}
        )
        assert value in [turn["block"] for turn in journal.turns(str(store), session)]
    assert [command for command in result["started"] if command[0] == "network"] == []
    reads = [command for command in result["started"] if "curate.agents.after_turn" in command]
    assert len(reads) == (1 if call.get("reads") else 0)
    assert all(command[-1].endswith("session.jsonl") for command in reads)


def test_a_turn_is_retrieved_once_however_many_events_it_has(answers: list[Any]):
    store = str(answers[0][2])
    for call in CALLS:
        session = next((call["stdin"][key] for key in ("sessionId",) if key in call["stdin"]), None)
        if session:
            assert [turn["turn"] for turn in journal.turns(store, session)] == [1], call["client"]
