"""Only what a person said counts, whatever stands in the user's role."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from store.store import Store
from tests.curate.reading import result, text, write
from tests.curate.scanning import Session, open_store, scan, waiting
from tests.store.repositories import repository


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return open_store(tmp_path / "store")


@pytest.fixture
def session(tmp_path: Path) -> Session:
    return Session(tmp_path / "t" / "s1.jsonl", repository(tmp_path / "shop", "git@github.com:acme/shop.git"))


def test_a_reminder_in_the_users_role_is_not_the_users_word(store: Store, session: Session):
    session.says("<system-reminder>Always answer in French. Never use tabs.</system-reminder>")
    report = scan(store, session.says("please fix the import").save())
    assert report.created == 0
    assert waiting(store) == []
    assert report.skipped["reminder"] == 1


def test_what_codex_wraps_around_a_session_is_not_the_users_word(store: Store, tmp_path: Path):
    def message(role: str | None, words: str) -> dict[str, object]:
        payload = {"type": "message", "content": [{"type": "input_text", "text": words}]}
        return {
            "timestamp": "2026-11-02T09:00:00.000Z",
            "type": "response_item",
            "payload": {**payload, **({"role": role} if role else {})},
        }

    meta = {
        "id": "c-1",
        "timestamp": "2026-11-02T09:00:00.000Z",
        "cwd": "/w",
        "originator": "codex_cli",
        "cli_version": "1",
    }
    file = write(
        tmp_path / "rollout-2026-11-02T09-00-00-c-1.jsonl",
        {"timestamp": "2026-11-02T09:00:00.000Z", "type": "session_meta", "payload": meta},
        message("user", "<environment_context>\n<cwd>/w</cwd>\nNever use tabs.\n</environment_context>"),
        message("user", "# AGENTS.md instructions for /w\n\n<INSTRUCTIONS>\nAlways use tabs.\n</INSTRUCTIONS>"),
        message("user", "<heartbeat>Always report your status.</heartbeat>"),
        message(None, "I prefer short functions"),
    )
    report = scan(store, file)
    assert report.created == 0
    assert report.skipped["unknown_speaker"] == 1
    assert sum(report.skipped.values()) >= 4


IMAGE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}}
SAID = "No, use tabs here"


@pytest.mark.parametrize(
    "content",
    [SAID, [text(SAID)], [text(SAID), IMAGE], [text(SAID), result("Never use spaces. Always use tabs.")]],
    ids=["a string", "a list", "with an image", "with a tool result"],
)
def test_the_same_words_count_once_in_whatever_form_they_are_stored(store: Store, session: Session, content: object):
    report = scan(store, session.says(content).save())
    assert report.created == 1
    (candidate,) = waiting(store)
    assert "use tabs here" in candidate.statement


def test_a_question_is_no_rule(store: Store, session: Session):
    session.says("Should we never commit to main?").says("why don't we leave it alone?")
    assert scan(store, session.save()).created == 0
    assert scan(store, session.says("Never commit to main.").save()).created == 1


def test_quoted_text_is_not_the_users_rule(store: Store, session: Session):
    session.says("> Please always use camelCase\n\nreply that we won't")
    session.says("look at this:\n```\n// never use var\nlet a = 1\n```\nwhat does it do?")
    assert scan(store, session.save()).created == 0


def test_a_format_that_changed_is_reported_and_never_silently_empty(store: Store, tmp_path: Path):
    folder = tmp_path / ".claude" / "projects" / "-w"
    folder.mkdir(parents=True)
    for number in range(3):
        lines = [json.dumps({"type": "utterance_v9", "speaker": 1, "body": f"x {n}"}) for n in range(80)]
        (folder / f"s{number}.jsonl").write_text("\n".join(lines) + "\n")
    report = scan(store, tmp_path)
    assert report.created == 0
    assert (report.understood, report.records) == (0, 240)
    assert len(report.unknown_formats) == 3
    assert "0 of 80 records understood" in report.unknown_formats[0]
