"""Bad input costs nothing: one line on stderr that says what and how to mend it, nothing on stdout, the right code."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from curate.cli.app import COMMANDS
from tests.curate.command import curate, curate_process


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "store"


def add(op_id: str = "op_001", statement: str = "Use pnpm.", **rest: object) -> dict[str, object]:
    record = {"statement": statement, "scope": {"type": "project", "project": "github.com/acme/shop"}}
    return {"op_id": op_id, "op": "add", "record": record, **rest}


def patch(*ops: dict[str, object]) -> bytes:
    return json.dumps({"ops": ops}).encode()


def test_an_unknown_command_and_an_unknown_option():
    assert curate_process("frobnicate").fails(2, "frobnicate", "curate --help")
    assert curate("records", "--frob").fails(2, "--frob", "curate records --help")
    assert curate("show").fails(2, "ID", "curate show --help")
    assert curate("history", "--limit", "0").fails(2, "--limit")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_that_is_listed_is_there(name: str):
    done = curate(name, "--help")
    assert (done.code, done.err) == (0, "")
    assert done.text.startswith(f"Usage: curate {name} ")


def test_the_review_without_a_terminal(home: Path):
    assert curate_process("--home", home).fails(2, "terminal", "curate review --text")
    assert not home.exists()


def test_a_home_that_is_a_file(tmp_path: Path):
    file = tmp_path / "file"
    file.write_text("mine")
    for args in (["records"], ["init"], ["scan", str(tmp_path)], ["verify"], ["inbox"], ["apply", "-"]):
        assert curate_process("--home", file, *args, stdin=patch(add())).fails(3, str(file), "--home")
    assert curate("records", "--home", file / "below").fails(3, str(file))
    assert curate("records", CURATE_HOME=str(file)).fails(3, str(file))
    assert file.read_text() == "mine"


def test_a_store_of_a_newer_version(home: Path):
    assert curate("init", "--home", home).code == 0
    curate("apply", "-", "--home", home, "--select", "op_001", stdin=patch(add()))
    line = {"schema": "2.0", "id": "mem_1", "rev": 1, "op": "add", "at": "2030-01-01T00:00:00Z"}
    file = next((home / "memory" / "projects").glob("*.jsonl"))
    with file.open("a") as log:
        log.write(json.dumps(line, separators=(",", ":")) + "\n")
    before = file.read_bytes()
    for args in (["records"], ["inbox"], ["history"], ["undo"], ["apply", "-"]):
        assert curate(*args, "--home", home, stdin=patch(add())).fails(3, file.name, "2.0", "upgrade")
    assert file.read_bytes() == before


def test_a_store_that_may_not_be_written(home: Path):
    """A folder where the lock should be: refused by the system for everybody, root included."""
    assert curate("init", "--home", home).code == 0
    (home / "store.lock").unlink(missing_ok=True)
    (home / "store.lock").mkdir()
    assert curate("apply", "-", "--home", home, stdin=patch(add())).fails(3, "store.lock")
    assert curate("records", "--home", home).code == 0


KINDS = [
    "empty",
    "cut",
    "list",
    "no-ops",
    "deep",
    "binary",
    "unknown-op",
    "no-op_id",
    "op_id-twice",
    "no-such-record",
    "no-target",
    "no-statement",
]


@pytest.mark.parametrize(
    ("document", "words"),
    [
        (b"", ["not JSON"]),
        (b"{", ["not JSON"]),
        (b"[]", ["object"]),
        (b"{}", ["ops"]),
        (b"[" * 100_000, ["not JSON"]),
        (b"\x89PNG\r\n\x1a\n\x00\xff", ["UTF-8"]),
        (patch({"op_id": "op_1", "op": "frobnicate"}), ["op_1", "frobnicate"]),
        (patch({"op": "add"}), ["op_id"]),
        (patch(add(), add()), ["op_001", "two ops"]),
        (patch({"op_id": "op_1", "op": "deprecate", "target_id": "mem_nobody"}), ["mem_nobody"]),
        (patch({"op_id": "op_1", "op": "deprecate"}), ["op_1", "target_id"]),
        (patch(add(statement="")), ["op_001"]),
    ],
    ids=KINDS,
)
def test_a_patch_that_cannot_be_used(home: Path, document: bytes, words: list[str]):
    done = curate("apply", "-", "--home", home, "--select", "op_1" if b"op_1" in document else "op_001", stdin=document)
    assert done.code == 2
    assert done.is_one_line(*words)
    assert not list(home.glob("memory/**/*.jsonl"))
    assert not list(home.glob("patches/*.jsonl"))


def test_selecting_an_op_twice_or_one_that_is_not_there(home: Path):
    for select in (["--select", "op_001,op_001"], ["--select", "op_001", "--select", "op_001"]):
        assert curate("apply", "-", "--home", home, *select, stdin=patch(add())).fails(2, "op_001", "once")
    assert curate("apply", "-", "--home", home, "--select", "op_009", stdin=patch(add())).fails(2, "op_009", "op_001")


def test_a_patch_file_that_is_not_there_or_a_folder(home: Path, tmp_path: Path):
    assert curate("apply", tmp_path / "gone.json", "--home", home).fails(2, "gone.json", "no such file")
    assert curate("apply", tmp_path, "--home", home).fails(2, "folder")


def test_an_id_that_nobody_has(home: Path):
    assert curate("show", "mem_nobody", "--home", home).fails(2, "mem_nobody")
    assert curate("undo", "pat_nobody", "--home", home).fails(2, "pat_nobody", "curate history")
    assert curate("undo", "--home", home).fails(2, "patch")
    assert not home.exists()


def test_a_path_that_is_not_there(home: Path, tmp_path: Path):
    assert curate("scan", tmp_path / "gone", "--home", home).fails(2, "gone", "no such file")
    assert not home.exists()


def test_a_moment_that_cannot_be_understood(home: Path, tmp_path: Path):
    assert curate("scan", tmp_path, "--since", "soon", "--home", home).fails(2, "soon", "2026-11-01", "7d")


def test_a_folder_without_transcripts(home: Path, tmp_path: Path):
    (tmp_path / "empty" / "deep").mkdir(parents=True)
    (tmp_path / "empty" / "notes.txt").write_text("never use npm")
    assert curate("scan", tmp_path / "empty", "--home", home).fails(2, str(tmp_path / "empty"), "transcript")


def test_a_binary_file(home: Path, tmp_path: Path):
    binary = tmp_path / "picture.jsonl"
    binary.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 100)
    assert curate("scan", binary, "--home", home).fails(2, "picture.jsonl")
    assert curate("scan", binary, "--agent", "claude-code", "--home", home).fails(2, "picture.jsonl", "binary")


def test_a_transcript_of_an_agent_that_nobody_knows(home: Path, tmp_path: Path):
    (tmp_path / "t.jsonl").write_text("{}\n")
    assert curate("scan", tmp_path, "--agent", "hal9000", "--home", home).fails(2, "hal9000", "claude-code")


def test_a_reader_that_leaves_early_is_no_fault(home: Path):
    import subprocess
    import sys

    stdin = b'{"id": 1, "text": "Never use npm."}\n' * 2000
    with subprocess.Popen(
        [sys.executable, "-m", "curate", "classify"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        process.stdout.close()
        assert process.stdin is not None
        try:
            process.stdin.write(stdin)
            process.stdin.close()
        except BrokenPipeError:
            pass
        assert process.stderr is not None
        assert process.stderr.read() == b""
        assert process.wait(timeout=60) == 0
