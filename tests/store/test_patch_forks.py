from __future__ import annotations

import pytest

from tests.store.patching import World, reasons

FILE = "memory/projects/shop-c566806a.jsonl"
SCOPE = {"type": "project", "project": "github.com/acme/shop"}


@pytest.fixture
def forked() -> tuple[World, str, str]:
    world = World()
    first = world.record("mem_1", "Use tabs")
    base = {"status": "active", "scope": SCOPE, "confidence": 0.8}
    one = world.put(FILE, "mem_1", {**base, "statement": "Use 2 spaces"}, rev=2, parent=first, op="update")
    two = world.put(FILE, "mem_1", {**base, "statement": "Use 4 spaces"}, rev=2, parent=first, op="update", patch="p")
    return world, one, two


def test_a_forked_record_takes_no_ordinary_op(forked):
    world, _, _ = forked
    done = world.apply({"op": "pin", "target_id": "mem_1"}, {"op": "contest", "target_id": "mem_1"})
    assert reasons(done) == ["not_applicable", "not_applicable"]
    assert "fork" in (done.receipts[0].detail or "")


@pytest.mark.parametrize("kept", [1, 2])
def test_keeping_a_version_joins_every_other_head(forked, kept):
    world = forked[0]
    done = world.apply({"op": "resolve_fork", "target_id": "mem_1", "updates": {"keep": forked[kept]}})
    assert reasons(done) == [None]
    versions = world.state.records["mem_1"]
    assert not versions.forked
    assert versions.data["statement"] == versions[forked[kept]].data["statement"]
    assert versions.head.parent == forked[kept]
    assert versions.head.joins == [forked[3 - kept]]


def test_a_fork_is_resolved_by_new_content_too(forked):
    world, _, _ = forked
    world.apply({"op": "resolve_fork", "target_id": "mem_1", "record": {"statement": "Use 3 spaces"}})
    assert not world.state.records["mem_1"].forked
    assert world.now("mem_1")["statement"] == "Use 3 spaces"


def test_a_fork_is_resolved_once_and_then_takes_ops_again(forked):
    world, one, _ = forked
    keep = {"op": "resolve_fork", "target_id": "mem_1", "updates": {"keep": one}}
    done = world.apply(keep, {"op": "pin", "target_id": "mem_1"}, keep)
    assert reasons(done) == [None, None, "not_applicable"]
    assert world.now("mem_1")["pinned"] is True


def test_a_hash_that_is_no_head_cannot_be_kept(forked):
    world, _, _ = forked
    done = world.apply({"op": "resolve_fork", "target_id": "mem_1", "updates": {"keep": "0" * 64}})
    assert reasons(done) == ["not_applicable"]


def test_deleting_a_forked_record_ends_both_heads(forked):
    world, _, _ = forked
    world.apply({"op": "delete", "target_id": "mem_1"})
    assert not world.state.records["mem_1"].forked
    assert list(world.state.live_records()) == []


def test_a_record_with_one_head_has_nothing_to_resolve():
    world = World()
    only = world.record("mem_1", "Use tabs")
    done = world.apply({"op": "resolve_fork", "target_id": "mem_1", "updates": {"keep": only}})
    assert reasons(done) == ["not_applicable"]
