from __future__ import annotations

import pytest

from store.errors import BadPatch
from store.patch.table import RULES
from tests.store.patching import API, AT, SHOP, World, made, reasons

RECORD = "mem_1"


@pytest.fixture
def world() -> World:
    world = World()
    world.record(RECORD, "Use tabs", stability="semi-stable", tags=["style"])
    world.candidate("cand_1", "Use spaces now", targets=[SHOP], rule_type="convention")
    return world


def test_supersede_links_both_ways_and_dates_the_end(world):
    done = world.apply({"op": "supersede", "target_id": RECORD, "candidate_ids": ["cand_1"]})
    (new,) = made(done)
    old, record = world.state.record(RECORD), world.state.record(new)
    assert (old.status, old.superseded_by, old.valid_to) == ("superseded", new, AT)
    assert (record.status, record.supersedes, record.valid_from) == ("active", [RECORD], AT)
    assert record.statement == "Use spaces now"
    assert record.scope.project == SHOP
    assert record.tags == ["style"]
    assert world.now("cand_1")["became"] == [new]


def test_supersede_by_a_record_that_is_there_keeps_both_texts(world):
    world.record("mem_2", "Use spaces")
    world.apply({"op": "supersede", "target_id": RECORD, "updates": {"by": "mem_2"}})
    assert world.now("mem_2")["supersedes"] == [RECORD]
    assert world.now(RECORD)["superseded_by"] == "mem_2"
    assert world.now(RECORD)["statement"] == "Use tabs"


@pytest.mark.parametrize(("by", "reason"), [(RECORD, "invalid"), ("mem_9", "unknown_target")])
def test_supersede_by_itself_or_by_nothing_is_refused(world, by, reason):
    assert reasons(world.apply({"op": "supersede", "target_id": RECORD, "updates": {"by": by}})) == [reason]


def test_a_superseded_record_takes_no_more_changes(world):
    world.apply({"op": "supersede", "target_id": RECORD, "candidate_ids": ["cand_1"]})
    for op in ("update", "deprecate", "contest", "pin", "decay", "supersede", "promote_to_vault_candidate"):
        extra = {"record": {"statement": "x y"}} if op == "supersede" else {}
        extra = {"updates": {"statement": "Use both"}} if op == "update" else extra
        assert reasons(world.apply({"op": op, "target_id": RECORD, **extra})) == ["not_applicable"], op


def test_one_change_of_mind_replaces_two_records_with_one_candidate(world):
    world.record("mem_2", "Indent by tab")
    first = {"op": "supersede", "target_id": RECORD, "candidate_ids": ["cand_1"]}
    done = world.apply(first, {"op": "supersede", "target_id": "mem_2", "candidate_ids": ["cand_1"]})
    assert reasons(done) == [None, None]
    assert len(world.now("cand_1")["became"]) == 2


def test_update_changes_only_what_it_names_and_null_clears(world):
    before = world.now(RECORD)
    updates = {"statement": "Use tabs  everywhere", "body": "Also in YAML?", "tags": ["style", "tabs"]}
    world.apply({"op": "update", "target_id": RECORD, "updates": updates})
    after = world.now(RECORD)
    assert after["statement"] == "Use tabs everywhere"
    assert {k for k in after if after[k] != before.get(k)} <= {"statement", "body", "tags", "updated_at", "review"}
    world.apply({"op": "update", "target_id": RECORD, "updates": {"body": None}})
    assert "body" not in world.now(RECORD)


def test_update_with_a_candidate_strengthens_the_record(world):
    world.record("mem_2", "Use tabs", confidence=0.4, evidence=[world.evidence("ev_old", session="s0")])
    world.apply({"op": "update", "target_id": "mem_2", "candidate_ids": ["cand_1"]})
    after = world.now("mem_2")
    assert after["evidence"] == ["ev_old", "ev_cand_1"]
    assert after["confidence"] > 0.9
    assert world.now("cand_1")["became"] == ["mem_2"]


def test_a_changed_scope_moves_the_next_revision_to_the_file_of_its_project(world):
    done = world.apply({"op": "update", "target_id": RECORD, "updates": {"scope": {"type": "project", "project": API}}})
    assert made(done, "github.com") == [SHOP, API] or made(done, "github.com") == [API]
    last = done.revisions[-1]
    assert last.file.startswith("memory/projects/api-")
    assert last.data["rev"] == 2
    assert world.state.records[RECORD].head.data["parent"] == last.data["parent"]
    assert not world.state.records[RECORD].forked


def test_update_review_keeps_what_it_does_not_name(world):
    world.record("mem_2", "Use tabs", review={"cadence_days": 30, "next_review": "2027-01-01T00:00:00Z"})
    world.apply({"op": "update", "target_id": "mem_2", "updates": {"review": {"change_condition": "We drop Make"}}})
    assert world.now("mem_2")["review"] == {
        "cadence_days": 30,
        "next_review": "2027-01-01T00:00:00Z",
        "change_condition": "We drop Make",
    }


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("status", "deleted"), ("id", "x"), ("supersedes", []), ("pinned", True), ("stability", "stable"),
        ("colour", "red"), ("statement", None), ("scope", None), ("scope", {"type": "project"}), ("confidence", 1.5),
        ("tags", "style"), ("rule_type", "whim"), ("review", {"cadence": 3}), ("scope", "global"),
    ],
)  # fmt: skip
def test_update_refuses_fields_and_values_by_name(world, field, value):
    with pytest.raises(BadPatch, match=rf"op_001.*{field}"):
        world.plan(world.patch({"op": "update", "target_id": RECORD, "updates": {field: value}}))


def test_contest_and_uncontest_carry_the_reason_and_take_it_back(world):
    world.apply({"op": "contest", "target_id": RECORD, "candidate_ids": ["cand_1"], "reason": "said the opposite"})
    assert (world.now(RECORD)["status"], world.now(RECORD)["contested_because"]) == ("contested", "said the opposite")
    assert "evidence" not in world.now(RECORD)
    assert world.now(RECORD)["evidence_against"] == ["ev_cand_1"]
    assert [piece["polarity"] for piece in world.state.spoken(world.now(RECORD))] == ["against"]
    assert world.now("cand_1")["status"] == "accepted"
    world.apply({"op": "uncontest", "target_id": RECORD})
    assert world.now(RECORD)["status"] == "active"
    assert "contested_because" not in world.now(RECORD)


def test_deprecate_ends_a_record_without_a_successor(world):
    world.apply({"op": "deprecate", "target_id": RECORD})
    assert (world.now(RECORD)["status"], world.now(RECORD)["valid_to"]) == ("deprecated", AT)


@pytest.mark.parametrize(
    ("stability", "cycles", "expected"),
    [
        ("semi-stable", 1, 0.65),
        ("stable", 1, 0.75),
        ("semi-stable", 3, 0.35),
        ("semi-stable", 9, 0.0),
        ("stable", 2, 0.7),
    ],
)
def test_decay_costs_a_fixed_step_per_missed_cycle_and_stops_at_nothing(stability, cycles, expected):
    world = World()
    world.record(RECORD, "Use tabs", stability=stability, confidence=0.8)
    world.apply({"op": "decay", "target_id": RECORD, "updates": {"cycles": cycles}})
    assert world.now(RECORD)["confidence"] == pytest.approx(expected)


def test_decay_counts_missed_cycles_by_the_clock_and_never_twice(world):
    review = {"cadence_days": 30, "next_review": "2026-09-30T12:00:00Z"}  # 60 days ago: due then, and twice since
    world.record("mem_2", "Use tabs", confidence=0.8, review=review)
    world.apply({"op": "decay", "target_id": "mem_2"})
    assert world.now("mem_2")["confidence"] == pytest.approx(0.8 - 3 * 0.15)
    assert world.now("mem_2")["review"]["next_review"] > AT
    assert reasons(world.apply({"op": "decay", "target_id": "mem_2"})) == ["not_applicable"]
    assert reasons(world.apply({"op": "decay", "target_id": RECORD})) == ["not_applicable"]


@pytest.mark.parametrize("name", ["known_exceptions", "does_not_apply_when"])
def test_an_exception_is_added_once(world, name):
    op = {"op": "add_exception", "target_id": RECORD, "updates": {name: ["in Makefiles"]}}
    assert reasons(world.apply(op)) == [None]
    assert reasons(world.apply(op)) == ["not_applicable"]
    world.apply({"op": "add_exception", "target_id": RECORD, "updates": {name: "in Go"}})
    assert world.now(RECORD)[name] == ["in Makefiles", "in Go"]


def test_small_ops_set_what_they_are_named_for_and_skip_when_it_is_so_already(world):
    cases = [
        ({"op": "pin"}, "pinned", True),
        ({"op": "unpin"}, "pinned", False),
        ({"op": "update_stability", "updates": {"stability": "stable"}}, "stability", "stable"),
        ({"op": "flag_for_review", "updates": {"next_review": "2027-01-02"}}, "review", {"next_review": "2027-01-02"}),
        ({"op": "promote_to_vault_candidate"}, "tags", ["style", "vault-candidate"]),
    ]
    for op, field, value in cases:
        assert reasons(world.apply({**op, "target_id": RECORD})) == [None], op
        assert world.now(RECORD)[field] == value
        assert reasons(world.apply({**op, "target_id": RECORD})) == ["not_applicable"], op


def test_defer_puts_candidates_off_until_a_moment(world):
    world.apply({"op": "defer_candidate", "target_id": "cand_1", "updates": {"defer_until": "2026-12-24T00:00:00Z"}})
    assert world.now("cand_1")["defer_until"] == "2026-12-24T00:00:00Z"
    assert list(world.state.waiting(AT)) == []
    assert len(list(world.state.waiting("2026-12-25T00:00:00Z"))) == 1


def test_ops_on_one_target_build_on_each_other(world):
    done = world.apply(
        {"op": "pin", "target_id": RECORD},
        {"op": "update", "target_id": RECORD, "updates": {"statement": "Use tabs, always"}},
        {"op": "contest", "target_id": RECORD},
        {"op": "deprecate", "target_id": RECORD},
    )
    assert reasons(done) == [None, None, None, None]
    assert [revision.data["rev"] for revision in done.revisions] == [2, 3, 4, 5]
    after = world.now(RECORD)
    assert (after["pinned"], after["statement"], after["status"]) == (True, "Use tabs, always", "deprecated")
    assert not world.state.records[RECORD].forked


def test_an_op_on_the_wrong_kind_of_thing_says_so(world):
    done = world.apply({"op": "pin", "target_id": "cand_1"}, {"op": "reject_candidate", "target_id": RECORD})
    assert reasons(done) == ["not_applicable", "unknown_target"] or reasons(done) == ["not_applicable"] * 2
    assert "candidate" in (done.receipts[0].detail or "")


def test_an_unknown_target_is_skipped_and_the_rest_stands(world):
    done = world.apply({"op": "pin", "target_id": "mem_404"}, {"op": "pin", "target_id": RECORD})
    assert reasons(done) == ["unknown_target", None]


def test_every_op_of_the_contract_has_a_rule():
    from typing import get_args

    from store.model import OpName

    assert set(RULES) == set(get_args(OpName))


def test_unknown_fields_of_a_newer_minor_version_survive_an_update():
    world = World()
    world.record(RECORD, "Use tabs", mood="calm", scope={"type": "project", "project": SHOP, "since": "1.2"})
    world.apply({"op": "pin", "target_id": RECORD})
    assert world.now(RECORD)["mood"] == "calm"
    assert world.now(RECORD)["scope"]["since"] == "1.2"
