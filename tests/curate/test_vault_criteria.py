"""The four conditions of a page in the vault, each with its evidence; and the overview of what is ripe."""

from __future__ import annotations

from pathlib import Path

import pytest

from curate.vault.criteria import criteria, family, since
from curate.vault.folder import Vault
from curate.vault.overview import overview, ripe
from curate.vault.taste import is_taste
from tests.curate.vaults import API, NOW, OLD, SHOP, Memory, vault_at


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    return Memory(tmp_path / "store")


def judged(memory: Memory, ident: str, at: str = NOW) -> dict[str, bool]:
    return {one.name: one.met for one in criteria(memory.store.state, family(memory.store.state, ident), at)}


RULE = "Handlers of a queue are idempotent."


def test_said_in_two_projects_a_month_ago_it_is_ripe(memory: Memory):
    memory.learn("m1", RULE, rule_type="architecture")
    memory.learn("m2", "Handlers of a queue must be idempotent", project=API, rule_type="architecture")
    found = family(memory.store.state, "m1")
    assert found.ids == ["m1", "m2"]
    shown = criteria(memory.store.state, found, NOW)
    assert [one.name for one in shown if one.met] == ["projects", "stable", "knowledge", "provenance"]
    assert [line.partition(":")[0] for line in shown[0].evidence] == [API, SHOP]
    assert any("session s_m2" in line and OLD[:10] in line for line in shown[3].evidence)
    assert ripe(memory.store.state, NOW) == ["m1"]


def test_one_project_with_branches_aliases_and_submodules_is_one(memory: Memory):
    memory.learn("m1", RULE)
    memory.learn("m2", RULE, project=f"{SHOP}#feature")
    assert not judged(memory, "m1")["projects"]


def test_another_rule_in_another_project_does_not_count(memory: Memory):
    memory.learn("m1", "Use npm for builds.")
    memory.learn("m2", "Use pnpm for builds.", project=API)
    assert not judged(memory, "m1")["projects"]


def test_a_change_starts_the_month_anew_and_a_tag_does_not(memory: Memory):
    memory.learn("m1", RULE)
    memory.at = "2026-11-20T10:00:00.000Z"
    memory.apply(op="update", target_id="m1", updates={"tags": ["queue"]})
    assert judged(memory, "m1")["stable"]
    memory.apply(op="add_exception", target_id="m1", updates={"known_exceptions": ["the audit log"]})
    assert since(family(memory.store.state, "m1")) == memory.at
    assert not judged(memory, "m1")["stable"]
    assert judged(memory, "m1", "2026-12-21T10:00:00Z")["stable"]


def test_what_is_contested_is_not_stable(memory: Memory):
    memory.learn("m1", RULE)
    memory.apply(op="contest", target_id="m1", reason="somebody disagrees")
    assert not judged(memory, "m1")["stable"]


@pytest.mark.parametrize(
    "statement",
    ["I like short commit messages.", "Answer in German.", "No emojis please.", "Be concise.",
     "Ich mag kurze Antworten.", "Je préfère les tabulations.", "我喜欢简短的回答。", "Я люблю короткие ответы."],
)  # fmt: skip
def test_taste_is_no_knowledge(statement: str, memory: Memory):
    assert is_taste(statement)
    memory.learn("m1", statement)
    assert not judged(memory, "m1")["knowledge"]


@pytest.mark.parametrize(
    "statement",
    ["Store all times in UTC.", "The API answers within 200 ms.", "Reply queues are durable.",
     "Prefer composition over inheritance.", "Never log secrets.", "Die Tests laufen parallel."],
)  # fmt: skip
def test_knowledge_is_no_taste(statement: str):
    assert not is_taste(statement)


def test_identity_and_personal_preferences_stay_out(memory: Memory):
    memory.learn("m1", "Tabs over spaces.", project=None, rule_type="preference")
    assert not judged(memory, "m1")["knowledge"]


def test_without_a_source_there_is_no_provenance(memory: Memory):
    memory.apply(op="add", record={"id": "m1", "statement": RULE, "scope": {"type": "project", "project": SHOP}})
    assert not judged(memory, "m1")["provenance"]


def test_the_overview_names_dead_references_and_broken_notes(memory: Memory, tmp_path: Path):
    vault = Vault(vault_at(tmp_path / "v"))
    memory.learn("m1", RULE)
    memory.learn("m2", RULE, project=API)
    memory.apply(op="update", target_id="m1", updates={"vault_ref": "[[Fuzzing]]"})
    memory.apply(op="update", target_id="m2", updates={"vault_ref": "Concepts/Gone.md"})
    found = overview(memory.store.state, vault, NOW)
    assert [(one["id"], one["alive"]) for one in found["refs"]] == [("m1", True), ("m2", False)]
    assert [one["id"] for one in found["ripe"]] == ["m1"]
    assert {one["line"] for one in found["broken"]} == {1, 2, 4}
    assert found["staging"] == "00 Inbox"
