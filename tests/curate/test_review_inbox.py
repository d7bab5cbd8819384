"""What waits for review: grouping, tabs, visibility."""

from __future__ import annotations

from pathlib import Path

import pytest

from curate.matching.places import PREFERENCE, TURN
from curate.review.feed import Feed
from curate.review.inbox import Group, inbox
from curate.review.propose import propose
from store.model import Scope
from store.store import Store
from store.trust import weight
from tests.curate.inboxes import NOW, SHOP, SITE, TOOLS, Inbox


@pytest.fixture
def desk(tmp_path: Path) -> Inbox:
    return Inbox(tmp_path / "store")


def groups(desk: Inbox) -> list[Group]:
    return inbox(desk.store.state, at=NOW)


def only(desk: Inbox) -> Group:
    (group,) = groups(desk)
    return group


def test_a_recurrence_adds_evidence_to_the_candidate_that_waits(desk: Inbox) -> None:
    desk.say("Use pnpm, not npm.", on="2026-11-01", session="s1")
    desk.say("please use pnpm instead of npm here", on="2026-11-03", session="s2")

    group = only(desk)
    assert (group.recurrence, group.sessions, len(group.candidates)) == (2, ["s1", "s2"], 1)
    assert group.statement == "please use pnpm instead of npm here"
    assert (group.trust, group.tab) == ("repeated_user_preference", "groups")


def test_siblings_in_several_projects_are_one_group_with_their_own_candidates(desk: Inbox) -> None:
    desk.say("Use pnpm, not npm.", project=SHOP)
    desk.say("use pnpm rather than npm", project=SITE)

    group = only(desk)
    assert (group.targets, len(group.candidates), group.recurrence) == ([SHOP, SITE], 2, 2)


def test_what_is_asked_for_everywhere_is_not_one_group_with_what_a_project_has(desk: Inbox) -> None:
    desk.say("Answer in English.", project=None)
    desk.say("Answer in English.", project=SHOP)

    assert [(group.scope["type"], group.recurrence) for group in groups(desk)] == [("global", 1), ("project", 1)]


def test_a_guess_at_everywhere_joins_what_was_said_in_projects_with_one_scope_for_all(desk: Inbox) -> None:
    guessed, changed = {"project": None, "scope_reason": PREFERENCE}, {"scope_reason": f"{TURN} it"}
    desk.say("run the tests before you tell me it's done", **guessed)
    desk.say("always run the tests before you say something is finished", **changed)

    assert (only(desk).scope["type"], only(desk).targets) == ("project", [SHOP]), "one project: it is for that one"

    desk.say("u have to run the tests before u call it complete", project=SITE, **changed)
    assert (only(desk).scope, only(desk).recurrence) == ({"type": "global"}, 3)

    desk.say("run the tests before saying done", project=TOOLS, scope_reason="the words name this project")
    assert (only(desk).scope, only(desk).targets) == ({"type": "project"}, [SHOP, SITE, TOOLS])


def test_path_scopes_are_kept_apart(desk: Inbox) -> None:
    desk.say("Use SQL files.", scope=Scope(type="project", paths=["packages/api/**"]))
    desk.say("Use SQL files.", scope=Scope(type="project", paths=["packages/web/**"]))

    assert len(groups(desk)) == 2


def test_opposites_meet_in_the_conflicts_tab_and_name_each_other(desk: Inbox) -> None:
    desk.say("Add comments.", on="2026-11-01")
    desk.say("Don't add comments.", on="2026-11-02", session="s2")

    first, second = groups(desk)
    assert {first.tab, second.tab} == {"conflicts"}
    assert (first.rivals[0].group, second.rivals[0].group) == (second.id, first.id)
    assert first.confidence < 0.8


def test_opposites_in_different_projects_do_not_contradict(desk: Inbox) -> None:
    desk.say("Add comments.", project=SHOP)
    desk.say("Don't add comments.", project=SITE, session="s2")

    assert [group.tab for group in groups(desk)] == ["singles", "singles"]


def test_what_a_person_said_is_visible_at_once_and_what_was_inferred_waits_for_its_batch(desk: Inbox) -> None:
    desk.say("Use tabs.")
    for text in ("Keep modules small.", "Name tests after behaviour."):
        desk.say(text, trust="agent_inference")
    assert [group.visible for group in groups(desk)] == [True, False, False]

    desk.say("Prefer early returns.", trust="agent_inference")
    assert all(group.visible for group in groups(desk))


def test_one_inferred_thing_seen_often_enough_is_shown(desk: Inbox) -> None:
    for session in ("s1", "s2", "s3"):
        desk.say("Keep modules small.", trust="single_session_observation", session=session)

    assert only(desk).visible


@pytest.mark.parametrize(
    ("text", "fields", "why"),
    [
        ("Should we use tabs?", {}, "a question"),
        ("Thanks, that works.", {}, "thanks"),
        ("Use tabs for this run.", {"durability": "temporary"}, "meant for now only"),
        ("Use tabs.", {"intent": "none"}, "no rule"),
        ("Use tabs.", {"confidence": 0.1}, "hardly a standing rule"),
        ("Sign commits with a joke.", {"flags": ["joke"]}, "perhaps a joke"),
        ("Use tabs.", {"flags": ["one_off"]}, "meant for one task"),
        ("Use tabs.", {"durability": "doubtful"}, "doubtful, said once"),
    ],
)
def test_likely_noise_says_why(desk: Inbox, text: str, fields: dict[str, object], why: str) -> None:
    desk.say(text, **fields)

    group = only(desk)
    assert (group.tab, group.why) == ("noise", why)


@pytest.mark.parametrize("trust", ["repository_text", "generated_content", "agent_inference"])
def test_a_weak_source_is_no_reason_to_turn_it_away(desk: Inbox, trust: str) -> None:
    for text in ("Run the tests before every push.", "Keep modules small.", "Name tests after behaviour."):
        desk.say(text, trust=trust, confidence=weight(trust), poisoning_risk="high")

    assert {group.tab for group in groups(desk)} == {"singles"}
    ops = propose(desk.store.state, at=NOW).ops
    assert [(op.op, op.default_selected) for op in ops] == [("add", False)] * 3


def test_a_doubtful_thing_said_twice_is_no_noise(desk: Inbox) -> None:
    desk.say("Use tabs.", durability="doubtful", confidence=0.2)
    desk.say("use tabs please", durability="doubtful", confidence=0.2, session="s2")

    assert only(desk).tab == "groups"


def test_what_was_said_long_ago_and_found_today_is_not_stale(desk: Inbox) -> None:
    desk.say("Use tabs.", on="2025-02-01")

    assert only(desk).tab == "singles"


def test_what_has_waited_for_months_is_offered_for_turning_away(desk: Inbox) -> None:
    desk.say("Use tabs.")

    (group,) = inbox(desk.store.state, at="2027-03-01T00:00:00Z")
    assert (group.tab, group.why) == ("noise", "waiting for more than 60 days")


def test_what_was_turned_away_comes_back_only_as_such_in_whatever_words(desk: Inbox) -> None:
    desk.say("Use pnpm, not npm.")
    (candidate,) = only(desk).candidates
    desk.apply([{"op_id": "a", "op": "reject_candidate", "candidate_ids": [candidate]}])
    assert desk.say("Use pnpm, not npm", session="s2").tombstoned == 1

    desk.say("please use pnpm instead of npm", session="s3")

    group = only(desk)
    assert (group.tab, group.why) == ("noise", "rejected or deleted before")
    assert "tombstoned" in group.flags


def test_deferred_candidates_leave_the_queue_and_still_take_in_recurrences(desk: Inbox) -> None:
    desk.say("Use pnpm, not npm.")
    (candidate,) = only(desk).candidates
    desk.apply([{"op_id": "a", "op": "defer_candidate", "candidate_ids": [candidate]}])
    assert groups(desk) == []

    assert desk.say("use pnpm instead of npm", session="s2").reinforced == 1


def test_the_review_shows_inferred_things_by_the_threshold_of_the_settings(tmp_path: Path):
    Inbox(tmp_path).say("Use ruff.", trust="agent_inference")
    assert [row.hidden for row in Feed.of(Store.open(tmp_path)).rows()] == [True]
    (tmp_path / "config.yaml").write_text("review:\n  batch_threshold: 1\n")
    assert [row.hidden for row in Feed.of(Store.open(tmp_path)).rows()] == [False]


def test_a_group_for_several_projects_names_none_of_them_as_its_scope(desk: Inbox) -> None:
    desk.say("Use pnpm, not npm.", project=SHOP, scope=Scope(type="project", project=SHOP))
    assert only(desk).scope.get("project") == SHOP
    desk.say("Use pnpm, not npm.", project=SITE, session="s2", scope=Scope(type="project", project=SITE))
    assert only(desk).targets == [SHOP, SITE]
    assert only(desk).scope == {"type": "project"}
