"""Which candidate a capture repeats, with an index that follows the state."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from curate.matching.recurrence import find
from store.model import Scope
from tests.curate.inboxes import SHOP, SITE, Inbox


@pytest.fixture
def desk(tmp_path: Path) -> Inbox:
    return Inbox(tmp_path / "store")


def test_another_wording_reinforces_and_another_thing_does_not(desk: Inbox) -> None:
    desk.say("Run the linter before you commit.")

    assert desk.say("before committing, run the linter", session="s2").reinforced == 1
    assert desk.say("run the linter before you push", session="s2").created == 1
    assert desk.say("don't run the linter before committing", session="s2").created == 1


@pytest.mark.parametrize(
    "fields",
    [
        {"project": SITE},
        {"project": None},
        {"scope": Scope(type="project", paths=["api/**"])},
        {"profile": "private"},
        {"targets": []},
        {"targets": [SHOP, SITE]},
        {"scope": Scope(type="domain", domains=["python"]), "targets": []},
    ],
)
def test_only_within_one_place(desk: Inbox, fields: dict[str, object]) -> None:
    desk.say("Use tabs.")

    assert desk.say("use tabs please", session="s2", **fields).created == 1
    assert desk.say("please use tabs", session="s3", **fields).reinforced == 1


def test_the_order_of_targets_does_not_matter(desk: Inbox) -> None:
    desk.say("Use tabs.", targets=[SHOP, SITE])

    assert desk.say("use tabs", session="s2", targets=[SITE, SHOP]).reinforced == 1


def test_a_decided_candidate_takes_in_nothing_more(desk: Inbox) -> None:
    desk.known("Use tabs.")

    assert desk.say("use tabs please", session="s2").created == 1


def test_an_index_of_another_state_is_not_used(tmp_path: Path) -> None:
    one, other = Inbox(tmp_path / "one"), Inbox(tmp_path / "other")
    one.say("Use tabs.")
    other.say("Use spaces.")
    (candidate,) = other.store.state.candidates

    assert find(one.store.state.candidate("cand_0001"), other.store.state) is None
    assert find(other.store.state.candidate(candidate), other.store.state) == candidate


def test_another_process_added_it(tmp_path: Path) -> None:
    one = Inbox(tmp_path / "store")
    one.say("Use tabs.")
    from store.store import Store

    reader = Store.open(tmp_path / "store")
    assert find(one.store.state.candidate("cand_0001"), reader.state) == "cand_0001"
    one.say("Use pytest.", session="s2")
    reader.refresh()

    assert find(one.store.state.candidate("cand_0002"), reader.state) == "cand_0002"


def test_asking_stays_cheap_as_the_inbox_grows(desk: Inbox) -> None:
    def seconds(rounds: range) -> float:
        started = time.perf_counter()
        for number in rounds:
            find(desk.store.state.candidate(f"cand_{number % 40 + 1:04}"), desk.store.state)
        return time.perf_counter() - started

    for number in range(40):
        desk.say(f"Keep module{number} free of module{number + 1}.")
    seconds(range(200))
    few = seconds(range(2000))
    for number in range(40, 200):
        desk.say(f"Keep module{number} free of module{number + 1}.")
    seconds(range(200))

    assert seconds(range(2000)) < few * 3 + 0.05
