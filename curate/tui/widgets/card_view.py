"""The card: the row under the cursor in full. Drawn a moment after the cursor rests, so that holding a key stays quick."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from curate.review.card import card
from curate.tui.theme import inks
from curate.tui.widgets.card_text import card_lines

if TYPE_CHECKING:
    from textual import events
    from textual.app import ComposeResult
    from textual.timer import Timer

    from curate.review.rows import Row
    from curate.review.session import Session
    from store.state import State

REST = 0.03
"""Seconds the cursor rests before the card follows."""


class CardView(VerticalScroll, can_focus=False):
    """Scrolls with the wheel, or with the arrows while it is the pane in use."""

    def __init__(self, session: Session, **options: Any) -> None:
        super().__init__(**options)
        self.session = session
        self.state: State | None = None
        self._timer: Timer | None = None
        self._shown: tuple[Any, ...] | None = None

    def compose(self) -> ComposeResult:
        """One text."""
        yield Static(id="card-text", markup=False)

    def follow(self) -> None:
        """The cursor moved or the row changed: draw anew after a rest."""
        if self._timer is not None:
            self._timer.stop()
        self._timer = self.set_timer(REST, self.draw)

    def draw(self) -> None:
        """Draw the card of the row under the cursor now."""
        row = self.session.queue.current
        text = self.query_one("#card-text", Static)
        width = self.scrollable_content_region.width
        if row is None or self.state is None or width <= 0:
            self._shown = None
            text.update(Content(""))
            return
        choice, note = self.session.choice(row.key), self.session.notes.get(row.key)
        height = self.size.height
        face = (row.key, id(row), choice, note, width, height, self.app.theme)
        if face == self._shown:
            return
        if self._shown is None or self._shown[0] != row.key:
            self.scroll_home(animate=False)
        self._shown = face
        text.update(self._content(row, width, height))
        self.session.card_shown(row.key)

    def _content(self, row: Row, width: int, height: int) -> Content:
        assert self.state is not None
        choice = self.session.choice(row.key)
        quotes = 1 if height < 12 else 2 if height < 24 else 4
        return card_lines(
            row, choice, card(self.state, row, choice, limit=quotes), inks(self.app.theme), width,
            note=self.session.notes.get(row.key), quotes=quotes, roomy=height >= 16,
        )  # fmt: skip

    def on_resize(self, _: events.Resize) -> None:
        """The text is wrapped to the width."""
        self.follow()
