"""A long inbox comes in parts: the first page at once, and what follows moves nothing under the reader's hands."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

from curate.review.feed import FIRST, Feed
from curate.review.session import Session
from tests.curate.tui.running import app_on, screen_text
from tests.curate.tui.stores import capture, many, opened, said

COUNT = FIRST + 60


class Unkept:
    """A log that keeps nothing."""

    def append(self, event: object) -> None:
        """Nothing."""


async def test_the_first_rows_can_be_worked_with_while_the_others_come(tmp_path: Path) -> None:
    many(tmp_path, COUNT)
    app = app_on(tmp_path)
    held = threading.Event()
    try:
        async with app.run_test(size=(100, 30)) as pilot:
            while not app.intake.looking:
                await pilot.pause(0.001)
            waiting = asyncio.ensure_future(app.work(lambda _: held.wait(20)))  # the second part waits behind it
            while app.review.progress_bar.reading:
                await pilot.pause(0.01)

            shown = screen_text(app)
            assert f"loading {FIRST} of {COUNT}…" in shown
            assert f"Singles {FIRST}" in shown
            await pilot.press("j", "j", "j", "x", "j")
            cursor, decided = app.session.queue.cursor, set(app.session.decided)
            assert len(decided) == 1
            line = app.session.queue.position - round(app.review.queue_view.scroll_y)

            held.set()
            await waiting
            await asyncio.wait_for(app.ready(), 20)
            await pilot.pause()
            shown = screen_text(app)
            assert "loading" not in shown
            assert f"1/{COUNT} decided" in shown
            assert app.session.queue.cursor == cursor
            assert app.session.queue.position - round(app.review.queue_view.scroll_y) == line
            assert app.session.decided == decided
    finally:
        held.set()
        app.close()


async def test_decisions_taken_before_come_back_with_the_first_part(tmp_path: Path) -> None:
    many(tmp_path, COUNT)
    app = app_on(tmp_path)
    async with app.run_test() as pilot:
        await asyncio.wait_for(app.ready(), 20)
        await pilot.press("G", "x")
        (last,) = app.session.decided
        app.decisions.wait()
    app.close()

    again = app_on(tmp_path)
    try:
        part = again.feed.poll(again.session.ledger.candidates())
        assert part is not None
        assert (len(part.rows), part.left, part.total) == (FIRST, COUNT - FIRST, COUNT)
        again.session.load(part.rows, filling=True)
        assert again.session.pending().keys() == {last}
        assert again.session.queue.go_to(last)
    finally:
        again.close()


def test_a_row_goes_where_the_whole_inbox_puts_it(tmp_path: Path) -> None:
    store = opened(tmp_path)
    capture(store, said("never log emails", day=2), said("use tabs", day=3))
    many(tmp_path, FIRST)
    capture(store, said("never log emails", day=28), said("use tabs", day=28))
    feed, session = Feed.of(store), Session(Unkept(), clock=lambda: 0.0)
    while (part := feed.poll()) is not None:
        session.load(part.rows, filling=part.left > 0)
        if part.left:
            (mine,) = [row.key for row in part.rows if row.statement == "use tabs"]
            session.queue.go_to(mine)

    tabs = {row.statement: session.queue.tab_of(row.key) for row in session.queue.rows.values()}
    assert tabs["never log emails"] == "groups"
    assert tabs["use tabs"] == "singles", "what the reader looks at stays where it is"
