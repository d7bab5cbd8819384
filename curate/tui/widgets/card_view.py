"""The card: the row under the cursor in full. Drawn a moment after the cursor rests, so that holding a key stays quick.

It draws lines of its own accord: a new text costs no layout of the screen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip

from curate.review.card import card
from curate.review.versus import versus
from curate.tui.theme import inks
from curate.tui.widgets.card_text import card_lines
from curate.tui.widgets.versus_text import versus_lines

if TYPE_CHECKING:
    from textual import events
    from textual.content import Content
    from textual.timer import Timer

    from curate.review.rows import Row
    from curate.review.session import Session
    from curate.tui.keymap import Keymap
    from store.state import State

REST = 0.03
"""Seconds the cursor rests before the card follows."""


class CardView(ScrollView, can_focus=False):
    """Scrolls with the wheel, or with the arrows while it is the pane in use."""

    def __init__(self, session: Session, keys: Keymap, **options: Any) -> None:
        super().__init__(**options)
        self.session = session
        self.keys = keys
        self.state: State | None = None
        self._timer: Timer | None = None
        self._shown: tuple[Any, ...] | None = None
        self._lines: list[Content] = []

    def follow(self) -> None:
        """The cursor moved or the row changed: draw anew after a rest."""
        if self._timer is not None:
            self._timer.stop()
        self._timer = self.set_timer(REST, self.draw)

    def draw(self) -> None:
        """Draw the card of the row under the cursor now."""
        row = self.session.queue.current
        # Room for the scroll bar is kept free, so that its coming does not wrap the text anew.
        width = self.size.width - 1
        if row is None or self.state is None or width <= 0:
            if self._shown is not None:
                self._shown, self._lines = None, []
                self.virtual_size = Size(0, 0)
                self.refresh()
            return
        choice, note = self.session.choice(row.key), self.session.notes.get(row.key)
        face = (row.key, id(row), choice, note, width, self.size.height, self.app.theme)
        if face == self._shown:
            return
        self._lines = self._laid_out(row, width, self.size.height)
        if self._shown is None or self._shown[0] != row.key:
            self.scroll_to(y=0, animate=False, force=True)
        self._shown = face
        size = Size(self.size.width, len(self._lines))
        if size != self.virtual_size:
            self.virtual_size = size
        self.refresh()
        self.session.card_shown(row.key)

    def _laid_out(self, row: Row, width: int, height: int) -> list[Content]:
        assert self.state is not None
        choice = self.session.choice(row.key)
        found = versus(self.state, row, self.session.queue.rows)
        if found is not None:
            sides = self.session.sides()
            other = sides.beside(row.key) if sides is not None else None
            if other is not None:
                # Both stand on this card, so both have been read.
                self.session.card_shown(other)
            choices = (choice, self.session.choice(other) if other else None)
            first = row.key
            if sides is not None and other is not None and sides.left == other:
                choices, first = (choices[1], choices[0]), other
            return versus_lines(
                row, found, choices, inks(self.app.theme), width, height, self.keys.shown,
                replaced=self.session.replaced(first),
            )  # fmt: skip
        quotes = 1 if height < 12 else 2 if height < 24 else 4
        return card_lines(
            row, choice, card(self.state, row, choice, limit=quotes), inks(self.app.theme), width,
            shown=self.keys.named, note=self.session.notes.get(row.key), quotes=quotes, roomy=height >= 16,
        )  # fmt: skip

    def render_line(self, y: int) -> Strip:
        """One line of the card."""
        index = y + round(self.scroll_y)
        width = self.scrollable_content_region.width
        if index >= len(self._lines):
            return Strip.blank(width, self.rich_style)
        segments = self._lines[index].render_segments(self.visual_style)
        return Strip(segments).adjust_cell_length(width, self.rich_style)

    def on_resize(self, _: events.Resize) -> None:
        """The text is wrapped to the width."""
        self.follow()
