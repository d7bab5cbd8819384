"""The views of a page in one line, the one that is shown marked, each clickable."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from textual.content import Content
from textual.message import Message
from textual.style import Style
from textual.widget import Widget

from curate.tui.theme import inks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual import events


class ViewBar(Widget, can_focus=False):
    """One line of names."""

    DEFAULT_CSS = "ViewBar { height: 1; width: 1fr; }"
    ALLOW_SELECT = False

    class Chosen(Message):
        """A view was clicked."""

        def __init__(self, view: str) -> None:
            super().__init__()
            self.view = view

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._views: Sequence[tuple[str, str]] = ()
        self._here = ""

    def show(self, views: Sequence[tuple[str, str]], here: str) -> None:
        """Show these views (`id`, name) from now on."""
        self._views, self._here = views, here
        self.refresh()

    def render(self) -> Content:
        """Brackets around the one that is shown say the same as its underline."""
        palette, out = inks(self.app.theme), [Content(" ")]
        for ident, name in self._views:
            here = ident == self._here
            style = palette["here" if here else "tab"] + Style.from_meta({"view": ident})
            out.append(Content.styled(f"[{name}]" if here else f" {name} ", style))
            out.append(Content(" "))
        return Content.assemble(*out).truncate(self.size.width, ellipsis=True)

    def on_click(self, event: events.Click) -> None:
        """What was clicked stands in the text itself."""
        view = event.style.meta.get("view")
        if view is not None:
            self.post_message(self.Chosen(view))
