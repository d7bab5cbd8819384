"""Taking in a message of many lines, typed or pasted, as a person would give it to an agent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Static

from curate.tui.dialogs.edit import Words

if TYPE_CHECKING:
    from textual import events
    from textual.app import ComposeResult

LIMIT = 100_000
"""Characters of a message; a longer one is cut."""


class Paste(ModalScreen[str | None]):
    """Gives the message with its lines, None when left without. What is pasted keeps its lines; Enter takes it."""

    def __init__(self, title: str, detail: str = "", text: str = "") -> None:
        super().__init__()
        self._title, self._detail, self._text = title, detail, text

    def compose(self) -> ComposeResult:
        """Title, what comes of it, field."""
        with Vertical(classes="dialog wide"):
            yield Static(self._title, markup=False, classes="question")
            yield Words(self._text, soft_wrap=True, show_line_numbers=False, compact=True)
            yield Static(self._detail, markup=False, classes="hint")
            yield Static("enter take it    esc leave it", markup=False, classes="hint")

    def on_mount(self) -> None:
        """The last message stands there marked, so that typing takes its place."""
        area = self.query_one(Words)
        area.select_all()
        area.focus()

    def on_key(self, event: events.Key) -> None:
        """Enter takes, Esc leaves."""
        if event.key == "enter":
            event.stop()
            self.dismiss(self.query_one(Words).text[:LIMIT].strip() or None)
        elif event.key == "escape":
            event.stop()
            self.dismiss(None)
