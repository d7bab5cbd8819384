"""All keys, searchable; Enter does the one under the cursor. What makes no sense just now says why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from curate.review.naming import spelled
from curate.tui.actions import ACTIONS, GROUPS, Action
from curate.tui.dialogs.narrowing import Narrowing
from curate.tui.theme import inks

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from curate.review.session import Session
    from curate.tui.keymap import Keymap


class HelpScreen(Narrowing[str]):
    """Gives the id of an action to do, or None."""

    def __init__(self, keys: Keymap, session: Session) -> None:
        super().__init__()
        self._keys = keys
        self._session = session
        self._shown: list[Action | None] = []

    def compose(self) -> ComposeResult:
        """Field, list, and the help of one."""
        with Vertical(classes="dialog wide tall"):
            yield Static("All keys", markup=False, classes="question")
            yield Input(placeholder="type to search", compact=True)
            yield OptionList(markup=False, compact=True)
            yield Static(id="difference", markup=False)
            yield Static("enter does it    esc back", markup=False, classes="hint")

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """A click does it."""
        self._do(event.option_index)

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """The help of the one under the cursor."""
        action = self._shown[event.option_index]
        palette = inks(self.app.theme)
        if action is None:
            return
        why = action.why_not(self._session)
        parts = [Content.styled(action.help or action.title, palette["text"])]
        if why:
            parts += [Content("\n"), Content.styled(f"Not now: {spelled(why, self._keys.named)}", palette["warn"])]
        self.query_one("#difference", Static).update(Content.assemble(*parts))

    def take(self) -> None:
        """Do what is under the cursor."""
        self._do(self.query_one(OptionList).highlighted)

    def _do(self, at: int | None) -> None:
        action = self._shown[at] if at is not None and at < len(self._shown) else None
        if action is not None:
            self.dismiss(action.id if action.id != "palette" else None)

    def narrow(self, text: str) -> None:
        """Actions by group; those that do nothing now are faint."""
        options, palette = self.query_one(OptionList), inks(self.app.theme)
        words = text.casefold().split()
        options.clear_options()
        self._shown = []
        for group in GROUPS:
            found = [
                action
                for action in ACTIONS
                if action.group == group
                and all(w in f"{action.name} {action.title} {action.help} {group}".casefold() for w in words)
            ]
            if not found:
                continue
            options.add_option(Option(Content.styled(group, palette["muted"]), disabled=True))
            self._shown.append(None)
            for action in found:
                able = action.why_not(self._session) is None
                options.add_option(
                    Option(
                        Content.assemble(
                            Content.styled(
                                f"  {self._keys.all_shown(action.id):<12}", palette["key" if able else "faint"]
                            ),
                            Content.styled(action.title, palette["text" if able else "faint"]),
                            Content.styled("" if able else "  not now", palette["faint"]),
                        )
                    )
                )
                self._shown.append(action)
        if len(self._shown) > 1:
            options.highlighted = 1
