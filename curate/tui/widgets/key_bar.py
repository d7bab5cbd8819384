"""The bottom line of a page: its keys, each clickable, as many as there is room for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from textual.content import Content
from textual.message import Message
from textual.style import Style
from textual.widget import Widget

from curate.tui.theme import inks

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from textual import events

    from curate.tui.keymap import Keymap


@dataclass(frozen=True, slots=True)
class PageKey:
    """Something that a page does: by the reader's key for an `action` of the table, or by a `letter` of the page."""

    do: Callable[[], object]
    word: str
    action: str = ""
    letter: str = ""

    def meant(self, action: str | None, character: str | None) -> bool:
        """A key with this action and this character is meant. A letter of the page comes before any action."""
        return (bool(self.letter) and character == self.letter) or (bool(self.action) and action == self.action)

    def shown(self, keys: Keymap) -> str:
        """The key as it is written below the page."""
        return self.letter or keys.shown(self.action)


class KeyBar(Widget, can_focus=False):
    """One line of keys."""

    DEFAULT_CSS = "KeyBar { height: 1; width: 1fr; }"
    ALLOW_SELECT = False

    class Pressed(Message):
        """A key was clicked."""

        def __init__(self, key: PageKey) -> None:
            super().__init__()
            self.key = key

    def __init__(self, keys: Keymap, **options: Any) -> None:
        super().__init__(**options)
        self._keys = keys
        self._offers: Sequence[PageKey] = ()

    def show(self, offers: Sequence[PageKey]) -> None:
        """Show these from now on; the last two always have room: all keys, and the way out."""
        self._offers = offers
        self.refresh()

    def render(self) -> Content:
        """As many as there is room for."""
        if not self._offers:
            return Content("")
        entries = [self._entry(number) for number in range(len(self._offers))]
        *offers, all_keys, way_out = entries
        always = Content.assemble(all_keys, "  ", way_out)
        room = self.size.width - always.cell_length
        out: list[Content] = []
        for entry in offers:
            if entry.cell_length + 2 > room:
                break
            out += [entry, Content("  ")]
            room -= entry.cell_length + 2
        return Content.assemble(*out, Content(" " * room), always)

    def _entry(self, number: int) -> Content:
        offer, palette = self._offers[number], inks(self.app.theme)
        click = Style.from_meta({"offer": number})
        return Content.assemble(
            Content.styled(offer.shown(self._keys), palette["key"] + click),
            Content.styled(f" {offer.word}", palette["text"] + click),
        )

    def on_click(self, event: events.Click) -> None:
        """What was clicked stands in the text itself."""
        number = event.style.meta.get("offer")
        if number is not None:
            self.post_message(self.Pressed(self._offers[number]))
