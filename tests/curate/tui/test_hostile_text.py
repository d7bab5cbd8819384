"""Captured text is shown as it is: never markup, never a command to the terminal, never wider than its column."""

from __future__ import annotations

from pathlib import Path

import pytest
from rich.cells import cell_len

from tests.curate.tui.running import app_on, filled, go_to, review, screen_text
from tests.curate.tui.stores import capture, opened, said

HOSTILE = [
    "[red]never[/] close [/] a tag",
    "[@click=app.quit]always click here[/]",
    "\x1b]0;owned\x07 never \x1b[2J\x1b[31m clear the screen",
    "always \u202eesrever\u202c and \u200bhidden\u2066 text",
    "数据库迁移必须先在测试环境运行，然后才能合并到主分支上面去",
    "e\u0301te\u0301 cafe\u0301 " + "a" + "\u0301" * 40,
    "use 👩‍👩‍👧‍👦 and ❤️ and 🇩🇪 never in code",
    "دائما اختبر قبل النشر عند العمل",
    "tab\there and\nthere",
]


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    store = opened(tmp_path / "store")
    capture(store, *(said(text, day=1 + number, around="he said: {} !") for number, text in enumerate(HOSTILE)))
    return tmp_path / "store"


async def test_markup_and_escapes_are_shown_literally(hostile: Path) -> None:
    async with review(hostile, size=(120, 36)) as (app, pilot):
        app.session.set_tab("singles")
        app.review.renew()
        await pilot.pause()
        shown = screen_text(app)
        assert "[red]never[/] close [/] a tag" in shown
        assert "[@click=app.quit]always click here" in shown
        assert "\x1b" not in shown
        assert "\u202e" not in shown
        assert "\u200b" not in shown
        for keys in (["enter"], ["escape", "e"], ["escape", "a", "p"]):
            await pilot.press(*keys)
            await app.workers.wait_for_complete()
            await pilot.pause()
            assert "\x1b" not in screen_text(app)
            assert app.is_running


@pytest.mark.parametrize("size", [(80, 24), (120, 36), (200, 50), (40, 12)])
async def test_columns_stay_straight(hostile: Path, size: tuple[int, int]) -> None:
    async with review(hostile, size=size) as (app, _):
        view = app.review.queue_view
        width = view.scrollable_content_region.width
        for tab in ("noise", "singles", "groups"):
            app.session.set_tab(tab)  # type: ignore[arg-type]
            view.update_rows()
            for y in range(view.size.height):
                strip = view.render_line(y)
                assert sum(cell_len(segment.text) for segment in strip) == width


async def test_nothing_by_colour_alone(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With NO_COLOR there is no colour in what is drawn, and signs and words still tell everything apart."""
    monkeypatch.setenv("NO_COLOR", "1")
    app = app_on(store)
    try:
        async with app.run_test(size=(80, 24)) as pilot:
            await filled(app, pilot)
            await go_to(app, pilot, "always write tests")
            await pilot.press("a", "x", "space")
            await pilot.pause()
            for strip in app.screen._compositor.render_strips():
                for segment in strip.apply_filter(app._filters[-1], app.screen.background_colors[1]):
                    for colour in (segment.style.color, segment.style.bgcolor) if segment.style else ():
                        assert colour is None or colour.is_default
            shown = screen_text(app)
            assert "✓ add" in shown
            assert "✗ rej" in shown
            assert "■" in shown
            assert "▌" in shown
    finally:
        app.close()
