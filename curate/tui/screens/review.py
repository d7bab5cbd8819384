"""The review: queue, card and bars. Keys go to the session by way of the table of actions, what came of it is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from textual.containers import Horizontal, Vertical
from textual.screen import Screen
from textual.widgets import Input, Static

from curate.review.choice import VERBS, Verb
from curate.review.naming import key_of, spelled
from curate.review.rows import QUEUE, Tab
from curate.tui.actions import BY_ID
from curate.tui.screens.review_looks import Looks
from curate.tui.screens.review_moves import Moves
from curate.tui.screens.review_sides import SideForms
from curate.tui.screens.review_upkeep import UpkeepForms
from curate.tui.widgets.bars import ActionBar, Bar, DoneStrip, ProgressBar, StatusBar, TabBar
from curate.tui.widgets.card_view import CardView
from curate.tui.widgets.queue_view import QueueView

if TYPE_CHECKING:
    from textual import events
    from textual.app import ComposeResult

    from curate.review.rows import Row
    from curate.review.outcome import Outcome

SIDE_BY_SIDE = 100
"""Columns from which the card stands beside the queue."""
TWO_SIDES = 120
"""Columns from which the two sides of a contradiction stand beside each other, below the queue."""

NOTHING: dict[Tab, tuple[str, ...]] = {
    "noise": ("No noise.", "What is likely not worth keeping is gathered here, to be turned away a page at a time."),
    "groups": ("No groups.", "What was said more than once is gathered here."),
    "singles": ("Nothing waits here.", "New things come in while you work; `curate scan` reads older transcripts."),
    "conflicts": ("No conflicts.", "What contradicts a memory is shown here with both sides."),
    "contested": ("Nothing is disputed.", "Memories that are contested, or have two versions, stand here."),
    "memory": ("No memories yet.", "What you accept and write stands here."),
}


class ReviewScreen(Looks, Moves, SideForms, UpkeepForms, Screen[None]):
    """The main screen."""

    AUTO_FOCUS = ""

    def compose(self) -> ComposeResult:
        """Bars above, queue and card, bars below."""
        session, keys = self.curate.session, self.curate.keys
        yield ProgressBar(session, self.curate.place, id="progress")
        yield TabBar(session, id="tabs")
        with Horizontal(id="filter"):
            yield Static("/ ", markup=False)
            yield Input(compact=True, select_on_focus=False)
        yield Static(id="rule", markup=False)
        with Vertical(id="body"):
            yield QueueView(session, today=self.curate.today, id="queue")
            yield CardView(session, keys, id="card")
        yield DoneStrip(session, keys, id="done")
        yield StatusBar(session, id="status")
        yield ActionBar(session, keys, id="actions")

    def on_mount(self) -> None:
        """Parts are looked up once, since every key needs them."""
        self.queue_view = self.query_one(QueueView)
        self.card_view = self.query_one(CardView)
        self.progress_bar = self.query_one(ProgressBar)
        self.tab_bar = self.query_one(TabBar)
        self.done_strip = self.query_one(DoneStrip)
        self.status_bar = self.query_one(StatusBar)
        self.action_bar = self.query_one(ActionBar)
        self.filter_field = self.query_one("#filter Input", Input)
        self._bars = (self.progress_bar, self.tab_bar, self.done_strip, self.action_bar)
        self.renew()

    def on_resize(self, event: events.Resize) -> None:
        """The layout goes by the size of the terminal."""
        size = event.size
        self.set_class(size.width >= SIDE_BY_SIDE, "wide")
        self.set_class(size.width >= TWO_SIDES, "twofold")
        self.set_class(size.height >= 30 and size.width < SIDE_BY_SIDE, "roomy")
        self.set_class(size.height >= 34, "tall")
        self.set_class(size.height >= 46, "huge")
        self.query_one("#rule", Static).update("─" * size.width)

    # What came of it

    def renew(self, *, page: bool = False, changed: tuple[str, ...] | None = None) -> None:
        """Draw what has changed; the card follows after a rest."""
        session = self.curate.session
        self.set_class(session.queue.tab == "noise", "noise")
        self.set_class(session.queue.tab in {"conflicts", "contested"}, "sides")
        self.queue_view.empty = ("Reading the store…",) if self.progress_bar.reading else self._empty()
        self.queue_view.update_rows(page=page, changed=changed)
        self.card_view.follow()
        for bar in self._bars:
            bar.renew()

    def tell(self, say: str, tone: str = "plain") -> None:
        """One line of news, in place of the last; keys that it names are those of the reader."""
        self.status_bar.tell(spelled(say, self.curate.keys.named), tone)

    def outcome(self, outcome: Outcome) -> None:
        """What a key did, or why it did nothing."""
        self.tell(outcome.say, outcome.tone if outcome.done else "warn")
        self.renew(page=outcome.page, changed=outcome.keys)

    def _empty(self) -> tuple[str, ...]:
        session = self.curate.session
        tab, keys = session.queue.tab, self.curate.keys.named
        if session.queue.filter.text:
            return (f"Nothing in this tab matches {session.queue.filter.text!r}.", f"{keys('back')} clears the filter.")
        counts = session.queue.counts()
        if tab in QUEUE and session.pending():
            return (
                NOTHING[tab][0],
                f"{len(session.pending())} decisions wait: {keys('preview')} shows what they would write.",
            )
        left = next((other for other in QUEUE if counts[other][0]), None)
        if tab in QUEUE and left is not None:
            waiting = counts[left][0]
            verb = "waits" if waiting == 1 else "wait"
            ways = f"{keys('next_tab')} and {keys('previous_tab')} go through the tabs"
            return (NOTHING[tab][0], f"{waiting} {verb} in {left.capitalize()}: {ways}.")
        return NOTHING[tab]

    # Keys

    async def on_key(self, event: events.Key) -> None:
        """A key that no field wanted is looked up in the keymap."""
        if isinstance(self.focused, Input):
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
        queue.show_tombstoned(not queue.show_hidden)
        hidden = sum(row.hidden for row in queue.rows.values())
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

    # The store moved

    def loaded(self, say: str, before: int) -> None:
        """New rows came in, or rows went; the cursor's line of the screen stays the same."""
        self.queue_view.keep_place(before)
        if say:
            self.tell(say)
        self.renew()

    def current_row(self) -> Row | None:
        """The row under the cursor."""
        return self.curate.session.queue.current
