"""The hook never hurts the agent: nothing on stdout, exit 0, soon, whatever comes; a turn's end starts a capture."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from curate.agents.after_turn import leave_note, take_turns
from curate.agents.hook import arguments, parse, plain, read_stdin, transcript_of
from curate.cli.main import hook_arguments

HOOK = [sys.executable, "-m", "curate.agents.hook"]


def call(*args: str, stdin: bytes = b"", env: dict[str, str] | None = None, cwd: Path | None = None):
    started = time.monotonic()
    done = subprocess.run(
        [*HOOK, *args],
        input=stdin,
        capture_output=True,
        env={**os.environ, **(env or {})},
        cwd=cwd,
        timeout=30,
        check=False,
    )
    return done, time.monotonic() - started


@pytest.mark.parametrize(
    "stdin",
    [
        b"",
        b"not json",
        b"[1, 2, 3]",
        b"null",
        b"{" * 100_000,
        b"\xff\xfe\x00garbage",
        b'{"transcript_path": 7}',
        b'{"transcript_path": "/nowhere/at all.jsonl"}',
        b'{"transcript_path": "a\\u0000b"}',
        b'{"transcript_path": "\\ud800"}',
        b'{"transcript_path": "/nowhere.jsonl", "cwd": "/nowhere"}' + b" " * 1000 + b"trailing",
    ],
)
def test_whatever_stands_on_stdin_it_says_nothing_and_leaves_with_0(stdin: bytes, tmp_path: Path):
    done, _ = call("claude-code", "Stop", "--home", str(tmp_path / "store"), stdin=stdin)
    assert (done.returncode, done.stdout) == (0, b"")
    assert not (tmp_path / "store").exists()


@pytest.mark.parametrize("args", [[], ["claude-code"], ["--home"], ["-h"], ["a", "b", "c", "--what"], ["", ""]])
def test_whatever_the_arguments_it_leaves_with_0(args: list[str]):
    done, _ = call(*args)
    assert (done.returncode, done.stdout) == (0, b"")


def test_a_closed_stdin_is_no_fault():
    done = subprocess.run(
        ["sh", "-c", f'exec "{sys.executable}" -m curate.agents.hook claude-code Stop <&-'],
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, b"")


def test_a_stdin_that_is_never_closed_costs_less_than_two_seconds():
    with subprocess.Popen([*HOOK, "claude-code", "Stop"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        started = time.monotonic()
        assert process.wait(timeout=10) == 0
        assert time.monotonic() - started < 3.0  # two seconds, and what a loaded machine adds
        assert process.stdout is not None
        assert process.stdout.read() == b""


def test_a_stdin_without_end_is_read_to_its_limit_only():
    done = subprocess.run(
        ["sh", "-c", f'yes "{{" | "{sys.executable}" -m curate.agents.hook claude-code Stop'],
        capture_output=True,
        timeout=20,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, b"")


def test_only_the_standard_library_is_loaded(tmp_path: Path):
    transcript = tmp_path / "session.jsonl"
    transcript.write_text("")
    program = (
        "import sys; sys.argv[1:] = ['claude-code', 'Stop', '--home', sys.argv[1]]\n"
        "import os, curate.agents.hook as hook\n"
        "def leave(code):\n"
        "    outside = {name.partition('.')[0] for name in sys.modules} - set(sys.stdlib_module_names)\n"
        "    outside = {name for name in outside if not name.startswith(('_', 'sitecustomize', 'usercustomize'))}\n"
        "    sys.__stdout__.write(' '.join(sorted(outside))); sys.__stdout__.flush(); end(code)\n"
        "end, os._exit = os._exit, leave\n"
        "hook.main()\n"
    )
    event = json.dumps({"transcript_path": str(transcript)}).encode()
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "store")],
        input=event,
        capture_output=True,
        text=False,
        check=True,
    )
    assert done.stdout.decode().split() == ["curate"]


def test_a_stray_print_does_not_reach_the_agent(tmp_path: Path):
    (tmp_path / "sitecustomize.py").write_text(
        "import curate.recall.plainjson as plainjson\n"
        "def shout(text):\n    print('stray')\n    raise RuntimeError('inside')\n"
        "plainjson.loads = shout\n"
    )
    home = tmp_path / "store"
    done, _ = call("claude-code", "Stop", "--home", str(home), stdin=b"{}", env={"PYTHONPATH": str(tmp_path)})
    assert (done.returncode, done.stdout) == (0, b"")
    assert b"stray" in done.stderr
    log = (home / "logs" / "hook.log").read_text()
    assert "RuntimeError at" in log
    assert "inside" not in log


@pytest.mark.parametrize("event", ["Stop", "stop", "agentStop", "AfterAgent", "SessionEnd", "session_end", "agent_end"])
def test_the_end_of_a_turn_starts_a_capture_of_the_transcript(event: str, tmp_path: Path, recorder: Path):
    transcript = tmp_path / "päth 日本.jsonl"
    transcript.write_text("{}\n")
    payload = json.dumps({"transcript_path": str(transcript), "cwd": str(tmp_path)}, ensure_ascii=False)
    done, _ = call("claude-code", event, "--home", str(tmp_path / "store"), stdin=payload.encode(), env=spy(recorder))
    assert (done.returncode, done.stdout) == (0, b"")
    assert started(recorder) == [["--home", str(tmp_path / "store"), "--", str(transcript)]]


@pytest.mark.parametrize("event", ["UserPromptSubmit", "PreToolUse", "PostToolUse", "SessionStart", "Notification"])
def test_other_events_start_nothing(event: str, tmp_path: Path, recorder: Path):
    transcript = tmp_path / "t.jsonl"
    transcript.write_text("{}\n")
    payload = json.dumps({"transcript_path": str(transcript)})
    call("claude-code", event, stdin=payload.encode(), env=spy(recorder))
    assert started(recorder) == []


@pytest.mark.parametrize(
    "env",
    [
        {"PYTHONUTF8": "0", "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0"},
        {"PYTHONUTF8": "0", "PYTHONIOENCODING": "cp1252"},
        {"PYTHONUTF8": "0", "PYTHONIOENCODING": "cp932"},
    ],
)
def test_the_code_page_has_no_say_in_the_path(env: dict[str, str], tmp_path: Path, recorder: Path):
    transcript = tmp_path / '漢字" 🎉 \\.jsonl'
    transcript.write_text("{}\n")
    payload = json.dumps({"transcript_path": str(transcript), "note": '漢"\\'}, ensure_ascii=False)
    done, _ = call("claude-code", "Stop", stdin=payload.encode(), env={**spy(recorder), **env})
    assert (done.returncode, done.stdout) == (0, b"")
    assert started(recorder) == [["--", str(transcript)]]


def test_the_event_may_stand_in_the_payload_only(tmp_path: Path, recorder: Path):
    transcript = tmp_path / "t.jsonl"
    transcript.write_text("{}\n")
    payload = {"transcript_path": str(transcript), "hook_event_name": "Stop"}
    call("claude-code", stdin=json.dumps(payload).encode(), env=spy(recorder))
    assert started(recorder) == [["--", str(transcript)]]


@pytest.fixture
def recorder(tmp_path: Path) -> Path:
    """A folder where each process that the hook starts leaves its arguments instead of running."""
    folder = tmp_path / "spy"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(
        "import subprocess, json, os\n"
        "class Spy:\n"
        "    def __init__(self, command, **rest):\n"
        "        words = [os.fsencode(word).decode('utf-8') for word in command]\n"
        f"        path = os.path.join({str(folder)!r}, str(len(os.listdir({str(folder)!r}))) + '.json')\n"
        "        assert rest['stdout'] == rest['stdin'] == subprocess.DEVNULL and rest['start_new_session']\n"
        "        words = words[words.index('curate.agents.after_turn') + 1:]\n"
        "        open(path, 'w', encoding='utf-8').write(json.dumps(words))\n"
        "subprocess.Popen = Spy\n"
    )
    return folder


def spy(folder: Path) -> dict[str, str]:
    return {"PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}


def started(folder: Path) -> list[list[str]]:
    return [json.loads(path.read_text("utf-8")) for path in sorted(folder.glob("*.json"))]


def test_names_of_events_are_compared_without_case_and_punctuation():
    assert {plain("agent_end"), plain("AgentEnd"), plain("agentEnd"), plain("agent-end")} == {"agentend"}


def test_home_is_found_wherever_it_stands():
    assert arguments(["--home", "x", "claude-code", "Stop"]) == ("claude-code", "Stop", "x")
    assert arguments(["claude-code", "--home=x", "Stop"]) == ("claude-code", "Stop", "x")
    assert arguments(["claude-code"]) == ("claude-code", "", None)


def test_the_command_line_knows_a_hook_call_before_it_loads():
    assert hook_arguments(["hook", "pi", "agent_end"]) == ["pi", "agent_end"]
    assert hook_arguments(["--home", "x", "hook", "pi"]) == ["--home", "x", "pi"]
    assert hook_arguments(["--home=x", "hook"]) == ["--home=x"]
    assert hook_arguments(["scan", "hook"]) is None
    assert hook_arguments(["hook", "--help"]) is None


def test_a_whole_object_is_enough_though_the_pipe_stays_open():
    reading, writing = os.pipe()
    try:
        os.write(writing, b'{"cwd": "/x"}\n')
        started_at = time.monotonic()
        assert parse(read_stdin(reading, started_at + 20)) == {"cwd": "/x"}
        assert time.monotonic() - started_at < 10
    finally:
        os.close(writing)
        os.close(reading)


def test_the_first_transcript_that_is_there_is_taken(tmp_path: Path):
    there = tmp_path / "there.jsonl"
    there.write_text("")
    found = transcript_of({"transcript_path": str(tmp_path / "gone"), "transcriptPath": str(there)})
    assert found is not None
    assert os.fsdecode(found) == str(there)
    assert transcript_of({"transcript_path": str(tmp_path)}) is None


def test_the_log_of_copilot_is_found_where_the_event_does_not_name_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    log = tmp_path / "session-state" / "7c1f-aa01" / "events.jsonl"
    log.parent.mkdir(parents=True)
    log.write_text("")
    monkeypatch.setenv("COPILOT_HOME", str(tmp_path))
    assert transcript_of({"sessionId": "7c1f-aa01", "reason": "complete"}) == os.fsencode(log)
    assert transcript_of({"sessionId": "../7c1f-aa01"}) is None
    assert transcript_of({"sessionId": "another"}) is None


def test_each_note_is_read_once_and_one_left_meanwhile_is_read_too(tmp_path: Path):
    first, second = tmp_path / "a", tmp_path / "b"
    read: list[Path] = []

    def reading(path: Path) -> None:
        read.append(path)
        if len(read) == 1:
            leave_note(tmp_path, second)
            take_turns(tmp_path, read.append)  # the turn is taken: it leaves at once

    leave_note(tmp_path, first)
    leave_note(tmp_path, first)
    take_turns(tmp_path, reading)
    assert read == [first, second]
    take_turns(tmp_path, reading)
    assert read == [first, second]
