"""Import and export of JSON lines: a free id is kept, twice changes nothing, and a bad line costs only itself."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.curate.command import curate, curate_process

SHOP = {"type": "project", "project": "github.com/acme/shop"}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "store"


def lines(*records: dict[str, Any]) -> bytes:
    return b"".join(json.dumps(record, ensure_ascii=False).encode() + b"\n" for record in records)


def brought_in(home: Path, stdin: bytes, *more: str) -> dict[str, Any]:
    done = curate("import", "jsonl", "-", "--json", "--home", home, *more, stdin=stdin)
    assert (done.code, done.err) == (0, "")
    return done.json


def records(home: Path) -> dict[str, dict[str, Any]]:
    return {record["id"]: record for record in curate("records", "--json", "--home", home).json["records"]}


FIRST = {"id": "mine-1", "statement": "Use pnpm, never npm — 漢字.", "scope": SHOP, "rule_type": "tool", "tags": ["js"]}
SECOND = {
    "id": "mem_2", "statement": "We used Postgres.", "scope": SHOP, "status": "superseded", "superseded_by": "mine-1",
    "confidence": 0.91, "pinned": True, "known_exceptions": ["the archive"], "created_at": "2026-01-02T03:04:05Z",
    "updated_at": "2026-02-02T03:04:05Z", "stability": "stable",
}  # fmt: skip


def test_a_free_id_is_kept_with_status_and_confidence(home: Path):
    found = brought_in(home, lines(FIRST, SECOND), "--apply")
    assert (found["created"], found["updated"], found["unchanged"]) == (2, 0, 0)
    assert (found["conflicts"], found["rejected"]) == (0, [])
    kept = records(home)
    assert {name: kept["mine-1"][name] for name in FIRST if name != "scope"} == {
        name: value for name, value in FIRST.items() if name != "scope"
    }
    assert {name: kept["mem_2"][name] for name in SECOND if name != "scope"} == {
        name: value for name, value in SECOND.items() if name != "scope"
    }
    assert kept["mine-1"]["scope"]["project"] == "github.com/acme/shop"


def test_importing_twice_changes_nothing(home: Path):
    brought_in(home, lines(FIRST, SECOND), "--apply")
    before = {path: path.read_bytes() for path in home.rglob("*.jsonl")}
    again = brought_in(home, lines(FIRST, SECOND), "--apply")
    assert (again["created"], again["updated"], again["unchanged"]) == (0, 0, 2)
    assert {path: path.read_bytes() for path in home.rglob("*.jsonl")} == before


def test_what_is_exported_can_be_imported_elsewhere_and_is_the_same(home: Path, tmp_path: Path):
    brought_in(home, lines(FIRST, SECOND), "--apply")
    out = curate_process("export", "jsonl", "--home", home).out
    other = tmp_path / "other"
    assert brought_in(other, out, "--apply")["created"] == 2
    assert curate_process("export", "jsonl", "--home", other).out == out
    assert brought_in(other, out, "--apply")["unchanged"] == 2
    file = tmp_path / "out.jsonl"
    assert curate_process("export", "jsonl", "-o", file, "--home", home).out == b""
    assert file.read_bytes() == out


def test_a_changed_field_becomes_an_update(home: Path):
    brought_in(home, lines(FIRST), "--apply")
    changed = {"id": "mine-1", "statement": FIRST["statement"], "tags": ["js", "build"]}
    assert brought_in(home, lines(changed), "--apply")["updated"] == 1
    record = records(home)["mine-1"]
    assert (record["tags"], record["rule_type"]) == (["js", "build"], "tool")


def test_without_apply_it_only_proposes(home: Path):
    found = brought_in(home, lines(FIRST))
    assert found["created"] == 1
    assert records(home) == {}
    applied = curate("apply", "-", "--json", "--home", home, stdin=json.dumps(found["patch"]).encode())
    assert len(applied.json["applied"]) == 1
    assert set(records(home)) == {"mine-1"}


def test_a_dry_run_leaves_no_trace(home: Path):
    assert brought_in(home, lines(FIRST), "--apply", "--dry-run")["created"] == 1
    assert not home.exists()


def test_bad_lines_are_named_and_the_others_count(home: Path):
    stdin = (
        lines(FIRST)
        + b"{broken\n[]\n\xff\n"
        + lines(
            {"id": "x"},
            {"statement": "no id"},
            {"id": "y", "statement": "ok", "confidence": 7},
            FIRST,
            {**FIRST, "id": "z", "odd": 1},
        )
    )
    found = brought_in(home, stdin, "--apply")
    assert found["created"] == 1
    assert [entry["line"] for entry in found["rejected"]] == [2, 3, 4, 5, 6, 7, 8, 9]
    reasons = [entry["reason"] for entry in found["rejected"]]
    for reason, word in zip(
        reasons, ["JSON", "object", "UTF-8", "statement", "id", "confidence", "line 1", "odd"], strict=True
    ):
        assert word in reason


def test_a_record_that_may_not_be_overwritten_is_a_conflict(home: Path):
    brought_in(home, lines(FIRST, SECOND), "--apply")
    found = brought_in(
        home, lines({**SECOND, "statement": "We still use Postgres."}, {**FIRST, "status": "deprecated"}), "--apply"
    )
    assert found["conflicts"] == 2
    assert [(entry["line"], entry["id"]) for entry in found["conflicting"]] == [(1, "mem_2"), (2, "mine-1")]


def test_a_rejected_statement_does_not_come_back_through_an_import(home: Path):
    brought_in(home, lines(FIRST), "--apply")
    patch = {"ops": [{"op_id": "op_1", "op": "delete", "target_id": "mine-1"}]}
    curate("apply", "-", "--select", "op_1", "--home", home, stdin=json.dumps(patch).encode())
    found = brought_in(home, lines({**FIRST, "id": "mine-9"}), "--apply")
    assert (found["created"], len(found["rejected"])) == (0, 1)
    assert records(home) == {}


def test_a_secret_is_masked_before_it_is_written(home: Path):
    secret = "gh" + "p_" + "0123456789abcdefghijABCDEFGHIJ012345"
    brought_in(home, lines({**FIRST, "statement": f"Deploy with {secret} as the token."}), "--apply")
    assert records(home)["mine-1"]["statement"].startswith("Deploy with ")
    for path in home.rglob("*"):
        assert not path.is_file() or secret.encode() not in path.read_bytes()


def test_an_unknown_format_and_a_file_that_is_not_there(home: Path, tmp_path: Path):
    assert curate("import", "xml", "-", "--home", home).fails(2, "xml", "jsonl")
    assert curate("import", "jsonl", tmp_path / "gone", "--home", home).fails(2, "gone", "no such file")
    assert curate("import", "jsonl", tmp_path, "--home", home).fails(2, str(tmp_path))
