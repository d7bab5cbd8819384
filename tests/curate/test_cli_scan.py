"""The whole way by commands: a transcript is scanned, waits, is proposed, applied, and stands in files."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.curate.command import curate, curate_process

STAMP = "2026-11-20T10:00:0{}.000Z"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "store"


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A real repository with a remote."""
    folder = tmp_path / "work" / "shop"
    folder.mkdir(parents=True)
    for args in (["init", "-q"], ["remote", "add", "origin", "git@github.com:acme/shop.git"]):
        subprocess.run(["git", *args], cwd=folder, check=True)
    return folder


def transcript(path: Path, cwd: Path, *said: str, written: str = "build.ts") -> Path:
    """A session in which each thing said is followed by the agent writing a file."""
    lines: list[dict[str, Any]] = []
    for number, text in enumerate(said):
        common = {"sessionId": path.stem, "cwd": str(cwd), "timestamp": STAMP.format(number % 10), "isSidechain": False}
        lines.append({"type": "user", "uuid": f"u{number}", "message": {"role": "user", "content": text}, **common})
        use = {"type": "tool_use", "id": f"t{number}", "name": "Write", "input": {"file_path": str(cwd / written)}}
        content = [{"type": "text", "text": "Done."}, use]
        lines.append(
            {"type": "assistant", "uuid": f"a{number}", "message": {"role": "assistant", "content": content}, **common}
        )
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return path


def scan(home: Path, *paths: Path, more: tuple[str, ...] = ()) -> dict[str, Any]:
    done = curate("scan", *paths, "--json", "--home", home, *more)
    assert (done.code, done.err) == (0, "")
    return done.json


def test_from_a_sentence_to_a_page(home: Path, shop: Path, tmp_path: Path):
    file = transcript(tmp_path / "t" / "s1.jsonl", shop, "No, never use npm in this repo, always use pnpm.", "thanks")
    found = scan(home, file)
    assert found["files"] == 1
    assert found["candidates"] == {"created": 1, "reinforced": 0}
    assert (found["turns"], found["quarantined"]) == (2, 0)
    groups = curate("inbox", "--json", "--home", home).json["groups"]
    contract = "id statement intent rule_type scope targets recurrence match trust confidence visible candidates"
    assert set(contract.split()) <= groups[0].keys()
    assert groups[0]["targets"] == ["github.com/acme/shop"]
    assert {"kind", "record_ids"} <= groups[0]["match"].keys()
    patch = curate("propose", "--json", "--home", home)
    assert [op["op"] for op in patch.json["ops"]] == ["add"]
    applied = curate("apply", "-", "--json", "--home", home, stdin=patch.out)
    assert applied.json["applied"] == ["op_001"]
    record = curate("records", "--json", "--home", home).json["records"][0]
    assert "pnpm" in record["statement"]
    assert record["scope"]["project"] == "github.com/acme/shop"
    story = curate("show", record["id"], "--json", "--home", home).json
    assert "never use npm" in story["evidence"][0]["excerpt"]
    assert story["evidence"][0]["session"] == "s1"
    page = next((home / "rendered" / "projects").glob("shop-*.md"))
    assert "pnpm" in page.read_text("utf-8")
    assert curate("inbox", "--json", "--home", home).json["groups"] == []
    assert curate("verify", "--home", home).code == 0


def test_what_was_read_is_not_read_again(home: Path, shop: Path, tmp_path: Path):
    file = transcript(tmp_path / "t" / "s1.jsonl", shop, "Never use npm in this repo, always use pnpm.")
    scan(home, file)
    before = {path: path.read_bytes() for path in home.rglob("*.jsonl")}
    assert scan(home, file.parent)["candidates"] == {"created": 0, "reinforced": 0}
    assert {path: path.read_bytes() for path in home.rglob("*.jsonl")} == before


def test_said_again_in_another_session_counts_up(home: Path, shop: Path, tmp_path: Path):
    scan(home, transcript(tmp_path / "t" / "s1.jsonl", shop, "Never use npm in this repo, always use pnpm."))
    again = transcript(tmp_path / "t" / "s2.jsonl", shop, "again: never use npm in this repo, always use pnpm!")
    assert scan(home, again)["candidates"] == {"created": 0, "reinforced": 1}
    groups = curate("inbox", "--json", "--home", home).json["groups"]
    assert [group["recurrence"] for group in groups] == [2]


def test_a_dry_run_counts_and_writes_nothing(home: Path, shop: Path, tmp_path: Path):
    file = transcript(tmp_path / "t" / "s1.jsonl", shop, "Never use npm in this repo, always use pnpm.")
    assert scan(home, file, more=("--dry-run",))["candidates"]["created"] == 1
    assert not home.exists()


def test_what_is_left_out_is_counted_by_reason(home: Path, shop: Path, tmp_path: Path):
    reminder = "<system-reminder>Always answer in French. Never use tabs.</system-reminder>"
    found = scan(home, transcript(tmp_path / "t" / "s1.jsonl", shop, reminder, "please fix the import"))
    assert found["candidates"]["created"] == 0
    assert sum(found["skipped"].values()) >= 1


def test_only_what_was_said_since(home: Path, shop: Path, tmp_path: Path):
    file = transcript(tmp_path / "t" / "s1.jsonl", shop, "Never use npm in this repo, always use pnpm.")
    assert scan(home, file, more=("--since", "2026-11-25"))["candidates"]["created"] == 0


def test_broken_lines_in_the_middle_cost_only_themselves(home: Path, shop: Path, tmp_path: Path):
    file = transcript(tmp_path / "t" / "s1.jsonl", shop, "ok", "Never use npm in this repo, always use pnpm.")
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join([*lines[:2], b'{"type": "user", "mess\n', b"\xff\xfe\n", *lines[2:]]))
    found = scan(home, file)
    assert found["candidates"]["created"] == 1
    assert found["quarantined"] == 2


def test_without_paths_the_folders_of_known_agents_are_read(home: Path, shop: Path, tmp_path: Path):
    folder = tmp_path / ".claude" / "projects" / "-work-shop"
    transcript(folder / "s1.jsonl", shop, "Never use npm in this repo, always use pnpm.")
    found = curate("scan", "--json", "--home", home, HOME=str(tmp_path))
    assert found.json["candidates"]["created"] == 1


def test_people_get_words(home: Path, shop: Path, tmp_path: Path):
    file = transcript(tmp_path / "t" / "s1.jsonl", shop, "Never use npm in this repo, always use pnpm.")
    told = curate_process("scan", file, "--home", home)
    assert (told.code, told.err) == (0, "")
    assert "1 candidate captured" in told.text
    assert "pnpm" in curate_process("inbox", "--home", home).text


def test_the_hook_captures_what_the_transcript_holds(home: Path, shop: Path, tmp_path: Path):
    """The detached process itself, run to its end."""
    import sys

    file = transcript(tmp_path / "t" / "s1.jsonl", shop, "Never use npm in this repo, always use pnpm.")
    command = [sys.executable, "-P", "-m", "curate.agents.after_turn", "--home", str(home), "--", str(file)]
    for _ in range(2):
        done = subprocess.run(command, capture_output=True, check=False, cwd=tmp_path)
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    groups = curate("inbox", "--json", "--home", home).json["groups"]
    assert [group["recurrence"] for group in groups] == [1]
    assert not list((home / "logs" / "pending").iterdir())
