"""The review: queue, card and bars. Keys go to the session by way of the table of actions, what came of it is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from textual.widgets import Input

from curate.review.choice import VERBS, Verb
from curate.review.naming import key_of
from curate.review.rows import Tab
from curate.tui.actions import BY_ID
from curate.tui.screens.review_looks import Looks
from curate.tui.screens.review_moves import Moves
from curate.tui.screens.review_sides import SideForms
from curate.tui.screens.review_upkeep import UpkeepForms
from curate.tui.widgets.bars import Bar
from curate.tui.widgets.queue_view import QueueView

if TYPE_CHECKING:
    from textual import events


class ReviewScreen(Moves, SideForms, UpkeepForms, Looks):
    """The main screen."""

    # Keys

    async def on_key(self, event: events.Key) -> None:
        """A key that no field wanted is looked up in the keymap."""
        if self.app.screen is not self:
            # It was typed ahead, before what the key in front of it opened could take it: better lost than a decision.
            event.stop()
            event.prevent_default()
            return
        if self.tab_bar.filtering or isinstance(self.focused, Input):
            self._key_in_filter(event)
            return
        found = self.curate.keys.action(event.key, event.character)
        if found is not None and found != "palette":
            event.stop()
            event.prevent_default()
            self.action_act(found)

    def action_act(self, name: str) -> None:
        """Do an action of the table, or say why it does nothing."""
        action = BY_ID[name]
        session = self.curate.session
        if self.progress_bar.reading and action.group not in {"Look", "Move"}:
            self.tell("one moment: the store is still being read", "warn")
            return
        marked = name in VERBS and bool(session.queue.marked_size()[0])
        problem = None if marked else action.why_not(session)
        if problem is not None:
            self.tell(f"{action.name}: {problem}", "warn")
            return
        handler = getattr(self, f"do_{name}", None)
        if handler is not None:
            handler()
        else:
            self.outcome(session.decide(cast("Verb", name)))

    def on_bar_clicked(self, message: Bar.Clicked) -> None:
        """A key, a tab or a decision was clicked."""
        if message.kind == "act":
            self.action_act(message.what)
        elif message.kind == "tab":
            self.action_tab(cast("Tab", message.what))
        else:
            self.action_go(message.what)

    def action_go(self, key: str) -> None:
        """Go to a row."""
        if not self.curate.session.queue.go_to(key):
            self.tell("it is no longer there", "warn")
        self.renew()

    def on_queue_view_picked(self, message: QueueView.Picked) -> None:
        """A row was clicked."""
        self.curate.session.queue.move_to(message.index)
        self.renew()

    def on_queue_view_turned(self) -> None:
        """How many rows a key takes may depend on what is in view."""
        self.action_bar.renew()

    def do_pane(self) -> None:
        """The other pane."""
        self.card_active = not self.card_active
        self.card_view.set_class(self.card_active, "active")
        self.tell(f"arrows scroll the card; {key_of('pane')} goes back to the queue" if self.card_active else "")

    # Deciding beyond a single verb

    def do_repeat(self) -> None:
        """Once more."""
        self.outcome(self.curate.session.repeat())

    def do_undo(self) -> None:
        """Back."""
        self.outcome(self.curate.session.undo())

    def do_redo(self) -> None:
        """Forward."""
        self.outcome(self.curate.session.redo())

    def do_clear(self) -> None:
        """Open again."""
        self.outcome(self.curate.session.clear())

    # Looking

    def do_tombstoned(self) -> None:
        """Show or hide what was rejected before."""
        queue = self.curate.session.queue
        hidden = sum(row.hidden for row in queue.rows.values())
        if not hidden and not queue.show_hidden:
            self.tell("no row is hidden: none says again what was rejected before")
            return
        queue.show_tombstoned(not queue.show_hidden)
        shown = "1 hidden row is shown" if hidden == 1 else f"{hidden} hidden rows are shown"
        self.tell(shown if queue.show_hidden else "they are hidden again")
        self.renew()

    def do_theme(self) -> None:
        """The next theme."""
        self.curate.next_theme()
        self.tell(f"theme: {self.curate.theme.removeprefix('curate-')}")

    def do_help(self) -> None:
        """All keys."""
        from curate.tui.screens.help import HelpScreen

        self.app.push_screen(HelpScreen(self.curate.keys, self.curate.session), self._helped)

    def _helped(self, action: str | None) -> None:
        if action is not None:
            self.action_act(action)

    def do_history(self) -> None:
        """What was written."""
        from curate.tui.screens.history import HistoryScreen

        self.app.push_screen(HistoryScreen())

    def do_evidence(self) -> None:
        """Everything about the row."""
        from curate.tui.screens.whole import WholeScreen

        row = self.curate.session.queue.current
        if row is not None and self.curate.feed.store is not None:
            self.app.push_screen(WholeScreen(row))

    def do_preview(self) -> None:
        """What would be written."""
        from curate.tui.screens.preview import PreviewScreen

        self.app.push_screen(PreviewScreen(), self._previewed)

    def do_write(self) -> None:
        """Never without a look: the preview opens first."""
        self.do_preview()

    def _previewed(self, said: Any) -> None:
        if said:
            self.tell(str(said), "good")
        self.renew()

    def do_quit(self) -> None:
        """Leave; decisions are kept."""
        self.curate.leave()
