from __future__ import annotations

import pytest

from store.errors import BadPatch
from store.patch import parse_patch
from store.patch.draft import Draft
from store.patch.policy import default_selected, gate
from store.patch.trust import expected_confidence
from store.store import Store
from tests.store.patching import AT, SHOP, World, reasons

GLOBAL = {"type": "global"}
L1 = {"statement": "I teach mathematics", "layer": "L1", "scope": GLOBAL}
CONDITION = {"change_condition": "I say that I changed jobs"}


@pytest.fixture
def world() -> World:
    world = World()
    world.record("mem_1", "Use tabs")
    world.record("mem_g", "Be brief", scope=GLOBAL)
    world.record("mem_i", "I teach", layer="L1", scope=GLOBAL, review=CONDITION)
    world.candidate("cand_1", "Use bun", targets=[SHOP])
    world.candidate("cand_g", "Be polite", scope=GLOBAL)
    world.candidate("cand_bad", "Pipe curl into sh", targets=[SHOP], poisoning_risk="high")
    world.candidate("cand_low", "Seems to use bun", targets=[SHOP], trust="agent_inference")
    return world


@pytest.mark.parametrize(
    ("op", "selected", "risk"),
    [
        ({"op": "add", "candidate_ids": ["cand_1"]}, True, "low"),
        ({"op": "add", "candidate_ids": ["cand_g"]}, False, "medium"),
        ({"op": "add", "candidate_ids": ["cand_bad"]}, False, "high"),
        ({"op": "add", "candidate_ids": ["cand_1", "cand_low"]}, False, "medium"),
        ({"op": "add", "record": {"statement": "A"}, "targets": [SHOP]}, True, "low"),
        ({"op": "add", "record": {"statement": "A", "scope": GLOBAL}}, False, "medium"),
        ({"op": "add", "record": L1 | {"review": CONDITION}}, False, "high"),
        ({"op": "update", "target_id": "mem_1", "updates": {"body": "b"}}, True, "medium"),
        ({"op": "update", "target_id": "mem_1", "updates": {"scope": GLOBAL}}, False, "medium"),
        ({"op": "update", "target_id": "mem_1", "updates": {"layer": "L1"}}, False, "high"),
        ({"op": "update", "target_id": "mem_g", "updates": {"body": "b"}}, False, "medium"),
        ({"op": "pin", "target_id": "mem_i"}, False, "high"),
        ({"op": "pin", "target_id": "mem_1"}, True, "low"),
        ({"op": "supersede", "target_id": "mem_1", "candidate_ids": ["cand_1"]}, False, "high"),
        ({"op": "delete", "target_id": "mem_1"}, False, "high"),
        ({"op": "reject_candidate", "target_id": "cand_bad"}, True, "low"),
        ({"op": "defer_candidate", "target_id": "cand_g"}, True, "low"),
    ],
)
def test_what_is_dangerous_is_never_chosen_beforehand(world, op, selected, risk):
    (filled,) = world.patch(op).ops
    assert (filled.default_selected, filled.risk) == (selected, risk)
    assert filled.rationale


def test_a_conflict_found_by_the_caller_is_never_chosen_beforehand(world):
    (op,) = world.patch({"op": "add", "candidate_ids": ["cand_1"]}).ops
    draft = Draft(world.state, "pat", AT, world.new_id)
    assert default_selected(op, draft)
    assert not default_selected(op, draft, conflict=True)


def test_without_a_selection_only_chosen_ops_are_applied(world):
    patch = world.patch({"op": "pin", "target_id": "mem_1"}, {"op": "delete", "target_id": "mem_1"})
    assert reasons(world.plan(patch)) == [None, "not_selected"]
    assert reasons(world.plan(patch, select=["op_002"])) == ["not_selected", None]


def test_a_document_that_chooses_its_ops_is_followed(world):
    patch = world.patch({"op": "deprecate", "target_id": "mem_1", "default_selected": False})
    assert reasons(world.plan(patch)) == ["not_selected"]


@pytest.mark.parametrize("select", [["op_001", "op_001"], ["op_009"]])
def test_a_selection_that_names_an_op_twice_or_none_is_refused(world, select):
    patch = world.patch({"op": "pin", "target_id": "mem_1"})
    with pytest.raises(BadPatch, match=r"op_00[19]"):
        world.plan(patch, select=select)


def test_identity_memory_needs_a_condition_that_could_come_true(world):
    for condition in (None, "never", "n/a", "nothing.", "always"):
        record = L1 | ({"review": {"change_condition": condition}} if condition else {})
        done = world.apply({"op": "add", "record": record}, confirm="identity")
        assert reasons(done) == ["invalid"], condition


@pytest.mark.parametrize(
    ("confirm", "reason"), [(None, "needs_confirmation"), ("yes", "needs_confirmation"), ("identity", None)]
)
@pytest.mark.parametrize(
    "op",
    [
        {"op": "add", "record": L1 | {"review": CONDITION}},
        {"op": "update", "target_id": "mem_i", "updates": {"body": "at a school"}},
        {"op": "update", "target_id": "mem_g", "updates": {"layer": "L1", "review": CONDITION}},
        {"op": "supersede", "target_id": "mem_i", "record": {"statement": "I write", "review": CONDITION}},
    ],
)
def test_identity_memory_needs_the_typed_word(world, op, confirm, reason):
    (filled,) = world.patch(op).ops
    assert gate(world.state, filled) == "identity"
    assert reasons(world.apply(op, confirm=confirm)) == [reason]


def test_identity_memory_from_captures_needs_two_sessions(world):
    world.candidate(
        "cand_i", "I teach mathematics", scope=GLOBAL, layer="L1", evidence=[world.evidence("ev_x", session="a")]
    )
    add = {"op": "add", "candidate_ids": ["cand_i"], "record": {"review": CONDITION}}
    assert reasons(world.apply(add, confirm="identity")) == ["not_applicable"]
    world.candidate("cand_j", "I teach maths", scope=GLOBAL, layer="L1", evidence=[world.evidence("ev_y", session="b")])
    both = {**add, "candidate_ids": ["cand_i", "cand_j"]}
    assert reasons(world.apply(both, confirm="identity")) == [None]


def test_a_purge_needs_its_own_word(world):
    purge = {"op": "delete", "target_id": "mem_1", "updates": {"mode": "purge"}}
    (filled,) = world.patch(purge).ops
    assert gate(world.state, filled) == "purge"
    assert reasons(world.apply(purge, confirm="identity")) == ["needs_confirmation"]
    assert reasons(world.apply(purge, confirm="identity, purge")) == [None]


def test_ordinary_ops_need_no_word(world):
    for op in world.patch(
        {"op": "pin", "target_id": "mem_i"},
        {"op": "delete", "target_id": "mem_1"},
        {"op": "add", "candidate_ids": ["cand_1"]},
    ).ops:
        assert gate(world.state, op) is None


def test_confidence_grows_with_sessions_not_with_repetition_and_falls_with_contradiction():
    def said(session: str, trust: str = "direct_user_instruction", polarity: str = "for") -> dict[str, str]:
        return {"id": f"ev_{session}", "session": session, "trust": trust, "polarity": polarity}

    once = expected_confidence([said("a")])
    assert expected_confidence([said("a"), said("a")]) == once
    assert once < expected_confidence([said("a"), said("b")]) <= 0.99
    assert expected_confidence([said("a", "generated_content")]) < 0.2
    assert expected_confidence([said("a"), said("b", polarity="against")]) < once
    assert expected_confidence([]) == 0


@pytest.mark.parametrize(
    ("document", "where", "words"),
    [
        ([], "document", "object"),
        ({}, "document", "ops"),
        ({"ops": [{"op_id": "op_7", "op": "frobnicate"}]}, "op_7", "frobnicate"),
        ({"ops": [{"op_id": "op_7"}]}, "op_7", "has no op"),
        ({"ops": [{"op": "add"}]}, "op number 1", "op_id"),
        ({"ops": ["pin"]}, "op number 1", "op"),
        ({"ops": [{"op_id": "op_7", "op": "pin", "updates": 3}]}, "op_7", "updates"),
        ({"ops": [{"op_id": "op_7", "op": "pin", "risk": "huge"}]}, "op_7", "risk"),
        ({"ops": [{"op_id": "a", "op": "pin", "updates": {"x": float("nan")}}]}, "document", "cannot"),
        ({"ops": [{"op_id": "a", "op": "pin", "reason": "\ud800"}]}, "document", "cannot"),
        ({"ops": [], "generated_by": "magic"}, "generated_by", "curator"),
    ],
)
def test_a_document_that_is_no_patch_is_refused_by_place(document, where, words):
    with pytest.raises(BadPatch, match=words) as fault:
        parse_patch(document)
    assert where in str(fault.value)


@pytest.mark.parametrize(
    ("op", "words"),
    [
        ({"op": "pin"}, "target_id"),
        ({"op": "reject_candidate"}, "target_id"),
        ({"op": "pin", "target_id": "mem_1", "record": {"statement": "x"}}, "record"),
        ({"op": "pin", "target_id": "mem_1", "targets": [SHOP]}, "targets"),
        ({"op": "pin", "target_id": "mem_1", "updates": {"pinned": True}}, "updates.pinned"),
        ({"op": "decay", "target_id": "mem_1", "candidate_ids": ["cand_1"]}, "candidate_ids"),
        ({"op": "decay", "target_id": "mem_1", "updates": {"cycles": 0}}, "updates.cycles"),
        ({"op": "update_stability", "target_id": "mem_1"}, "updates.stability"),
        ({"op": "update_stability", "target_id": "mem_1", "updates": {"stability": "rock"}}, "updates.stability"),
        ({"op": "flag_for_review", "target_id": "mem_1", "updates": {"next_review": "soon"}}, "updates.next_review"),
        ({"op": "defer_candidate", "target_id": "cand_1", "updates": {"defer_until": 5}}, "updates.defer_until"),
        ({"op": "delete", "target_id": "mem_1", "updates": {"mode": "burn"}}, "updates.mode"),
        ({"op": "add_exception", "target_id": "mem_1"}, "known_exceptions"),
        ({"op": "add_exception", "target_id": "mem_1", "updates": {"known_exceptions": 3}}, "known_exceptions"),
        ({"op": "update", "target_id": "mem_1"}, "updates"),
        ({"op": "supersede", "target_id": "mem_1"}, "supersede needs"),
        ({"op": "supersede", "target_id": "mem_1", "record": {"statement": "x"}, "updates": {"by": "m"}}, "not both"),
        ({"op": "restore", "target_id": "mem_1"}, "updates.to"),
        ({"op": "pin", "target_id": "mem_1", "op_id": " "}, "op_id"),
    ],
)
def test_an_op_that_is_malformed_spoils_the_whole_patch(world, op, words):
    with pytest.raises(BadPatch) as fault:
        world.patch({"op": "pin", "target_id": "mem_1", "op_id": "op_000"}, op)
    assert words in str(fault.value)


def test_two_ops_with_one_id_spoil_the_patch(world):
    op = {"op": "pin", "target_id": "mem_1", "op_id": "op_1"}
    with pytest.raises(BadPatch, match="op_1"):
        world.patch(op, {**op, "op": "unpin"})


def test_a_proposed_patch_is_logged_without_its_secrets(tmp_path):
    key = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    store = Store.open(tmp_path / "home", create=True)
    store.propose(parse_patch({"ops": [{"op_id": "a", "op": "add", "record": {"statement": f"Push with {key}"}}]}))
    logged = b"".join(path.read_bytes() for path in tmp_path.rglob("*.jsonl"))
    assert b"Push with" in logged
    assert key.encode() not in logged
