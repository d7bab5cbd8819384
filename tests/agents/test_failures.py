"""Whatever breaks under the hook, the agent does not notice: it leaves with 0, in time, with an answer or nothing; and
what was said is captured once, as soon as that can be done.

Every call is the very line that `curate install` writes, run by a shell as agents run it.
"""

from __future__ import annotations

import compileall
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock

from curate.agents.after_turn import PENDING, capture, leave_note, take_turns
from curate.agents.doctor.store_checks import LATE, store_checks
from curate.agents.install.command import Hook
from curate.logfile import FOLDER
from curate.recall import journal
from store.index import schema
from store.index.refresh import refreshed
from store.layout import LOCK
from tests.curate.recalling import add, checkout
from tests.curate.scanning import Session, open_store, waiting

ROOT = Path(__file__).resolve().parents[2]
DEADLINE = 3.0
"""Seconds: two, and what a loaded machine adds."""
RULE = {"id": "mem_subjects", "statement": "Commit subjects are in the imperative.", "layer": "L2",
        "rule_type": "convention", "confidence": 0.95}  # fmt: skip
SAID = "From now on always use pnpm in this repo, never npm."
HOOK = Hook(os.path.abspath(sys.executable))


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    """A limit on the size of files cuts off compiled files, too, and every later start from here would end there."""
    for package in ("curate", "store"):
        compileall.compile_dir(ROOT / package, quiet=2)


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return add(tmp_path / "the store", RULE)


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return checkout(tmp_path / "the shop")


def fire(event: str, payload: dict[str, Any], store: Path, hook: Hook = HOOK, limit: int | None = None) -> bytes:
    """The agent calls the hook; gives what it printed."""

    def full() -> None:
        if limit is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))

    surroundings = {key: value for key, value in os.environ.items() if not key.startswith(("CURATE_", "XDG_"))}
    began = time.monotonic()
    done = subprocess.run(
        ["sh", "-c", hook.line("claude-code", event)], input=json.dumps(payload).encode(), capture_output=True,
        env={**surroundings, "CURATE_HOME": str(store)}, timeout=20, check=False, preexec_fn=full,
    )  # fmt: skip
    assert time.monotonic() - began < DEADLINE
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout


def prompt(cwd: Path, session: str = "s1") -> dict[str, Any]:
    return {"session_id": session, "cwd": str(cwd), "prompt": "Now add a script that installs the dependencies."}


def block(printed: bytes) -> str:
    return str(json.loads(printed)["hookSpecificOutput"]["additionalContext"])


def works(store: Path, cwd: Path) -> bool:
    return RULE["statement"] in block(fire("UserPromptSubmit", prompt(cwd), store))


def ended(transcript: Path, cwd: Path) -> dict[str, Any]:
    return {"session_id": transcript.stem, "cwd": str(cwd), "transcript_path": str(transcript)}


def settled(store: Path, count: int) -> list[tuple[str, list[str]]]:
    """What waits for review, once the captures that run apart are done: text, and the projects it is for."""
    until = time.monotonic() + 30
    notes = store / FOLDER / PENDING
    while time.monotonic() < until:
        if notes.is_dir() and all(path.suffix == ".draft" for path in notes.iterdir()):
            found = waiting(open_store(store))
            if len(found) >= count:
                return sorted((each.statement, list(each.targets)) for each in found)
        time.sleep(0.05)
    raise AssertionError([str(path) for path in store.rglob("*")])


def capturing(store: Path, transcript: Path, **more: Any) -> subprocess.Popen[bytes]:
    """The capture as the hook starts it."""
    words = [sys.executable, "-P", "-X", "utf8", "-m", "curate.agents.after_turn", "--home", store, "--", transcript]
    return subprocess.Popen(words, stderr=subprocess.PIPE, **more)


def another_turn_ends(store: Path, transcript: Path) -> None:
    """A capture of another transcript, in this process."""
    leave_note(store, transcript)
    take_turns(store, lambda path: capture(store, path))


def health(store: Path, now: float) -> dict[str, str]:
    """What `curate doctor` finds of the store, by what it looks at."""
    return {check.name: check.status for check in store_checks(store, now)}


def test_a_hook_that_is_killed_says_nothing_and_stops_nobody(store: Path, shop: Path, tmp_path: Path):
    killed = tmp_path / "python"
    killed.write_text("#!/bin/sh\nkill -9 $$\n")
    killed.chmod(0o755)
    for python in (str(killed), str(tmp_path / "gone")):
        for event in ("UserPromptSubmit", "Stop"):
            assert fire(event, prompt(shop), store, Hook(python)) == b""
    assert fire("UserPromptSubmit", prompt(shop), store, Hook(sys.executable, str(tmp_path / "gone.py"))) == b""


def test_a_hook_killed_anywhere_leaves_a_store_that_answers(store: Path, shop: Path):
    refreshed(store).close()
    whole = 0
    for delay in (0.01, 0.02, 0.03, 0.04, 0.05, 0.07, 0.1):
        with subprocess.Popen(
            [*HOOK.words("claude-code"), "UserPromptSubmit"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            env={**os.environ, "CURATE_HOME": str(store)},
        ) as process:  # fmt: skip
            assert process.stdin is not None
            process.stdin.write(json.dumps(prompt(shop)).encode())
            process.stdin.flush()
            time.sleep(delay)
            process.kill()
            assert process.stdout is not None
            printed = process.stdout.read()
        whole += bool(printed)
        assert printed == b"" or block(printed)  # a document or nothing, never half of one
    assert works(store, shop)
    turns = [turn["turn"] for turn in journal.turns(str(store), "s1")]
    assert turns == list(range(1, len(turns) + 1))
    assert len(turns) > whole


def test_what_a_killed_capture_was_reading_is_captured_once_when_the_next_turn_ends(store: Path, shop: Path):
    transcript = Session(shop / "a.jsonl", shop).says(SAID, wrote=(shop / "x.ts",)).save()
    other = Session(shop / "b.jsonl", shop).says("Thanks, that will do.").save()
    for delay in (0.2, 0.4, 0.6):
        with capturing(store, transcript) as process:
            time.sleep(delay)
            process.send_signal(signal.SIGKILL)
    another_turn_ends(store, other)
    ((text, targets),) = settled(store, 1)
    assert ("pnpm" in text, targets) == (True, ["github.com/acme/shop"])
    another_turn_ends(store, transcript)
    (candidate,) = waiting(open_store(store))
    assert len(candidate.evidence) == 1


def test_a_store_that_is_deleted_is_missed_by_nobody_and_made_again_by_the_next_capture(store: Path, shop: Path):
    assert works(store, shop)
    shutil.rmtree(store)
    assert fire("UserPromptSubmit", prompt(shop), store) == b""
    assert not store.exists()
    transcript = Session(shop / "a.jsonl", shop).says(SAID, wrote=(shop / "x.ts",)).save()
    assert fire("Stop", ended(transcript, shop), store) == b""
    assert len(settled(store, 1)) == 1


@pytest.mark.parametrize("limit", [0, 200, 5_000])
def test_a_full_disk_costs_the_answer_at_most(limit: int, store: Path, shop: Path):
    printed = fire("UserPromptSubmit", prompt(shop), store, limit=limit)
    assert printed == b"" or block(printed)
    turns = journal.turns(str(store), "s1")
    assert len(turns) == bool(printed)  # nothing is said that the journal does not have
    assert works(store, shop)
    assert [turn["turn"] for turn in journal.turns(str(store), "s1")] == list(range(1, len(turns) + 2))


def test_what_a_full_disk_refused_is_captured_once_there_is_room(store: Path, shop: Path):
    transcript = Session(shop / "a.jsonl", shop).says(SAID, wrote=(shop / "x.ts",)).save()

    def full() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (300, resource.RLIM_INFINITY))

    with capturing(store, transcript, preexec_fn=full) as process:
        assert process.wait(30) == 0
    assert waiting(open_store(store)) == []
    other = Session(shop / "b.jsonl", shop).says("Thanks, that will do.").save()
    another_turn_ends(store, other)
    assert len(settled(store, 1)) == 1


def test_broken_settings_cost_no_answer_and_what_was_said_waits_for_their_mending(store: Path, shop: Path):
    (store / "config.yaml").write_text("recall: [\n")
    transcript = Session(shop / "a.jsonl", shop).says(SAID, wrote=(shop / "x.ts",)).save()
    assert works(store, shop)
    another_turn_ends(store, transcript)
    assert "config.yaml" in (store / FOLDER / "hook.log").read_text("utf-8")
    assert {"captures": "problem", "log": "note"}.items() <= health(store, time.time() + LATE + 1).items()
    (store / "config.yaml").unlink()
    other = Session(shop / "b.jsonl", shop).says("Thanks, that will do.").save()
    another_turn_ends(store, other)
    assert len(settled(store, 1)) == 1
    assert health(store, time.time() + LATE + 1)["captures"] == "ok"


def test_a_locked_index_and_a_locked_store_delay_nobody(store: Path, shop: Path):
    refreshed(store).close()
    add(store, {"id": "mem_more", "statement": "Scripts live in tools/."})
    transcript = Session(shop / "a.jsonl", shop).says(SAID, wrote=(shop / "x.ts",)).save()
    holder = schema.sqlite.connect(schema.current(str(store)) or "", isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    with FileLock(store / LOCK):
        printed = fire("UserPromptSubmit", prompt(shop), store)
        assert printed == b"" or block(printed)
        assert fire("Stop", ended(transcript, shop), store) == b""
    holder.execute("ROLLBACK")
    holder.close()
    assert len(settled(store, 1)) == 1
    assert works(store, shop)
