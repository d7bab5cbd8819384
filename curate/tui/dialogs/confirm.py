"""Questions before what weighs heavily: y or n, never Enter, since Enter is pressed from habit; or a typed word."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Static

if TYPE_CHECKING:
    from textual import events
    from textual.app import ComposeResult


class Confirm(ModalScreen[bool]):
    """A yes or no question."""

    def __init__(self, question: str, detail: str = "") -> None:
        super().__init__()
        self._question = question
        self._detail = detail

    def compose(self) -> ComposeResult:
        """Question, detail, keys."""
        with Vertical(classes="dialog"):
            yield Static(self._question, markup=False, classes="question")
            if self._detail:
                yield Static(self._detail, markup=False, classes="detail")
            yield Static("y yes    n no", markup=False, classes="hint")

    def on_key(self, event: events.Key) -> None:
        """Only y says yes."""
        event.stop()
        if event.character in {"y", "Y"}:
            self.dismiss(True)
        elif event.character in {"n", "N", "q"} or event.key == "escape":
            self.dismiss(False)


class TypedWord(ModalScreen[bool]):
    """Asks for a word to be typed out."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "cancel", "Cancel", show=False)]

    def __init__(self, question: str, word: str) -> None:
        super().__init__()
        self._question = question
        self._word = word

    def compose(self) -> ComposeResult:
        """Question and field."""
        with Vertical(classes="dialog"):
            yield Static(self._question, markup=False, classes="question")
            yield Static(f"Type {self._word} and press enter; esc leaves it out.", markup=False, classes="hint")
            yield Input(compact=True)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Right or not."""
        self.dismiss(event.value.strip().casefold() == self._word.casefold())

    def action_cancel(self) -> None:
        """Leave."""
        self.dismiss(False)
