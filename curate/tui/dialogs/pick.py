"""Choosing one or several things from a list that narrows as one types: a memory, projects."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from curate.tui.cells import safe_line
from curate.tui.dialogs.narrowing import Narrowing
from curate.tui.theme import inks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual import events
    from textual.app import ComposeResult

FEW = 8
"""Up to this many options need no dialog that fills the screen."""
SHOWN = 200
"""Options listed at once; typing finds the others."""


@dataclass(frozen=True, slots=True)
class Offer:
    """Something to choose: its id, its text, and a few words beside it."""

    id: str
    text: str
    beside: str = ""


class Field(Input):
    """A field that leaves the keys of the list to the list."""

    def __init__(self, leave: frozenset[str]) -> None:
        super().__init__(placeholder="type to narrow", compact=True)
        self._leave = leave

    async def _on_key(self, event: events.Key) -> None:
        if event.key in self._leave:
            event.prevent_default()


class Pick(Narrowing[tuple[str, ...]]):
    """Gives the ids chosen, None when left without. With `several`, space ticks."""

    def __init__(
        self, title: str, offers: Sequence[Offer], *, several: bool = False, ticked: Sequence[str] = ()
    ) -> None:
        super().__init__()
        self._title = title
        self._offers = offers
        self._several = several
        self._ticked = dict.fromkeys(ticked)
        self._found: list[Offer] = []

    def compose(self) -> ComposeResult:
        """Filter, list, hint."""
        hint = "enter take it    esc leave it    ↑ ↓ choose" + ("    space tick" if self._several else "")
        with Vertical(classes=f"dialog wide {'tall' if len(self._offers) > FEW else 'few'}"):
            yield Static(self._title, markup=False, classes="question")
            yield Field(frozenset({"space"} if self._several else ()))
            yield OptionList(markup=False, compact=True)
            yield Static(hint, markup=False, classes="hint")

    def on_option_list_option_selected(self, _: OptionList.OptionSelected) -> None:
        """A click takes, or ticks."""
        if self._several:
            self._tick()
        else:
            self.take()

    def pressed(self, key: str) -> bool:
        """Space ticks where several can be chosen."""
        if key != "space" or not self._several:
            return False
        self._tick()
        return True

    def narrow(self, text: str) -> None:
        """The best offer is under the cursor."""
        self._list(text)

    def _list(self, text: str, at: int = 0) -> None:
        words = text.casefold().split()
        self._found = [o for o in self._offers if all(w in f"{o.text} {o.beside} {o.id}".casefold() for w in words)]
        options, palette = self.query_one(OptionList), inks(self.app.theme)
        options.clear_options()
        for offer in self._found[:SHOWN]:
            tick = ("[x] " if offer.id in self._ticked else "[ ] ") if self._several else ""
            options.add_option(
                Option(
                    Content.assemble(
                        Content.styled(f"{tick}{safe_line(offer.text)}", palette["text"]),
                        Content.styled(f"  {safe_line(offer.beside)}", palette["muted"]),
                    )
                )
            )
        if self._found:
            options.highlighted = min(at, len(self._found) - 1)

    def _tick(self) -> None:
        at = self.query_one(OptionList).highlighted
        if at is None:
            return
        ident = self._found[at].id
        if ident in self._ticked:
            del self._ticked[ident]
        else:
            self._ticked[ident] = None
        self._list(self.query_one(Input).value, at)

    def take(self) -> None:
        """What is under the cursor, or what is ticked."""
        at = self.query_one(OptionList).highlighted
        if self._several and self._ticked:
            self.dismiss(tuple(self._ticked))
        elif at is not None and at < len(self._found):
            self.dismiss((self._found[at].id,))
