"""The layout `context`: corrections, weak domains, an index with bodies where the message names them, tensions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from curate.recall.correction import correction_cue
from curate.recall.identifiers import identifiers, unseen
from curate.recall.visible_text import recent_files, visible_text
from curate.recall.weak_domains import read_outcomes, weak_domains
from tests.curate.recalling import add, planned


@pytest.mark.parametrize(
    ("message", "named"),
    [
        ("see https://example.com/a?b=1.", ["https://example.com/a?b=1"]),
        ("ping api.acme.dev and db-1.internal", ["api.acme.dev", "db-1.internal"]),
        ("open src/cart.ts, ./run or /etc/hosts", ["src/cart.ts", "./run", "/etc/hosts"]),
        ("RELEASE_GATE is red; parseInvoice() too", ["RELEASE_GATE", "parseInvoice"]),
        ("the checkout-flow-v2 flag, commit 3f9a2bc, error E1042", ["checkout-flow-v2", "3f9a2bc", "E1042"]),
        ("read/write and/or e.g. state-of-the-art 2024", ["state-of-the-art"]),
        ("nothing special here, just words.", []),
        ("查看 `RELEASE_GATE`，谢谢", ["RELEASE_GATE"]),
    ],
)
def test_identifiers_are_concrete_things(message: str, named: list[str]):
    assert identifiers(message) == named


def test_what_the_transcript_shows_needs_no_memory():
    assert unseen(["RELEASE_GATE", "cart.ts"], "the release_gate failed") == ["cart.ts"]
    assert unseen(["RELEASE_GATE"], None) == ["RELEASE_GATE"]


@pytest.mark.parametrize(
    "message",
    ["actually, we switched to Postgres", "Stop using that", "that’s wrong", "No, use bun", "we no longer deploy there",
     "das stimmt nicht", "不要再用npm了", "I told you twice"],
)  # fmt: skip
def test_corrections_are_caught(message: str):
    assert correction_cue(message)


@pytest.mark.parametrize(
    "message", ["add a login page", "the factually, correct answer", "wronghead", "nonstop using", "unstop that", ""]
)
def test_other_messages_are_none(message: str):
    assert correction_cue(message) is None


def test_headings_and_reasons_are_wire_format(tmp_path: Path):
    root = add(
        tmp_path,
        {"id": "a", "statement": "Orders live in Postgres."},
        {"id": "b", "statement": "Orders live in MySQL.", "status": "contested"},
    )
    weak = (("migrations", "migrations: 40 % of 5 went well"),)
    answer = planned(root, "actually, we moved orders", layout="context", transcript="", weak=weak)
    assert [line for line in answer.block.splitlines() if line.startswith("#")] == [
        "## ⚠️ Correction Detected In This Message",
        "## Weak Domains — Under 75% Reliability",
        "## Memory index — established earlier in this project",
        "## Unresolved Contradictions",
    ]
    assert [entry.reason for entry in answer.entries] == ["guardrail", "guardrail", "index", "tension"]
    assert all(f"({entry.reason}" in entry.text for entry in answer.entries)


def test_the_ceiling_bites_the_least_recently_used_and_says_so(tmp_path: Path):
    records = [{"id": f"r{n:02}", "statement": f"Module {n} is owned by team {n}."} for n in range(40)]
    pinned = {
        "id": "p",
        "statement": "Ask before deleting data.",
        "pinned": True,
        "body": "Ask before deleting data. " * 20,
    }
    disputed = {"id": "c", "statement": "Tickets are in Jira.", "status": "contested"}
    used = {"r03": 9, "r07": 8}
    answer = planned(
        add(tmp_path, *records, pinned, disputed),
        "fix the build",
        layout="context",
        transcript="",
        budget=250,
        used=used,
    )
    kept = [entry.id for entry in answer.entries]
    assert answer.truncated
    assert {"p", "c", "r03", "r07"} <= set(kept)
    assert len(kept) < 30
    assert "Ask before deleting data. Ask before" in answer.block
    (stage,) = [stage for stage in answer.stages if stage.name == "budget"]
    assert stage.dropped_total == 41 - sum(ident != "c" for ident in kept)


def test_weak_domains_need_three_samples_and_name_what_failed(tmp_path: Path):
    def outcome(domain: str, ok: bool, **more: str) -> dict[str, object]:
        return {"domain": domain, "ok": ok, **more}

    outcomes = [
        outcome("sql", False, pattern="forgot the index"), outcome("sql", False, pattern="forgot the index"),
        outcome("sql", True, strategy="explain first"), outcome("css", False), outcome("css", False),
        *[outcome("api", number < 9) for number in range(10)], outcome("go", False, project="github.com/other/x"),
    ]  # fmt: skip
    path = tmp_path / "knowledge" / "outcomes.jsonl"
    path.parent.mkdir()
    path.write_text("".join(json.dumps(each) + "\n" for each in outcomes) + "not json\n")
    assert weak_domains(read_outcomes(str(tmp_path)), "github.com/acme/shop") == (
        ("sql", "sql: 33 % of 3 went well; fails by: forgot the index; helps: explain first"),
    )


def test_the_visible_transcript_ends_before_this_message_and_begins_at_the_last_compaction(tmp_path: Path):
    path = tmp_path / "t.jsonl"
    lines = [
        {"type": "user", "message": {"content": "OLD_NAME before"}},
        {"type": "system", "subtype": "compact_boundary"},
        {"type": "assistant", "message": {"content": [{"input": {"file_path": "/repo/src/a.py"}}]}},
        {"type": "user", "message": {"content": "look at NEW_NAME, “please”"}},
    ]
    path.write_text("".join(json.dumps(each, separators=(",", ":")) + "\n" for each in lines))
    text = visible_text(str(path), "look at NEW_NAME, “please”")
    assert text is not None
    assert "OLD_NAME" not in text
    assert "NEW_NAME" not in text
    assert "a.py" in text
    assert recent_files(str(path), "/repo") == ("src/a.py",)
    assert visible_text(str(tmp_path / "gone"), "x") is None
