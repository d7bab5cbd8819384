"""The page of a memory: its whole life, the turns it was told in, and every key that applies to it."""

from __future__ import annotations

from pathlib import Path

import pytest

from curate.recall import journal
from curate.recall.planner import plan
from curate.recall.request import Request
from store.index.lookup import Lookup
from tests.curate.command import curate
from tests.curate.tui.running import go_to, review, screen_text, until
from tests.curate.tui.stores import SHOP


def told(root: Path, prompt: str) -> None:
    """A turn of an agent, as its hook has it written down."""
    answer = plan(Lookup.open(root).db, Request(prompt, project=SHOP, project_name="shop-api", today="2026-11-29"))
    assert answer.entries
    journal.write(str(root), answer, session="s1", agent="claude-code", at="2026-11-28T10:00:00.000Z")


async def test_the_life_of_a_memory_says_who_when_why_and_what(disputed: Path) -> None:
    async with review(disputed, size=(120, 50)) as (app, pilot):
        await go_to(app, pilot, "Document each")
        await pilot.press("enter")
        shown = screen_text(app)
        for words in ("Life 2", "2026-11-01 09:00  add  a patch by hand", "second thoughts", "why     the generator",
                      "active → contested"):  # fmt: skip
            assert words in shown


async def test_evidence_stands_with_the_revision_it_came_with(store: Path) -> None:
    async with review(store, size=(120, 50)) as (app, pilot):
        await go_to(app, pilot, "use pnpm")
        await pilot.press("a", "p")
        preview = app.screen
        await until(app, pilot, lambda: getattr(preview, "preview", None) is not None)
        await pilot.press("w")
        await until(app, pilot, lambda: preview.written is not None)  # type: ignore[attr-defined]
        await pilot.press("escape")
        row = next(row for row in app.session.queue.rows.values() if row.kind == "record" and "pnpm" in row.statement)
        app.review.action_go(row.key)
        await pilot.press("enter")
        shown = screen_text(app)
        assert "add  decided in a review" in shown
        assert "“no, not npm. use pnpm" in shown
        assert "and 1 more quotes" in shown


async def test_the_turns_it_was_told_in_come_from_the_journal(store: Path) -> None:
    told(store, "please run the linter before the commit of this fix in the repository")
    async with review(store, size=(120, 50)) as (app, pilot):
        row = await go_to(app, pilot, "linter")
        await pilot.press("enter")
        await until(app, pilot, lambda: "Told to agents 1" in screen_text(app))
        assert "claude-code · turn 1 of s1" in screen_text(app)
        await pilot.press("escape")
        await go_to(app, pilot, "Postgres for the")
    document = curate("--home", store, "show", row.key, "--json").json
    assert [each["session"] for each in document["injections"]] == ["s1"]


@pytest.mark.parametrize(
    ("keys", "verb"),
    [(["d"], "deprecate"), (["!"], "pin"), (["E", "x", "enter"], "exception"), (["3"], "update"),
     (["D", "y"], "delete"), (["e", "end", "!", "enter"], "update"), (["i", "enter"], "stability"), (["v"], "vault"),
     (["f"], "flag")],
)  # fmt: skip
async def test_every_key_of_a_memory_works_on_its_page(store: Path, keys: list[str], verb: str) -> None:
    async with review(store, size=(120, 36)) as (app, pilot):
        row = await go_to(app, pilot, "linter")
        await pilot.press("enter", *keys)
        assert app.session.pending()[row.key].verb == verb
        assert "decided: " in screen_text(app)
        assert f"Memory {row.key}" in screen_text(app), "the page stays on its memory"
        await pilot.press("u")
        assert not app.session.pending()
        assert "decided: " not in screen_text(app)
        await pilot.press("escape")
        assert app.session.queue.cursor == row.key


async def test_a_key_without_meaning_there_says_why(store: Path) -> None:
    async with review(store, size=(120, 36)) as (app, pilot):
        await go_to(app, pilot, "linter")
        await pilot.press("enter", "a")
        assert "this is a memory already" in screen_text(app)
        await pilot.press("/")
        assert "esc goes back to the queue" in screen_text(app)


async def test_deciding_on_what_waits_goes_back_to_the_queue(store: Path) -> None:
    async with review(store) as (app, pilot):
        row = await go_to(app, pilot, "always write tests")
        await pilot.press("enter", "a")
        assert app.screen is app.review
        assert app.session.pending()[row.key].verb == "accept"
        assert app.session.queue.cursor != row.key


async def test_the_next_open_row_opens_in_the_same_page(store: Path) -> None:
    async with review(store) as (app, pilot):
        row = await go_to(app, pilot, "always write tests")
        await pilot.press("enter", "n")
        assert app.screen is not app.review
        assert app.session.queue.cursor != row.key
        assert f"Candidate {app.session.queue.cursor}" in screen_text(app)
