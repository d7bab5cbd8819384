"""Suggestions: the notes that say what a record says are among the first three; nothing is named that does not fit."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter

import pytest

from curate.vault.folder import Page, Vault, page_of
from curate.vault.note import parse
from curate.vault.refs import resolve, target_of
from curate.vault.suggest import suggest
from tests.curate.command import curate
from tests.curate.vaults import DATA, Memory, cases, vault_at


@pytest.mark.parametrize("case", cases(), ids=lambda case: case["statement"][:30])
def test_the_right_notes_are_among_the_first_three(case: dict[str, object]):
    found = suggest(Vault(DATA / "notes").filed, str(case["statement"]), list(case["tags"]))
    paths = [one.page.path for one in found]
    assert len(paths) <= 3
    if case["suggest"]:
        assert set(case["suggest"]) <= set(paths)
    else:
        assert paths == []


def page(title: str, **fields: tuple[str, ...]) -> Page:
    return Page(f"{title}.md", title, **fields)


def titles(statement: str, pages: list[Page], *tags: str) -> list[str]:
    return [one.page.title for one in suggest(pages, statement, tags)]


def test_a_shared_tag_alone_is_no_reason():
    assert titles("Commit small steps.", [page("Code Review", tags=("workflow",))], "workflow") == []


def test_names_of_tools_that_look_alike_are_not_mixed_up():
    tools = [page("pnpm"), page("Postgres"), page("PostGIS"), page("uv"), page("ruff")]
    assert titles("Use npm.", tools) == []
    assert titles("Use pnpm.", tools) == ["pnpm"]
    assert titles("Use PostgreSQL 16.", tools) == ["Postgres"]


def test_compounds_inflections_and_slips_are_bridged():
    assert titles("The lockfile is committed.", [page("Lock Files")]) == ["Lock Files"]
    assert titles("Commit the lock file.", [page("Lockfile")]) == ["Lockfile"]
    assert titles("Handlers are idempotent.", [page("Idempotency")]) == ["Idempotency"]
    assert titles("Never cache authentification tokens.", [page("Authentication Tokens")]) == ["Authentication Tokens"]


def test_what_waits_to_be_filed_diaries_and_instructions_are_not_named(tmp_path: Path):
    vault = Vault(vault_at(tmp_path / "v"))
    (vault.root / "00 Inbox" / "Fuzzing parsers.md").write_text("x")
    paths = [
        one.page.path for one in suggest(vault.filed, "Fuzzing parsers finds rules of this vault.", ["fuzz-testing"])
    ]
    assert paths == ["Concepts/Fuzzing.md"]


def test_equal_notes_come_in_one_order():
    pages = [page("Caching", tags=(tag,)) for tag in "cab"]
    pages = [Page(f"{at}/Caching.md", "Caching") for at in "cab"]
    assert [one.page.path for one in suggest(pages, "Caching is off.")] == [
        "a/Caching.md",
        "b/Caching.md",
        "c/Caching.md",
    ]
    assert suggest(pages, "…") == suggest([], "Caching is off.") == []


def test_headings_tags_and_aliases_are_read_as_obsidian_reads_them():
    note = parse(
        b"---\naliases: one alias\ntags: work/deep, two three\n---\n# X\n## A heading ##\n```\n# code\n#nottag\n```\n"
        b"Text #inline-tag and #42 and C#.\n"
    )
    found = page_of("a/X.md", note)
    assert (found.title, found.aliases, found.headings) == ("X", ("one alias",), ("A heading",))
    assert found.tags == ("work/deep", "two", "three", "inline-tag")


def test_broken_notes_are_named_and_left_out(tmp_path: Path):
    vault = Vault(vault_at(tmp_path / "v"))
    assert all(not one.path.startswith(("Broken/", ".obsidian")) for one in vault.pages)
    assert [(one.path, one.line) for one in vault.broken] == [
        ("Broken/Doubled.md", 4),
        ("Broken/Open.md", 1),
        ("Broken/Tab.md", 2),
    ]


def test_a_link_out_of_the_vault_is_not_followed(tmp_path: Path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "Secret.md").write_text("x")
    vault = vault_at(tmp_path / "v")
    (vault / "away").symlink_to(tmp_path / "out")
    assert not [one for one in Vault(vault).pages if "Secret" in one.path]


def test_references_are_followed_in_every_form_and_die_when_the_note_goes(tmp_path: Path):
    vault = Vault(vault_at(tmp_path / "v"))
    for ref in ("Concepts/Fuzzing.md", "Concepts/Fuzzing", "[[Fuzzing]]", "[[Concepts/Fuzzing|x]]", "fuzz testing",
                "obsidian://open?vault=v&file=Concepts%2FFuzzing"):  # fmt: skip
        found = resolve(vault, ref)
        assert (found.alive, found.note) == (True, "Concepts/Fuzzing.md"), ref
    assert "heading" in resolve(vault, "Zero Trust#Gone").why
    assert resolve(vault, "Zero Trust#Least privilege").why == "the note is there"
    assert not resolve(vault, "Other/Fuzzing.md").alive
    assert "line 1" in resolve(vault, "Broken/Open.md").why
    assert target_of("[[a/b#c|d]]") == ("a/b", "c")
    (vault.root / "Concepts/Fuzzing.md").unlink()
    vault.refresh()
    assert not resolve(vault, "Fuzzing").alive


def test_the_command_names_them(tmp_path: Path):
    memory = Memory(tmp_path / "s")
    memory.learn("m1", "Put a circuit breaker around every call.", tags=["resilience"])
    memory.learn("m2", "I like short commit messages.", tags=["style"])
    vault = vault_at(tmp_path / "v")
    found = curate("vault", "suggest", "m1", "--json", "--home", tmp_path / "s", PI_VAULT_PATH=str(vault)).json
    assert [one["path"] for one in found["suggestions"]] == ["Concepts/Circuit Breaker.md"]
    assert found["suggestions"][0]["link"] == "[[Concepts/Circuit Breaker|Circuit Breaker]]"
    nothing = curate("vault", "suggest", "m2", "--json", "--home", tmp_path / "s", PI_VAULT_PATH=str(vault)).json
    assert nothing["suggestions"] == []
    assert curate("vault", "suggest", "m1", "--home", tmp_path / "s", PI_VAULT_PATH="").fails(2, "PI_VAULT_PATH")
    assert curate("vault", "suggest", "m1", "--home", tmp_path / "s", PI_VAULT_PATH=str(tmp_path / "no")).fails(
        2, "no such"
    )
    assert curate("vault", "suggest", "m9", "--home", tmp_path / "s", PI_VAULT_PATH=str(vault)).fails(2, "m9")


def test_a_large_vault_is_searched_in_a_moment():
    pages = [page(f"Concept {number} of area {number % 97}", tags=(f"t{number % 50}",)) for number in range(5000)]
    pages.append(page("Idempotent Consumers"))
    suggest(pages, "warm up")
    started = perf_counter()
    assert titles("Consumers of the queue must be idempotent.", pages) == ["Idempotent Consumers"]
    assert perf_counter() - started < 2
