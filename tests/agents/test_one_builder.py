"""However many sessions begin at once, one process builds the index; the others say nothing or what was known, and none
of that silences the hook.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from curate.agents import breaker
from curate.agents.after_turn import DRAFT, FOLDER, LEFT, PENDING, adopt_left, leave_note
from curate.agents.install.command import Hook
from curate.recall import journal
from curate.recall.silence import NO_INDEX, SKIPPED, silence
from store.errors import CurateError
from store.index import builder, schema
from store.index.refresh import refreshed
from tests.curate.recalling import add, checkout

RULE = {"id": "mem_subjects", "statement": "Commit subjects are in the imperative.", "layer": "L2",
        "rule_type": "convention", "confidence": 0.95}  # fmt: skip
HOOK = [*Hook(os.path.abspath(sys.executable)).words("claude-code"), "UserPromptSubmit"]


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return add(tmp_path / "store", RULE)


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return checkout(tmp_path / "shop")


def begun(store: Path, shop: Path, session: str) -> subprocess.Popen[bytes]:
    """A hook that has its prompt."""
    payload: dict[str, Any] = {"session_id": session, "cwd": str(shop), "prompt": "Add a script and commit it."}
    env = {**os.environ, "CURATE_HOME": str(store)}
    process = subprocess.Popen(HOOK, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env)
    assert process.stdin is not None
    process.stdin.write(json.dumps(payload).encode())
    process.stdin.close()
    process.stdin = None
    return process


def printed(process: subprocess.Popen[bytes]) -> bytes:
    out, errors = process.communicate(timeout=20)
    assert (process.returncode, errors) == (0, b"")
    return out


def test_sessions_that_begin_at_once_without_an_index_are_answered_or_silent_and_none_has_failed(
    store: Path, shop: Path
):
    add(store, *({"id": f"mem_{n}", "statement": f"Module {n} of the shop is small and typed."} for n in range(300)))
    answers = [printed(each) for each in [begun(store, shop, f"s{n}") for n in range(6)]]
    assert any(answers)
    assert all(RULE["statement"] in json.loads(each)["hookSpecificOutput"]["additionalContext"]
               for each in answers if each)  # fmt: skip
    assert breaker.failures(str(store)) == []
    left = [path.name for path in (store / "index").iterdir() if path.name.startswith("recall-")]
    assert left == [Path(schema.current(str(store)) or "").name]


def test_while_another_builds_nothing_is_said_and_that_is_no_failure(store: Path, shop: Path):
    with builder.only_builder(str(store), schema.RECORDS, wait=0, gives_up=True):
        assert not builder.another_builds(str(store))  # it is this process
        assert printed(begun(store, shop, "s")) == b""
        assert schema.current(str(store)) is None
    (turn,) = journal.turns(str(store), "s")
    assert (turn["turn"], turn["block"], silence(turn)) == (1, "", SKIPPED[NO_INDEX])
    assert "another process is building the index" in (store / FOLDER / "hook.log").read_text("utf-8")
    assert breaker.failures(str(store)) == []
    assert RULE["statement"].encode() in printed(begun(store, shop, "s"))


def test_where_building_took_too_long_it_is_left_to_a_process_of_its_own(store: Path, shop: Path):
    breaker.failed(str(store), breaker.DEADLINE)
    assert printed(begun(store, shop, "s")) == b""
    assert len(breaker.failures(str(store))) == 1  # nothing has worked yet
    until = time.monotonic() + 20
    while schema.current(str(store)) is None and time.monotonic() < until:
        time.sleep(0.05)
    assert RULE["statement"].encode() in printed(begun(store, shop, "s"))
    assert breaker.failures(str(store)) == []


def test_a_builder_that_dies_or_fails_takes_its_lock_with_it(store: Path):
    root = str(store)
    program = (
        "import sys, os; from store.index import builder, schema\n"
        "with builder.only_builder(sys.argv[1], schema.RECORDS, wait=0, gives_up=True):\n"
        "    print(builder.another_builds(sys.argv[1]), flush=True); sys.stdin.read(); os._exit(9)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program, root], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"False\n"
        assert builder.another_builds(root)
        with pytest.raises(builder.BeingBuilt):
            refreshed(store, wait=0.05, hurried=True)
        process.kill()
    assert not builder.another_builds(root)
    (store / "memory" / "global.jsonl").write_bytes(b"<<<<<<< ours\n")
    with pytest.raises(CurateError):
        refreshed(store, hurried=True)
    assert not builder.another_builds(root)


def test_a_note_that_a_killed_capture_was_leaving_is_read_if_it_is_whole_and_else_removed(tmp_path: Path):
    transcript = tmp_path / "a.jsonl"
    leave_note(tmp_path, transcript)
    folder = tmp_path / FOLDER / PENDING
    (note,) = folder.iterdir()
    note.rename(folder / f"{note.name}.17{DRAFT}")
    half = folder / f"0123456789abcdef.18{DRAFT}"
    half.write_bytes(os.fsencode(transcript)[:4])
    young = folder / f"0123456789abcdef.19{DRAFT}"
    young.write_bytes(b"")
    now = time.time()
    os.utime(young, (now + LEFT, now + LEFT))
    adopt_left(tmp_path, now + 2 * LEFT - 1)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == {
        note.name: os.fsencode(transcript), young.name: b"",
    }  # fmt: skip
