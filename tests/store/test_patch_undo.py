"""Undo gives the state back, whatever was done; what changed since is left alone, whole ops at a time."""

from __future__ import annotations

import copy
import itertools
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from store.patch import plan
from tests.store.patching import API, SHOP, World, made, reasons

GLOBAL = {"type": "global"}
IN_SHOP = {"type": "project", "project": SHOP}


def furnished() -> World:
    """Two projects' worth of records in every status, and candidates in every status."""
    world = World()
    for number, statement in enumerate(("Use tabs", "Run the linter", "Write tests first"), start=1):
        ident = f"mem_{number}"
        review = {"cadence_days": 30, "next_review": "2026-10-01T00:00:00Z"}
        world.record(ident, statement, review=review, tags=["t"], pinned=number == 2)
    world.record("mem_4", "Be brief", scope=GLOBAL, status="contested", contested_because="maybe")
    world.record("mem_5", "Old habit", status="deprecated", pinned=True)
    world.record("mem_6", "Gone", status="deleted")
    for number, statement in enumerate(("Use bun", "use bun!", "Never force push", "Ask first"), start=1):
        world.candidate(f"cand_{number}", statement, scope=IN_SHOP, targets=[SHOP, API])
    world.candidate("cand_5", "Be kind", scope=GLOBAL, status="deferred", defer_until="2027-01-01T00:00:00Z")
    return world


def ops_of_every_kind() -> list[dict[str, Any]]:
    return [
        {"op": "add", "candidate_ids": ["cand_1", "cand_2"]},
        {"op": "add", "record": {"statement": "Pin versions"}, "targets": [SHOP, API]},
        {"op": "update", "target_id": "mem_1", "updates": {"statement": "Use tabs, always", "tags": None}},
        {"op": "update", "target_id": "mem_1", "updates": {"scope": {"type": "project", "project": API}}},
        {"op": "update", "target_id": "mem_2", "candidate_ids": ["cand_3"]},
        {"op": "supersede", "target_id": "mem_1", "candidate_ids": ["cand_3"]},
        {"op": "supersede", "target_id": "mem_2", "updates": {"by": "mem_3"}},
        {"op": "deprecate", "target_id": "mem_1"},
        {"op": "decay", "target_id": "mem_2"},
        {"op": "contest", "target_id": "mem_3", "candidate_ids": ["cand_4"]},
        {"op": "uncontest", "target_id": "mem_4"},
        {"op": "add_exception", "target_id": "mem_1", "updates": {"known_exceptions": ["in Go"]}},
        {"op": "update_stability", "target_id": "mem_5", "updates": {"stability": "stable"}},
        {"op": "flag_for_review", "target_id": "mem_3"},
        {"op": "pin", "target_id": "mem_1"},
        {"op": "unpin", "target_id": "mem_2"},
        {"op": "pin", "target_id": "mem_3"},
        {"op": "delete", "target_id": "mem_1"},
        {"op": "delete", "target_id": "mem_4", "updates": {"mode": "audit"}},
        {"op": "reject_candidate", "candidate_ids": ["cand_1", "cand_2"], "reason": "no"},
        {"op": "reject_candidate", "target_id": "cand_5"},
        {"op": "defer_candidate", "target_id": "cand_4"},
        {"op": "promote_to_vault_candidate", "target_id": "mem_2"},
    ]


ops = st.lists(st.sampled_from(ops_of_every_kind()), min_size=1, max_size=8)


@pytest.mark.parametrize("op", ops_of_every_kind(), ids=lambda op: op["op"])
def test_each_op_is_taken_back_by_its_undo(op):
    world = furnished()
    before = copy.deepcopy(world.live())
    done = world.apply(op)
    assert reasons(done) == [None]
    assert world.live() != before
    undone = world.undo()
    assert set(reasons(undone)) == {None}
    assert _waiting_or_live(world) == _of(before)


@given(ops)
@settings(max_examples=150, deadline=None)
def test_undo_of_any_list_of_ops_gives_the_state_back_and_redo_gives_it_again(chosen):
    world = furnished()
    before = copy.deepcopy(world.live())
    done = world.apply(*chosen)
    after = copy.deepcopy(world.live())
    if not done.revisions:
        return
    assert set(reasons(world.undo())) <= {None}
    assert _waiting_or_live(world) == _of(before)
    assert set(reasons(world.undo())) <= {None}
    assert _of(world.live()) == _of(after)


@given(st.lists(ops, min_size=2, max_size=4))
@settings(max_examples=60, deadline=None)
def test_undoing_patches_one_after_another_walks_back_to_the_start(lists):
    world = furnished()
    before = copy.deepcopy(world.live())
    logs = [world.log for chosen in lists if world.apply(*chosen).revisions]
    for log in reversed(logs):
        world.log = log
        assert set(reasons(world.undo())) <= {None}
    assert _waiting_or_live(world) == _of(before)


@given(ops, st.sampled_from([None, "identity", "purge"]))
@settings(max_examples=80, deadline=None)
def test_planning_leaves_the_state_alone_and_gives_the_same_plan_each_time(chosen, confirm):
    world = furnished()
    patch = world.patch(*chosen)
    before = copy.deepcopy(world.live())
    plans = []
    for _ in range(2):
        counter = itertools.count()
        plans.append(
            plan(
                world.state, patch, select=[op.op_id for op in patch.ops], confirm=confirm, at=world.at,
                new_id=lambda prefix, counter=counter: f"{prefix}_x{next(counter)}",
            )
        )  # fmt: skip
    assert plans[0] == plans[1]
    assert world.live() == before
    assert len(plans[0].receipts) == len(patch.ops)
    hashes = [change["hash"] for receipt in plans[0].receipts for change in receipt.changes]
    assert len(hashes) == len(plans[0].revisions) == len(set(hashes))


def test_an_op_against_an_older_revision_is_skipped_as_stale():
    world = furnished()
    patch = world.patch(
        {"op": "pin", "target_id": "mem_1"},
        {"op": "contest", "target_id": "mem_1"},
        {"op": "pin", "target_id": "mem_3"},
    )
    world.apply({"op": "update", "target_id": "mem_1", "updates": {"body": "new"}})
    done = world.plan(patch)
    assert reasons(done) == ["stale", "stale", None]
    assert "update" in (done.receipts[0].detail or "")
    assert len(done.revisions) == 1


def test_a_patch_applied_twice_says_so():
    world = furnished()
    patch = world.patch({"op": "pin", "target_id": "mem_1"}, {"op": "add", "candidate_ids": ["cand_1"]})
    world.commit(world.plan(patch), patch)
    assert reasons(world.plan(patch)) == ["already_applied", "already_applied"]


def test_undo_leaves_alone_what_was_changed_since():
    world = furnished()
    world.apply({"op": "pin", "target_id": "mem_1"}, {"op": "pin", "target_id": "mem_3"})
    log = world.log
    world.apply({"op": "update", "target_id": "mem_1", "updates": {"body": "later"}})
    world.log = log
    undone = world.undo()
    assert sorted(map(str, reasons(undone))) == ["None", "changed_since"]
    assert (world.now("mem_1")["pinned"], world.now("mem_1")["body"]) == (True, "later")
    assert world.now("mem_3")["pinned"] is False


def test_half_a_supersede_is_not_taken_back():
    world = furnished()
    done = world.apply(
        {"op": "supersede", "target_id": "mem_1", "candidate_ids": ["cand_3"]}, {"op": "pin", "target_id": "mem_3"}
    )
    log, (new,) = world.log, made(done)
    world.apply({"op": "update", "target_id": new, "updates": {"body": "edited since"}})
    world.log = log
    undone = world.undo()
    assert {r.reason for r in undone.receipts} == {None, "changed_since"}
    assert world.now("mem_1")["status"] == "superseded"
    assert world.now("cand_3")["status"] == "accepted"
    assert world.now("mem_3")["pinned"] is False


def test_undo_of_a_rejection_lifts_the_mark_and_redo_puts_it_back():
    world = furnished()
    world.apply({"op": "reject_candidate", "target_id": "cand_3"})
    assert len(list(world.state.live_tombstones())) == 1
    world.undo()
    assert list(world.state.live_tombstones()) == []
    assert world.now("cand_3")["status"] == "waiting"
    world.undo()
    assert len(list(world.state.live_tombstones())) == 1
    assert world.now("cand_3")["status"] == "rejected"


def test_evidence_that_came_in_meanwhile_survives_the_undo():
    world = furnished()
    world.apply({"op": "defer_candidate", "target_id": "cand_3"})
    head = world.state.candidates["cand_3"].head
    more = {**head.content(), "evidence": ["ev_cand_3", world.evidence("ev_new")]}
    world.put("inbox/candidates.jsonl", "cand_3", more, rev=head.rev + 1, parent=head.hash, op="reinforce")
    assert set(reasons(world.undo())) == {None}
    assert world.now("cand_3")["status"] == "waiting"
    assert world.now("cand_3")["evidence"] == ["ev_cand_3", "ev_new"]


def _of(live: dict[str, Any]) -> dict[str, Any]:
    """Candidates and records without those that a patch made and its undo ended."""
    return {ident: content for ident, content in live.items() if content.get("reason") != "undone"}


def _waiting_or_live(world: World) -> dict[str, Any]:
    return _of(world.live())
