"""Promotion: a dossier under reports/, a note in the staging folder on request, and no other byte of the vault."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.curate.command import curate, curate_process
from tests.curate.vaults import API, Memory, bytes_below, vault_at

RULE = "Every call to another service goes through a circuit breaker."


@pytest.fixture
def home(tmp_path: Path) -> Path:
    memory = Memory(tmp_path / "store")
    memory.learn("m1", RULE, tags=["resilience", "rule of thumb"], rule_type="architecture")
    memory.learn("m2", RULE, project=API)
    memory.learn("m3", "Old habit.")
    memory.apply(op="deprecate", target_id="m3")
    return tmp_path / "store"


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return vault_at(tmp_path / "vault")


def promoted(home: Path, vault: Path, *more: str, ident: str = "m1") -> dict[str, Any]:
    done = curate("vault", "promote", ident, "--json", "--home", home, *more, PI_VAULT_PATH=str(vault))
    assert done.code == 0, done.err
    found = done.json
    assert isinstance(found, dict)
    return found


def test_without_write_the_vault_is_not_touched(home: Path, vault: Path):
    before = bytes_below(vault)
    found = promoted(home, vault)
    assert found["note"] is None
    assert found["met"] is True
    assert [one["met"] for one in found["criteria"]] == [True] * 4
    assert bytes_below(vault) == before
    text = (home / found["report"]["path"]).read_text("utf-8")
    assert text.startswith("---\ncreated: ")
    for part in ("curate_id: m1", "tags: [resilience, rule-of-thumb]", "[[Concepts/Circuit Breaker|Circuit Breaker]]",
                 "- [x] Seen in two or more independent projects", "session s\\_m1", "## Provenance"):  # fmt: skip
        assert part.replace("\\_", "_") in text or part in text, part


def test_with_write_one_note_appears_in_the_staging_folder_and_twice_changes_no_byte(home: Path, vault: Path):
    before = bytes_below(vault)
    found = promoted(home, vault, "--write")
    assert found["note"]["outcome"] == "created"
    after = bytes_below(vault)
    assert set(after) - set(before) == {found["note"]["path"]}
    assert found["note"]["path"].startswith("00 Inbox/")
    assert {name: after[name] for name in before} == before
    everything = bytes_below(home)
    again = promoted(home, vault, "--write")
    assert (again["note"]["outcome"], again["report"]["outcome"], again["patch"]) == ("unchanged", "unchanged", None)
    assert bytes_below(vault) == after
    assert bytes_below(home) == everything


def test_the_record_refers_to_its_note(home: Path, vault: Path):
    path = promoted(home, vault, "--write")["note"]["path"]
    shown = curate("show", "m1", "--json", "--home", home).json["record"]
    assert (shown["vault_ref"], "vault-candidate" in shown["tags"]) == (path, True)
    status = curate("vault", "status", "--json", "--home", home, PI_VAULT_PATH=str(vault)).json
    assert [(one["id"], one["alive"]) for one in status["refs"]] == [("m1", True)]
    (vault / path).rename(vault / "Concepts" / "Breakers.md")
    status = curate("vault", "status", "--json", "--home", home, PI_VAULT_PATH=str(vault)).json
    assert [(one["alive"], one["note"]) for one in status["refs"]] == [(False, "Concepts/Breakers.md")]


def test_a_note_that_was_filed_belongs_to_the_person(home: Path, vault: Path):
    path = promoted(home, vault, "--write")["note"]["path"]
    (vault / path).rename(vault / "Concepts" / "Breakers.md")
    before = bytes_below(vault)
    assert promoted(home, vault, "--write")["note"] == {
        "path": "Concepts/Breakers.md", "outcome": "filed", "why": "the note was filed, so it is left to you"
    }  # fmt: skip
    assert bytes_below(vault) == before


def test_a_note_of_the_same_name_is_never_written_over(home: Path, vault: Path):
    title = RULE.rstrip(".")
    mine = vault / "Concepts" / f"{title.upper()}.md"
    mine.write_text("Mine.")
    (vault / "00 Inbox" / f"{title}.md").write_text("Mine too.")
    found = promoted(home, vault, "--write")
    assert found["note"]["path"] not in (f"00 Inbox/{title}.md", f"Concepts/{title.upper()}.md")
    assert mine.read_text() == "Mine."
    assert (vault / "00 Inbox" / f"{title}.md").read_text() == "Mine too."


def test_an_edit_inside_our_block_is_refused_by_line(home: Path, vault: Path):
    path = vault / promoted(home, vault, "--write")["note"]["path"]
    edited = path.read_text("utf-8").replace("## Provenance", "My own words.\n\n## Provenance")
    path.write_text(edited, "utf-8")
    done = curate_process("vault", "promote", "m1", "--write", "--home", home, PI_VAULT_PATH=str(vault))
    assert done.code == 2
    assert done.is_one_line(path.name, "line 10", "edited")
    assert path.read_text("utf-8") == edited


def test_a_broken_note_of_ours_is_refused_by_line(home: Path, vault: Path):
    path = vault / promoted(home, vault, "--write")["note"]["path"]
    broken = path.read_text("utf-8").replace("curate_status: active", "curate_id: m1")
    path.write_text(broken, "utf-8")
    done = curate("vault", "promote", "m1", "--write", "--home", home, PI_VAULT_PATH=str(vault))
    assert done.code == 2
    assert done.is_one_line("line 5", "twice")
    assert path.read_text("utf-8") == broken


def test_a_block_that_was_taken_out_does_not_come_back(home: Path, vault: Path):
    path = vault / promoted(home, vault, "--write")["note"]["path"]
    text = path.read_text("utf-8")
    path.write_text(text[: text.index("<!-- curate:begin")], "utf-8")
    before = path.read_bytes()
    assert promoted(home, vault, "--write")["note"]["outcome"] == "taken_over"
    assert path.read_bytes() == before


def test_only_what_is_active_goes_and_what_is_unknown_is_said(home: Path, vault: Path):
    for ident, word in (("m3", "deprecated"), ("m9", "m9")):
        assert curate("vault", "promote", ident, "--home", home, PI_VAULT_PATH=str(vault)).fails(2, word)
    assert curate("vault", "promote", "m1", "--write", "--home", home, PI_VAULT_PATH="").fails(2, "PI_VAULT_PATH")


def test_a_staging_folder_that_leads_out_of_the_vault_is_refused(home: Path, vault: Path, tmp_path: Path):
    (tmp_path / "elsewhere").mkdir()
    (vault / "Way out").symlink_to(tmp_path / "elsewhere")
    for name in ("../elsewhere", "Way out", "."):
        config = home / "config.yaml"
        config.write_text(f"vault:\n  staging: {name!r}\n")
        done = curate("vault", "promote", "m1", "--write", "--home", home, PI_VAULT_PATH=str(vault))
        assert (done.code, "out of the vault" in done.err) == (2, True), name
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_a_link_to_a_note_is_a_change_like_any_other(home: Path, vault: Path):
    done = curate("vault", "link", "m2", "[[Circuit Breaker]]", "--json", "--home", home, PI_VAULT_PATH=str(vault))
    assert done.json["vault_ref"] == "Concepts/Circuit Breaker.md"
    assert curate("vault", "link", "m2", "Nowhere", "--home", home, PI_VAULT_PATH=str(vault)).fails(2, "Nowhere")
    curate("undo", "--home", home)
    assert curate("show", "m2", "--json", "--home", home).json["record"]["vault_ref"] is None
