"""What leaves is what the person wrote, masked and bounded, and nothing beside it; seen from the receiving end."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from curate.capture.consolidate.session import CONTEXT_LIMIT, MESSAGE_LIMIT, context_of
from curate.capture.consolidate.settings import Limits
from tests.curate.command import curate
from tests.curate.consolidating import DOCSTRINGS, World, agent, one_session, said, transcript
from tests.curate.model_server import Model, item, items, serving

AWS = "AKIAIOSFODNN7EXAMPLQ"
GITHUB = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
PASSWORD = "correct-Horse7battery"
PEM = "-----BEGIN RSA PRIVATE KEY-----\n" + "MIIEpAIBAAKCAQEA75" * 30 + "\n-----END RSA PRIVATE KEY-----"
PRIVATE = "my surgery is on monday"


@pytest.fixture
def model() -> Iterator[Model]:
    with serving() as model:
        model.answers(items())
        yield model


@pytest.fixture
def world(tmp_path: Path, model: Model) -> World:
    return World(tmp_path / "store", model.url)


def files(root: Path) -> bytes:
    return b"".join(path.read_bytes() for path in root.rglob("*") if path.is_file())


@pytest.mark.parametrize("kind", ["openai", "anthropic"])
def test_no_secret_is_in_the_bytes_of_a_request_or_on_disk(kind, world, model, tmp_path):
    world.kind, world.key = kind, "endpoint-key-4711-abcdef"
    path = transcript(
        tmp_path / "t.jsonl",
        agent(f"I used {GITHUB} to push. Fine?"),
        said(f"no. the password is {PASSWORD} and our key {AWS}. {DOCSTRINGS}"),
        said(f"{PEM} and <private>{PRIVATE}</private> too, also {world.key}", time="2026-11-20T10:01:00Z"),
        said("x " * (MESSAGE_LIMIT // 2 - 12) + f"token: {GITHUB}", time="2026-11-20T10:02:00Z"),
    )
    model.answers(items(item(f"Docstrings everywhere, the password is {PASSWORD}", DOCSTRINGS)))
    assert world.run(path).created == 1
    (received,) = model.received
    assert DOCSTRINGS.encode() in received.raw
    assert b"[masked password]" in received.raw
    secrets = [AWS, GITHUB, PASSWORD, "MIIEpAIBAAKCAQEA75", PRIVATE, world.key]
    assert [one for one in secrets if one.encode() in received.raw] == []
    assert [one for one in [*secrets, GITHUB[:12]] if one.encode() in files(world.root)] == []
    assert GITHUB[:12].encode() not in received.raw, "not even half of one, where a message was cut"


def test_only_what_the_person_wrote_is_sent(world, model, tmp_path):
    path = transcript(
        tmp_path / "t.jsonl",
        {"role": "tool", "text": "TOOL OUTPUT", "session": "s1"},
        {"role": "system", "text": "SYSTEM PROMPT", "session": "s1"},
        agent("The agent explains at length. " * 100),
        said(
            f"<system-reminder>REMINDER</system-reminder>{DOCSTRINGS}, like this:\n```\nFENCED\n```\n> QUOTED MAIL\n"
            "Thanks a lot, and here is what I did so far with the importer and the exporter, so that you know it all, "
            "before you begin with the next part of it",
            cwd="/home/alice/secret-project",
            branch="SECRET-BRANCH",
        ),
        said("/clear", time="2026-11-20T10:01:00Z"),
    )
    world.run(path)
    (received,) = model.received
    (message,) = received.messages
    assert set(message) == {"text"}, "a long message speaks for itself"
    assert message["text"].startswith(f"{DOCSTRINGS}, like this:\n[…]\n")
    for word in (
        "TOOL",
        "SYSTEM PROMPT",
        "REMINDER",
        "FENCED",
        "QUOTED",
        "secret-project",
        "SECRET-BRANCH",
        "s1",
        "/clear",
    ):
        assert word.encode() not in received.raw, word
    assert str(tmp_path).encode() not in received.raw


def test_a_short_answer_goes_with_the_end_of_what_it_answers(world, model, tmp_path):
    path = transcript(
        tmp_path / "t.jsonl",
        agent("Before that. " * 40 + "Shall I squash the commits?"),
        said("never squash, we bisect"),
    )
    world.run(path)
    ((message,),) = [received.messages for received in model.received]
    assert message["text"] == "never squash, we bisect"
    assert message["agent_before"].endswith("Shall I squash the commits?")
    assert len(message["agent_before"]) <= CONTEXT_LIMIT


def test_the_rest_of_a_key_that_was_cut_is_no_context():
    assert context_of("MIIEpAIBAAKCAQEA75MIIEpAIBAAKCAQEA75MIIEpAIBAAKCAQEA75\nShall I go on?") == "[…] Shall I go on?"


def test_a_call_is_bounded_and_the_rest_of_the_session_has_its_turn_later(world, model, tmp_path):
    world.limits = Limits(timeout=20, max_chars=2500)
    texts = [f"{number} " + "words of a long message " * 100 for number in range(3)]
    path = one_session(tmp_path, *texts)
    pending = [world.run(path).pending for _ in range(4)]
    assert pending == [1, 1, 0, 0]
    assert [received.messages[0]["text"][0] for received in model.received] == ["0", "1", "2"]
    for received in model.received:
        (message,) = received.messages
        assert len(message["text"]) <= MESSAGE_LIMIT
        assert len(received.raw) < 2500 + 3000


def test_many_messages_make_no_longer_call(world, model, tmp_path):
    world.run(one_session(tmp_path, *(f"message {number} " + "x y " * 100 for number in range(59))))
    assert sum(len(one["text"]) for one in model.received[0].messages) <= 12_000


def test_a_session_of_a_few_letters_is_not_worth_a_call(world, model, tmp_path):
    report = world.run(one_session(tmp_path, "ok", "go on"))
    assert (report.sent, report.pending, model.received) == (0, 0, [])


def test_a_rehearsal_shows_what_would_be_sent_and_sends_and_writes_nothing(model, tmp_path):
    home = tmp_path / "store"
    path = one_session(tmp_path, f"{DOCSTRINGS}. The password is {PASSWORD}\x1b[2J")
    shown = curate("consolidate", path, "--home", home, "--dry-run")
    assert shown.code == 0
    assert f"  {DOCSTRINGS}. The password is [masked password]" in shown.text
    assert "\x1b" not in shown.text
    home.mkdir()
    settings = f"consolidate: {{enabled: true, kind: openai, url: '{model.url}', model: m}}\n"
    (home / "config.yaml").write_text(settings)
    told = curate("consolidate", path, "--home", home, "--dry-run", "--json").json
    assert (told["dry_run"], told["sessions"], told["sent"], told["pending"]) == (True, 1, 0, 1)
    (session,) = told["would_send"]
    assert (session["session"], session["messages"]) == ("s1", 1)
    assert PASSWORD not in json.dumps(told)
    assert model.received == []
    assert [one.name for one in home.iterdir()] == ["config.yaml"]
    # And then exactly that is sent.
    assert curate("consolidate", path, "--home", home).code == 0
    assert model.received[0].messages == session["text"]
