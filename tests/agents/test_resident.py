"""Claude Code's events over HTTP, in a service that a person started: answered as by the hook, and never in the way."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from curate.agents import breaker, fired
from curate.agents.resident import heard
from curate.recall import journal
from curate.service.app import make_app
from store.index import builder, schema
from tests.agents.dialects import Reply
from tests.agents.driving import KNOWN, asked, waiting
from tests.agents.driving import heard as blocks
from tests.agents.model import Model
from tests.agents.program import Bench
from tests.agents.programs import CLAUDE_CODE
from tests.curate.recalling import add, checkout
from tests.curate.scanning import Session, open_store
from tests.curate.scanning import waiting as candidates

TOKEN = "a-token-for-the-tests"
PROMPT = "Add a script and commit it."


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return add(tmp_path / "store", KNOWN)


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return checkout(tmp_path / "shop")


@pytest.fixture
def client(store: Path) -> TestClient:
    app = make_app(store, token=TOKEN, heard=partial(heard, store, "claude-code"))
    return TestClient(app, headers={"Authorization": f"Bearer {TOKEN}"})


def sent(client: TestClient, event: str, **more: Any) -> dict[str, Any]:
    answer = client.post("/hooks/claude-code", json={"hook_event_name": event, "session_id": "s", **more})
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def test_a_prompt_is_answered_as_the_hook_answers_it_and_stands_in_the_journal(
    client: TestClient, store: Path, shop: Path
):
    answer = sent(client, "UserPromptSubmit", prompt=PROMPT, cwd=str(shop), prompt_id="p", permission_mode="default")
    assert set(answer) == {"hookSpecificOutput"}
    assert answer["hookSpecificOutput"]["hookEventName"] == "UserPromptSubmit"
    (turn,) = journal.turns(str(store), "s")
    assert turn["block"] == answer["hookSpecificOutput"]["additionalContext"]
    assert KNOWN["statement"] in turn["block"]
    assert fired.last(str(store), "claude-code", fired.PROMPT) is not None


@pytest.mark.parametrize(
    ("event", "more"),
    [
        ("UserPromptSubmit", {"prompt": "<task-notification>done</task-notification>"}),
        ("UserPromptSubmit", {"prompt": "thanks"}),
        ("UserPromptSubmit", {}),
        ("Stop", {"transcript_path": "/nowhere/x.jsonl"}),
        ("SessionStart", {"source": "startup"}),
        ("PostToolUse", {"tool_name": "Write", "tool_input": {"file_path": "x"}}),
        ("NotYetInvented", {"cwd": 5 * "x"}),
    ],
)
def test_any_other_event_gets_an_empty_object(client: TestClient, event: str, more: dict[str, Any]):
    assert sent(client, event, **more) == {}


def test_the_end_of_a_turn_has_its_transcript_captured(client: TestClient, store: Path, shop: Path):
    transcript = Session(shop / "a.jsonl", shop).says("From now on always use pnpm.", wrote=(shop / "x.ts",)).save()
    assert sent(client, "Stop", transcript_path=str(transcript), cwd=str(shop)) == {}
    until = time.monotonic() + 30
    while not (found := candidates(open_store(store))) and time.monotonic() < until:
        time.sleep(0.05)
    assert "pnpm" in found[0].statement


def test_what_goes_wrong_is_in_the_log_and_the_breaker_and_not_in_the_answer(
    client: TestClient, store: Path, shop: Path
):
    (store / "journal").write_bytes(b"")
    for _ in range(breaker.LIMIT):
        assert sent(client, "UserPromptSubmit", prompt=PROMPT, cwd=str(shop)) == {}
    assert "service: FileExistsError" in (store / "logs" / "hook.log").read_text()
    (store / "journal").unlink()
    assert sent(client, "UserPromptSubmit", prompt=PROMPT, cwd=str(shop)) == {}  # it rests
    breaker.reset(str(store))
    assert sent(client, "UserPromptSubmit", prompt=PROMPT, cwd=str(shop)) != {}


def test_while_another_process_builds_it_is_silent(client: TestClient, store: Path, shop: Path):
    program = (
        "import sys; from store.index import builder, schema\n"
        "with builder.only_builder(sys.argv[1], schema.RECORDS, wait=0, gives_up=True):\n"
        "    print(flush=True); sys.stdin.read()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program, store], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        assert builder.another_builds(str(store), schema.RECORDS)
        assert sent(client, "UserPromptSubmit", prompt=PROMPT, cwd=str(shop)) == {}
        process.kill()
    assert breaker.failures(str(store)) == []


def test_without_the_token_nothing_is_answered_and_a_body_that_is_no_event_is_refused(client: TestClient):
    event = {"hook_event_name": "UserPromptSubmit", "prompt": PROMPT}
    assert client.post("/hooks/claude-code", json=event, headers={"Authorization": "Bearer x"}).status_code == 401
    assert client.post("/hooks/claude-code", json={"prompt": PROMPT}).status_code == 422
    assert "/hooks/claude-code" in client.get("/openapi.json").json()["paths"]


@pytest.mark.clients
def test_the_real_claude_code_is_told_and_captured_over_http(bench: Bench):
    said = "in this repo always use pnpm, never npm"
    script = {
        "Please remember": [Reply("I write it down.", CLAUDE_CODE.writes(bench.project)), Reply("It is in NOTES.md.")],
        "add a script": [Reply("There it is.")],
    }
    with Model(script) as model:
        bench = replace(bench, url=model.url)
        CLAUDE_CODE.set_up(bench)
        add(bench.home / ".local/share/curate", KNOWN)
        with subprocess.Popen(
            [sys.executable, "-m", "curate", "serve", "--port", "0", "--json"], stdout=subprocess.PIPE,
            env={**os.environ, "HOME": str(bench.home), "CURATE_TOKEN": TOKEN},
        ) as service:  # fmt: skip
            try:
                assert service.stdout is not None
                url = json.loads(service.stdout.readline())["url"]
                known = {"headers": {"Authorization": "Bearer $CURATE_TOKEN"}, "allowedEnvVars": ["CURATE_TOKEN"]}
                hook = {"type": "http", "url": f"{url}/hooks/claude-code", "timeout": 5, **known}
                events = ("UserPromptSubmit", "Stop", "SessionEnd")
                bench.put(".claude/settings.json", {"hooks": {name: [{"hooks": [hook]}] for name in events}})
                program = replace(CLAUDE_CODE, env=lambda bench: {**CLAUDE_CODE.env(bench), "CURATE_TOKEN": TOKEN})
                asked(program, bench, f"Please remember: {said}. Write that to NOTES.md.", first=True)
                (group,) = waiting(bench)
            finally:
                service.terminate()
        told = len(model.conversation)
        asked(program, bench, "Now add a script.", first=False)  # the service is gone, and the turn goes on
    assert len(model.conversation) > told >= 2
    assert said in group["statement"]
    assert group["targets"] == ["github.com/acme/shop"]
    assert [sum(each.values()) for each in blocks(model)] == [1] * len(model.conversation)  # of the first turn
