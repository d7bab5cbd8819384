"""The judge against a server that really listens: it drops what is of no use, and whatever goes wrong drops nothing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from curate.agents import hook
from curate.recall.judge import SEEN, TOP, Failed, judge
from curate.recall.planner import plan
from curate.recall.settings import JudgeSettings, read_settings
from curate.recall.turn import request_for
from curate.service.shapes import judge_outcome, retrieval
from store.config import SETTINGS, template
from store.index.refresh import refreshed
from tests.curate.knowing import furnished
from tests.curate.model_server import Model, dripping, raw, serving, silent, text
from tests.curate.recalling import TODAY, add, checkout

if TYPE_CHECKING:
    from curate.recall.planned import Plan

RECORDS = [
    {"id": f"mem_{name}", "statement": f"The invoice parser {rule}.", "confidence": 0.6}
    for name, rule in (("a", "rounds half up"), ("b", "reads vouchers from the queue"), ("c", "knows three currencies"))
]
ASKED = "fix the invoice parser"


@pytest.fixture(scope="module")
def model() -> Iterator[Model]:
    with serving() as running:
        yield running


@pytest.fixture
def root(tmp_path: Path, model: Model) -> Path:
    model.received.clear()
    root = add(tmp_path / "store", *RECORDS)
    judged_by(root, url=f"{model.url}/v1", model="small")
    return root


def judged_by(root: Path, **more: Any) -> None:
    lines = "".join(f"    {name}: {json.dumps(value)}\n" for name, value in {"enabled": True, **more}.items())
    (root / "config.yaml").write_text(f"recall:\n  judge:\n{lines}")


def answered(root: Path, prompt: str = ASKED, **more: Any) -> Plan:
    db = refreshed(root)
    shop = root.parent / "shop"
    folder = str(shop if shop.exists() else checkout(shop))
    return plan(db, request_for(db, str(root), prompt, folder=folder, today=TODAY, **more))


def note(answer: Plan) -> str:
    return next(stage.note for stage in answer.stages if stage.name == "judge")


def useful(*numbers: int) -> Any:
    return text(json.dumps({"useful": list(numbers)}))


@pytest.mark.parametrize("layout", ["governed", "knowledge"])
def test_what_it_finds_useless_goes_and_the_trace_says_so(root: Path, model: Model, layout: str):
    model.answers(useful(1, 2, 3))
    before = [entry.id for entry in answered(root, at="", layout=layout).entries]
    model.answers(text('Sure!\n```json\n{"useful": [2]}\n```'))
    answer = answered(root, layout=layout)
    assert [entry.id for entry in answer.entries] == [before[1]]
    assert note(answer) == "judged"
    assert judge_outcome(answer.document()["traces"]) == "judged"
    names = [stage["name"] for stage in retrieval(answer, query="", latency_ms=0)["trace"]["stages"]]
    assert names.index("judge-topk") + 1 == names.index("judge")


def test_an_empty_list_leaves_nothing(root: Path, model: Model):
    model.answers(useful())
    assert answered(root).entries == []


def test_it_gets_the_masked_prompt_and_the_opening_of_each_of_the_best(root: Path, model: Model):
    model.answers(useful(1))
    add(root, *({"id": f"m{n}", "statement": f"invoice parser rule {n} {'x' * 400}"} for n in range(TOP)))
    add(root, *({"id": f"o{n}", "statement": f"something else {n}"} for n in range(60)))  # or the words are common
    with (root / "config.yaml").open("a") as settings:
        settings.write("  fusion: rrf\n")  # ranks leave none far behind
    answer = answered(root, f"{ASKED} with token ghp_16C7e42F292c6912E7710c838347Ae178B4a", layout="knowledge")
    (seen,) = model.received
    assert seen.path == "/v1/chat/completions"
    asked = json.loads(seen.body["messages"][-1]["content"])
    assert asked["request"].endswith("[masked api key]")
    assert len(asked["notes"]) == TOP
    assert max(len(each["text"]) for each in asked["notes"]) == SEEN
    assert b"ghp_" not in seen.raw
    topk = next(stage for stage in answer.stages if stage.name == "judge_topk")
    assert topk.dropped_total == topk.came_in - TOP > 0


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        (text("I like all of them"), "not JSON"),
        (text('{"useful": "1"}'), "names no notes"),
        (text('{"useful": [99]}'), "that there are not"),
        (text('{"useful": [true, 1]}'), "that there are not"),
        (raw(b"{}"), "not of the OpenAI protocol"),
        (raw(b"no", 500), "HTTP 500"),
        (raw(b"", 302, Location="http://127.0.0.1:1/"), "HTTP 302"),
        (raw(b" " * 100_000), "too long"),
    ],
)
def test_an_answer_that_is_none_drops_nothing(root: Path, model: Model, reply: Any, why: str):
    model.answers(reply)
    answer = answered(root)
    assert len(answer.entries) == 3
    assert note(answer).startswith("failed: ")
    assert why in note(answer)
    assert judge_outcome(answer.document()["traces"]) == "failed"


@pytest.mark.parametrize("reply", [silent, dripping])
def test_one_that_is_late_is_not_waited_for(root: Path, model: Model, reply: Any):
    judged_by(root, url=model.url, timeout_s=0.2)
    model.answers(reply)
    started = time.monotonic()
    answer = answered(root)
    assert time.monotonic() - started < 1.5
    assert len(answer.entries) == 3
    assert note(answer) == "failed: no answer within 0.2 s"


def test_whoever_has_to_leave_does_not_ask(root: Path, model: Model):
    answer = answered(root, leave_by=time.monotonic())
    assert note(answer) == "failed: no time left"
    assert model.received == []


def test_nobody_there_and_no_address(root: Path):
    for url in ("http://127.0.0.1:1", "ftp://x", "http://[", ""):
        judged_by(root, url=url)
        assert note(answered(root)).startswith("failed: ")


def test_nothing_to_judge_asks_nobody(root: Path, model: Model):
    answer = answered(root, "deploy the kubernetes cluster to production")
    assert note(answer) == "skipped: nothing to judge"
    assert model.received == []


def test_hard_rules_and_what_is_pinned_are_not_its_affair(root: Path, model: Model):
    hard = {"id": "hard", "statement": "Never round in the invoice parser.", "confidence": 0.95}
    add(root, {**hard, "rule_type": "avoid_pattern"}, {"id": "pin", "statement": "The shop is on bun.", "pinned": True})
    model.answers(useful())
    assert {entry.id for entry in answered(root).entries} == {"hard", "pin"}


def test_the_key_comes_from_the_environment(root: Path, model: Model, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("JUDGE_KEY", "k-123")
    judged_by(root, url=model.url, key_env="JUDGE_KEY")
    model.answers(useful(1))
    answered(root)
    assert model.received[0].headers["authorization"] == "Bearer k-123"


def test_a_command_judges_too(root: Path):
    program = "import sys, json; json.loads(sys.stdin.read().rpartition('\\n\\n')[2]); print('{\"useful\": [1]}')"
    judged_by(root, kind="command", command=[sys.executable, "-c", program])
    assert len(answered(root).entries) == 1
    for words, why in ((["no-such-program"], "cannot be started"), ([], "names none")):
        judged_by(root, kind="command", command=words)
        assert why in note(answered(root))


@pytest.mark.skipif(os.name == "nt", reason="needs a shell")
def test_a_command_that_is_late_is_ended():
    found = {"recall.judge.kind": "command", "recall.judge.command": "sleep 30", "recall.judge.timeout_s": "0.1"}
    with pytest.raises(Failed, match="no answer within"):
        judge(JudgeSettings(found), "x", ["y"])


def test_off_it_leaves_no_trace(tmp_path: Path):
    root = furnished(tmp_path / "store")
    assert all(not stage.name.startswith("judge") for stage in answered(root, layout="knowledge").stages)


def test_the_settings_are_read_as_they_are_written(tmp_path: Path):
    (tmp_path / "config.yaml").write_text(template())
    assert read_settings(str(tmp_path)).judge is None
    (tmp_path / "config.yaml").write_text(
        "recall:\n  judge:\n    enabled: true  # on\n    command:\n    - a\n    - 'b c'\n  layout: context\n"
    )
    settings = read_settings(str(tmp_path))
    assert settings.judge is not None
    assert (settings.judge.command, settings.layout) == (("a", "b c"), "context")
    (tmp_path / "config.yaml").write_text("recall:\n  judge:\n    enabled: true\n    command: [a, 'b c']\n")
    settings = read_settings(str(tmp_path))
    assert settings.judge is not None
    assert settings.judge.command == ("a", "b c")
    assert {each.name for each in SETTINGS} >= {"recall.judge.enabled", "recall.judge.timeout_s"}


def test_the_hook_answers_in_time_whatever_the_judge_does(root: Path, model: Model):
    model.answers(silent)
    shop = checkout(root.parent / "shop")
    event = {"session_id": "s", "cwd": str(shop), "prompt": ASKED, "hook_event_name": "UserPromptSubmit"}
    cold = Path(hook.__file__).with_name("cold.py")
    command = [os.path.realpath(sys.executable), "-I", "-S", str(cold), "claude-code", "UserPromptSubmit"]
    refreshed(root).close()
    started = time.monotonic()
    done = subprocess.run(
        [*command, "--home", str(root)], input=json.dumps(event).encode(), capture_output=True, check=True
    )
    assert time.monotonic() - started < 2
    assert "invoice parser" in json.loads(done.stdout)["hookSpecificOutput"]["additionalContext"]
    assert "failed: no answer" in (root / "journal" / "s.jsonl").read_text("utf-8")
