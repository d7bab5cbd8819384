"""What can be done to a memory that is there, to identity memory, and at the end of a tab."""

from __future__ import annotations

from pathlib import Path

import pytest

from store.store import Store
from tests.curate.tui.running import go_to, review, screen_text
from tests.curate.tui.stores import capture, said
from tests.curate.tui.test_sides import written


async def test_a_dispute_is_settled(disputed: Path) -> None:
    async with review(disputed) as (app, pilot):
        row = await go_to(app, pilot, "Document each")
        assert app.session.queue.tab == "contested"
        assert "the generator does it now" in screen_text(app)
        await pilot.press("C")
        assert app.session.pending()[row.key].verb == "uncontest"
        await pilot.press("u")
        assert not app.session.pending()
        await pilot.press("C")
        await written(app, pilot)
        assert app.session.queue.tab_of(row.key) == "memory"


async def test_the_memory_tab_shows_disputed_ones_too(disputed: Path) -> None:
    async with review(disputed) as (app, pilot):
        await go_to(app, pilot, "linter")
        assert app.session.queue.tab == "memory"
        assert {row.status for row in app.session.queue.visible} == {"active", "contested"}
        await pilot.press("/", *"is:contested", "enter")
        assert len(app.session.queue.visible) == 2
        assert app.session.queue.tab == "memory"


async def test_pin_and_unpin(store: Path) -> None:
    async with review(store) as (app, pilot):
        row = await go_to(app, pilot, "linter")
        await pilot.press("!")
        await written(app, pilot)
        await go_to(app, pilot, "linter")
        assert "! unpin" in screen_text(app) or "pin Run the linter" in screen_text(app)
        await pilot.press("!")
        assert app.session.pending()[row.key].verb == "unpin"
        await written(app, pilot)
    assert Store.open(store).state.records[row.key].data.get("pinned") in (False, None)


@pytest.mark.parametrize(
    ("keys", "name", "value"),
    [
        (["i", "down", "down", "enter"], "stability", "stable"),
        (["S", "end", *" twice", "enter"], "status", "superseded"),
    ],
)
async def test_a_memory_is_changed(store: Path, keys: list[str], name: str, value: str) -> None:
    async with review(store) as (app, pilot):
        row = await go_to(app, pilot, "linter")
        await pilot.press(*keys)
        assert app.session.pending(), screen_text(app)
        await written(app, pilot)
    state = Store.open(store).state
    assert state.records[row.key].data[name] == value
    if value == "superseded":
        assert any(v.data["statement"].endswith("twice") for v in state.records.values())


async def test_going_back_to_an_earlier_version(store: Path) -> None:
    async with review(store) as (app, pilot):
        row = await go_to(app, pilot, "linter")
        await pilot.press("R")
        assert "one version only" in screen_text(app)
        await pilot.press("e", "end", *" now", "enter")
        await written(app, pilot)
        await go_to(app, pilot, "linter")
        await pilot.press("R", "enter")
        assert app.session.pending()[row.key].verb == "restore"
        await written(app, pilot)
    versions = Store.open(store).state.records[row.key]
    assert versions.data["statement"] == "Run the linter before each commit"
    assert len(versions.revisions) == 3


async def test_confidence_is_lowered_only_for_a_missed_review(store: Path) -> None:
    async with review(store) as (app, pilot):
        await go_to(app, pilot, "linter")
        await pilot.press("I")
        assert "no review of it is overdue" in screen_text(app)


async def test_identity_asks_what_would_make_it_false_and_a_typed_word(disputed: Path) -> None:
    async with review(disputed, size=(120, 36)) as (app, pilot):
        row = await go_to(app, pilot, "review code")
        await pilot.press("a", *"never", "enter")
        assert "something that could be seen" in screen_text(app)
        assert not app.session.pending()
        await pilot.press(*[" ", *"after a job change"], "enter", *"yes", "enter")
        assert "the word is identity" in screen_text(app)
        await pilot.press(*["backspace"] * 3, *"identity", "enter")
        assert app.session.pending()[row.key].text == "never after a job change"
        await written(app, pilot)
    (data,) = (v.data for v in Store.open(disputed).state.records.values() if v.data.get("layer") == "L1")
    assert data["review"]["change_condition"] == "never after a job change"


async def test_identity_resumed_asks_for_the_word_when_it_is_written(disputed: Path) -> None:
    async with review(disputed) as (app, pilot):
        await go_to(app, pilot, "review code")
        await pilot.press("a", *"another job", "enter", *"identity", "enter")
        app.decisions.wait()
        app.confirmed.clear()
        await pilot.press("p")
        await app.workers.wait_for_complete()
        await pilot.pause()
        await pilot.press("w")
        assert "Type identity" in screen_text(app)


async def test_repeating_never_carries_a_condition_over(disputed: Path) -> None:
    async with review(disputed) as (app, pilot):
        await go_to(app, pilot, "review code")
        await pilot.press("a", *"another job", "enter", *"identity", "enter")
        other = await go_to(app, pilot, "always use yarn")
        await pilot.press(".")
        assert app.session.pending()[other.key].verb == "accept"
        assert app.session.pending()[other.key].text is None


async def test_identity_is_never_accepted_in_bulk(disputed: Path) -> None:
    async with review(disputed, size=(120, 36)) as (app, pilot):
        row = await go_to(app, pilot, "review code")
        await pilot.press("*", "a")
        assert row.key not in app.session.pending()


async def test_what_is_hidden_is_shown_on_request(store: Path) -> None:
    async with review(store) as (app, pilot):
        capture(Store.open(store), said("name branches after their ticket", day=28, trust="agent_inference"))
        await app.look()
        (again,) = (each for each in app.session.queue.rows.values() if "name branches" in each.statement)
        assert again.hidden
        assert not app.session.queue.go_to(again.key)
        await pilot.press("t")
        assert "1 hidden row is shown" in screen_text(app)
        app.review.action_go(again.key)
        assert app.session.queue.current == again
        await pilot.press("t")
        assert app.session.queue.current != again


async def test_the_statement_is_copied_or_it_is_said_how(store: Path, monkeypatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    async with review(store, size=(120, 36)) as (app, pilot):
        row = await go_to(app, pilot, "staging cluster")
        await pilot.press("y")
        assert app.clipboard == row.statement
        assert "hold shift or option" in screen_text(app)
    tool = tmp_path / "pbcopy"
    tool.write_text(f"#!/bin/sh\n/bin/cat > {tmp_path}/copied\n")
    tool.chmod(0o755)
    monkeypatch.delenv("SSH_CONNECTION", raising=False)
    monkeypatch.delenv("SSH_TTY", raising=False)
    async with review(store) as (app, pilot):
        await go_to(app, pilot, "staging cluster")
        await pilot.press("y")
        assert "copied with pbcopy" in screen_text(app)
    assert (tmp_path / "copied").read_text() == row.statement


async def test_the_transcript_is_opened_at_its_line_or_it_is_said_why_not(store: Path, monkeypatch) -> None:
    async with review(store, size=(120, 36)) as (app, pilot):
        await go_to(app, pilot, "staging cluster")
        await pilot.press("o")
        assert "no longer there" in screen_text(app)
        await go_to(app, pilot, "linter")
        await pilot.press("o")
        assert "no quote says where" in screen_text(app)


async def test_at_the_end_of_a_tab_the_way_on_is_named_and_the_next_key_changes_nothing(store: Path) -> None:
    async with review(store, size=(120, 36)) as (app, pilot):
        await go_to(app, pilot, "use pnpm")
        left = app.session.queue.counts()["groups"][0]
        await pilot.press("g", *["a"] * left)
        assert "tab done: ] goes to Singles" in screen_text(app)
        before = app.session.pending()
        await pilot.press("x")
        assert app.session.pending() == before
        assert "decided already" in screen_text(app)
        await pilot.press("x")
        assert [choice.verb for choice in app.session.pending().values()].count("reject") == 1
        await pilot.press("u", "]")
        assert app.session.queue.tab == "singles"
        await pilot.press("x")
        assert len(app.session.pending()) == left + 1


async def test_after_going_there_again_a_decision_is_changed_at_once(store: Path) -> None:
    async with review(store) as (app, pilot):
        row = await go_to(app, pilot, "use pnpm")
        await pilot.press("G", "k", *["a"] * app.session.queue.counts()["groups"][0])
        app.review.action_go(row.key)
        await pilot.press("x")
        assert app.session.pending()[row.key].verb == "reject"


async def test_the_last_decisions_are_reached_by_a_key(store: Path) -> None:
    async with review(store) as (app, pilot):
        await pilot.press("b")
        assert "nothing is decided yet" in screen_text(app)
        first = await go_to(app, pilot, "always write tests")
        await pilot.press("x", "a")
        await pilot.press("b")
        assert "Go back to which decision?" in screen_text(app)
        await pilot.press("down", "enter")
        assert app.session.queue.cursor == first.key
        await pilot.press("a")
        assert app.session.pending()[first.key].verb == "accept"
