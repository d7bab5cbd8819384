"""Going about the review: cursor, tabs, panes, marks and the filter. Nothing here decides anything."""

from __future__ import annotations

from typing import TYPE_CHECKING

from curate.review.naming import key_of
from curate.review.rows import TABS, Tab
from curate.tui.screens.review_frame import ReviewFrame

if TYPE_CHECKING:
    from textual import events
    from textual.widgets import Input


class Moves(ReviewFrame):
    """The part of the review screen that moves and marks."""

    card_active = False

    # Moving

    def _moved(self, _: bool = True) -> None:
        self.renew()

    def do_down(self) -> None:
        """Next row, or a line down in the card."""
        if self.card_active:
            self.card_view.scroll_down(animate=False)
        else:
            self._moved(self.curate.session.queue.move(1))

    def do_up(self) -> None:
        """Previous row, or a line up in the card."""
        if self.card_active:
            self.card_view.scroll_up(animate=False)
        else:
            self._moved(self.curate.session.queue.move(-1))

    def do_page_down(self) -> None:
        """A page on."""
        if self.card_active:
            self.card_view.scroll_page_down(animate=False)
        else:
            self._moved(self.curate.session.queue.move(self.queue_view.page_size))

    def do_page_up(self) -> None:
        """A page back."""
        if self.card_active:
            self.card_view.scroll_page_up(animate=False)
        else:
            self._moved(self.curate.session.queue.move(-self.queue_view.page_size))

    def do_first(self) -> None:
        """To the first row."""
        self._moved(self.curate.session.queue.move_to(0))

    def do_last(self) -> None:
        """To the last row."""
        self._moved(self.curate.session.queue.move_to(len(self.curate.session.queue.visible) - 1))

    def do_next_group(self) -> None:
        """To the next bundle."""
        if not self.curate.session.queue.next_bundle(1):
            self.tell("this is the last bundle")
        self.renew()

    def do_previous_group(self) -> None:
        """To the previous bundle."""
        self._moved(self.curate.session.queue.next_bundle(-1))

    def do_next_open(self) -> None:
        """To the next row without a decision."""
        queue = self.curate.session.queue
        index = queue.next_open(queue.position + 1)
        if index is None:
            self.tell("nothing is open below")
            return
        self._moved(queue.move_to(index))

    def do_previous_open(self) -> None:
        """To the previous row without a decision."""
        queue, decided = self.curate.session.queue, self.curate.session.decided
        for index in range(queue.position - 1, -1, -1):
            if queue.visible[index].key not in decided:
                self._moved(queue.move_to(index))
                return
        self.tell("nothing is open above")

    def do_next_tab(self) -> None:
        """The tab to the right."""
        self._tab(1)

    def do_previous_tab(self) -> None:
        """The tab to the left."""
        self._tab(-1)

    def _tab(self, way: int) -> None:
        at = TABS.index(self.curate.session.queue.tab)
        self.action_tab(TABS[(at + way) % len(TABS)])

    def action_tab(self, tab: Tab) -> None:
        """Go to a tab."""
        self.curate.session.set_tab(tab)
        self.tell("")
        self.renew(page=False)

    # Marks

    def do_mark(self) -> None:
        """Mark, and go on."""
        queue = self.curate.session.queue
        queue.toggle_mark()
        queue.move(1)
        self.renew()

    def do_range(self) -> None:
        """Begin or end a range."""
        open_ = self.curate.session.queue.toggle_range()
        self.tell(
            f"range: move, then decide on all of it; {key_of('range')} marks it, {key_of('back')} leaves it"
            if open_
            else ""
        )
        self.renew()

    def do_mark_all(self) -> None:
        """Mark all that the filter shows."""
        count = self.curate.session.queue.mark_visible()
        self.tell(f"{count} marked; {key_of('unmark')} takes the marks off")
        self.renew()

    def do_unmark(self) -> None:
        """No marks."""
        self.curate.session.queue.unmark()
        self.tell("no marks")
        self.renew()

    # The filter

    def do_filter(self) -> None:
        """Open the field."""
        self.tab_bar.filtering = True
        self.query_one("#filter").add_class("open")
        self.filter_field.value = self.curate.session.queue.filter.text
        self.filter_field.cursor_position = len(self.filter_field.value)
        self.filter_field.focus()
        self.tell(
            "words and terms: is:open scope:global project: op: flag: agent: -term · enter keeps it, esc clears it"
        )

    def on_input_changed(self, event: Input.Changed) -> None:
        """Narrow as one types."""
        if event.input is not self.filter_field or not self.tab_bar.filtering:
            return
        found = self.curate.session.set_filter(event.value)
        count = len(self.curate.session.queue.visible)
        if found.problem:
            self.tell(found.problem, "warn")
        elif event.value:
            self.tell(f"{count} rows" if count != 1 else "1 row")
        self.renew()

    def on_input_submitted(self, _: Input.Submitted) -> None:
        """Keep the filter and go back to the queue."""
        self._leave_filter()

    def _key_in_filter(self, event: events.Key) -> None:
        if event.key == "escape":
            self.curate.session.set_filter("")
            self._leave_filter()
        elif event.key in {"down", "up"}:
            self.curate.session.queue.move(1 if event.key == "down" else -1)
            self.renew()
        elif event.key == "enter":
            self.curate.session.set_filter(self.filter_field.value)
            self._leave_filter()
        elif event.is_printable and event.character:
            # The field keeps what is typed in it to itself, so this was typed before it had the keys.
            self.filter_field.insert_text_at_cursor(event.character)
        else:
            return
        event.stop()
        event.prevent_default()

    def _leave_filter(self) -> None:
        self.tab_bar.filtering = False
        self.query_one("#filter").remove_class("open")
        self.set_focus(None)
        self.tell("")
        self.renew()

    def do_back(self) -> None:
        """Leave the range, then the filter, then the marks."""
        queue = self.curate.session.queue
        if queue.anchor is not None:
            queue.anchor = None
        elif queue.filter.text:
            self.curate.session.set_filter("")
        else:
            queue.unmark()
        self.tell("")
        self.renew()
