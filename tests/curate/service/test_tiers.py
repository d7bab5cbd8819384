"""What the service says of turns: the tiers by their names, and of a turn that a hook asked for what each item says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from curate.agents.prompt import answer
from curate.recall import journal
from curate.service.app import make_app
from curate.service.shapes import topic
from tests.curate.knowing import PROJECT, furnished
from tests.curate.recalling import add, checkout

RECORDS = (
    {"id": "mem_a", "statement": "The invoice parser rounds half up.", "confidence": 0.6},
    {
        "id": "mem_b",
        "statement": "Never parse an invoice with floats.",
        "rule_type": "avoid_pattern",
        "confidence": 0.9,
    },
    {"id": "mem_c", "statement": "The invoice parser is by the shop's team.", "status": "contested"},
)  # fmt: skip
ASKED = "fix the invoice parser, see PARSE_LIMIT"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return add(furnished(tmp_path / "store"), *RECORDS)


@pytest.fixture
def client(root: Path) -> TestClient:
    return TestClient(make_app(root, token=None, clock=lambda: "2026-11-29T12:00:00.000Z"))


def test_items_name_their_tier_as_clients_know_it_and_what_they_are_about(client: TestClient):
    asked = {"query": ASKED, "project": PROJECT, "agent": "claude", "task_id": "t"}
    found = client.post("/api/retrieve", json=asked).json()
    tiers = {item["id"]: item["tier"] for item in found["items"]}
    assert {"insights", "digests", "kg_entities", "observations"} == set(tiers.values())
    topics = {item["id"]: item["payload"]["topic"] for item in found["items"]}
    assert topics["mem_a"] == "The invoice parser rounds half up."
    assert all(words and words.removesuffix(" …") in found["markdown"] for words in topics.values())
    assert found["trace"]["judge_outcome"] == "skipped"
    assert client.get("/api/retrieve-capture", params={"task_id": "t"}).json()["items"] == found["items"]


@pytest.mark.parametrize("layout", ["governed", "knowledge", "context"])
def test_a_turn_that_a_hook_asked_for_is_told_with_what_each_item_says(
    layout: str, client: TestClient, root: Path, tmp_path: Path
):
    (root / "config.yaml").write_text(f"recall:\n  layout: {layout}\n")
    payload = {"prompt": ASKED, "cwd": str(checkout(tmp_path / "shop")), "session_id": "s"}
    assert answer("claude-code", payload, str(root), None)
    turn = client.get("/api/retrieve-capture", params={"task_id": "s"}).json()
    said = {item["id"]: item["payload"]["topic"] for item in turn["items"]}
    assert said["mem_a"] == RECORDS[0]["statement"]
    assert said["mem_b"] == RECORDS[1]["statement"]
    assert all(said.values())
    assert turn["trace"]["injected"] == len(said)
    assert turn["meta"].get("unit", "tokens") == ("bytes" if layout == "governed" else "tokens")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("- mem_a [L2, conf 0.94] Use arr[0] here.\n", "Use arr[0] here."),
        ("✓ PREFER: [conf 0.90] Use pnpm.\n", "Use pnpm."),
        ("⚠️ CONTESTED: [mem_x, conf 0.88] Use npm.\n", "Use npm."),
        ("- (index) mem_a: Read arr[0] here\n", "Read arr[0] here"),
        ("- (trigger: PARSE_LIMIT) mem_a: It is 5 (or 6) here: always\n", "It is 5 (or 6) here: always"),
        ("- (guardrail) builds: 0 % of 3 went well\n", "builds: 0 % of 3 went well"),
        ("whatever\n", "whatever"),
    ],
)
def test_a_topic_is_what_a_line_says(line: str, words: str):
    assert topic(line) == words


def test_lines_of_another_version_or_machine_are_served_as_far_as_they_make_sense(client: TestClient, root: Path):
    path = Path(journal.path_of(str(root), "odd"))
    path.parent.mkdir(exist_ok=True)
    lines: list[dict[str, Any]] = [
        {"turn": 1},
        {"turn": 2, "traces": [{}, 7], "entries": [{"score": "x"}, 3], "block": 5, "candidates": 9, "retrieval": []},
        {"turn": 3, "traces": {"a": 1}, "entries": {"a": 1}, "total": "x", "budget": [], "working_tokens": "y"},
    ]
    path.write_text("".join(json.dumps(each) + "\n" for each in lines))
    found = client.get("/api/retrieve-capture", params={"task_id": "odd"})
    assert found.status_code == 200
    assert [turn["turn"] for turn in found.json()["turns"]] == [1, 2, 3]
