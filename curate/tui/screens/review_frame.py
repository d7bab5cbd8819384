"""The review as it is laid out and drawn: bars above, queue and card, bars below. What keys do stands in its heirs."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from textual.containers import Horizontal, Vertical
from textual.screen import Screen
from textual.widgets import Input, Static

from curate.review.naming import spelled
from curate.review.rows import QUEUE
from curate.tui.hints import NOTHING
from curate.tui.widgets.action_bar import ActionBar
from curate.tui.widgets.bars import DoneStrip, ProgressBar, StatusBar, TabBar
from curate.tui.widgets.card_view import CardView
from curate.tui.widgets.queue_view import QueueView

if TYPE_CHECKING:
    from textual import events
    from textual.app import ComposeResult

    from curate.review.outcome import Outcome
    from curate.review.rows import Row
    from curate.tui.app import CurateApp

SIDE_BY_SIDE = 100
"""Columns from which the card stands beside the queue."""
TWO_SIDES = 120
"""Columns from which the two sides of a contradiction stand beside each other, below the queue."""


class ReviewFrame(Screen[None]):
    """The parts of the main screen, and how they are renewed."""

    AUTO_FOCUS = ""

    @property
    def curate(self) -> CurateApp:
        """The app, by its own type."""
        return cast("CurateApp", self.app)

    def compose(self) -> ComposeResult:
        """Bars above, queue and card, bars below."""
        session, keys = self.curate.session, self.curate.keys
        yield ProgressBar(session, self.curate.place, id="progress")
        yield TabBar(session, keys, id="tabs")
        with Horizontal(id="filter"):
            yield Static("/ ", markup=False)
            yield Input(compact=True, select_on_focus=False)
        yield Static(id="rule", markup=False)
        with Vertical(id="body"):
            yield QueueView(session, today=self.curate.today, id="queue")
            yield CardView(session, keys, id="card")
        yield DoneStrip(session, keys, id="done")
        yield StatusBar(session, id="status")
        yield ActionBar(session, keys, id="actions")

    def on_mount(self) -> None:
        """Parts are looked up once, since every key needs them."""
        self.queue_view = self.query_one(QueueView)
        self.card_view = self.query_one(CardView)
        self.progress_bar = self.query_one(ProgressBar)
        self.tab_bar = self.query_one(TabBar)
        self.done_strip = self.query_one(DoneStrip)
        self.status_bar = self.query_one(StatusBar)
        self.action_bar = self.query_one(ActionBar)
        self.filter_field = self.query_one("#filter Input", Input)
        self._bars = (self.progress_bar, self.tab_bar, self.done_strip, self.action_bar)
        self.renew()

    def on_resize(self, event: events.Resize) -> None:
        """The layout goes by the size of the terminal."""
        size = event.size
        self.set_class(size.width >= SIDE_BY_SIDE, "wide")
        self.curate.session.room = size.width - 4
        self.set_class(size.width >= TWO_SIDES, "twofold")
        self.set_class(size.height >= 30 and size.width < SIDE_BY_SIDE, "roomy")
        self.set_class(size.height >= 34, "tall")
        self.set_class(size.height >= 46, "huge")
        self.query_one("#rule", Static).update("─" * size.width)

    # What came of it

    def renew(self, *, page: bool = False, changed: tuple[str, ...] | None = None) -> None:
        """Draw what has changed; the card follows after a rest."""
        session = self.curate.session
        self.set_class(session.queue.tab == "noise", "noise")
        self.set_class(session.queue.tab in {"conflicts", "contested"}, "sides")
        self.queue_view.empty = ("Reading the store…",) if self.progress_bar.reading else self._empty()
        self.queue_view.update_rows(page=page, changed=changed)
        self.card_view.follow()
        for bar in self._bars:
            bar.renew()

    def tell(self, say: str, tone: str = "plain") -> None:
        """One line of news, in place of the last; keys that it names are those of the reader."""
        self.status_bar.tell(spelled(say, self.curate.keys.named), tone)

    def outcome(self, outcome: Outcome) -> None:
        """What a key did, or why it did nothing."""
        self.tell(outcome.say, outcome.tone if outcome.done else "warn")
        self.renew(page=outcome.page, changed=outcome.keys)

    def loaded(self, say: str, before: int) -> None:
        """New rows came in, or rows went; the cursor's line of the screen stays the same."""
        self.queue_view.keep_place(before)
        if say:
            self.tell(say)
        self.renew()

    def _empty(self) -> tuple[str, ...]:
        session = self.curate.session
        tab, keys = session.queue.tab, self.curate.keys.named
        if session.queue.filter.text:
            return (f"Nothing in this tab matches {session.queue.filter.text!r}.", f"{keys('back')} clears the filter.")
        counts = session.queue.counts()
        if tab in QUEUE and session.pending():
            return (
                NOTHING[tab][0],
                f"{len(session.pending())} decisions wait: {keys('preview')} shows what they would write.",
            )
        left = [f"{counts[other][0]} in {other.capitalize()}" for other in QUEUE if counts[other][0]]
        if tab in QUEUE and left:
            ways = f"{keys('next_tab')} and {keys('previous_tab')} go through the tabs"
            return (NOTHING[tab][0], f"Open: {', '.join(left)}. {ways}.")
        return NOTHING[tab]

    # What the heirs share

    def _row(self) -> Row:
        row = self.curate.session.queue.current
        assert row is not None, "the table of actions has checked that there is one"
        return row

    def _still(self, row: Row) -> bool:
        """While a question was open the store may have moved on: decide on the row that was asked about, or not."""
        if self.curate.session.queue.cursor == row.key or self.curate.session.queue.go_to(row.key):
            return True
        self.tell("that row is gone: it was decided elsewhere meanwhile", "warn")
        return False
