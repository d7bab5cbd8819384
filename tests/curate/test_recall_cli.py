"""`search`, `context` and `explain` as people and programs call them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from curate.recall import journal
from curate.recall.planner import plan
from curate.recall.request import Request
from store.index.refresh import refreshed
from tests.curate.command import curate, curate_process
from tests.curate.recalling import CASES, SHOP, TODAY, add, checkout

ROWS = (
    {"id": "a", "statement": "Use pnpm for installs.", "rule_type": "prefer_pattern", "confidence": 0.9},
    {"id": "b", "statement": "Speed up the boot by lazy imports.", "scope": {"type": "global"}},
    {"id": "c", "statement": "Use npm for installs.", "status": "deprecated"},
    {"id": "d", "statement": "Installs run in CI.", "scope": {"type": "project", "project": "github.com/other/x"}},
)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return add(tmp_path / "store", *ROWS)


@pytest.mark.parametrize(
    ("args", "ids"),
    [
        (["installs"], {"a", "d"}),
        (["installs", "--project", "github.com/acme/shop"], {"a"}),
        (["installs", "--mode", "keyword", "-k", "1"], {"a"}),
        (["make the start faster", "--mode", "semantic", "-k", "1"], {"b"}),
        (["?!\"'(*) OR NEAR AND -installs:"], {"a", "d"}),
    ],
)
def test_search_finds_what_is_in_force(args: list[str], ids: set[str], home: Path):
    answer = curate("search", "--home", home, "--json", *args).json
    found = {hit["id"]: hit for hit in answer["hits"]}
    assert ids <= set(found)
    assert "c" not in found
    assert all(set(hit) == {"id", "score", "statement", "why"} and hit["why"] for hit in found.values())
    assert answer["mode"] == (args[args.index("--mode") + 1] if "--mode" in args else "hybrid")


def test_many_questions_are_answered_by_one_process(home: Path):
    asked = b'{"id": "q1", "text": "installs"}\nnot json\n{"id": 2, "text": "boot"}\n'
    done = curate("search", "--stdin", "--json", "--home", home, stdin=asked)
    assert done.code == 2
    assert [(line["id"], line["hits"][0]["id"] in {"a", "b", "d"}) for line in done.lines] == [("q1", True), (2, True)]
    assert "line 2" in done.err


def test_search_wants_one_question(home: Path):
    assert curate("search", "--home", home).fails(2, "QUERY")


def test_context_is_a_plan_as_json(home: Path, tmp_path: Path):
    shop = checkout(tmp_path / "shop")
    answer = curate("context", "--prompt", "-", "--cwd", shop, "--json", "--home", home, stdin=b"run the installs").json
    assert {"block", "entries", "traces", "total", "budget", "unit", "truncated"} <= set(answer)
    assert [(entry["id"], entry["section"]) for entry in answer["entries"]] == [("a", "Hard Rules")]
    assert (answer["unit"], answer["budget"], answer["truncated"]) == ("bytes", 14336, False)
    assert "skipped" not in answer
    assert curate("context", "--prompt", "thanks!", "--json", "--home", home).json["skipped"] == "acknowledgement"
    assert not (home / "journal").exists()


def test_context_is_told_to_people_with_the_reason_and_cost(home: Path, tmp_path: Path):
    shop = checkout(tmp_path / "shop")
    text = curate_process("context", "--prompt", "run the installs", "--cwd", shop, "--home", home, "--explain").text
    assert "✓ PREFER: [conf 0.90] Use pnpm for installs." in text
    assert "words: installs" in text
    assert "status: 4 in, 3 out" in text
    assert "status:deprecated" in text


def test_explain_says_of_a_record_that_is_no_longer_as_it_was_sent(home: Path):
    db = refreshed(home)
    answer = plan(db, Request("run the installs", project=SHOP["project"], today=TODAY))
    db.close()
    journal.write(str(home), answer, session="s1", agent="codex", at="2026-11-29T10:00:00Z")
    sent = curate("explain", "--turn", "1", "--json", "--home", home).json
    assert [entry["id"] for entry in sent["entries"]] == ["a"]
    assert all("now" not in entry for entry in sent["entries"])
    op = {"op_id": "1", "op": "update", "target_id": "a", "updates": {"statement": "Use bun for installs."}}
    assert curate("apply", "-", "--select", "1", "--home", home, stdin=json.dumps({"ops": [op]}).encode()).code == 0
    now = curate("explain", "--turn", "1", "--json", "--home", home).json
    assert now["entries"][0].pop("now").startswith("reworded on 20")
    assert now == sent


def test_a_store_that_is_not_there_is_not_made(tmp_path: Path):
    home = tmp_path / "none"
    assert curate("context", "--prompt", "run the installs", "--json", "--home", home).json["entries"] == []
    assert curate("search", "installs", "--json", "--home", home).json["hits"] == []
    assert not home.exists()
    assert curate("explain", "--home", home).fails(2, "journal")


@pytest.mark.parametrize("name", ["--transcript", "--cwd"])
def test_a_missing_file_is_named(name: str, home: Path):
    assert curate("context", "--prompt", "x", name, "/no/where", "--home", home).fails(2, "/no/where")


@pytest.mark.parametrize(
    "case", [case for case in CASES if case["id"] in {"status", "paths", "identifier"}], ids=lambda case: case["id"]
)
def test_imported_records_come_back_in_a_turn(case: dict, tmp_path: Path):
    home, shop = tmp_path / "store", checkout(tmp_path / "shop")
    refused = {record["id"] for record in case["records"] if record["status"] == "deleted"}  # an import brings no dead
    lines = b"".join(json.dumps(record).encode() + b"\n" for record in case["records"])
    assert curate("import", "jsonl", "-", "--apply", "--json", "--home", home, stdin=lines).code == 0
    turn = case["turn"]
    folder = shop / turn.get("cwd", "")
    folder.mkdir(parents=True, exist_ok=True)
    (tmp_path / "seen.txt").write_text(turn.get("transcript", ""))
    more = ["--layout", turn["layout"], "--transcript", tmp_path / "seen.txt"] if "layout" in turn else []
    answer = curate("context", "--prompt", turn["prompt"], "--cwd", folder, "--json", "--home", home, *more).json
    found = {entry["id"]: (entry["section"], entry["reason"]) for entry in answer["entries"]}
    assert {ident for ident, place in case["expect"]["injected"].items() if place in found.get(ident, ())} == set(
        case["expect"]["injected"]
    )
    told = json.dumps(answer["traces"])
    absent = {ident: reason for ident, reason in case["expect"]["absent"].items() if ident not in refused}
    assert [reason for ident, reason in absent.items() if ident in found or reason not in told] == []
