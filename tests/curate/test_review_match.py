"""How candidates stand to what is known, and what is proposed for them."""

from __future__ import annotations

from pathlib import Path

import pytest

from curate.review.inbox import Group, inbox
from curate.review.propose import propose
from store.model import Patch
from tests.curate.inboxes import NOW, SHOP, SITE, Inbox


@pytest.fixture
def desk(tmp_path: Path) -> Inbox:
    return Inbox(tmp_path / "store")


def only(desk: Inbox) -> Group:
    (group,) = inbox(desk.store.state, at=NOW)
    return group


def patch(desk: Inbox) -> Patch:
    return propose(desk.store.state, at=NOW)


def test_nothing_like_it_is_known(desk: Inbox) -> None:
    desk.known("Use pytest for tests.")
    desk.say("Answer in English.")

    assert (only(desk).match.kind, only(desk).match.record_ids) == ("new", [])
    (op,) = patch(desk).ops
    assert (op.op, op.targets, op.default_selected, op.risk) == ("add", [SHOP], True, "low")


def test_said_again_it_strengthens_the_record(desk: Inbox) -> None:
    record = desk.known("Use pnpm, not npm.")
    desk.say("please use pnpm rather than npm")

    assert (only(desk).match.kind, only(desk).match.record_ids) == ("strengthens", [record])
    (op,) = patch(desk).ops
    assert (op.op, op.target_id) == ("update", record)
    before = len(desk.store.state.records[record].data["evidence"])
    desk.store.apply(patch(desk))
    after = desk.store.state.records[record].data
    assert (len(after["evidence"]), after["statement"]) == (before + 1, "Use pnpm, not npm.")


def test_what_holds_everywhere_is_a_duplicate_in_a_project(desk: Inbox) -> None:
    record = desk.known("Answer in English.", project=None)
    desk.say("please reply in English", project=SHOP)

    assert (only(desk).match.kind, only(desk).match.record_ids) == ("duplicate", [record])


def test_a_later_choice_supersedes_the_earlier_one(desk: Inbox) -> None:
    record = desk.known("Use Jest.", on="2026-05-01")
    desk.say("Use Vitest.", on="2026-07-01")

    assert (only(desk).match.kind, only(desk).match.record_ids) == ("supersedes", [record])
    (op,) = patch(desk).ops
    assert (op.op, op.target_id, op.default_selected) == ("supersede", record, False)
    assert "2026-07-01 after 2026-05-01" in (op.reason or "")


def test_an_opposite_without_a_word_of_change_is_a_conflict_and_contest_is_offered(desk: Inbox) -> None:
    record = desk.known("Add comments.")
    desk.say("Don't add comments.")

    assert (only(desk).match.kind, only(desk).tab) == ("conflicts", "conflicts")
    (op,) = patch(desk).ops
    assert (op.op, op.target_id, op.default_selected) == ("contest", record, False)


def test_an_older_opposite_becomes_history_of_the_newer_record(desk: Inbox) -> None:
    record = desk.known("Use Vitest.", on="2026-07-01")
    desk.say("Use Jest.", on="2026-05-01")

    added, superseded = patch(desk).ops
    assert (added.op, superseded.op, superseded.updates) == ("add", "supersede", {"by": record})
    assert not added.default_selected
    assert not superseded.default_selected


def test_a_contradiction_of_what_holds_everywhere_asks_for_a_record_of_the_project(desk: Inbox) -> None:
    desk.known("Use tabs.", project=None)
    desk.say("Use spaces.", project=SHOP)

    assert only(desk).match.kind == "conflicts"
    (op,) = patch(desk).ops
    assert (op.op, op.targets, op.default_selected) == ("add", [SHOP], False)


def test_records_of_other_projects_do_not_count(desk: Inbox) -> None:
    desk.known("Use tabs.", project=SITE)
    desk.say("Use spaces.", project=SHOP)

    assert only(desk).match.kind == "new"


def test_a_narrower_or_wider_form_is_ambiguous_and_never_preselected(desk: Inbox) -> None:
    record = desk.known("Keep the README short.")
    desk.say("Keep the README and the docs short.")

    assert (only(desk).match.kind, only(desk).match.record_ids) == ("ambiguous", [record])
    (op,) = patch(desk).ops
    assert (op.op, op.default_selected) == ("add", False)


def test_an_exception_in_so_many_words_is_added_to_the_record(desk: Inbox) -> None:
    record = desk.known("Run all tests before committing.")
    desk.say("Run all tests before committing, except the slow ones.")

    assert only(desk).match.kind == "updates"
    (op,) = patch(desk).ops
    assert (op.op, op.target_id) == ("add_exception", record)


def test_a_group_known_in_one_of_its_projects_strengthens_there_and_is_added_elsewhere(desk: Inbox) -> None:
    record = desk.known("Use pnpm, not npm.", project=SHOP)
    desk.say("use pnpm instead of npm", project=SHOP)
    desk.say("use pnpm instead of npm", project=SITE, session="s2")

    assert [(op.op, op.target_id, op.targets) for op in patch(desk).ops] == [
        ("update", record, []), ("add", None, [SITE]),
    ]  # fmt: skip


def test_an_unassigned_candidate_is_proposed_but_not_preselected(desk: Inbox) -> None:
    desk.say("Use tabs.", targets=[])

    (op,) = patch(desk).ops
    assert (op.op, op.default_selected, op.reason) == ("add", False, "no project could be told; choose one")


def test_global_things_are_never_preselected(desk: Inbox) -> None:
    desk.say("Answer in English.", project=None)

    (op,) = patch(desk).ops
    assert (op.op, op.targets, op.default_selected) == ("add", [], False)


def test_noise_is_proposed_for_rejection_with_its_reason(desk: Inbox) -> None:
    desk.say("Should we use tabs?")

    (op,) = patch(desk).ops
    assert (op.op, op.reason, op.default_selected) == ("reject_candidate", "a question", True)


def test_hidden_groups_are_left_to_wait(desk: Inbox) -> None:
    desk.say("Keep modules small.", trust="agent_inference")

    assert patch(desk).ops == []


def test_an_edited_record_is_matched_by_its_new_words(desk: Inbox) -> None:
    record = desk.known("Use tabs.")
    desk.say("Use pnpm, not npm.")
    assert only(desk).match.kind == "new"

    desk.apply([{"op_id": "u", "op": "update", "target_id": record, "updates": {"statement": "Use pnpm over npm."}}])
    assert only(desk).match.kind == "strengthens"


def test_a_whole_proposal_can_be_applied(desk: Inbox) -> None:
    desk.known("Use Jest.", on="2026-05-01")
    desk.known("Add comments.")
    for number, text in enumerate(
        ("Use Vitest.", "Don't add comments.", "Answer in English.", "Use tabs.", "Use spaces.", "Should we use Go?")
    ):
        desk.say(text, on=f"2026-11-2{number}", session=f"s{number}")
    made = patch(desk)

    done = desk.store.apply(made, select=[op.op_id for op in made.ops])

    assert [(receipt.op, receipt.reason) for receipt in done.receipts if not receipt.applied] == []
    assert desk.store.verify() == []
    assert inbox(desk.store.state, at=NOW) == []
