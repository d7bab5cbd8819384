"""The queue: a list that draws only the lines on the screen, however many rows there are."""

from __future__ import annotations

from collections import OrderedDict
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, ClassVar

from rich.segment import Segment
from rich.style import Style
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from curate.tui.theme import inks
from curate.tui.widgets.queue_line import Face, line

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual import events

    from curate.review.rows import Row
    from curate.review.session import Session

FEW = 4
"""Up to this many changed lines are drawn one by one."""

_KEPT = 400
"""Strips kept: a few screens full."""


class QueueView(ScrollView, can_focus=False):
    """Draws `session.queue.visible`. It never takes the focus: keys go to the screen."""

    DEFAULT_CLASSES = "queue"

    class Picked(Message):
        """A row was clicked."""

        def __init__(self, index: int) -> None:
            super().__init__()
            self.index = index

    class Turned(Message):
        """Another part of the queue is in view."""

    EMPTY: ClassVar[tuple[str, ...]] = ("Nothing here.",)

    def __init__(self, session: Session, *, today: Callable[[], datetime] | None = None, **options: Any) -> None:
        super().__init__(**options)
        self.session = session
        self.empty: tuple[str, ...] = self.EMPTY
        self._strips: OrderedDict[tuple[Any, ...], Strip] = OrderedDict()
        self._today: Callable[[], datetime] = today or (lambda: datetime.now(UTC))
        self._now = self._today()
        self._page = (0, 0)
        self._state: tuple[Any, ...] = ()
        self._at = 0
        self._version = -1

    # What others call

    def update_rows(self, *, page: bool = False, changed: tuple[str, ...] | None = None) -> None:
        """The rows or their faces have changed; the cursor is brought into view, with `page` at the top.

        With `changed` a decision has changed these rows and no others.
        """
        self._now = self._today()
        count = len(self.session.queue.visible)
        size = Size(max(self.size.width, 1), count)
        if size != self.virtual_size:
            self.virtual_size = size
        self.show_cursor(page=page)
        queue = self.session.queue
        at, top = queue.position, round(self.scroll_y)
        state = (self.session.loaded, queue.tab, id(queue.visible), top, len(queue.marks), len(queue.spared),
                 queue.anchor, id(self.session.taken), self.empty)  # fmt: skip
        version = self.session.version
        touched = () if version == self._version else changed
        if state == self._state and queue.anchor is None and touched is not None and len(touched) <= FEW:
            # The cursor moved, or a row or two were decided: only their lines differ.
            for index in {self._at, at, *queue.indexes(touched)}:
                self.refresh_line(index)
        else:
            self.refresh()
        self._state, self._at, self._version = state, at, version

    def show_cursor(self, *, page: bool = False) -> None:
        """Scroll no more than needed, keeping two lines around the cursor in sight."""
        height = self.scrollable_content_region.height
        if height <= 0:
            return
        at, top = self.session.queue.position, round(self.scroll_y)
        margin = min(2, (height - 1) // 2)
        last = max(0, len(self.session.queue.visible) - height)
        if page:
            top = at
        elif at - margin < top:
            top = at - margin
        elif at + margin >= top + height:
            top = at + margin - height + 1
        top = min(max(top, 0), last)
        if top != round(self.scroll_y):
            self.scroll_to(y=top, animate=False, force=True)
        self.report()

    def keep_place(self, before: int) -> None:
        """Rows came or went above: scroll so that the cursor stays on its line of the screen (`before`: its index)."""
        moved = self.session.queue.position - before
        if moved:
            size = Size(max(self.size.width, 1), len(self.session.queue.visible))
            if size != self.virtual_size:
                self.virtual_size = size
            self.scroll_to(y=max(0, self.scroll_y + moved), animate=False, force=True)

    @property
    def page_size(self) -> int:
        """Rows that fit on the screen."""
        return max(1, self.scrollable_content_region.height)

    def report(self) -> None:
        """Tell the session what is on the screen, and the screen when that is another page than before."""
        page = (round(self.scroll_y), self.page_size)
        self.session.show(*page)
        if page != self._page:
            self._page = page
            self.post_message(self.Turned())

    # Drawing

    def render_line(self, y: int) -> Strip:
        """One line of the screen."""
        width = self.scrollable_content_region.width
        index = y + round(self.scroll_y)
        visible = self.session.queue.visible
        if index >= len(visible):
            return self._blank(y, width)
        row = visible[index]
        face = self._face(row)
        key = (row.key, id(row), face, width, self.app.theme)
        strip = self._strips.get(key)
        if strip is None:
            strip = self._strips[key] = self._draw(row, face, width)
            if len(self._strips) > _KEPT:
                self._strips.popitem(last=False)
        return strip

    def _face(self, row: Row) -> Face:
        session = self.session
        queue = session.queue
        choice = session.choice(row.key)
        return Face(
            cursor=row.key == queue.cursor,
            marked=row.key in queue.marks or queue.in_range(row.key),
            premarked=queue.tab == "noise" and queue.premarked(row.key),
            choice=choice,
            statement=choice.statement or "" if choice else "",
            where=choice.scoped.in_words() if choice and choice.scoped else "",
            refused=session.refusal(row.key) is not None,
            note=row.key in session.notes,
            replaced=choice is not None and session.replaced(row.key),
        )

    def _draw(self, row: Row, face: Face, width: int) -> Strip:
        palette = inks(self.app.theme)
        base = self.rich_style
        under = palette.rich("cursor") if face.cursor else Style.null()
        runs = line(row, face, width, self._now)
        if under.reverse:
            # Reversed colours would be a rainbow: the line under the cursor is in one ink there.
            return Strip([Segment(text, base + palette.rich("text") + under) for text, _ in runs], width)
        return Strip([Segment(text, base + palette.rich(ink) + under) for text, ink in runs], width)

    def _blank(self, y: int, width: int) -> Strip:
        if not self.session.queue.visible and 1 <= y <= len(self.empty):
            palette = inks(self.app.theme)
            text = self.empty[y - 1]
            ink = self.rich_style + palette.rich("title" if y == 1 else "muted")
            return Strip([Segment(f"  {text}", ink)]).adjust_cell_length(width, self.rich_style)
        return Strip.blank(width, self.rich_style)

    # Events

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """The wheel or a key scrolled: what is in view has been seen."""
        super().watch_scroll_y(old_value, new_value)
        if round(old_value) != round(new_value):
            self.report()

    def on_resize(self, _: events.Resize) -> None:
        """Lines are as wide as the list."""
        self._strips.clear()
        self.update_rows()

    def on_click(self, event: events.Click) -> None:
        """Bring the clicked row under the cursor."""
        index = event.y + round(self.scroll_y)
        if index < len(self.session.queue.visible):
            self.post_message(self.Picked(index))
