"""Keys that come in one burst, as over a slow line or by pasting, are never taken for decisions that nobody made."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual import events

from curate.tui.app import CurateApp
from tests.curate.tui.running import review, screen_text, until


def burst(app: CurateApp, *keys: tuple[str, str | None]) -> None:
    """All in the queue of the screen before it has looked at the first."""
    screen = app.screen
    for key, character in keys:
        screen.post_message(events.Key(key, character))


async def test_what_follows_the_filter_key_is_the_filter(store: Path) -> None:
    async with review(store, size=(120, 36)) as (app, pilot):
        burst(app, ("slash", "/"), *((letter, letter) for letter in "axs"))
        await until(app, pilot, lambda: app.session.queue.filter.text == "axs")
        assert not app.session.pending()
        await pilot.press("escape")
        burst(app, ("slash", "/"), *((letter, letter) for letter in "pnpm"), ("enter", None))
        await until(app, pilot, lambda: app.session.queue.filter.text == "pnpm" and not app.review.tab_bar.filtering)
        assert app.screen is app.review
        assert "/ pnpm" in screen_text(app)
        assert not app.session.pending()


async def test_what_follows_the_key_of_a_dialog_decides_nothing(store: Path) -> None:
    async with review(store, size=(120, 36)) as (app, pilot):
        burst(app, ("e", "e"), *((letter, letter) for letter in "axs"))
        await until(app, pilot, lambda: app.screen is not app.review)
        await pilot.pause()
        assert not app.session.pending()


@pytest.mark.parametrize("opens", ["enter", "h", "p"])
async def test_what_follows_the_way_out_of_a_page_does_nothing(store: Path, opens: str) -> None:
    async with review(store, size=(120, 36)) as (app, pilot):
        await pilot.press("a")
        before = app.session.pending()
        await pilot.press(opens)
        await until(app, pilot, lambda: app.screen is not app.review)
        await app.workers.wait_for_complete()
        burst(app, ("escape", None), ("escape", None), ("x", "x"), ("u", "u"), ("w", "w"))
        await until(app, pilot, lambda: app.screen is app.review)
        await pilot.pause()
        assert app.is_running
        assert app.session.pending() == before
