from __future__ import annotations

import pytest

from store.errors import BadPatch
from store.model import Record
from tests.store.patching import API, AT, SHOP, WEB, World, made, reasons


def test_one_candidate_with_three_targets_becomes_three_records_of_one_group():
    world = World()
    world.candidate("cand_1", "Use bun, not npm", rule_type="prefer_pattern", tags=["tooling"])
    done = world.apply({"op": "add", "candidate_ids": ["cand_1"], "targets": [SHOP, API, WEB]})
    assert reasons(done) == [None]
    records = [world.state.record(ident) for ident in made(done)]
    assert [record.scope.project for record in records] == [SHOP, API, WEB]
    assert len({record.group for record in records}) == 1
    assert records[0].group
    assert {record.statement for record in records} == {"Use bun, not npm"}
    assert {record.rule_type for record in records} == {"prefer_pattern"}
    assert all(record.evidence == ["ev_cand_1"] for record in records)
    files = {revision.file for revision in done.revisions if revision.file.startswith("memory/projects/")}
    assert len(files) == 3
    candidate = world.state.candidate("cand_1")
    assert candidate.status == "accepted"
    assert candidate.became == [record.id for record in records]


def test_one_target_makes_a_record_without_a_group():
    world = World()
    done = world.apply({"op": "add", "record": {"statement": "Run the linter"}, "targets": [SHOP]})
    assert world.state.record(made(done)[0]).group is None


def test_projects_that_the_registry_does_not_know_are_registered_once():
    world = World()
    done = world.apply(
        {"op": "add", "record": {"statement": "A"}, "targets": [SHOP, API]},
        {"op": "add", "record": {"statement": "B"}, "targets": [SHOP]},
    )
    assert made(done, "github.com") == [SHOP, API]
    again = world.apply({"op": "add", "record": {"statement": "C"}, "targets": [API]})
    assert made(again, "github.com") == []


def test_a_target_named_by_an_alias_goes_to_the_project_it_leads_to():
    world = World()
    world.put("projects.jsonl", SHOP, {"name": "shop", "file": "shop-c566806a", "aliases": ["github.com/acme/store"]})
    done = world.apply({"op": "add", "record": {"statement": "A"}, "targets": ["github.com/acme/store", SHOP]})
    assert [world.state.record(ident).scope.project for ident in made(done)] == [SHOP]


def test_candidates_of_a_group_join_their_evidence_and_tags():
    world = World()
    world.candidate("cand_1", "Use bun", tags=["js"], targets=[SHOP], evidence=["ev_1", "ev_2"])
    world.candidate("cand_2", "use bun please", tags=["tooling", "js"], targets=[SHOP, API], evidence=["ev_2", "ev_3"])
    done = world.apply({"op": "add", "candidate_ids": ["cand_1", "cand_2"]})
    records = [world.state.record(ident) for ident in made(done)]
    assert [record.scope.project for record in records] == [SHOP, API]
    assert records[0].statement == "Use bun"
    assert records[0].tags == ["js", "tooling"]
    assert records[0].evidence == ["ev_1", "ev_2", "ev_3"]
    assert {world.now(ident)["status"] for ident in ("cand_1", "cand_2")} == {"accepted"}


def test_a_global_scope_needs_no_target_and_an_unassigned_one_does():
    world = World()
    world.candidate("cand_1", "Write short commit messages", scope={"type": "global"})
    world.candidate("cand_2", "Never touch the migrations")
    done = world.apply({"op": "add", "candidate_ids": ["cand_1"]}, {"op": "add", "candidate_ids": ["cand_2"]})
    assert reasons(done) == [None, "not_applicable"]
    assert world.state.record(made(done)[0]).scope.type == "global"
    assert "project" in (done.receipts[1].detail or "")
    assert world.now("cand_2")["status"] == "waiting"


def test_path_globs_stay_with_every_record():
    world = World()
    scope = {"type": "project", "paths": ["packages/api/**"]}
    done = world.apply({"op": "add", "record": {"statement": "Use SQL files", "scope": scope}, "targets": [SHOP, API]})
    assert {tuple(world.state.record(ident).scope.paths) for ident in made(done)} == {("packages/api/**",)}


def test_identity_memory_goes_to_its_own_file():
    world = World()
    done = world.apply(
        {
            "op": "add",
            "record": {
                "statement": "I teach mathematics",
                "layer": "L1",
                "scope": {"type": "global"},
                "review": {"change_condition": "I say that I changed jobs"},
            },
        },
        confirm="identity",
    )
    assert [revision.file for revision in done.revisions] == ["memory/identity.jsonl"]


def test_fields_of_an_imported_record_are_kept_as_given():
    world = World()
    given = {
        "id": "my-own-id",
        "statement": "Prefer composition",
        "scope": {"type": "global"},
        "status": "deprecated",
        "confidence": 0.31,
        "stability": "stable",
        "created_at": "2025-01-01T00:00:00Z",
        "updated_at": "2025-02-01T00:00:00Z",
        "review": {"cadence_days": 10, "next_review": "2027-01-01"},
        "body": "Line one\nLine two",
    }
    world.apply({"op": "add", "record": given})
    kept = Record.model_validate(world.now("my-own-id"))
    assert Record.model_validate(given) == kept


def test_an_id_that_is_taken_is_refused():
    world = World()
    world.record("mem_old", "Use tabs")
    done = world.apply({"op": "add", "record": {"id": "mem_old", "statement": "Use spaces"}, "targets": [SHOP]})
    assert reasons(done) == ["not_applicable"]
    assert world.now("mem_old")["statement"] == "Use tabs"


def test_hidden_characters_and_line_breaks_do_not_reach_a_statement():
    world = World()
    done = world.apply(
        {
            "op": "add",
            "record": {"statement": " Use\u202e tabs\n\nhere\x1b[31m ", "tags": ["a\u200b", "a"]},
            "targets": [SHOP],
        }
    )
    record = world.state.record(made(done)[0])
    assert record.statement == "Use tabs here"
    assert record.tags == ["a"]


def test_a_secret_in_a_patch_is_masked_before_it_is_planned():
    world = World()
    key = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    patch = world.patch(
        {"op": "add", "record": {"statement": f"Push with {key}", "body": key}, "targets": [SHOP], "reason": key},
        summary=key,
    )
    assert key not in patch.model_dump_json()
    assert key not in str(world.plan(patch).revisions)


def test_a_new_record_gets_a_review_date_and_confidence_from_its_evidence():
    world = World()
    world.candidate("cand_1", "Use bun", targets=[SHOP], evidence=[world.evidence("ev_a", session="s1")])
    guess = world.evidence("ev_c", trust="agent_inference")
    world.candidate("cand_2", "Ship on Fridays", targets=[SHOP], trust="agent_inference", evidence=[guess])
    done = world.apply({"op": "add", "candidate_ids": ["cand_1"]}, {"op": "add", "candidate_ids": ["cand_2"]})
    said, guessed = (world.state.record(ident) for ident in made(done))
    assert said.confidence >= 0.85 > 0.5 > guessed.confidence
    assert said.review.next_review is not None
    assert said.review.next_review > AT


@pytest.mark.parametrize(
    ("op", "words"),
    [
        ({"op": "add"}, "record.statement"),
        ({"op": "add", "record": {"statement": "  \u200b "}, "targets": [SHOP]}, "record.statement"),
        ({"op": "add", "record": {"statement": "A", "colour": "red"}}, "record.colour"),
        ({"op": "add", "record": {"statement": "A", "scope": {"typ": "global"}}}, "record.scope.typ"),
        ({"op": "add", "record": {"statement": "A", "scope": {"type": "global"}}, "targets": [SHOP]}, "targets"),
        ({"op": "add", "record": {"statement": "A", "confidence": 2}}, "record.confidence"),
        ({"op": "add", "record": {"statement": "A" * 3000}}, "record.statement"),
        ({"op": "add", "record": {"statement": "A", "id": "two words"}}, "record.id"),
        ({"op": "add", "record": {"statement": "A", "valid_to": "soon"}}, "record.valid_to"),
        ({"op": "add", "record": {"statement": "A"}, "target_id": "mem_1"}, "target_id"),
        ({"op": "add", "record": {"statement": "A"}, "targets": [SHOP, SHOP]}, "targets"),
        ({"op": "add", "record": {"statement": "A"}, "targets": [SHOP + "\x1b[2J"]}, "hidden characters"),
        ({"op": "add", "record": {"statement": "A"}, "updates": {"lift_tombstone": "yes"}}, "lift_tombstone"),
    ],
)
def test_an_add_that_cannot_mean_anything_spoils_the_patch_by_name(op, words):
    world = World()
    with pytest.raises(BadPatch, match="op_001") as fault:
        world.plan(world.patch(op))
    assert words in str(fault.value)


def test_a_candidate_that_is_gone_or_decided_is_not_accepted_again():
    world = World()
    world.candidate("cand_1", "Use bun", targets=[SHOP])
    world.apply({"op": "add", "candidate_ids": ["cand_1"]})
    done = world.apply({"op": "add", "candidate_ids": ["cand_1"]}, {"op": "add", "candidate_ids": ["cand_9"]})
    assert reasons(done) == ["not_applicable", "unknown_target"]
    assert done.revisions == []
