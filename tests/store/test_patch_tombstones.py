"""What was rejected or deleted stays so, until a person says otherwise."""

from __future__ import annotations

import pytest

from store.text import fingerprint
from tests.store.patching import API, SHOP, World, made, reasons

GLOBAL = {"type": "global"}


def test_a_rejection_leaves_a_mark_without_words():
    world = World()
    world.candidate("cand_1", "Use npm", scope={"type": "project", "project": SHOP}, targets=[SHOP])
    done = world.apply({"op": "reject_candidate", "target_id": "cand_1", "reason": "we left npm"})
    (tombstone,) = world.state.live_tombstones()
    assert tombstone["fingerprint"] == fingerprint("use NPM!")
    assert (tombstone["cause"], tombstone["of"]) == ("rejected", "cand_1")
    assert "Use npm" not in str(tombstone)
    assert (world.now("cand_1")["status"], world.now("cand_1")["reason"]) == ("rejected", "we left npm")
    assert reasons(done) == [None]


def test_a_group_is_rejected_in_one_op_with_one_mark_per_statement():
    world = World()
    for ident, statement in (("cand_1", "Use npm"), ("cand_2", "use npm."), ("cand_3", "Prefer npm")):
        world.candidate(ident, statement, scope=GLOBAL)
    world.apply({"op": "reject_candidate", "candidate_ids": ["cand_1", "cand_2", "cand_3"]})
    assert len(list(world.state.live_tombstones())) == 2
    assert {world.now(f"cand_{number}")["status"] for number in (1, 2, 3)} == {"rejected"}


@pytest.mark.parametrize("mode", ["audit", "purge"])
def test_a_deleted_record_ends_and_is_marked(mode):
    world = World()
    world.record("mem_1", "Use npm")
    done = world.apply({"op": "delete", "target_id": "mem_1", "updates": {"mode": mode}}, confirm="purge")
    assert world.now("mem_1")["status"] == "deleted"
    (tombstone,) = world.state.live_tombstones()
    assert tombstone["cause"] == {"audit": "deleted", "purge": "purged"}[mode]
    assert done.purges == ([] if mode == "audit" else ["mem_1"])


def test_what_was_deleted_can_still_be_purged():
    world = World()
    world.record("mem_1", "Use npm")
    world.apply({"op": "delete", "target_id": "mem_1"})
    assert reasons(world.apply({"op": "delete", "target_id": "mem_1"})) == ["not_applicable"]
    done = world.apply({"op": "delete", "target_id": "mem_1", "updates": {"mode": "purge"}}, confirm="purge")
    assert done.purges == ["mem_1"]


def test_a_decided_candidate_can_be_purged():
    world = World()
    world.candidate("cand_1", "Use npm", targets=[SHOP])
    world.apply({"op": "add", "candidate_ids": ["cand_1"]})
    done = world.apply({"op": "delete", "target_id": "cand_1", "updates": {"mode": "purge"}}, confirm="purge")
    assert done.purges == ["cand_1"]
    assert world.now("cand_1")["status"] == "rejected"


@pytest.mark.parametrize("statement", ["Use npm", "use  NPM."])
def test_the_same_statement_is_not_added_again_in_that_place(statement):
    world = World()
    world.record("mem_1", "Use npm")
    world.apply({"op": "delete", "target_id": "mem_1"})
    again = world.apply({"op": "add", "record": {"statement": statement}, "targets": [API, SHOP]})
    assert reasons(again) == ["tombstoned"]
    assert again.revisions == []
    elsewhere = world.apply({"op": "add", "record": {"statement": statement}, "targets": [API]})
    assert reasons(elsewhere) == [None]


def test_supersede_and_update_do_not_bring_it_back_either():
    world = World()
    world.record("mem_1", "Use npm")
    world.record("mem_2", "Use bun")
    world.apply({"op": "delete", "target_id": "mem_1"})
    done = world.apply(
        {"op": "supersede", "target_id": "mem_2", "record": {"statement": "Use npm"}},
        {"op": "update", "target_id": "mem_2", "updates": {"statement": "Use npm"}},
    )
    assert reasons(done) == ["tombstoned", "tombstoned"]


def test_a_person_can_lift_the_mark():
    world = World()
    world.candidate("cand_1", "Use npm", targets=[SHOP], scope={"type": "project", "project": SHOP})
    world.apply({"op": "reject_candidate", "target_id": "cand_1"})
    add = {"op": "add", "candidate_ids": ["cand_1"], "targets": [SHOP]}
    assert reasons(world.apply(add)) == ["not_applicable"]
    done = world.apply({**add, "updates": {"lift_tombstone": True}})
    assert reasons(done) == [None]
    assert list(world.state.live_tombstones()) == []
    assert world.now("cand_1")["became"] == made(done)
    assert reasons(world.apply({"op": "add", "record": {"statement": "Use npm"}, "targets": [SHOP]})) == [None]


def test_rejecting_a_paraphrase_in_the_same_patch_does_not_block_the_one_accepted():
    world = World()
    world.candidate("cand_1", "Use npm", targets=[SHOP], scope={"type": "project", "project": SHOP})
    world.candidate("cand_2", "use npm!", targets=[SHOP], scope={"type": "project", "project": SHOP})
    done = world.apply({"op": "reject_candidate", "target_id": "cand_2"}, {"op": "add", "candidate_ids": ["cand_1"]})
    assert reasons(done) == [None, None]
