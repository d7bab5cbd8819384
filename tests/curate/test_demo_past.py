"""The demo begins with a past, made by the product itself: memories, a dispute, a vault, and turns in the journal."""

from __future__ import annotations

from pathlib import Path

import pytest

from curate.capture.capture import scan
from curate.demo.build import Demo, make
from curate.demo.past import remember, tell
from curate.recall import journal
from curate.recall.silence import silence
from curate.recall.since import fate
from curate.review.contested import cases
from curate.upkeep.maintain import maintain
from curate.upkeep.turns import sent
from curate.vault.folder import Vault
from curate.vault.survey import survey
from store.store import Store

AT = "2026-11-29T18:00:00.000Z"


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> tuple[Demo, Store]:
    demo = make(tmp_path_factory.mktemp("demo"))
    remember(demo)
    before = Store.open(demo.home)
    assert not list(before.state.waiting()), "the past leaves nothing to decide on"
    scan(before, [demo.transcripts])
    tell(demo)
    return demo, Store.open(demo.home)


def test_the_store_is_in_order_and_each_memory_rests_on_what_was_said(lived: tuple[Demo, Store]):
    _, store = lived
    assert store.verify() == []
    assert len(store.state.records) == 6
    assert all(store.state.spoken(one.data) for one in store.state.records.values())


def test_what_was_told_is_what_the_planner_says_and_not_all_of_it_holds_still(lived: tuple[Demo, Store]):
    demo, store = lived
    turns = [turn for name in journal.sessions(str(demo.home)) for turn in journal.turns(str(demo.home), name)]
    assert len(turns) >= 10
    assert {silence(turn) for turn in turns if not turn["block"]} >= {"nothing matches well enough"}
    fates = {fate(store.state, entry["id"], entry["rev"]).word for turn in turns for entry in turn["entries"]}
    assert {"", "reworded", "contested"} <= fates
    assert all(turn["at"] >= "2026-11-16" for turn in turns)


def test_there_is_something_to_see_on_every_page(lived: tuple[Demo, Store]):
    demo, store = lived
    vault = Vault.at(store.config.get("vault.path"), env={})
    found = survey(store.state, vault, AT)
    assert [len(found.of(kind)) for kind in ("ripe", "lost", "linked")] == [1, 1, 1]
    assert [broken.path for broken in found.broken] == ["Concepts/Rate Limits.md"]
    (dispute,) = cases(store.state, AT)
    assert (dispute.kind, dispute.overdue) == ("contested", True)
    kinds = {finding.kind for finding in maintain(store.state, sent(demo.home), at=AT).findings}
    assert {"overdue", "promote"} <= kinds


def test_the_past_says_nothing_of_the_place_where_it_was_made(lived: tuple[Demo, Store], tmp_path: Path):
    demo, store = lived
    assert all("path:" not in str(one.data["scope"]) for one in store.state.records.values())
    assert not (demo.home / "reports").exists()
