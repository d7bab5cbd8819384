"""Two rules that pull apart are a conflict in one project and none across projects."""

from __future__ import annotations

from pathlib import Path

from curate.review.inbox import inbox
from curate.review.propose import propose
from tests.curate.inboxes import NOW, SHOP, SITE, Inbox

SHORT, WHOLE = "Functions at most 20 lines.", "Keep long functions whole."


def test_in_two_projects_both_hold(tmp_path: Path) -> None:
    desk = Inbox(tmp_path / "store")
    desk.known(SHORT, project=SHOP)
    desk.say(WHOLE, project=SITE)

    (group,) = inbox(desk.store.state, at=NOW)
    assert (group.match.kind, group.tab) == ("new", "singles")


def test_in_one_project_both_sides_are_shown_and_contest_is_offered(tmp_path: Path) -> None:
    desk = Inbox(tmp_path / "store")
    record = desk.known(SHORT)
    desk.say(WHOLE)

    (group,) = inbox(desk.store.state, at=NOW)
    assert (group.match.kind, group.match.record_ids, group.tab) == ("conflicts", [record], "conflicts")
    assert [op.op for op in propose(desk.store.state, at=NOW).ops] == ["contest"]


def test_while_both_wait_each_names_the_other(tmp_path: Path) -> None:
    desk = Inbox(tmp_path / "store")
    desk.say(SHORT)
    desk.say(WHOLE, session="s2")

    one, other = inbox(desk.store.state, at=NOW)
    assert (one.rivals[0].group, other.rivals[0].group) == (other.id, one.id)
