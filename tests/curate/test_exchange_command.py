"""Import and export on the command line: each format proposed, applied, imported again, and broken on purpose."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from tests.curate.command import Done, curate, curate_process
from tests.curate.vaults import SHOP, Memory

DATA = Path(__file__).parent.parent / "data" / "exchange"
RULES = """# Shop

Intro text about the shop.

- Use pnpm, never npm.
- Prices are in cents.
"""

CLAUDE_MEM = """
CREATE TABLE observations (id INTEGER PRIMARY KEY, memory_session_id TEXT, project TEXT, type TEXT, title TEXT,
    narrative TEXT, facts TEXT, concepts TEXT, created_at TEXT);
CREATE TABLE session_summaries (id INTEGER PRIMARY KEY, memory_session_id TEXT, project TEXT, learned TEXT);
CREATE TABLE directives (id INTEGER PRIMARY KEY, scope TEXT, project TEXT, content TEXT, status TEXT, source TEXT);
INSERT INTO observations VALUES (1, 's', 'shop', 'decision', 'Use sqlite for the cache', 'why', '["fast"]', '["db"]',
    '2026-01-01T00:00:00Z');
INSERT INTO observations VALUES (2, 's', 'shop', 'bugfix', NULL, NULL, NULL, NULL, '2026-01-01');
INSERT INTO session_summaries VALUES (1, 's', 'shop', 'Retries need jitter');
INSERT INTO directives VALUES (1, 'project', 'shop', 'Never push to main', 'active', 'manual');
INSERT INTO directives VALUES (2, 'global', NULL, 'Off', 'inactive', 'manual');
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "store"


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    folder.mkdir()
    (folder / ".curate.yaml").write_text(f"project: {SHOP}\n")
    (folder / "AGENTS.md").write_text(RULES)
    return folder


def brought_in(home: Path, *args: object, stdin: bytes = b"") -> dict[str, Any]:
    done: Done = curate("import", *args, "--json", "--home", home, stdin=stdin)
    assert (done.code, done.err) == (0, "")
    found = done.json
    assert isinstance(found, dict)
    return found


def numbers(found: dict[str, Any]) -> tuple[int, int, int, int, int]:
    return (found["created"], found["updated"], found["unchanged"], found["conflicts"], len(found["rejected"]))


def records(home: Path) -> dict[str, dict[str, Any]]:
    return {record["id"]: record for record in curate("records", "--json", "--home", home).json["records"]}


def files(home: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in sorted(home.rglob("*.jsonl"))}


def test_a_pi_store_comes_in_with_statuses_layers_scopes_and_evidence(home: Path):
    found = brought_in(home, "pi", DATA / "pi", "--apply", "--confirm", "identity")
    assert numbers(found) == (7, 0, 0, 0, 6)
    assert [(one["file"].rpartition("/")[2], one["line"]) for one in found["rejected"]] == [
        ("captured.jsonl", 3), *(("L2.playbooks.jsonl", line) for line in (4, 5, 7, 8, 9))
    ]  # fmt: skip
    kept = records(home)
    assert {ident: kept[ident]["status"] for ident in ("mem_bun", "mem_old", "mem_disputed")} == {
        "mem_bun": "active", "mem_old": "superseded", "mem_disputed": "contested"
    }  # fmt: skip
    assert (kept["mem_l1"]["layer"], kept["mem_bun"]["layer"]) == ("L1", "L2")
    bun = kept["mem_bun"]
    assert (bun["rule_type"], bun["confidence"], bun["known_exceptions"]) == (
        "prefer_pattern",
        0.9,
        ["the publish step"],
    )
    assert bun["scope"]["type"] == "project", "a rule of a project's profile must not become global"
    assert kept["mem_old"]["superseded_by"] == "mem_bun"
    assert kept["mem_snake"]["statement"] == "Name branches after issues."
    evidence = curate("show", "mem_bun", "--json", "--home", home).json["evidence"]
    assert [(one["excerpt"], one["trust"]) for one in evidence] == [("no npm here, use bun", "user_correction")]
    assert curate("verify", "--json", "--home", home).json["ok"]
    before = files(home)
    again = brought_in(home, "pi", DATA / "pi", "--apply")
    assert numbers(again)[:4] == (0, 0, 7, 0)
    assert files(home) == before


def test_identity_memory_does_not_come_in_without_the_word(home: Path):
    found = brought_in(home, "pi", DATA / "pi", "--apply")
    assert "mem_l1" not in records(home)
    assert any("identity" in one["reason"] for one in found["rejected"])


def test_a_bundle_comes_in_and_our_own_bundle_is_the_same_memory(home: Path, tmp_path: Path):
    assert numbers(brought_in(home, "pi-governance", DATA / "bundle.json", "--apply"))[:4] == (4, 0, 0, 0)
    kept = records(home)
    assert (kept["rec_1"]["stability"], kept["rec_1"]["rule_type"]) == ("stable", "testing")
    assert (kept["rec_2"]["status"], kept["rec_3"]["scope"]["domains"]) == ("deprecated", ["release"])
    out = tmp_path / "bundle.json"
    curate("export", "pi-governance", "-o", out, "--home", home)
    bundle = json.loads(out.read_text("utf-8"))
    assert (bundle["format"], len(bundle["records"]), len(bundle["evidence"])) == ("pi-governance", 3, 1)
    other = tmp_path / "other"
    brought_in(other, "pi-governance", out, "--apply")
    for ident, record in records(other).items():
        assert {**record, "evidence": []} == {**kept[ident], "evidence": []}
    assert numbers(brought_in(home, "pi-governance", out, "--apply"))[:4] == (0, 0, 4, 0)


def test_a_pi_store_that_we_wrote_is_the_same_memory(home: Path, tmp_path: Path):
    brought_in(home, "pi", DATA / "pi", "--apply", "--confirm", "identity")
    folder = tmp_path / "pi"
    assert curate("export", "pi", "-o", folder, "--home", home).code == 0
    assert curate("export", "pi", "-o", folder, "--home", home).fails(2, "is there already")
    other = tmp_path / "other"
    brought_in(other, "pi", folder, "--apply", "--confirm", "identity")
    kept, again = records(home), records(other)
    assert set(kept) == set(again)
    for ident, record in kept.items():
        left, right = ({**one, "evidence": []} for one in (record, again[ident]))
        assert {key: right[key] for key in left if left[key] != right[key]} == {}


def test_our_own_export_gives_the_same_state_with_its_evidence(home: Path, tmp_path: Path):
    memory = Memory(home)
    memory.learn("m1", "Use pnpm, never npm.", tags=["js"], rule_type="tool", confidence=0.91, pinned=True)
    memory.learn("m2", "Prices are in cents.", known_exceptions=["the archive"])
    memory.apply(op="contest", target_id="m2", reason="somebody disagrees")
    out = curate("export", "jsonl", "--home", home).out
    other = tmp_path / "other"
    assert brought_in(other, "jsonl", "-", "--apply", stdin=out)["created"] == 2
    assert curate("export", "jsonl", "--home", other).out == out
    assert curate("show", "m1", "--json", "--home", other).json["evidence"][0]["excerpt"] == "Use pnpm, never npm."
    assert curate("verify", "--json", "--home", other).json["ok"]
    before = files(other)
    assert brought_in(other, "jsonl", "-", "--apply", stdin=out)["unchanged"] == 2
    assert files(other) == before


@pytest.mark.parametrize("format_", ["pi-governance", "pi"])
def test_what_waits_there_waits_here_though_the_records_are_applied(home: Path, tmp_path: Path, format_: str):
    memory = Memory(home)
    memory.learn("m1", "Use pnpm, never npm.")
    memory.learn("m2", "Prices are in cents.")
    memory.apply(op="deprecate", target_id="m2", reason="no longer")
    curate("import", "agents-md", "-", "--home", home, stdin=b"- Always run the linter before a push.\n")
    waiting = len(curate("inbox", "--json", "--home", home).json["groups"])
    assert waiting == 1
    out, other = tmp_path / "out", tmp_path / "other"
    assert curate("export", format_, "-o", out, "--home", home).code == 0
    brought_in(other, format_, out, "--apply")
    assert {ident: one["status"] for ident, one in records(other).items()} == {"m1": "active", "m2": "deprecated"}
    if format_ == "pi-governance":
        assert len(curate("inbox", "--json", "--home", other).json["groups"]) == waiting
    before = files(other)
    assert numbers(brought_in(other, format_, out, "--apply"))[:2] == (0, 0)
    assert files(other) == before


def test_evidence_beside_a_record_needs_no_id_and_is_kept(home: Path):
    said = {"excerpt": "Never use npm here.", "session": "s1", "time": "2026-10-01T00:00:00Z"}
    doubt = {"excerpt": "npm is fine in docs.", "polarity": "against"}
    line = json.dumps({"id": "m1", "statement": "Never use npm.", "sources": [said, doubt]}).encode()
    assert brought_in(home, "jsonl", "-", "--apply", stdin=line)["created"] == 1
    shown = curate("show", "m1", "--json", "--home", home).json
    assert [(one["excerpt"], one["polarity"]) for one in shown["evidence"]] == [
        ("Never use npm here.", "for"), ("npm is fine in docs.", "against")]  # fmt: skip
    assert brought_in(home, "jsonl", "-", "--apply", stdin=line)["unchanged"] == 1
    assert curate("verify", "--home", home).code == 0


def test_a_redacted_export_names_nobody(home: Path):
    memory = Memory(home)
    memory.learn("m1", "Notes of anna@example.org live in /home/anna/notes.", body="See /Users/anna/x.")
    for name in ("jsonl", "pi-governance"):
        out = curate_process("export", name, "--redacted", "--home", home).text
        assert "m1" in out
        for private in ("anna", "s_m1", "/t/x.jsonl", "Users"):
            assert private not in out, (name, private)


def test_rules_of_a_repository_become_candidates_of_it(home: Path, repository: Path):
    found = brought_in(home, "agents-md", repository / "AGENTS.md")
    assert numbers(found) == (2, 0, 0, 0, 0)
    assert records(home) == {}
    shown = [curate("show", ident, "--json", "--home", home).json for ident in found["candidates"]]
    assert [(one["record"]["statement"], one["evidence"][0]["line"]) for one in shown] == [
        ("Use pnpm, never npm.", 5), ("Prices are in cents.", 6)
    ]  # fmt: skip
    for one in shown:
        assert (one["record"]["trust"], one["record"]["poisoning_risk"]) == ("repository_text", "high")
        assert one["record"]["targets"] == [SHOP]
    proposed = curate("propose", "--json", "--home", home).json
    assert not any(op["default_selected"] for op in proposed["ops"])


def test_instructions_of_a_folder_below_hold_for_that_folder(home: Path, repository: Path):
    for name in ("packages/api", "node_modules/theirs", "sub"):
        (repository / name).mkdir(parents=True)
        (repository / name / "AGENTS.md").write_text(f"- Use SQL files in {name}, not the ORM.\n")
    (repository / "sub" / ".git").write_text("gitdir: elsewhere\n")
    found = brought_in(home, "agents-md", repository)
    shown = [curate("show", ident, "--json", "--home", home).json["record"] for ident in found["candidates"]]
    assert {one["statement"]: one["scope"]["paths"] for one in shown} == {
        "Use pnpm, never npm.": [], "Prices are in cents.": [],
        "Use SQL files in packages/api, not the ORM.": ["packages/api/**"],
    }  # fmt: skip


def test_imported_twice_or_moved_to_another_line_nothing_changes(home: Path, repository: Path):
    brought_in(home, "agents-md", repository)
    before = files(home)
    (repository / "AGENTS.md").write_text("New first line.\n\n" + RULES)
    assert numbers(brought_in(home, "agents-md", repository)) == (0, 0, 2, 0, 0)
    assert files(home) == before


def test_applied_at_once_they_are_records_and_do_not_come_again(home: Path, repository: Path):
    assert brought_in(home, "agents-md", repository, "--apply")["applied"] == 2
    assert {one["statement"] for one in records(home).values()} == {"Use pnpm, never npm.", "Prices are in cents."}
    assert numbers(brought_in(home, "agents-md", repository, "--apply")) == (0, 0, 2, 0, 0)
    assert len(records(home)) == 2


def test_a_dry_run_of_foreign_text_writes_nothing(home: Path, repository: Path):
    assert numbers(brought_in(home, "agents-md", repository, "--dry-run")) == (2, 0, 0, 0, 0)
    assert not home.exists()


def test_mem0_and_markdown_memories_wait_for_a_project(home: Path, tmp_path: Path):
    export = [{"id": "a", "memory": "Prefers dark mode", "user_id": "u", "created_at": "2026-02-03T04:05:06Z"},
              {"id": "b", "text": "Deploys on Mondays", "metadata": {"project": "shop"}}, {"id": "c"}, 7]  # fmt: skip
    found = brought_in(home, "mem0", "-", stdin=json.dumps({"results": export}).encode())
    assert numbers(found) == (2, 0, 0, 0, 2)
    assert [one["line"] for one in found["rejected"]] == [3, 4]
    shown = curate("show", found["candidates"][0], "--json", "--home", home).json["record"]
    assert (shown["scope"]["type"], shown["scope"]["project"], shown["trust"]) == ("project", None, "agent_inference")
    folder = tmp_path / "memories"
    folder.mkdir()
    (folder / "one.md").write_text(
        "---\nname: x\ndescription: Use uv for Python.\ntype: feedback\n---\nBecause it is quick.\n"
    )
    (folder / "two.md").write_text("---\nname: [broken\n---\n")
    (folder / "MEMORY.md").write_text("- [one](one.md)\n")
    (folder / "three.md").write_bytes(b"\xff\xfe")
    found = brought_in(home, "markdown", folder)
    assert numbers(found) == (1, 0, 0, 0, 2)
    assert [(one["file"], one["line"]) for one in found["rejected"]] == [("three.md", 1), ("two.md", 3)]
    assert numbers(brought_in(home, "markdown", folder))[:3] == (0, 0, 1)


def test_claude_mem_is_read_and_never_written(home: Path, tmp_path: Path):
    path = tmp_path / "claude-mem.db"
    database = sqlite3.connect(path)
    database.executescript(CLAUDE_MEM)
    database.close()
    before = path.read_bytes()
    found = brought_in(home, "claude-mem", path)
    assert numbers(found) == (3, 0, 0, 0, 1)
    assert found["rejected"] == [{"line": 2, "reason": "no text", "file": "observations"}]
    trusts = {
        one["statement"]: (one["trust"], one["poisoning_risk"])
        for one in (curate("show", ident, "--json", "--home", home).json["record"] for ident in found["candidates"])
    }
    assert trusts["Use sqlite for the cache"] == ("generated_content", "high")
    assert trusts["Never push to main"] == ("direct_user_instruction", "high")
    assert numbers(brought_in(home, "claude-mem", path))[:3] == (0, 0, 3)
    assert path.read_bytes() == before
    (tmp_path / "no.db").write_bytes(b"SQLite format 3\x00 but broken")
    assert curate("import", "claude-mem", tmp_path / "no.db", "--home", home).fails(2, "no.db")


@pytest.mark.parametrize("name", ["pi", "pi-governance", "agents-md", "claude-mem", "mem0", "markdown", "jsonl"])
def test_a_source_that_is_no_such_thing_is_one_line(name: str, home: Path, tmp_path: Path):
    (tmp_path / "empty").mkdir()
    assert curate("import", name, tmp_path / "gone", "--home", home).fails(2, "gone")
    noise = tmp_path / "noise"
    noise.write_bytes(bytes(range(256)) * 50)
    done = curate("import", name, noise, "--json", "--home", home)
    assert done.code in (0, 2)
    if done.code == 0:
        assert done.json["created"] == 0
        assert done.json["rejected"]
    else:
        assert done.is_one_line("noise")


def test_secrets_of_others_are_masked_before_anything_is_written(home: Path, repository: Path):
    secret = "gh" + "p_" + "0123456789abcdefghijABCDEFGHIJ012345"
    (repository / "AGENTS.md").write_text(f"- Deploy with {secret} as the token.\n")
    brought_in(home, "agents-md", repository, "--apply")
    assert any("Deploy with" in one["statement"] for one in records(home).values())
    for path in home.rglob("*"):
        assert not path.is_file() or secret.encode() not in path.read_bytes()
