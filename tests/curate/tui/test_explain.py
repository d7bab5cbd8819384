"""What agents were told: turns, what was left out, what became of records since, a preview, and the spending."""

from __future__ import annotations

from pathlib import Path

import pytest

from curate.cli.review import SCREENS
from curate.recall import journal
from curate.review.purging import purge
from curate.tui.launch import PAGES
from store.store import Store
from tests.curate.tui.running import app_on, review, screen_text, until
from tests.curate.tui.told import change, record, tell


@pytest.fixture
def told(store: Path) -> Path:
    tell(store)
    return store


def files(root: Path) -> dict[str, bytes]:
    """Everything but the index, which is derived, and the log of decisions, which the review keeps."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and path.relative_to(root).parts[0] not in {"index", "reviews"}
    }


async def test_every_turn_is_there_and_a_silent_one_says_why(told: Path) -> None:
    async with review(told, size=(120, 36)) as (app, pilot):
        await pilot.press("H")
        await until(app, pilot, lambda: "4 turns in 1 session, 2 silent" in screen_text(app))
        text = screen_text(app)
        assert "silent: nothing matches" in text
        assert "silent: the prompt is too" in text
        assert "Use Postgres for the orders database" in text
        assert "because  words:" in text
        await pilot.press("j")
        text = screen_text(app)
        assert "Nothing was sent: nothing matches well enough" in text
        assert "[Left out]" in text
        assert "about it" in text
        assert "−" in text


async def test_views_go_round_and_the_block_is_shown_as_it_was_sent(told: Path) -> None:
    (turn,) = [one for one in journal.turns(str(told), "s1") if one["turn"] == 4]
    async with review(told, size=(200, 50)) as (app, pilot):
        await pilot.press("H")
        await until(app, pilot, lambda: "[Sent" in screen_text(app))
        await pilot.press("]", "]")
        text = screen_text(app)
        for line in filter(None, turn["block"].replace("\ufe0f", "").splitlines()):
            assert line in text
        assert f"{turn['entries'][0]['cost']} bytes" in text
        await pilot.press("]")
        assert "What memory cost, in bytes" in screen_text(app)
        await pilot.press("]")
        assert "[Sent" in screen_text(app)
        await pilot.press("H")
        assert app.screen is app.review


async def test_what_became_of_a_record_since(told: Path) -> None:
    linter, postgres = record(told, "linter"), record(told, "Postgres")
    change(told, op="update", target_id=linter, updates={"statement": "Run the linter before each push"})
    change(told, op="delete", target_id=postgres)
    async with review(told, size=(120, 36)) as (app, pilot):
        await pilot.press("H")
        await until(app, pilot, lambda: "× deleted on" in screen_text(app))
        assert "Use Postgres for the orders database" in screen_text(app)
        await pilot.press("G")
        text = screen_text(app)
        assert "! reworded on" in text
        assert "+ Run the linter before each push" in text


async def test_a_purged_record_is_shown_without_what_it_said(told: Path) -> None:
    store = Store.open(told)
    purge(store, [record(told, "Postgres")], "purge")
    async with review(told, size=(120, 36)) as (app, pilot):
        await pilot.press("H")
        await until(app, pilot, lambda: "× purged" in screen_text(app))
        for view in ("]", "]", "]"):
            assert "Postgres" not in screen_text(app)
            await pilot.press(view)


async def test_a_message_is_previewed_by_the_planner_and_nothing_is_written(told: Path) -> None:
    async with review(told, size=(120, 36)) as (app, pilot):
        await pilot.press("H")
        await until(app, pilot, lambda: "[Sent" in screen_text(app))
        before = files(told)
        await pilot.press("p", *"linter?", "enter")
        await until(app, pilot, lambda: "Preview, not sent" in screen_text(app))
        text = screen_text(app)
        assert "asked   linter?" in text
        assert "Run the linter before each commit" in text
        await pilot.press("2", *"no", "enter")
        await until(app, pilot, lambda: " · no project · " in screen_text(app))
        assert "holds in shop-api only" in screen_text(app)
        assert files(told) == before


async def test_all_keys_of_a_page_are_listed_where_the_bar_has_no_room(told: Path) -> None:
    async with review(told) as (app, pilot):
        await pilot.press("H")
        await until(app, pilot, lambda: "[Sent" in screen_text(app))
        assert "? all keys  esc back" in screen_text(app)
        assert "previous view" not in screen_text(app)
        await pilot.press("?", *"spen")
        await pilot.press(*["backspace"] * 4, *"prev", "down", "enter")
        await pilot.pause()
        assert "What memory cost" in screen_text(app), "the view before the first is the last"


async def test_turns_are_found_by_what_was_sent_or_left_out(told: Path) -> None:
    tell(told, "run the linter", session="s2", day=28)
    async with review(told, size=(120, 36)) as (app, pilot):
        await pilot.press("H")
        await until(app, pilot, lambda: "5 turns in 2 sessions" in screen_text(app))
        await pilot.press("/", *"xyz", "enter")
        assert "No turn has" in screen_text(app)
        await pilot.press("/", *["backspace"] * 3, *"s2", "enter")
        assert "1 with" in screen_text(app)
        await pilot.press("escape")
        assert "5 turns in 2 sessions" in screen_text(app)
        await pilot.press("escape")
        assert app.screen is app.review


async def test_a_page_that_is_asked_for_opens_by_itself(store: Path) -> None:
    assert set(PAGES) == set(SCREENS)
    async with review(store, first=PAGES["upkeep"]) as (app, pilot):
        await until(app, pilot, lambda: "Upkeep" in screen_text(app))
        await pilot.press("escape")
        assert app.screen is app.review


async def test_without_colours_the_cursor_of_a_list_is_underlined(told: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with review(told, size=(120, 36)) as (app, pilot):
        await pilot.press("H")
        await until(app, pilot, lambda: "[Sent" in screen_text(app))
        lined = [
            any(part.style is not None and part.style.underline for part in app.screen.options.render_line(y))  # type: ignore[attr-defined]
            for y in range(5)
        ]
        assert lined == [False, True, False, False, False]


async def test_an_empty_journal_says_what_to_do(store: Path) -> None:
    async with review(store) as (app, pilot):
        await pilot.press("H")
        await until(app, pilot, lambda: "nothing yet" in screen_text(app))
        assert "curate install" in screen_text(app)


@pytest.mark.parametrize("size", [(80, 24), (120, 36), (200, 50)], ids=["80x24", "120x36", "200x50"])
def test_as_it_looks(told: Path, snap_compare, size: tuple[int, int]) -> None:
    change(told, op="update", target_id=record(told, "Postgres"), updates={"statement": "Use MySQL for 订单 🚀"})
    app = app_on(told)

    async def open_it(pilot) -> None:
        await until(app, pilot, app._filled.is_set)
        await pilot.press("H")
        await until(app, pilot, lambda: "[Sent" in screen_text(app))
        await pilot.press(*("]" if size[0] == 120 else ""))
        await pilot.pause()

    try:
        assert snap_compare(app, terminal_size=size, run_before=open_it)
    finally:
        app.close()
