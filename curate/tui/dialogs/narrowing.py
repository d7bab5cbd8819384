"""A list that narrows as one types: the field has the focus, and the arrows move the list all the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

from textual.screen import ModalScreen
from textual.widgets import Input, OptionList

if TYPE_CHECKING:
    from textual import events

Result = TypeVar("Result")


class Narrowing(ModalScreen[Result | None], Generic[Result]):
    """Gives what was chosen, None when left without."""

    def narrow(self, text: str) -> None:
        """List what fits a text."""
        raise NotImplementedError

    def take(self) -> None:
        """Choose what is under the cursor."""
        raise NotImplementedError

    def pressed(self, key: str) -> bool:
        """Whether a key of the list's own was meant."""
        return False

    def on_mount(self) -> None:
        """Everything at first."""
        self.narrow("")
        self.query_one(Input).focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        """Narrow."""
        self.narrow(event.value)

    def on_input_submitted(self, _: Input.Submitted) -> None:
        """Take it."""
        self.take()

    def on_key(self, event: events.Key) -> None:
        """Arrows move the list while the field has the focus."""
        options = self.query_one(OptionList)
        if event.key == "down":
            options.action_cursor_down()
        elif event.key == "up":
            options.action_cursor_up()
        elif event.key == "escape":
            self.dismiss(None)
        elif not self.pressed(event.key):
            return
        event.stop()
        event.prevent_default()
