"""A case in which a rule does not hold becomes its exception; what denies the exception contests it."""

from __future__ import annotations

from pathlib import Path

from curate.review.inbox import inbox
from curate.review.propose import propose
from tests.curate.inboxes import NOW, Inbox

VARIANTS = """
Ban `as const`.
ban as const
No `as const`.
never use `as const`
don't use `as const`
`as const` is forbidden
`as const` is not allowed
avoid `as const`
stop using `as const`
no `as const` assertions
please don't use as const
`as const` is banned
no more `as const`
as const is off limits
do not use `as const`, ever
""".strip().splitlines()


def test_an_exception_comes_first_and_its_denials_contest(tmp_path: Path) -> None:
    desk = Inbox(tmp_path / "store")
    record = desk.known("No `as` casts.")
    desk.say("`as const` is fine", on="2026-11-20")

    (group,) = inbox(desk.store.state, at=NOW)
    assert (group.match.kind, group.match.record_ids) == ("updates", [record])
    patch = propose(desk.store.state, at=NOW)
    assert [(op.op, op.target_id) for op in patch.ops] == [("add_exception", record)]
    desk.store.apply(patch, select=["op_001"])
    assert desk.store.state.records[record].data["known_exceptions"] == ["`as const` is fine"]

    assert len(VARIANTS) == 15
    for number, text in enumerate(VARIANTS):
        desk.say(text, on="2026-11-21", session=f"v{number}")

    (group,) = inbox(desk.store.state, at=NOW)
    assert (group.recurrence, group.match.kind, group.match.record_ids) == (15, "conflicts", [record])
    (op,) = propose(desk.store.state, at=NOW).ops
    assert (op.op, op.target_id, op.default_selected) == ("contest", record, False)


def test_exception_and_denial_that_both_wait_are_shown_as_a_conflict(tmp_path: Path) -> None:
    desk = Inbox(tmp_path / "store")
    desk.known("No `as` casts.")
    desk.say("`as const` is fine")
    desk.say("ban `as const`", session="s2")

    assert [group.tab for group in inbox(desk.store.state, at=NOW)] == ["conflicts", "conflicts"]
