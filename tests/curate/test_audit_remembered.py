"""Contradictions are looked for only where something has changed, and what was found before is the same as anew."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from curate.review import remembered
from curate.review.contested import cases
from tests.curate.inboxes import SHOP, Inbox

AT = "2026-11-29T12:00:00.000Z"
WEB = "github.com/acme/web"


@pytest.fixture
def inbox(tmp_path: Path) -> Inbox:
    """Two places, each with rules that contradict each other."""
    inbox = Inbox(tmp_path / "store")
    for project in (SHOP, WEB):
        inbox.known("Use tabs for indentation.", project=project)
        inbox.known("Never use tabs for indentation.", project=project)
        inbox.known("Run the linter before a push.", project=project)
    return inbox


def asked(inbox: Inbox, monkeypatch: pytest.MonkeyPatch) -> int:
    """How many places are compared by an audit, whose answer has to be that of one that remembers nothing."""
    seen = []
    real = remembered.clashing
    monkeypatch.setattr(remembered, "clashing", lambda held: (seen.append(1), real(held))[1])
    inbox.store.refresh()
    found = remembered.cases_in(inbox.store, AT)
    assert found == cases(inbox.store.state, AT)
    monkeypatch.undo()
    return len(seen)


def test_only_where_something_has_changed(inbox: Inbox, monkeypatch: pytest.MonkeyPatch):
    assert asked(inbox, monkeypatch) == 2
    assert asked(inbox, monkeypatch) == 0
    inbox.known("Keep functions short.", project=WEB)
    assert asked(inbox, monkeypatch) == 1
    assert asked(inbox, monkeypatch) == 0


def test_the_file_holds_no_words_and_may_be_anything(inbox: Inbox, monkeypatch: pytest.MonkeyPatch):
    asked(inbox, monkeypatch)
    path = inbox.store.root / remembered.FILE
    whole = path.read_bytes()
    assert b"tabs" not in whole
    document = json.loads(whole)
    for spoilt in (b"", b"[]", b"{}", whole[:-20], b'{"version": 1, "places": []}', b"\xff\xfe",
                   json.dumps({**document, "version": "of other rules"}).encode(),
                   json.dumps({**document, "places": {"x": [1]}}).encode()):  # fmt: skip
        path.write_bytes(spoilt)
        assert asked(inbox, monkeypatch) == 2, spoilt
        assert path.read_bytes() == whole


def test_many_are_announced(inbox: Inbox, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(remembered, "MANY", 3)
    told: list[int] = []
    remembered.cases_in(inbox.store, AT, told.append)
    remembered.cases_in(inbox.store, AT, told.append)
    assert told == [6]


def test_a_folder_that_takes_nothing_costs_only_the_memory(inbox: Inbox, monkeypatch: pytest.MonkeyPatch):
    (inbox.store.root / "index").write_text("in the way")
    assert asked(inbox, monkeypatch) == 2
    assert asked(inbox, monkeypatch) == 2
