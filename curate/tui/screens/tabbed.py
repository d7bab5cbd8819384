"""A page whose text has several views of the entry under the cursor: explain, vault, audit, upkeep."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, TypeVar

from textual.content import Content
from textual.widgets.option_list import Option

from curate.tui.screens.page import SIDE_BY_SIDE, Page
from curate.tui.theme import InkName
from curate.tui.widgets.key_bar import PageKey
from curate.tui.widgets.view_bar import ViewBar

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from textual import events
    from textual.widget import Widget
    from textual.widgets import OptionList

Left = TypeVar("Left")
Part = tuple[str, InkName]

LOW = 30
"""Rows of a terminal below which the list gives room to the text."""


class Tabbed(Page[Left]):
    """Left the entries in sections, right one of several views of an entry."""

    LIST = "page-list tabbed-list"
    CSS: ClassVar[str] = """
    .tabbed-list.above { width: 1fr; }
    .tabbed-list.short { height: 7; }
    """

    def __init__(self) -> None:
        super().__init__()
        self.view = ""
        """The view that the reader chose last; an entry that has none of it shows its first."""
        self._ids: list[str | None] = []

    def above(self) -> Iterable[Widget]:
        """The views to choose from."""
        yield ViewBar(id="page-views")

    def on_resize(self, event: events.Resize) -> None:
        """A low terminal has a short list."""
        above = event.size.width < SIDE_BY_SIDE
        self.options.set_class(above, "above")
        self.options.set_class(above and event.size.height < LOW, "short")
        super().on_resize(event)

    # What a page says of itself

    def views(self) -> Sequence[tuple[str, str]]:
        """The views of the entry under the cursor: id and name."""
        return ()

    # What pages share

    @property
    def moment(self) -> str:
        """Now, by the clock of the app."""
        return self.curate.today().strftime("%Y-%m-%dT%H:%M:%S.000Z")

    @property
    def shown(self) -> str:
        """The view that is shown."""
        ids = [ident for ident, _ in self.views()]
        return self.view if self.view in ids else ids[0] if ids else ""

    @property
    def current(self) -> str | None:
        """The id of the entry under the cursor."""
        at = self.options.highlighted
        return self._ids[at] if at is not None and at < len(self._ids) else None

    def fill(self, entries: Iterable[tuple[Content, str | None]]) -> None:
        """List these entries; those without an id are headings. The cursor stays on its entry, else near it."""
        entries, before, at = list(entries), self.current, self.options.highlighted
        self._ids = [ident for _, ident in entries]
        self.options.clear_options()
        self.options.add_options([Option(text, disabled=ident is None) for text, ident in entries])
        places = [number for number, ident in enumerate(self._ids) if ident is not None]
        if before in self._ids and before is not None:
            self.options.highlighted = self._ids.index(before)
        elif places:
            self.options.highlighted = min(places, key=lambda number: abs(number - (at or 0)))
        self.show_text()
        self.show_keys()

    def go_to(self, ident: str) -> bool:
        """Bring an entry under the cursor; False when it is not there."""
        if ident not in self._ids:
            return False
        self.options.highlighted = self._ids.index(ident)
        return True

    def show_text(self) -> None:
        """The views go by the entry, too."""
        self.query_one(ViewBar).show(self.views(), self.shown)
        super().show_text()

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Another entry: its text from the top, and its keys."""
        # Handlers of the classes below would be called as well, and lay the text out a second time.
        event.prevent_default()
        self.pane.scroll_home(animate=False)
        self.show_text()
        self.show_keys()

    def on_option_list_option_selected(self, _: OptionList.OptionSelected) -> None:
        """Enter goes on to the next view."""
        self.turn(1)

    def on_view_bar_chosen(self, message: ViewBar.Chosen) -> None:
        """A view was clicked."""
        self.look_at(message.view)

    def turn(self, by: int) -> None:
        """To the next view, round and round."""
        ids = [ident for ident, _ in self.views()]
        if ids:
            self.look_at(ids[(ids.index(self.shown) + by) % len(ids)])

    def look_at(self, view: str) -> None:
        """Show a view from its top."""
        self.view = view
        self.pane.scroll_home(animate=False)
        self.show_text()
        self.show_keys()

    def turns(self) -> list[PageKey]:
        """The keys that go through the views, for pages that have several."""
        if len(self.views()) < 2:
            return []
        return [
            PageKey(lambda: self.turn(1), "next view", "next_tab"),
            PageKey(lambda: self.turn(-1), "previous view", "previous_tab"),
        ]

    def scrolling(self) -> PageKey:
        """A page further in the text."""
        return PageKey(lambda: self.pane.scroll_page_down(animate=False), "scroll", "page_down")

    def entry(self, *parts: Part) -> Content:
        """A line of the list, in inks."""
        return Content.assemble(*(self.ink(text, ink) for text, ink in parts))
