"""With `auto_apply`, what is low in risk applies itself after a capture, says so in the history, can be taken back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from curate.review.by_itself import apply_by_itself, made_by
from curate.review.life import life
from store.log.disk import Disk
from store.model import Op, Patch, Scope
from tests.curate.inboxes import SHOP, Inbox


@pytest.fixture
def desk(tmp_path: Path) -> Inbox:
    desk = Inbox(tmp_path / "store")
    desk.store.config.set("auto_apply", True, Disk())
    return desk


def statements(desk: Inbox) -> list[str]:
    return [one.data["statement"] for one in desk.store.state.live_records()]


def test_it_is_off_by_default(tmp_path: Path):
    desk = Inbox(tmp_path / "store")
    assert "auto_apply: false" in (tmp_path / "store" / "config.yaml").read_text("utf-8")
    assert apply_by_itself(desk.store, desk.say("Use bun here.").ids) is None
    assert statements(desk) == []


def test_a_rule_for_a_project_in_a_persons_words_applies_itself_and_says_so(desk: Inbox):
    done = apply_by_itself(desk.store, desk.say("Use bun here.").ids)
    (ident,) = made_by(done)
    record = desk.store.state.records[ident]
    assert (record.data["statement"], record.data["scope"]["project"]) == ("Use bun here.", SHOP)
    (entry,) = desk.store.history()
    assert (entry["automatic"], entry["generated_by"]) == ("auto_apply", "curator")
    assert entry["summary"] == "applied by itself under auto_apply: 1 rule"
    (moment,) = life(desk.store.state, record, desk.store.patches_of(ident))
    assert moment.who == "by itself, under auto_apply"
    assert desk.store.verify() == []


def test_what_was_taken_back_waits_for_a_person_however_often_it_is_said(desk: Inbox):
    done = apply_by_itself(desk.store, desk.say("Use bun here.").ids)
    assert done is not None
    assert all(receipt.applied for receipt in desk.store.undo(done.patch_id).receipts)
    assert statements(desk) == []
    again = desk.say("Use bun here.", session="s2")
    assert again.reinforced == 1
    assert apply_by_itself(desk.store, again.ids) is None
    assert [one.data["statement"] for one in desk.store.state.waiting()] == ["Use bun here."]


def test_what_waited_before_is_left_to_a_person(desk: Inbox):
    desk.say("Use bun here.")
    assert made_by(apply_by_itself(desk.store, desk.say("Keep the fixtures small.").ids))
    assert statements(desk) == ["Keep the fixtures small."]


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("Keep answers short.", {"project": None}),
        ("Use ruff.", {"trust": "agent_inference"}),
        ("Use ruff.", {"trust": "repository_text", "poisoning_risk": "high"}),
        ("Use ruff.", {"trust": "existing_project_convention"}),
        ("Use ruff.", {"flags": ["joke"]}),
        ("Use ruff.", {"durability": "doubtful"}),
        ("Use ruff.", {"layer": "L1"}),
        ("Use ruff.", {"poisoning_risk": "medium"}),
        ("Use ruff.", {"targets": [], "scope": Scope(type="project")}),
        ("Use spaces for indentation, never tabs.", {}),
        ("Use tabs for indentation.", {}),
    ],
    ids=["global", "inferred", "planted", "convention", "joke", "doubtful", "identity", "risk", "unassigned",
         "contradicts a rule", "is known already"],
)  # fmt: skip
def test_whatever_is_more_than_low_in_risk_waits(desk: Inbox, text: str, fields: dict[str, Any]):
    desk.known("Use tabs for indentation.")
    said = desk.say(text, on="2026-11-21", session="s7", **fields)
    assert apply_by_itself(desk.store, said.ids) is None
    assert statements(desk) == ["Use tabs for indentation."]


def test_two_that_contradict_each_other_wait_both(desk: Inbox):
    ids = [*desk.say("Always use npm.").ids, *desk.say("Never use npm.", session="s2").ids]
    assert apply_by_itself(desk.store, ids) is None


@pytest.mark.parametrize(
    "op",
    [
        {"op": "supersede", "target_id": "RULE", "candidate_ids": ["cand_0002"]},
        {"op": "delete", "target_id": "RULE"},
        {"op": "update", "target_id": "RULE", "candidate_ids": ["cand_0002"]},
        {"op": "add", "record": {"statement": "Anything.", "scope": {"type": "project", "project": SHOP}}},
        {"op": "add", "candidate_ids": ["cand_0002"], "record": {"statement": "Other words."}},
        {"op": "add", "candidate_ids": ["cand_0002"], "record": {"scope": {"type": "global"}}},
        {"op": "add", "candidate_ids": ["cand_0002"], "updates": {"lift_tombstone": True}},
        {"op": "add", "candidate_ids": ["cand_0002"], "default_selected": False},
    ],
)
def test_the_store_itself_refuses_a_patch_that_would_do_more(desk: Inbox, op: dict[str, Any]):
    rule = desk.known("Use tabs for indentation.")
    desk.say("Use bun here.")
    named = {**op, **({"target_id": rule} if "target_id" in op else {})}
    patch = Patch(
        patch_id="pat_x", created_at="2026-11-29T12:00:00Z", automatic="auto_apply", ops=[Op(op_id="op_1", **named)]
    )
    (receipt,) = desk.store.apply(patch, select=["op_1"]).receipts
    assert (receipt.applied, receipt.reason) == (False, "not_applicable")
    assert (receipt.detail or "").startswith("not applied by itself: ")
