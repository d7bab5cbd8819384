"""A screen with a list, the text that belongs to its entry, and the keys below: preview, history, others to come.

Keys are those of the reader's own map wherever the table of actions has what a page does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar, cast

from textual.containers import Container, VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widgets import OptionList, Static

from curate.tui.dialogs.pick import Offer, Pick
from curate.tui.theme import InkName, inks
from curate.tui.widgets.card_text import Lines
from curate.tui.widgets.key_bar import KeyBar, PageKey

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from textual import events
    from textual.app import ComposeResult
    from textual.widget import Widget

    from curate.tui.app import CurateApp

Left = TypeVar("Left")

SIDE_BY_SIDE = 100
"""Columns from which the text stands beside the list."""


class Page(Screen[Left], Generic[Left]):
    """Left a list, right (below it where there is no room) a text. A page says what its keys do in `keys`."""

    AUTO_FOCUS = "OptionList"
    HEADING = ""
    OPENED_BY = ""
    """The action that opens the page, which closes it as well."""
    LIST = "page-list"
    """Style classes of the list."""

    @property
    def curate(self) -> CurateApp:
        """The app, by its own type."""
        return cast("CurateApp", self.app)

    def compose(self) -> ComposeResult:
        """Title, list, text, keys."""
        yield Static(self.HEADING, markup=False, classes="page-title", id="page-title")
        yield from self.above()
        yield Static(classes="page-rule", id="page-rule", markup=False)
        with Container(classes="page"):
            yield OptionList(classes=self.LIST, markup=False, compact=True)
            with VerticalScroll(classes="page-text", can_focus=False):
                yield Static(markup=False, id="page-text")
        yield KeyBar(self.curate.keys, classes="page-keys")

    def on_mount(self) -> None:
        """Parts are looked up once."""
        self.options = self.query_one(OptionList)
        self.pane = self.query_one(".page-text", VerticalScroll)
        self.begin()
        self.show_keys()

    def on_resize(self, event: events.Resize) -> None:
        """Beside each other when there is room."""
        self.set_class(event.size.width >= SIDE_BY_SIDE, "wide")
        self.query_one("#page-rule", Static).update("─" * event.size.width)
        self.call_after_refresh(self.show_text)

    # What a page says of itself

    def above(self) -> Iterable[Widget]:
        """What stands between the title and the rule."""
        return ()

    def begin(self) -> None:
        """Start reading what is to be shown."""

    def keys(self) -> Sequence[PageKey]:
        """What its keys do now, the most likely first."""
        return ()

    def write_text(self, lines: Lines) -> None:
        """The text that belongs to the entry under the cursor."""

    def leave(self) -> None:
        """Go back to where it was opened."""
        self.dismiss(None)

    # What pages share

    def show_text(self) -> None:
        """Lay the text out anew for the width that there is."""
        # Room for the scroll bar is kept free, so that its coming does not wrap the text anew.
        lines = Lines(inks(self.app.theme), (self.pane.scrollable_content_region.width or 60) - 1)
        self.write_text(lines)
        self.query_one("#page-text", Static).update(lines.content())

    def show_keys(self) -> None:
        """Say which keys do something now."""
        self.query_one(KeyBar).show([
            *self.keys(), PageKey(self.all_keys, "all keys", "help"), PageKey(self.leave, "back", "back"),
        ])  # fmt: skip

    def all_keys(self) -> None:
        """All that the page does now, to be read and chosen from: a narrow terminal has no room for every key."""
        keys = [*self.keys(), PageKey(self.leave, "back", "back")]
        offers = [Offer(str(at), f"{key.shown(self.curate.keys):<9} {key.word}") for at, key in enumerate(keys)]

        def done(found: tuple[str, ...] | None) -> None:
            if found:
                keys[int(found[0])].do()

        self.app.push_screen(Pick("What this page does", offers), done)

    def headline(self, text: str, ink: InkName = "title") -> None:
        """Say on top what is shown, or what came of a key."""
        self.query_one("#page-title", Static).update(self.ink(text, ink))

    def ink(self, text: str, ink: InkName) -> Content:
        """A text in an ink of the theme."""
        return Content.styled(text, inks(self.app.theme)[ink])

    def on_option_list_option_highlighted(self, _: OptionList.OptionHighlighted) -> None:
        """The text follows the cursor."""
        self.show_text()

    def on_key_bar_pressed(self, message: KeyBar.Pressed) -> None:
        """A key was clicked."""
        message.key.do()

    def on_key(self, event: events.Key) -> None:
        """What the page does by this key, else what moves list and text; any key to quit goes back."""
        if self.app.screen is not self:
            # Typed ahead: what the key in front of it opened, or left, was not there yet.
            event.stop()
            event.prevent_default()
            return
        action = self.curate.keys.action(event.key, event.character)
        found = next((key for key in self.keys() if key.meant(action, event.character)), None)
        moves: dict[str, Callable[[], None]] = {
            "down": self.options.action_cursor_down, "up": self.options.action_cursor_up,
            "first": self.options.action_first, "last": self.options.action_last,
            "page_down": lambda: self.pane.scroll_page_down(animate=False),
            "page_up": lambda: self.pane.scroll_page_up(animate=False),
        }  # fmt: skip
        if found is not None:
            found.do()
        elif action == "help":
            self.all_keys()
        elif action in {"back", "quit", self.OPENED_BY}:
            self.leave()
        elif action in moves:
            moves[action]()
        else:
            return
        event.stop()
        event.prevent_default()
