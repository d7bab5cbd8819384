"""A purge from the screen: what it would do, the typed word, the receipt, and not a word left in any file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from curate.review.decisions import read
from curate.sync.start import start
from store.store import Store
from tests.curate.tui.running import app_on, go_to, review, screen_text, until
from tests.sync.machines import isolate, objects

if TYPE_CHECKING:
    import pytest


def holding(root: Path, words: str) -> list[str]:
    """Files below the root that hold the words."""
    found = (path for path in root.rglob("*") if path.is_file())
    return [path.relative_to(root).as_posix() for path in found if words.encode() in path.read_bytes()]


async def test_a_memory_is_purged_after_a_typed_word(store: Path) -> None:
    words = "Run the linter"
    assert holding(store, words)
    async with review(store, size=(120, 36)) as (app, pilot):
        row = await go_to(app, pilot, "linter")
        await pilot.press("d")
        app.decisions.wait()
        app.review.action_go(row.key)
        await pilot.press("X")
        dialog = app.screen
        await until(app, pilot, lambda: "rewrite " in screen_text(app))
        shown = screen_text(app)
        assert "It cannot be undone. Type purge" in shown
        assert "memory/projects/" in shown
        await pilot.press(*"yes", "enter")
        await until(app, pilot, lambda: "that is not the word" in screen_text(app))
        assert holding(store, words), "nothing is done without the word"
        await pilot.press("ctrl+u", *"purge", "enter")
        await until(app, pilot, lambda: "purged as pat_" in screen_text(app))
        assert dialog.done.rewritten  # type: ignore[attr-defined]
        await pilot.press("enter")
        assert "purged as pat_" in app.review.status_bar.say
        assert holding(store, words) == []
        assert row.key not in app.session.queue.rows
        assert not app.session.pending()
        # What is decided afterwards is kept, though the log of decisions was rewritten as well.
        await go_to(app, pilot, "use pnpm")
        await pilot.press("a")
        app.decisions.wait()
        kept, bad = read(app.decisions.path)
        assert (len(kept.choices), bad) == (1, 0)
    assert Store.open(store).verify() == []
    again = app_on(store)
    assert len(again.session.decided) == 1
    again.close()


async def test_a_candidate_is_purged_or_left_alone(store: Path) -> None:
    words = "deploys happen"
    async with review(store) as (app, pilot):
        row = await go_to(app, pilot, words)
        await pilot.press("X")
        await until(app, pilot, lambda: "rewrite " in screen_text(app))
        await pilot.press("escape")
        assert holding(store, words)
        assert row.key in app.session.queue.rows
        await pilot.press("X")
        await until(app, pilot, lambda: "rewrite " in screen_text(app))
        await pilot.press(*"purge", "enter")
        await until(app, pilot, lambda: "purged as pat_" in screen_text(app))
        await pilot.press("escape")
        assert holding(store, words) == []
        assert row.key not in app.session.queue.rows
        await pilot.press("*", "X")
        assert "one at a time: ~ takes the marks off" in screen_text(app)


async def test_the_history_of_git_follows_at_once(store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    isolate(monkeypatch, tmp_path)
    words = "Run the linter"
    start(Store.open(store), None)
    assert words.encode() in objects(store)
    async with review(store, size=(120, 40)) as (app, pilot):
        await go_to(app, pilot, "linter")
        await pilot.press("X")
        await until(app, pilot, lambda: "every commit of this store is written anew" in screen_text(app))
        await pilot.press(*"purge", "enter")
        await until(app, pilot, lambda: "the history was searched and written anew" in screen_text(app))
    assert words.encode() not in objects(store)
    assert holding(store, words) == []


async def test_on_a_small_terminal_what_to_type_stays_in_sight(store: Path) -> None:
    async with review(store, size=(80, 16)) as (app, pilot):
        await go_to(app, pilot, "linter")
        await pilot.press("X")
        await until(app, pilot, lambda: "rewrite " in screen_text(app))
        await pilot.pause()
        assert "It cannot be undone. Type purge" in screen_text(app)
        assert app.screen.query_one("Input").region.bottom <= 16
        text = app.screen.query_one(".purge-text")
        assert text.max_scroll_y > 0
        await pilot.press("pagedown")
        assert text.scroll_y > 0
        assert "It cannot be undone. Type purge" in screen_text(app)
