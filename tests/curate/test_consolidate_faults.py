"""An endpoint that is down, slow or talks nonsense costs one call for each session, and loses nothing."""

from __future__ import annotations

import json
import socket
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from filelock import FileLock

from curate.capture.consolidate import http
from curate.capture.consolidate.ledger import Ledger
from curate.capture.consolidate.run import AlreadyRunning
from curate.capture.consolidate.settings import Endpoint, Limits
from tests.curate.command import curate
from tests.curate.consolidating import DOCSTRINGS, World, one_session, said, transcript
from tests.curate.model_server import Model, dripping, endless, item, items, raw, serving, silent, text

MINUTE_LATER = "2026-11-29T10:01:00.000Z"


@pytest.fixture
def model() -> Iterator[Model]:
    with serving() as model:
        yield model


@pytest.fixture
def world(tmp_path: Path, model: Model) -> World:
    return World(tmp_path / "store", model.url)


def closed_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def test_nothing_is_lost_when_the_endpoint_is_down(world, model, tmp_path):
    path = one_session(tmp_path, DOCSTRINGS)
    model.answers(items(item(DOCSTRINGS)))
    down = replace(world.endpoint, url=f"http://127.0.0.1:{closed_port()}/v1/chat/completions")
    report = world.run(path, endpoint=down)
    assert (report.sent, report.created, report.pending) == (1, 0, 1)
    assert [one.reason for one in report.failed] == ["not reachable: connection refused"]
    assert not (world.root / "inbox" / "candidates.jsonl").exists()
    # Nobody names the transcript again: the session is known to wait.
    report = world.run()
    assert (report.sent, report.created, report.pending, report.failed) == (1, 1, 0, [])


FAULTS = {
    "error": (raw(b"{}", 500), "HTTP 500"),
    "error in words": (raw(b'{"error": {"message": "overloaded\\u001b[2J"}}', 500), "HTTP 500: overloaded"),
    "refused key": (
        raw(b'{"error": {"message": "bad key sk-of-the-test-1234567890"}}', 401),
        "HTTP 401: the key is refused",
    ),
    "no such model": (raw(b"not found", 404), "HTTP 404: no such address or model"),
    "redirect": (
        raw(b"", 307, Location="http://127.0.0.1:1/v1/chat/completions"),
        "HTTP 307: redirects are not followed",
    ),
    "garbage": (raw(b"<html>welcome</html>"), "the answer is not JSON"),
    "no JSON in the words": (text("I found nothing of the kind."), "the answer is not JSON"),
    "deep": (text("[" * 100_000), "the answer is not JSON"),
    "other form": (text('{"items": "none"}'), "the answer is not of the form"),
    "a list": (text("[]"), "the answer is not of the form"),
    "no choices": (raw(b'{"choices": []}'), "the answer is not one of the openai protocol"),
    "null": (raw(b"null"), "the answer is not one of the openai protocol"),
    "empty": (text("  "), "the answer holds no text"),
    "cut off": (text('{"items": [', cut=True), "the answer was cut off"),
    "huge": (text("x" * 300_000), "the answer is longer than 256 KB"),
    "endless": (endless, "the answer is longer than 256 KB"),
    "compressed": (raw(b"\x1f\x8b", Content_Encoding="gzip"), "the answer is compressed"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_told_and_the_session_waits(name, world, model, tmp_path):
    reply, reason = FAULTS[name]
    world.key = "sk-of-the-test-1234567890"
    model.answers(reply)
    report = world.run(one_session(tmp_path, DOCSTRINGS))
    (failed,) = report.failed
    assert failed.reason.startswith(reason)
    assert world.key not in failed.reason
    assert (report.sent, len(model.received), report.pending, report.created) == (1, 1, 1, 0)
    assert DOCSTRINGS not in (world.root / "consolidation.jsonl").read_text()
    model.answers(items(item(DOCSTRINGS)))
    world.at = MINUTE_LATER
    assert world.run().created == 1


@pytest.mark.parametrize("slow", [silent, dripping])
def test_the_limit_is_on_the_whole_time(slow, world, model, tmp_path):
    world.limits = Limits(timeout=0.3)
    model.answers(slow)
    began = time.monotonic()
    report = world.run(one_session(tmp_path, DOCSTRINGS))
    assert time.monotonic() - began < 5
    assert [one.reason for one in report.failed] in (["no whole answer within 0.3 s"], ["no answer within 0.3 s"])
    assert report.pending == 1


def test_a_run_stops_asking_an_endpoint_that_is_down(world, model, tmp_path):
    for number in range(1, 6):
        one_session(tmp_path, f"{DOCSTRINGS} ({number})", session=f"s{number}", day=20 + number)
    model.answers(raw(b"{}", 500))
    report = world.run(tmp_path)
    assert (report.sessions, report.sent, len(model.received), report.pending) == (5, 2, 2, 5)
    assert report.resting_until == MINUTE_LATER
    # A run meanwhile asks nobody; one that is told to, does, and the rest grows.
    assert (world.run(tmp_path).sent, len(model.received)) == (0, 2)
    report = world.run(tmp_path, now_please=True)
    assert (report.sent, report.resting_until) == (2, "2026-11-29T10:02:00.000Z")
    # Those that failed come after those that were not tried.
    world.at = "2026-11-29T10:02:00.000Z"
    model.answers(*[items(item(DOCSTRINGS))] * 20)
    assert (world.run(tmp_path).sent, world.run(tmp_path).sent) == (5, 0)
    asked = [received.messages[0]["text"][-2] for received in model.received]
    assert asked == ["5", "4", "3", "2", "1", "5", "4", "3", "2"]


def test_the_rest_is_for_one_endpoint_and_never_longer_than_six_hours(world, model, tmp_path):
    path = one_session(tmp_path, DOCSTRINGS)
    model.answers(raw(b"{}", 500))
    for _ in range(12):
        report = world.run(path, now_please=True)
    assert report.resting_until == "2026-11-29T16:00:00.000Z"
    world.model = "another"
    assert world.run(path).sent == 1


def test_a_busy_endpoint_says_for_how_long(world, model, tmp_path):
    model.answers(raw(b"{}", 429, Retry_After="600"))
    report = world.run(one_session(tmp_path, DOCSTRINGS))
    assert report.resting_until == "2026-11-29T10:10:00.000Z"


def test_a_session_with_three_useless_answers_is_set_aside_until_it_has_something_new(world, model, tmp_path):
    path = one_session(tmp_path, DOCSTRINGS)
    model.answers(text("no"))
    for _ in range(3):
        assert world.run(path).sent == 1
    report = world.run(path)
    assert (report.sent, report.pending, len(report.set_aside)) == (0, 0, 1)
    model.answers(items(item(DOCSTRINGS)))
    one_session(tmp_path, DOCSTRINGS, "thanks, that looks right")
    assert world.run(path).created == 1


def test_a_session_that_was_set_aside_is_shown_to_another_model(world, model, tmp_path):
    path = one_session(tmp_path, DOCSTRINGS)
    model.answers(text("no"))
    for _ in range(3):
        world.run(path)
    world.model = "better"
    model.answers(items(item(DOCSTRINGS)))
    assert world.run(path).created == 1


def test_sessions_beyond_the_limit_wait(world, model, tmp_path):
    for number in range(1, 4):
        one_session(tmp_path, f"{DOCSTRINGS} ({number})", session=f"s{number}")
    model.answers(items())
    assert (world.run(tmp_path, limit=2).pending, world.run().sent) == (1, 1)


def test_an_interruption_between_capture_and_ledger_adds_nothing_twice(world, model, tmp_path, monkeypatch):
    path = one_session(tmp_path, DOCSTRINGS)
    model.answers(items(item(DOCSTRINGS)))
    answered = Ledger.answered

    def cut_off(ledger, sessions, at):
        if given := list(sessions):
            raise KeyboardInterrupt
        answered(ledger, given, at)

    with monkeypatch.context() as patched:
        patched.setattr(Ledger, "answered", cut_off)
        with pytest.raises(KeyboardInterrupt):
            world.run(path)
    before = (world.root / "inbox" / "candidates.jsonl").read_bytes()
    report = world.run(path)
    assert (report.sent, report.created, report.reinforced, report.known) == (1, 0, 0, 1)
    assert world.run(path).sent == 0
    assert (world.root / "inbox" / "candidates.jsonl").read_bytes() == before


def test_a_torn_or_foreign_ledger_is_read_as_far_as_it_goes(world, model, tmp_path):
    path = one_session(tmp_path, DOCSTRINGS)
    model.answers(items(item(DOCSTRINGS)))
    world.run(path)
    ledger = world.root / "consolidation.jsonl"
    ledger.write_bytes(b'\xff\n[]\n{"kind": "waits"}\n' + ledger.read_bytes() + b'{"kind": "wai')
    assert world.run(path).sent == 0
    world.run(one_session(tmp_path, f"{DOCSTRINGS}!", session="s2"))
    assert world.run(tmp_path).sent == 0


def test_the_ledger_does_not_grow_without_end(world, model, tmp_path):
    path = one_session(tmp_path, DOCSTRINGS)
    model.answers(raw(b"{}", 500))
    world.run(path)
    ledger = world.root / "consolidation.jsonl"
    ledger.write_bytes(ledger.read_bytes() * 300)
    world.run(path, now_please=True)
    assert len(ledger.read_bytes().splitlines()) < 10
    model.answers(items(item(DOCSTRINGS)))
    assert world.run(path, now_please=True).created == 1


def test_two_runs_at_once_do_not_ask_twice(world, tmp_path):
    store = world.store
    with FileLock(store.root / "consolidation.lock"), pytest.raises(AlreadyRunning):
        world.run(one_session(tmp_path, DOCSTRINGS))


def test_a_proxy_of_the_environment_is_not_used(model, tmp_path):
    model.answers(items(item(DOCSTRINGS)))
    home = tmp_path / "store"
    home.mkdir()
    (home / "config.yaml").write_text(
        f"consolidate: {{enabled: true, kind: openai, url: '{model.url}', model: m, timeout_s: 20}}\n"
    )
    with serving() as proxy:
        proxy.answers(raw(b"{}", 500))
        names = ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy", "HTTPS_PROXY", "https_proxy")
        env = dict.fromkeys(names, proxy.url) | {"NO_PROXY": "", "no_proxy": ""}
        path = one_session(tmp_path, DOCSTRINGS)
        done = curate("consolidate", path, "--home", home, "--json", **env)
        assert (done.code, done.json["candidates"]["created"]) == (0, 1), done.err
        assert (len(model.received), proxy.received) == (1, [])


def test_a_name_that_cannot_be_found_and_words_that_are_no_http(tmp_path):
    with pytest.raises(http.NoAnswer, match="not reachable"):
        http.post("http://curate-test.invalid/v1/messages", b"{}", {}, timeout=20)
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        pytest.raises(http.NoAnswer, match=r"no safe connection|within"),
    ):
        http.post(f"https://127.0.0.1:{server.getsockname()[1]}/v1/messages", b"{}", {}, timeout=0.3)


COMMANDS = {
    "not there": (["/no/such/agent"], "/no/such/agent cannot be started: no such file or directory"),
    "fails": ([sys.executable, "-c", "import sys; sys.stdin.read(); sys.exit(3)"], "left with exit code 3"),
    "does not read": ([sys.executable, "-c", "print('no')"], "the answer is not JSON"),
    "never ends": (
        [sys.executable, "-c", "import threading; threading.Event().wait(60)"],
        "no whole answer within 1 s",
    ),
    "talks on": (
        [sys.executable, "-c", "import sys\nwhile True: sys.stdout.write('x' * 9999)"],
        "the answer is longer than 256 KB",
    ),
    "leaves a child behind": (
        ["/bin/sh", "-c", f"{sys.executable} -c 'import threading; threading.Event().wait(60)' &"],
        "no whole answer within 1 s",
    ),
}


@pytest.mark.skipif(sys.platform == "win32", reason="commands of Unix")
@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_that_fails_is_stopped_and_the_session_waits(name, world, tmp_path):
    command, reason = COMMANDS[name]
    endpoint = Endpoint("command", Limits(timeout=1), command=tuple(command))
    began = time.monotonic()
    report = world.run(one_session(tmp_path, DOCSTRINGS * 50), endpoint=endpoint)
    assert time.monotonic() - began < 20
    assert [reason in one.reason for one in report.failed] == [True], report.failed
    assert report.pending == 1


def test_what_failed_is_told_and_the_call_itself_is_no_failure(model, tmp_path):
    home = tmp_path / "store"
    home.mkdir()
    model.answers(raw(b"{}", 500))
    (home / "config.yaml").write_text(
        f"consolidate: {{enabled: true, kind: anthropic, url: '{model.url}/v1/', model: m}}\n"
    )
    path = transcript(tmp_path / "t.jsonl", said(DOCSTRINGS, session="s\x1b[1m1"))
    done = curate("consolidate", path, "--home", home, "--json")
    assert done.code == 0
    assert model.received[0].path == "/v1/messages"
    told = {name: done.json[name] for name in ("sessions", "sent", "candidates", "refused", "failed", "pending")}
    assert told == {
        "sessions": 1,
        "sent": 1,
        "candidates": {"created": 0, "reinforced": 0},
        "refused": [],
        "failed": [{"session": "s1", "reason": "HTTP 500"}],
        "pending": 1,
    }
    assert "s1 failed: HTTP 500" in done.err
    assert "--now asks at once" in done.err
    assert json.loads((home / "consolidation.jsonl").read_text().splitlines()[0])["schema"] == "1.0"
