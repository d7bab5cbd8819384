from __future__ import annotations

import pytest

from tests.store.patching import World, made, reasons

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


@pytest.fixture
def replaced_twice() -> tuple[World, dict[str, str]]:
    """Two machines have each put a record of their own in the place of the same one; their logs are merged."""
    world = World()
    first = world.record("mem_1", "Use tabs")
    heads = {}
    for ident, statement in (("mem_a", "Use 2 spaces"), ("mem_b", "Use 4 spaces")):
        world.record(ident, statement, supersedes=["mem_1"])
        ended = {"status": "superseded", "superseded_by": ident, "statement": "Use tabs", "scope": SCOPE}
        heads[ident] = world.put(FILE, "mem_1", ended, rev=2, parent=first, op="supersede", patch=f"pat_{ident}")
    return world, heads


@pytest.mark.parametrize(("kept", "lost"), [("mem_a", "mem_b"), ("mem_b", "mem_a")])
def test_of_two_successors_only_that_of_the_kept_version_stays_a_rule(replaced_twice, kept, lost):
    world, heads = replaced_twice
    before = {ident: world.now(ident) for ident in (kept, lost)}
    done = world.apply({"op": "resolve_fork", "target_id": "mem_1", "updates": {"keep": heads[kept]}})
    assert reasons(done) == [None]
    assert world.now("mem_1")["superseded_by"] == kept
    assert world.now(kept) == before[kept]
    assert world.now(lost)["status"] == "contested"
    assert kept in world.now(lost)["contested_because"]
    assert reasons(world.undo()) == [None, None]
    assert world.now(lost) == before[lost]


def test_a_version_kept_over_a_superseded_one_contests_the_successor(forked):
    world, one, _ = forked
    world.record("mem_a", "Use 8 spaces", supersedes=["mem_1"])
    ended = {"status": "superseded", "superseded_by": "mem_a", "statement": "Use tabs", "scope": SCOPE}
    parent = world.state.records["mem_1"][one].parent
    world.put(FILE, "mem_1", ended, rev=2, parent=parent, op="supersede")
    world.apply({"op": "resolve_fork", "target_id": "mem_1", "updates": {"keep": one}})
    assert (world.now("mem_1")["status"], world.now("mem_a")["status"]) == ("active", "contested")


def test_what_was_there_before_it_replaced_the_record_stays_a_rule(replaced_twice):
    world, heads = replaced_twice
    first = world.state.records["mem_1"][heads["mem_a"]].parent
    world.record("mem_old", "Indent by the editor's settings")
    ended = {"status": "superseded", "superseded_by": "mem_old", "statement": "Use tabs", "scope": SCOPE}
    world.put(FILE, "mem_1", ended, rev=2, parent=first, op="supersede", patch="pat_by")
    world.apply({"op": "resolve_fork", "target_id": "mem_1", "updates": {"keep": heads["mem_a"]}})
    assert [world.now(ident)["status"] for ident in ("mem_a", "mem_b", "mem_old")] == ["active", "contested", "active"]


def test_a_successor_that_was_itself_replaced_hands_the_dispute_on(replaced_twice):
    world, heads = replaced_twice
    replaced = world.apply({"op": "supersede", "target_id": "mem_b", "record": {"statement": "Use 3 spaces"}})
    newest = made(replaced)[0]
    world.apply({"op": "resolve_fork", "target_id": "mem_1", "updates": {"keep": heads["mem_a"]}})
    assert (world.now("mem_b")["status"], world.now(newest)["status"]) == ("superseded", "contested")
