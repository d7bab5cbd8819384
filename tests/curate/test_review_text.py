"""The review as a text list: written, edited, taken back; and every line that is wrong is named."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curate.review.feed import Feed
from curate.review.rows import Row, Scoped
from curate.review.textlist import is_list, read_list, scope_of, scope_text, seen, write_list
from store.store import Store
from tests.curate.command import curate, curate_process
from tests.curate.tui.stores import SHOP, capture, said, sample, sides

AT = "2026-11-29T10:00:00.000Z"
NAMES = st.text(st.characters(exclude_categories=["C"]), min_size=1, max_size=8).filter(
    lambda name: name not in {"global", "unassigned", "project", "path", "domain"} and not name.startswith("domain:")
)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return sample(tmp_path / "store")


@pytest.fixture
def disputed(tmp_path: Path) -> Store:
    return sides(tmp_path / "store")


def rows(store: Store) -> dict[str, Row]:
    return {row.key: row for row in Feed.of(Store.open(store.root)).rows()}


def line_of(text: str, words: str) -> str:
    (found,) = (line for line in text.splitlines() if words in line and not line.startswith("#"))
    return found


def text_of(store: Store) -> str:
    done = curate("--home", store.root, "review", "--text")
    assert done.code == 0, done.err
    return done.text


def apply(store: Store, text: str, *words: str):
    return curate("--home", store.root, "apply", "-", "--json", *words, stdin=text.encode())


def test_what_is_written_says_how_to_edit_it_and_proposes_only_what_is_safe(store: Store) -> None:
    text = text_of(store)
    assert is_list(text)
    assert line_of(text, "use pnpm").startswith("accept ")
    assert line_of(text, "MySQL").startswith("skip ")
    assert "proposed: supersede:" in text
    assert line_of(text, "thanks, that is great").startswith("reject ")
    assert line_of(text, "keep answers short").startswith("skip "), "nothing global is preselected"
    assert "no project could be told" in text
    assert "\x1b" not in text
    for verb in ("accept, a", "supersede, S", "skip, -"):
        assert verb in text


def test_a_list_as_it_was_written_does_what_is_preselected(store: Store) -> None:
    done = apply(store, text_of(store))
    assert done.code == 0, done.err
    assert not done.json["skipped"]
    state = Store.open(store.root).state
    statuses = {v.data["statement"]: v.data["status"] for v in state.candidates.values()}
    assert statuses["use pnpm, not npm, in this repo"] == "accepted"
    assert statuses["thanks, that is great"] == "rejected"
    assert statuses["keep answers short and skip the summary"] == "waiting"
    assert curate("--home", store.root, "undo").code == 0


def test_reading_gives_back_what_was_written(store: Store) -> None:
    found = rows(store)
    choices, faults = read_list(write_list(found.values()), found, at=AT)
    assert not faults
    for key, choice in choices.items():
        assert choice.scoped is None, "the proposed scope is no change"
        assert choice.statement is None
        assert choice.candidates == found[key].candidates
    assert {choice.verb for choice in choices.values()} == {"accept", "reject"}


def test_verbs_scopes_and_words_are_edited_and_lines_reordered(store: Store) -> None:
    text = text_of(store)
    known = next(v.id for v in store.state.records.values() if "Postgres" in v.data["statement"])
    edited = [
        line_of(text, "MySQL").replace("skip ", f"S:{known[-8:]} "),
        line_of(text, "staging cluster").replace("accept", "a").replace("called blue", "called green"),
        line_of(text, "always write tests").replace(SHOP, f"{SHOP}|src/**,lib/**"),
        line_of(text, "keep answers short").replace("skip", "add", 1),
        line_of(text, "blue theme").replace("skip", "accept").replace("unassigned", "github.com/acme/web"),
        line_of(text, "prefer fetch").replace("accept", "later"),
    ]
    done = apply(store, "\n".join(edited) + "\n")
    assert done.code == 0, done.err
    assert len(done.json["applied"]) == 6
    state = Store.open(store.root).state
    records = {v.data["statement"]: v.data for v in state.records.values()}
    assert records["Use Postgres for the orders database"]["status"] == "superseded"
    assert "the staging cluster is called green" in records
    assert records["always write tests next to the code they test"]["scope"]["paths"] == ["src/**", "lib/**"]
    assert records["keep answers short and skip the summary"]["scope"] == {"type": "global"}
    assert records["use the blue theme for the dashboard"]["scope"]["project"] == "github.com/acme/web"
    statuses = {v.data["statement"]: v.data["status"] for v in state.candidates.values()}
    assert statuses["prefer fetch over axios in the web client"] == "deferred"
    assert statuses["use pnpm, not npm, in this repo"] == "waiting", "a line that was taken out is left waiting"


def test_every_wrong_line_is_named_and_nothing_is_applied(store: Store) -> None:
    text = text_of(store)
    pnpm = line_of(text, "use pnpm")
    bad = [
        "# curate review list",
        pnpm.replace("accept", "acept"),
        "accept zzzzzz global something",
        "accept",
        line_of(text, "blue theme").replace("skip", "accept"),
        line_of(text, "never log").replace("accept", "merge:mem_nobody"),
        line_of(text, "staging cluster"),
        line_of(text, "staging cluster"),
        "  unless: the moon is full",
    ]
    before = {path: path.read_bytes() for path in store.root.rglob("*.jsonl")}
    done = apply(store, "\n".join(bad))
    assert done.fails(
        2, "line 2: no verb `acept`; there are accept,", "line 3: nothing that waits has the id `zzzzzz`",
        "line 4: expected VERB ID SCOPE STATEMENT", "line 5: no project could be told",
        "line 6: no memory has the id", "nothing was applied",
    )  # fmt: skip
    assert {path: path.read_bytes() for path in store.root.rglob("*.jsonl")} == before


def test_a_line_that_stands_twice_is_refused(store: Store) -> None:
    line = line_of(text_of(store), "staging cluster")
    done = apply(store, f"{line}\n{line}\n")
    assert done.fails(2, "line 2", "stands in line 1 already")


def test_what_was_not_there_to_be_seen_is_not_decided(store: Store) -> None:
    text = text_of(store)
    capture(Store.open(store.root), said("use pnpm, not npm, in this repo", day=29, around="again: {}"))
    line = line_of(text, "use pnpm")
    done = apply(store, line)
    assert done.fails(2, "has changed since the list was written")
    bare = line.replace("." + line.split()[1].split(".")[1], "")
    assert apply(store, bare).code == 0


def test_identity_memory_asks_for_a_condition_and_the_word(disputed: Store) -> None:
    text = text_of(disputed)
    at = text.splitlines().index(line_of(text, "review code"))
    assert text.splitlines()[at + 1] == "  unless:"
    accepted = text.splitlines()[at].replace("skip", "accept", 1)
    assert apply(disputed, f"{accepted}\n  unless:\n").fails(2, "line 1", "unless: WORDS")
    whole = f"{accepted}\n  unless: I stop reviewing code\n"
    assert apply(disputed, whole).code == 2
    assert apply(disputed, whole, "--confirm", "identity").code == 0
    (data,) = (v.data for v in Store.open(disputed.root).state.records.values() if v.data.get("layer") == "L1")
    assert data["review"]["change_condition"] == "I stop reviewing code"


def test_a_list_takes_no_selection_and_a_patch_is_still_a_patch(store: Store) -> None:
    assert apply(store, text_of(store), "--select", "op_001").fails(2, "--select belongs to a patch")
    patch = curate("--home", store.root, "propose").out
    assert curate("--home", store.root, "apply", "-", stdin=patch).code == 0
    assert curate("--home", store.root, "apply", "-", stdin=b"hello there").fails(2, "not JSON")


def test_a_list_is_written_to_a_file_and_as_json(store: Store, tmp_path: Path) -> None:
    file = tmp_path / "todo.txt"
    done = curate_process("--home", store.root, "review", "--text", "-o", file)
    assert (done.code, done.out) == (0, b"")
    assert f"curate apply {file}" in done.err
    assert curate_process("--home", store.root, "review", "--text", "--json").json["list"] == file.read_text("utf-8")
    assert curate_process("--home", store.root, "apply", file).code == 0
    assert curate_process("--home", store.root, "review").fails(2, "curate review --text", "curate web")


def test_an_empty_inbox_is_an_empty_list(tmp_path: Path) -> None:
    store = Store.open(tmp_path / "store", create=True)
    text = text_of(store)
    assert "Nothing waits" in text
    assert apply(store, text).json["applied"] == []


def test_the_mark_changes_with_what_is_there(store: Store) -> None:
    row = next(row for row in rows(store).values() if "MySQL" in row.statement)
    assert seen(row) != seen(replace(row, candidates=(*row.candidates, "cand_more")))
    assert seen(row) != seen(replace(row, bases=(("mem", "other"),)))
    assert seen(row) == seen(replace(row, statement="other"))


@given(st.lists(NAMES, min_size=1, max_size=3, unique=True), st.lists(NAMES, max_size=3, unique=True))
def test_a_scope_comes_back_from_its_word(projects: list[str], paths: list[str]) -> None:
    for scoped in (
        Scoped("path" if paths else "project", tuple(projects), tuple(paths)),
        Scoped("domain", domains=tuple(projects)),
        Scoped("global"),
        Scoped("unassigned"),
    ):
        word = scope_text(scoped)
        assert len(word.split()) == 1
        assert scope_of(word) == scoped
