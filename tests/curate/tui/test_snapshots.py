"""A few screens as they look, by size and theme. Look at them, then record anew with `pytest --snapshot-update`."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.curate.tui.running import app_on, carded, go_to

if TYPE_CHECKING:
    from textual.pilot import Pilot


def steps(*keys: str, at: str | None = None):
    """What to do before the picture is taken."""

    async def do(pilot: Pilot[int]) -> None:
        app = pilot.app
        await asyncio.wait_for(app.ready(), 20)  # type: ignore[attr-defined]
        if at is not None:
            await go_to(app, pilot, at)  # type: ignore[arg-type]
        for key in keys:
            await pilot.press(key)
            await app.workers.wait_for_complete()
            await pilot.pause()
        app.decisions.wait()  # type: ignore[attr-defined]
        if app.screen is app.review:  # type: ignore[attr-defined]
            await carded(app, pilot)  # type: ignore[arg-type]
        app.show_saved()  # type: ignore[attr-defined]
        app.session.pace._spent.clear()  # type: ignore[attr-defined]
        await pilot.pause()

    return do


SCREENS = {
    "singles": steps("a", "j", "x", at="always write tests"),
    "groups": steps(at="use pnpm"),
    "conflict": steps(at="MySQL"),
    "noise": steps(at="for now just"),
    "memory": steps(at="linter"),
    "marks": steps("V", "j", "j", at="always write tests"),
    "edit": steps("e", "end", "!", at="always write tests"),
    "help": steps("?", *"scope"),
    "empty": steps("/", *"nothing like it", "enter"),
}


DISPUTED = {
    "sides": steps(at="always use yarn"),
    "fork": steps(at="Indent with"),
    "contested": steps(at="Document each"),
    "both": steps("=", at="MySQL"),
    "identity": steps("a", *"another job", at="review code"),
    "record": steps("enter", at="Document each"),
    "told": steps(">", "p", "t", at="MySQL"),
}


@pytest.mark.parametrize("size", [(80, 24), (120, 36)], ids=["80x24", "120x36"])
@pytest.mark.parametrize("name", DISPUTED)
def test_disputed(disputed: Path, snap_compare, name: str, size: tuple[int, int]) -> None:
    app = app_on(disputed)
    try:
        assert snap_compare(app, terminal_size=size, run_before=DISPUTED[name])
    finally:
        app.close()


@pytest.mark.parametrize("size", [(80, 24), (120, 36)], ids=["80x24", "120x36"])
@pytest.mark.parametrize("name", SCREENS)
def test_screen(store: Path, snap_compare, name: str, size: tuple[int, int]) -> None:
    app = app_on(store)
    try:
        assert snap_compare(app, terminal_size=size, run_before=SCREENS[name])
    finally:
        app.close()


@pytest.mark.parametrize("theme", ["light", "ansi"])
def test_theme(store: Path, snap_compare, theme: str) -> None:
    app = app_on(store, theme=theme)
    try:
        assert snap_compare(app, terminal_size=(80, 24), run_before=SCREENS["singles"])
    finally:
        app.close()


@pytest.mark.parametrize("name", ["singles", "conflict"])
def test_wide(store: Path, snap_compare, name: str) -> None:
    app = app_on(store)
    try:
        assert snap_compare(app, terminal_size=(200, 50), run_before=SCREENS[name])
    finally:
        app.close()
