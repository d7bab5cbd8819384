"""Asking for one line of text, such as the paths a rule is bound to."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Static

if TYPE_CHECKING:
    from textual.app import ComposeResult


class Line(ModalScreen[str | None]):
    """Gives the line, None when left without."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "cancel", "Cancel", show=False)]

    def __init__(self, title: str, hint: str, text: str = "") -> None:
        super().__init__()
        self._title, self._hint, self._text = title, hint, text

    def compose(self) -> ComposeResult:
        """Title, field, hint."""
        with Vertical(classes="dialog wide"):
            yield Static(self._title, markup=False, classes="question")
            yield Input(self._text, compact=True)
            yield Static(f"{self._hint}    enter take it    esc leave it", markup=False, classes="hint")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Take it."""
        self.dismiss(event.value.strip() or None)

    def action_cancel(self) -> None:
        """Leave."""
        self.dismiss(None)
