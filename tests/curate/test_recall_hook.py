"""A prompt is answered in each agent's own format, by a cold process, and whatever is broken the agent never
notices.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from curate.agents.home import root_of
from curate.agents.prompt import answer
from curate.recall import journal
from curate.recall.planner import plan
from curate.recall.turn import request_for
from store.index import schema
from store.index.refresh import refreshed
from store.layout import find_root
from tests.curate.command import curate
from tests.curate.recalling import add, checkout, line

ROOT = Path(__file__).parent.parent.parent
COLD = [os.path.realpath(sys.executable), "-I", "-S", str(ROOT / "curate" / "agents" / "cold.py")]
RULES = (
    {"id": "a", "statement": "Use pnpm for installs.", "rule_type": "prefer_pattern", "confidence": 0.9},
    {"id": "b", "statement": "Deploys go through the staging gate.", "rule_type": "workflow", "confidence": 0.7},
    {"id": "c", "statement": "Never log tokens — ⚠️ ever, 漢字.", "rule_type": "avoid_pattern", "confidence": 0.95},
)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return add(tmp_path / "store", *RULES)


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return checkout(tmp_path / "shop")


def call(home: Path, *args: str, stdin: bytes, **env: str) -> tuple[bytes, float]:
    started = time.monotonic()
    done = subprocess.run(
        [*COLD, *args], input=stdin, capture_output=True, timeout=20, check=False,
        env={**os.environ, "CURATE_HOME": str(home), **env},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout, time.monotonic() - started


def event(shop: Path, prompt: str = "How do I install the dependencies here?", **more: Any) -> bytes:
    return json.dumps({"session_id": "s1", "cwd": str(shop), "prompt": prompt, **more}).encode()


@pytest.mark.parametrize(
    ("agent", "name", "path"),
    [
        ("claude-code", "UserPromptSubmit", ("hookSpecificOutput", "additionalContext")),
        ("codex", "UserPromptSubmit", ("hookSpecificOutput", "additionalContext")),
        ("gemini", "BeforeAgent", ("hookSpecificOutput", "additionalContext")),
        ("copilot", "userPromptSubmitted", ("additionalContext",)),
        ("pi", "before_agent_start", ("message", "content")),
        ("cursor", "beforeSubmitPrompt", ("additional_context",)),
    ],
)
def test_each_agent_gets_its_own_shape(agent: str, name: str, path: tuple[str, ...], home: Path, shop: Path):
    out, _ = call(home, agent, name, stdin=event(shop))
    assert out.count(b"\n") == 1
    assert out.isascii()
    value = json.loads(out)
    if "hookSpecificOutput" in value:
        assert set(value) == {"hookSpecificOutput"}
        assert value["hookSpecificOutput"]["hookEventName"] == name
    for key in path:
        value = value[key]
    assert value.startswith("# Persistent Intelligence Context\n")
    assert "✓ PREFER: [conf 0.90] Use pnpm for installs." in value
    (turn,) = journal.turns(str(home), "s1")
    assert (turn["block"], turn["agent"]) == (value, agent)


def test_copilot_is_known_when_it_runs_the_hooks_of_others(home: Path, shop: Path):
    out, _ = call(home, "claude-code", "UserPromptSubmit", stdin=event(shop), COPILOT_CLI="1")
    assert set(json.loads(out)) == {"additionalContext"}


@pytest.mark.parametrize(
    "prompt",
    ["<task-notification>\n<status>completed</status>", "Another Claude session sent a message: hi", "", 7, None],
)
def test_what_no_person_wrote_is_no_prompt(prompt: object, home: Path, shop: Path):
    out, _ = call(
        home, "claude-code", "UserPromptSubmit", stdin=json.dumps({"cwd": str(shop), "prompt": prompt}).encode()
    )
    assert out == b""
    assert not (home / "journal").exists()


def test_what_hooks_put_before_the_prompt_is_not_part_of_it(home: Path, shop: Path):
    wrapped = "<hook_context>pnpm pnpm pnpm</hook_context>\n\nsounds good"
    out, _ = call(home, "gemini", "BeforeAgent", stdin=event(shop, wrapped))
    assert out == b""
    assert journal.turns(str(home), "s1")[0]["skipped"] == "acknowledgement"


def test_silent_turns_are_in_the_journal_and_ordinals_go_on(home: Path, shop: Path):
    for prompt in ("install the dependencies", "/compact", "what time is it in Lima?"):
        call(home, "claude-code", "UserPromptSubmit", stdin=event(shop, prompt))
    turns = journal.turns(str(home), "s1")
    assert [turn["turn"] for turn in turns] == [1, 2, 3]
    assert [bool(turn["block"]) for turn in turns] == [True, False, False]
    assert turns[1]["skipped"] == "slash_command"
    assert any(stage.get("note") == "nothing matches well enough" for stage in turns[2]["traces"])
    assert b"Lima" not in journal_bytes(home)


def journal_bytes(home: Path) -> bytes:
    return b"".join(path.read_bytes() for path in (home / "journal").iterdir())


def harmed(home: Path, harm: str) -> None:
    refreshed(home).close()
    index = Path(schema.current(str(home)) or "")
    if harm == "no index":
        for path in (home / "index").iterdir():
            path.unlink()
    elif harm == "garbage":
        index.write_bytes(b"SQLite format 3\x00" + os.urandom(30_000))
    elif harm == "newer":
        db = schema.sqlite.connect(str(index), isolation_level=None)
        db.execute("UPDATE meta SET value = '999' WHERE key = 'version'")
    elif harm == "index is a file":
        for path in (home / "index").iterdir():
            path.unlink()
        (home / "index").rmdir()
        (home / "index").write_bytes(b"")
    elif harm == "journal is a file":
        (home / "journal").write_bytes(b"")
    elif harm == "newer schema":
        next((home / "memory" / "projects").iterdir()).write_bytes(b'{"schema":"9.0","id":"x","rev":1}\n')
    elif harm == "conflict":
        with next((home / "memory" / "projects").iterdir()).open("ab") as file:
            file.write(b"<<<<<<< ours\n=======\n>>>>>>> theirs\n")
    elif harm == "log is a folder":
        path = home / "memory" / "global.jsonl"
        path.mkdir()
    elif harm == "no store":
        import shutil

        shutil.rmtree(home)
    elif harm == "config":
        (home / "config.yaml").write_bytes(b"\xff\xfe: [")


MENDED = {"no index", "garbage", "newer", "config"}
"""What recall gets over by itself: the answer comes all the same."""


@pytest.mark.parametrize(
    "harm",
    [
        *sorted(MENDED),
        "index is a file",
        "journal is a file",
        "newer schema",
        "conflict",
        "log is a folder",
        "no store",
    ],
)
def test_whatever_is_broken_it_leaves_with_0_in_time_with_an_answer_or_nothing(harm: str, home: Path, shop: Path):
    harmed(home, harm)
    out, took = call(home, "claude-code", "UserPromptSubmit", stdin=event(shop))
    assert took < 3
    assert bool(out) == (harm in MENDED)
    if out:
        assert "Use pnpm" in json.loads(out)["hookSpecificOutput"]["additionalContext"]
    if harm == "no store":
        assert not home.exists()


def test_a_page_that_rots_costs_one_turn(home: Path, shop: Path):
    add(home, *({"id": f"x{n}", "statement": f"Rule {n} on installs of dependencies."} for n in range(300)))
    refreshed(home).close()
    index = Path(schema.current(str(home)) or "")
    raw = bytearray(index.read_bytes())
    for at in range(60_000, len(raw) - 8192, 8192):
        raw[at : at + 4000] = os.urandom(4000)
    index.write_bytes(raw)
    first, _ = call(home, "claude-code", "UserPromptSubmit", stdin=event(shop))
    assert first == b"" or json.loads(first)
    found = curate("search", "installs", "--json", "--home", home)
    assert (found.code, bool(found.json["hits"])) == (0, True)
    out, _ = call(home, "claude-code", "UserPromptSubmit", stdin=event(shop))
    assert b"Use pnpm" in out


def test_a_locked_index_delays_nobody(home: Path, shop: Path):
    refreshed(home).close()
    add(home, {"id": "d", "statement": "One more on installs."})
    holder = schema.sqlite.connect(schema.current(str(home)) or "", isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    _, took = call(home, "claude-code", "UserPromptSubmit", stdin=event(shop))
    holder.execute("ROLLBACK")
    assert took < 3
    out, _ = call(home, "claude-code", "UserPromptSubmit", stdin=event(shop))
    assert b"Use pnpm" in out


@pytest.mark.parametrize(
    "stdin", [b"", b"nope", b"[]", b"{" * 50_000, b'{"prompt": "install it", "cwd": "\\ud800"}', b"\xff\xfe"]
)
def test_whatever_stands_on_stdin(stdin: bytes, home: Path):
    out, took = call(home, "claude-code", "UserPromptSubmit", stdin=stdin)
    assert took < 3
    assert out == b"" or json.loads(out)


def test_a_store_written_to_in_between_is_seen_at_once(home: Path, shop: Path):
    call(home, "claude-code", "UserPromptSubmit", stdin=event(shop))
    add(
        home,
        {"id": "n", "statement": "Dependencies need a licence check.", "rule_type": "convention", "confidence": 0.99},
    )
    out, _ = call(home, "claude-code", "UserPromptSubmit", stdin=event(shop))
    assert b"licence check" in out


def test_only_the_standard_library_is_loaded_and_little_of_it(home: Path, shop: Path):
    refreshed(home).close()
    call(home, "claude-code", "UserPromptSubmit", stdin=event(shop))
    program = (
        "import sys, os; sys.path.append(sys.argv[1]); sys.argv[1:] = ['claude-code', 'UserPromptSubmit']\n"
        "import curate.agents.hook as hook\n"
        "def leave(code):\n    sys.__stdout__.write('\\n' + ' '.join(sys.modules)); sys.__stdout__.flush(); end(code)\n"
        "end, os._exit = os._exit, leave\nhook.main()\n"
    )
    done = subprocess.run(
        [COLD[0], "-I", "-S", "-c", program, str(ROOT)], input=event(shop), capture_output=True, check=True,
        env={**os.environ, "CURATE_HOME": str(home)},
    )  # fmt: skip
    answered, _, names = done.stdout.decode().rpartition("\n")
    assert json.loads(answered)
    loaded = set(names.split())
    outside = {name.partition(".")[0] for name in loaded} - set(sys.stdlib_module_names)
    assert {name for name in outside if not name.startswith("__")} == {"curate", "store"}
    assert (
        loaded
        & {
            "re",
            "json",
            "typing",
            "pathlib",
            "dataclasses",
            "sqlite3",
            "functools",
            "collections",
            "subprocess",
            "threading",
            "hashlib",
            "datetime",
        }
        == set()
    )


@pytest.mark.parametrize("layout", ["governed", "knowledge", "context"])
def test_explain_is_what_the_hook_said_on_many_turns(layout: str, home: Path, shop: Path):
    (home / "config.yaml").write_text(f"recall:\n  layout: {layout}\n")
    add(home, {"id": "d", "statement": "Disputed: install with yarn.", "status": "contested"})
    rng = random.Random(layout)
    words = (
        "install deploy the tokens shop staging gate login fix add a test pnpm lima weather ok thanks /help log".split()
    )
    root = str(home)
    db = refreshed(home)
    planned = []
    for _ in range(70):
        prompt = " ".join(rng.choices(words, k=rng.randint(1, 9)))
        today = time.strftime("%Y-%m-%d", time.gmtime())
        request = request_for(db, root, prompt, folder=str(shop), today=today, agent="claude-code", session="many")
        planned.append((prompt, json.loads(json.dumps(plan(db, request).document()))))
        answer("claude-code", {"prompt": prompt, "cwd": str(shop), "session_id": "many"}, root, None)
    for (prompt, now), sent in zip(planned, journal.turns(root, "many"), strict=True):
        assert {key: sent[key] for key in now} == now, prompt


def test_replay_shows_what_was_sent_not_what_would_be_sent_now(home: Path, shop: Path):
    call(home, "claude-code", "UserPromptSubmit", stdin=event(shop))
    before = curate("explain", "--turn", 1, "--json", "--home", home).json
    log = next((home / "memory" / "projects").iterdir())
    first = log.read_bytes().split(b"\n")[0]
    from store.line import digest

    with log.open("ab") as file:
        file.write(line({**RULES[0], "statement": "Use bun."}, rev=2, parent=digest(first)) + b"\n")
    after = curate("explain", "--turn", 1, "--json", "--home", home).json
    assert {entry["id"]: entry.pop("now", "") for entry in after["entries"]}["a"].startswith("reworded")
    assert after == before
    assert "Use pnpm" in before["block"]
    assert "Use bun" in curate("context", "--prompt", "install the dependencies", "--cwd", shop, "--home", home).text


def test_the_hook_finds_the_store_where_the_command_line_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("CURATE_HOME", raising=False)
    local = tmp_path / "work" / ".curate"
    local.mkdir(parents=True)
    inside = tmp_path / "work" / "deep" / "er"
    inside.mkdir(parents=True)
    for xdg in (None, str(tmp_path / "data")):
        monkeypatch.setenv("XDG_DATA_HOME", xdg) if xdg else monkeypatch.delenv("XDG_DATA_HOME", raising=False)
        assert root_of(None, str(inside)) == str(find_root(cwd=inside))
    (local / "config.yaml").write_text("")
    assert root_of(None, str(inside)) == str(find_root(cwd=inside)) == str(local)
    assert root_of("~/x", str(inside)) == str(find_root("~/x"))
    monkeypatch.setenv("CURATE_HOME", str(tmp_path / "named"))
    assert root_of(None, str(inside)) == str(find_root(cwd=inside))
