"""What was said last holds, in whatever order it was captured, and what it replaced stays as history."""

from __future__ import annotations

from pathlib import Path

import pytest

from curate.review.inbox import inbox
from curate.review.propose import propose
from tests.curate.inboxes import NOW, Inbox
from tests.curate.shell import curate

MAY, JULY = "2026-05-12", "2026-07-03"

LANGUAGES = {
    "english": ("We use Postgres.", "We moved to MySQL."),
    "chinese": ("我们用Postgres。", "我们改用MySQL了。"),
    "german": ("Wir nutzen Postgres.", "Wir sind auf MySQL umgestiegen."),
}


def outcome(desk: Inbox) -> None:
    """MySQL holds; Postgres is superseded by it, with a link both ways and a date."""
    active = [r for r in desk.store.state.live_records() if r.data["status"] == "active"]
    gone = [r for r in desk.store.state.live_records() if r.data["status"] == "superseded"]
    assert [("MySQL" in r.data["statement"]) for r in active] == [True]
    assert [("Postgres" in r.data["statement"]) for r in gone] == [True]
    assert gone[0].data["superseded_by"] == active[0].id
    assert active[0].data["supersedes"] == [gone[0].id]
    assert gone[0].data["valid_to"]
    found = curate("--home", desk.store.root, "search", "which database: Postgres or MySQL?", "--json").json["hits"]
    assert [hit["id"] for hit in found] == [active[0].id]
    assert desk.store.verify() == []


def accept(desk: Inbox) -> None:
    """Take everything that is proposed."""
    patch = propose(desk.store.state, at=NOW)
    assert not any(op.default_selected for op in patch.ops if op.op == "supersede")
    done = desk.store.apply(patch, select=[op.op_id for op in patch.ops])
    assert all(receipt.applied for receipt in done.receipts), done.receipts


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("reverse", [False, True], ids=["in order", "in reverse"])
def test_both_wait(tmp_path: Path, language: str, reverse: bool) -> None:
    desk = Inbox(tmp_path / "store")
    said = list(zip(LANGUAGES[language], (MAY, JULY), strict=True))
    for text, day in said[::-1] if reverse else said:
        desk.say(text, on=day, session=day)
    assert {group.tab for group in inbox(desk.store.state, at=NOW)} == {"conflicts"}

    accept(desk)

    outcome(desk)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("reverse", [False, True], ids=["in order", "in reverse"])
def test_one_is_a_memory_already(tmp_path: Path, language: str, reverse: bool) -> None:
    desk = Inbox(tmp_path / "store")
    said = list(zip(LANGUAGES[language], (MAY, JULY), strict=True))
    (first, first_day), (second, second_day) = said[::-1] if reverse else said
    desk.known(first, on=first_day)
    desk.say(second, on=second_day, session=second_day)

    accept(desk)

    outcome(desk)


def test_the_old_one_said_again_later_is_a_change_back(tmp_path: Path) -> None:
    desk = Inbox(tmp_path / "store")
    record = desk.known("We moved to MySQL.", on=MAY)
    desk.say("We use Postgres.", on=JULY)

    (group,) = inbox(desk.store.state, at=NOW)
    assert (group.match.kind, group.match.record_ids) == ("supersedes", [record])


def test_rejecting_the_newer_keeps_the_older_as_it_is(tmp_path: Path) -> None:
    desk = Inbox(tmp_path / "store")
    desk.say("We use Postgres.", on=MAY)
    desk.say("We moved to MySQL.", on=JULY, session="s2")
    newer = next(g for g in inbox(desk.store.state, at=NOW) if "MySQL" in g.statement)
    desk.apply([{"op_id": "r", "op": "reject_candidate", "candidate_ids": newer.candidates}])

    (op,) = propose(desk.store.state, at=NOW).ops
    assert (op.op, op.default_selected) == ("add", True)
