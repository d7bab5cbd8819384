"""The noise tab: a page a key, each row with its reason, and nothing rejected that was not on the screen."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.curate.tui.running import carded, review, screen_text
from tests.curate.tui.stores import capture, opened, said


@pytest.fixture
def noisy(tmp_path: Path) -> Path:
    store = opened(tmp_path / "store")
    words = ("router", "parser", "cache", "schema", "linter", "worker", "index", "client", "button", "queue")
    capture(
        store,
        *(
            said(
                f"is {one} {other} the right folder for {number}?",
                day=1 + number % 28,
                durability="temporary",
                intent="none",
            )
            for number, (one, other) in enumerate((one, other) for one in words for other in words[:5])
        ),
    )
    return tmp_path / "store"


async def test_a_page_is_turned_away_by_one_key_and_comes_back_by_one(noisy: Path) -> None:
    async with review(noisy) as (app, pilot):
        assert app.session.queue.tab == "noise"
        page = app.review.queue_view.page_size
        total = len(app.session.queue.visible)
        assert f"x reject {page}" in screen_text(app)
        assert "a question" in screen_text(app)
        await pilot.press("x")
        first = list(app.session.pending())
        assert len(first) == page
        await carded(app, pilot)
        assert app.session.queue.position == page
        assert round(app.review.queue_view.scroll_y) == page, "the next page starts at the top"
        await pilot.press("x", "u")
        assert list(app.session.pending()) == first
        keys = 0
        while app.session.queue.counts()["noise"][0]:
            await pilot.press("x")
            keys += 1
        assert keys <= -(-(total - page) // page) + 1
        assert len(app.session.pending()) == total


async def test_a_spared_row_stays(noisy: Path) -> None:
    async with review(noisy) as (app, pilot):
        spared = app.session.queue.visible[1].key
        await pilot.press("j", "space")
        assert app.session.queue.spared == {spared}
        await pilot.press("x")
        assert spared not in app.session.pending()
        assert len(app.session.pending()) == app.review.queue_view.page_size - 1
        app.review.action_go(spared)
        await carded(app, pilot)
        await pilot.press("a")
        assert app.session.pending()[spared].verb == "accept"


async def test_accepting_in_the_noise_tab_takes_one_row(noisy: Path) -> None:
    async with review(noisy) as (app, pilot):
        await pilot.press("a")
        assert len(app.session.pending()) == 1


async def test_bulk_accept_leaves_out_what_was_not_on_the_screen(sixty: Path) -> None:
    async with review(sixty) as (app, pilot):
        page = app.review.queue_view.page_size
        total = len(app.session.queue.visible)
        assert total > page
        await pilot.press("*", "a")
        assert len(app.session.pending()) == page
        assert len(app.session.queue.marks) == total - page
        assert "has been on the screen" in screen_text(app)
