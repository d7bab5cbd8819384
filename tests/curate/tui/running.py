"""The app on a real store, driven by keys."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from curate.review.rows import Row
from curate.tui.app import CurateApp

if TYPE_CHECKING:
    from textual.pilot import Pilot

TODAY = datetime(2026, 11, 29, 12, tzinfo=UTC)


def app_on(root: Path, **options: Any) -> CurateApp:
    """An app that looks at the store only when told, on a fixed day."""
    app = CurateApp(root, **{"watch": None, "today": lambda: TODAY, **options})
    app.place = "store"
    return app


@asynccontextmanager
async def review(
    root: Path, *, size: tuple[int, int] = (80, 24), **options: Any
) -> AsyncIterator[tuple[CurateApp, Pilot[int]]]:
    """The app, filled, with a pilot; closed as `run` closes it."""
    app = app_on(root, **options)
    try:
        async with app.run_test(size=size) as pilot:
            await filled(app, pilot)
            yield app, pilot
    finally:
        app.close()


async def filled(app: CurateApp, pilot: Pilot[int]) -> None:
    """Until the rows and the card are on the screen."""
    await asyncio.wait_for(app.ready(), 20)
    await carded(app, pilot)


async def carded(app: CurateApp, pilot: Pilot[int]) -> None:
    """Until the card of the row under the cursor is on the screen, laid out for the tab it is in."""
    await pilot.pause()
    app.review.card_view.draw()
    await pilot.pause()


async def until(app: CurateApp, pilot: Pilot[int], what: Any) -> None:
    """Until something holds; the work of the store's thread comes in between."""
    for _ in range(200):
        if what():
            return
        await app.workers.wait_for_complete()
        await pilot.pause()
    raise AssertionError("it never came to hold")


async def go_to(app: CurateApp, pilot: Pilot[int], words: str) -> Row:
    """Bring the row that holds the words under the cursor, with its card."""
    row = next(row for row in app.session.queue.rows.values() if words in row.statement)
    app.review.action_go(row.key)
    await carded(app, pilot)
    return row


def screen_text(app: CurateApp) -> str:
    """What the terminal shows, without colours."""
    width, height = app.size
    strips = app.screen._compositor.render_strips()
    return "\n".join(strip.text[:width] for strip in strips[:height])
