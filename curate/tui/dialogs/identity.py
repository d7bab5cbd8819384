"""What identity memory asks of a person: what would make it false, and a word typed out. It shapes every session."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Static

if TYPE_CHECKING:
    from textual.app import ComposeResult

LEAST_WORDS = 2
"""A single word says nothing that could be seen."""


class Identity(ModalScreen[str | None]):
    """Gives the condition once the word has been typed, None when left without."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "cancel", "Cancel", show=False)]

    def __init__(self, statement: str, word: str) -> None:
        super().__init__()
        self._statement = statement
        self._word = word

    def compose(self) -> ComposeResult:
        """Statement, both fields, what is still missing."""
        with Vertical(classes="dialog wide"):
            yield Static("Identity memory shapes every session", markup=False, classes="question")
            yield Static(self._statement, markup=False, classes="detail")
            yield Static("What, if you saw it, would make it false?", markup=False)
            yield Input(id="condition", placeholder="as in: I stop reviewing code in the evening", compact=True)
            yield Static(f"Type {self._word} to confirm", markup=False, classes="second")
            yield Input(id="word", compact=True)
            yield Static("enter goes on    esc leave it", markup=False, classes="hint", id="hint")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """From the first field to the second, then done when both hold."""
        condition, word = (self.query_one(f"#{name}", Input) for name in ("condition", "word"))
        if len(condition.value.split()) < LEAST_WORDS:
            self._say("say it in a few words: something that could be seen one day")
            condition.focus()
        elif event.input is condition:
            word.focus()
        elif word.value.strip().casefold() != self._word.casefold():
            self._say(f"the word is {self._word}; esc leaves it")
        else:
            self.dismiss(condition.value.strip())

    def _say(self, text: str) -> None:
        self.query_one("#hint", Static).update(f"! {text}")

    def action_cancel(self) -> None:
        """Leave."""
        self.dismiss(None)
