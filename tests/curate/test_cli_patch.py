"""From a patch to memory and back: apply, select, confirm, undo, and what show and history say of it."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.curate.command import curate, curate_process

SHOP = "github.com/acme/shop"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "store"


def add(op_id: str, statement: str, **record: Any) -> dict[str, Any]:
    scope = {"type": "project", "project": SHOP}
    return {"op_id": op_id, "op": "add", "record": {"statement": statement, "scope": scope, **record}}


def apply(home: Path, *ops: dict[str, Any], more: tuple[str, ...] = (), **document: Any):
    stdin = json.dumps({"ops": ops, **document}).encode()
    return curate("apply", "-", "--json", "--home", home, *more, stdin=stdin)


def listed(home: Path, *more: str) -> list[dict[str, Any]]:
    return curate("records", "--json", "--home", home, *more).json["records"]


def test_a_hand_written_patch_with_only_its_ops(home: Path, tmp_path: Path):
    file = tmp_path / "patch.json"
    file.write_text(json.dumps({"ops": [add("op_1", "Use pnpm."), add("op_2", "Never push to main.")]}))
    done = curate_process("apply", file, "--json", "--home", home)
    assert (done.code, done.err) == (0, "")
    assert done.json["patch"].startswith("pat_")
    assert (done.json["applied"], done.json["skipped"]) == (["op_1", "op_2"], [])
    assert {record["statement"] for record in listed(home)} == {"Use pnpm.", "Never push to main."}


def test_the_file_may_start_with_a_byte_order_mark(home: Path, tmp_path: Path):
    file = tmp_path / "patch.json"
    file.write_bytes(b"\xef\xbb\xbf" + json.dumps({"ops": [add("op_1", "Use pnpm.")]}).encode())
    assert curate("apply", file, "--json", "--home", home).json["applied"] == ["op_1"]


def test_pages_that_cannot_be_written_are_told_and_the_patch_holds(home: Path):
    home.mkdir()
    (home / "rendered").write_text("in the way")
    done = apply(home, add("op_1", "Use pnpm."))
    assert (done.code, done.json["applied"]) == (0, ["op_1"])
    assert "the patch holds, and `curate materialise` catches up" in done.err
    (home / "rendered").unlink()
    assert curate("materialise", "--home", home).code == 0
    assert "Use pnpm." in "".join(page.read_text() for page in (home / "rendered").rglob("*.md"))


def test_what_is_not_preselected_waits_for_its_name(home: Path):
    wide = {"op_id": "op_2", "op": "add", "record": {"statement": "Answer in English.", "scope": {"type": "global"}}}
    patch = {"patch_id": "pat_mine"}
    first = apply(home, add("op_1", "Use pnpm."), wide, **patch).json
    assert (first["applied"], [skip["op"] for skip in first["skipped"]]) == (["op_1"], ["op_2"])
    assert first["skipped"][0]["reason"] == "not_selected"
    second = apply(home, add("op_1", "Use pnpm."), wide, more=("--select", "op_2"), **patch).json
    assert second["applied"] == ["op_2"]
    assert len(listed(home)) == 2


def test_applying_again_changes_nothing(home: Path):
    apply(home, add("op_1", "Use pnpm."), patch_id="pat_mine")
    before = {path: path.read_bytes() for path in home.rglob("*.jsonl")}
    again = apply(home, add("op_1", "Use pnpm."), patch_id="pat_mine")
    assert [skip["reason"] for skip in again.json["skipped"]] == ["already_applied"]
    assert {path: path.read_bytes() for path in home.rglob("*.jsonl")} == before
    assert again.code == 0


def test_one_stale_op_is_skipped_and_the_other_stands(home: Path):
    apply(home, add("op_1", "Use pnpm."))
    record = listed(home)[0]["id"]
    base = curate("show", record, "--json", "--home", home).json["revisions"][-1]["hash"]
    pin = {"op_id": "op_1", "op": "pin", "target_id": record}
    apply(home, pin)
    done = apply(home, {**pin, "op": "unpin", "base": base}, add("op_2", "Never push to main."))
    assert done.code == 0
    assert done.json["applied"] == ["op_2"]
    assert [(skip["op"], skip["reason"]) for skip in done.json["skipped"]] == [("op_1", "stale")]
    alone = apply(home, {**pin, "op": "unpin", "base": base})
    assert alone.code == 0
    assert alone.json["skipped"][0]["reason"] == "stale"
    assert alone.is_one_line("op_1", "nothing was applied")


def test_undo_takes_the_last_patch_back_and_the_one_before_it(home: Path):
    apply(home, add("op_1", "Use pnpm."), summary="first")
    apply(home, add("op_1", "Never push to main."), summary="second")
    assert len(curate("undo", "--json", "--home", home).json["applied"]) == 1
    assert [record["statement"] for record in listed(home)] == ["Use pnpm."]
    curate("undo", "--home", home)
    assert listed(home) == []
    patches = curate("history", "--json", "--home", home).json["patches"]
    undone = {patch["summary"]: patch["undone_by"] for patch in patches if patch["summary"] in ("first", "second")}
    assert all(undone.values())
    assert len(patches) == 4
    assert len(curate("history", "--limit", "1", "--json", "--home", home).json["patches"]) == 1


def test_undo_of_a_named_patch(home: Path):
    first = apply(home, add("op_1", "Use pnpm.")).json["patch"]
    apply(home, add("op_1", "Never push to main."))
    curate("undo", first, "--home", home)
    assert [record["statement"] for record in listed(home)] == ["Never push to main."]


def test_records_can_be_narrowed(home: Path):
    apply(
        home,
        add("op_1", "Use pnpm.", tags=["build"]),
        add("op_2", "Never push to main."),
        {"op_id": "op_3", "op": "add", "record": {"statement": "Use uv."}, "targets": ["github.com/acme/api"]},
    )
    assert len(listed(home, "--project", SHOP)) == 2
    assert len(listed(home, "--project", "api")) == 1
    assert len(listed(home, "--project", "nowhere")) == 0
    assert [record["statement"] for record in listed(home, "--query", "BUILD use")] == ["Use pnpm."]
    assert listed(home, "--layer", "L1") == []
    assert len(listed(home, "--status", "active")) == 3
    pushed = listed(home, "--query", "push")[0]["id"]
    apply(home, {"op_id": "op_1", "op": "delete", "target_id": pushed}, more=("--select", "op_1"))
    assert len(listed(home)) == 2
    assert [record["id"] for record in listed(home, "--status", "deleted")] == [pushed]


def test_show_tells_the_whole_story(home: Path):
    apply(home, add("op_1", "Use pnpm."), summary="first")
    record = listed(home)[0]["id"]
    update = {"op_id": "op_1", "op": "update", "target_id": record, "updates": {"statement": "Use pnpm, never npm."}}
    apply(home, update, summary="second")
    story = curate("show", record, "--json", "--home", home).json
    assert story["record"]["statement"] == "Use pnpm, never npm."
    assert [revision["rev"] for revision in story["revisions"]] == [1, 2]
    assert story["revisions"][1]["parent"] == story["revisions"][0]["hash"]
    assert [patch["summary"] for patch in story["patches"]] == ["first", "second"]
    assert (story["type"], story["evidence"], story["injections"]) == ("record", [], [])
    told = curate("show", record, "--home", home).text
    assert "Use pnpm, never npm." in told
    assert "2 revisions" in told


def test_hostile_text_reaches_the_terminal_as_plain_words(home: Path):
    apply(home, add("op_1", "[red]never[/] \x1b[31mpush\x1b[0m \u202eto main\n# Heading"))
    record = listed(home)[0]["id"]
    for args in (["records"], ["show", record], ["history"]):
        out = curate(*args, "--home", home).out
        assert b"\x1b" not in out
        assert "\u202e".encode() not in out
    assert b"[red]never[/]" in curate("records", "--home", home).out


def test_an_identity_record_needs_a_typed_word(home: Path):
    person = {
        "op_id": "op_1",
        "op": "add",
        "record": {
            "statement": "I teach physics.",
            "layer": "L1",
            "scope": {"type": "global"},
            "review": {"change_condition": "when I say I teach something else"},
        },
    }
    refused = apply(home, person, more=("--select", "op_1"))
    assert refused.code == 2
    assert refused.json["skipped"][0]["reason"] == "needs_confirmation"
    assert apply(home, person, more=("--select", "op_1", "--confirm", "wrong")).json["applied"] == []
    assert apply(home, person, more=("--select", "op_1", "--confirm", "identity")).json["applied"] == ["op_1"]
    assert len(listed(home, "--layer", "L1")) == 1


@pytest.mark.parametrize(("typed", "applied"), [("identity", ["op_1"]), ("", []), ("yes", [])])
def test_on_a_terminal_it_asks_for_the_word(home: Path, tmp_path: Path, typed: str, applied: list[str]):
    record = {"statement": "I teach physics.", "layer": "L1", "scope": {"type": "global"}}
    record["review"] = {"change_condition": "when I say I teach something else"}
    file = tmp_path / "patch.json"
    file.write_text(json.dumps({"ops": [{"op_id": "op_1", "op": "add", "record": record}]}))
    master, slave = pty.openpty()
    try:
        process = subprocess.Popen(
            [sys.executable, "-m", "curate", "apply", file, "--select", "op_1", "--json", "--home", home],
            stdin=slave,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        os.write(master, typed.encode() + b"\n")
        out, err = process.communicate(timeout=60)
    finally:
        os.close(master)
        os.close(slave)
    assert json.loads(out)["applied"] == applied
    assert b"identity" in err


def test_home_is_taken_before_and_after_the_command(home: Path, tmp_path: Path):
    apply(home, add("op_1", "Use pnpm."))
    elsewhere = tmp_path / "elsewhere"
    assert len(curate("--home", home, "records", "--json").json["records"]) == 1
    assert len(curate("--home", elsewhere, "records", "--json", "--home", home).json["records"]) == 1
    assert len(curate("records", "--json", CURATE_HOME=str(home)).json["records"]) == 1
    assert len(curate("records", "--json", "--home", elsewhere, CURATE_HOME=str(home)).json["records"]) == 0
    assert not elsewhere.exists()


def test_a_local_store_is_found_from_below(tmp_path: Path):
    project = tmp_path / "project"
    (project / "src" / "deep").mkdir(parents=True)
    made = curate("init", "--local", "--json", cwd=project).json
    assert made["home"] == str(project / ".curate")
    stdin = json.dumps({"ops": [add("op_1", "Use pnpm.")]}).encode()
    curate("apply", "-", stdin=stdin, cwd=project / "src" / "deep")
    assert len(curate("records", "--json", cwd=project).json["records"]) == 1
    assert curate("records", "--json", cwd=tmp_path).json["records"] == []


def test_init_names_the_agents_whose_transcripts_are_there(tmp_path: Path):
    folder = tmp_path / ".claude" / "projects" / "-home-me-shop"
    folder.mkdir(parents=True)
    (folder / "one.jsonl").write_text("{}\n")
    made = curate("init", "--json", HOME=str(tmp_path)).json
    assert [(agent["agent"], agent["transcripts"]) for agent in made["agents"]] == [("claude-code", 1)]
    assert Path(made["home"]).is_dir()
    again = curate("init", "--json", HOME=str(tmp_path))
    assert (again.code, again.json["home"]) == (0, made["home"])


def test_reading_makes_no_store(home: Path):
    for args in (["records"], ["inbox"], ["history"], ["verify"], ["export", "jsonl"]):
        assert curate(*args, "--home", home).code == 0
    assert not home.exists()


def test_verify_names_the_file_the_line_and_the_mend(home: Path):
    apply(home, add("op_1", "Use pnpm."))
    assert curate("verify", "--json", "--home", home).json == {"ok": True, "problems": []}
    file = next((home / "memory" / "projects").glob("*.jsonl"))
    file.write_bytes(file.read_bytes() + b'{"schema":"1.0","id":"mem_x"\n')
    found = curate("verify", "--json", "--home", home)
    assert found.code == 1
    assert found.json["ok"] is False
    problem = found.json["problems"][0]
    assert (problem["file"], problem["line"]) == (f"memory/projects/{file.name}", 2)
    assert problem["problem"]
    assert problem["mend"]
    assert curate("verify", "--home", home).code == 1


def test_materialise_writes_checks_and_notices_drift(home: Path):
    apply(home, add("op_1", "Use pnpm."))
    page = next((home / "rendered" / "projects").glob("*.md"))
    assert "Use pnpm." in page.read_text("utf-8")
    assert curate("materialise", "--check", "--home", home).code == 0
    page.write_text("changed behind our back\n", "utf-8")
    drifted = curate("materialise", "--check", "--json", "--home", home)
    assert drifted.code == 1
    assert any(page.name in str(entry) for entry in drifted.json["drift"])
    edited = curate("materialise", "--json", "--home", home).json
    assert edited["drift"] == edited["written"]
    assert any("changed behind our back" in path.read_text("utf-8") for path in (home / "quarantine").rglob("*.md"))
    page.unlink()
    assert curate("materialise", "--check", "--home", home).code == 1
    written = curate("materialise", "--json", "--home", home)
    assert written.code == 0
    assert "Use pnpm." in page.read_text("utf-8")
    again = curate("materialise", "--json", "--home", home).json
    assert again["written"] == []
    page.unlink()
    assert curate("materialise", "--project", "shop", "--json", "--home", home).json["written"] == [
        f"rendered/projects/{page.name}"
    ]
    assert curate("materialise", "--project", "nowhere", "--home", home).fails(2, "nowhere")
