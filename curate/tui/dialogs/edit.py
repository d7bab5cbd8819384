"""Changing words: a statement, or the text of an exception, with what changes shown below as one types."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static, TextArea

from curate.review.diff import by_word
from curate.tui.theme import inks
from store.text import one_line

if TYPE_CHECKING:
    from textual import events
    from textual.app import ComposeResult

LIMIT = 2000
"""Characters a statement may have."""


class Words(TextArea):
    """A field that wraps; Enter takes what is in it."""

    async def _on_key(self, event: events.Key) -> None:
        if event.key in {"enter", "escape"}:
            # The dialog decides: a statement is one line.
            event.prevent_default()


class Edit(ModalScreen[str | None]):
    """Gives the new text, None when left without."""

    def __init__(self, title: str, text: str, *, original: str | None = None) -> None:
        super().__init__()
        self._title = title
        self._text = text
        self._original = original

    def compose(self) -> ComposeResult:
        """Field and difference."""
        with Vertical(classes="dialog wide"):
            yield Static(self._title, markup=False, classes="question")
            yield Words(self._text, soft_wrap=True, show_line_numbers=False, compact=True)
            yield Static(id="difference", markup=False)
            yield Static("enter take it    esc leave it", markup=False, classes="hint")

    def on_mount(self) -> None:
        """The cursor stands at the end."""
        area = self.query_one(Words)
        area.move_cursor(area.document.end)
        area.focus()

    def on_text_area_changed(self, _: TextArea.Changed) -> None:
        """Show what differs."""
        if self._original is None:
            return
        palette, new = inks(self.app.theme), one_line(self.query_one(Words).text)
        parts = by_word(self._original, new)
        names = {"same": "muted", "old": "old", "new": "new"}
        content = Content.assemble(*(Content.styled(part.text, palette[names[part.change]]) for part in parts))  # type: ignore[index]
        self.query_one("#difference", Static).update(content if new != self._original else Content(""))

    def on_key(self, event: events.Key) -> None:
        """Enter takes, Esc leaves."""
        if event.key == "enter":
            event.stop()
            text = one_line(self.query_one(Words).text)[:LIMIT]
            self.dismiss(text or None)
        elif event.key == "escape":
            event.stop()
            self.dismiss(None)
