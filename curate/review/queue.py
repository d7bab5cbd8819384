"""Where the reader is: the rows in their order, the tab, the filter, the cursor and the marks.

The cursor hangs on a row's key, never on an index, so nothing that comes or goes moves it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from curate.review.filters import Filter, Standing, parse
from curate.review.rows import SHOWN_IN, TABS, Row, Tab, arrange

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence


@dataclass(frozen=True, slots=True)
class News:
    """What a reload brought: keys that are new, and keys that are gone."""

    added: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Marked:
    """The rows an action would be done to, in queue order, and how many of them the reader cannot see."""

    keys: tuple[str, ...] = ()
    hidden: int = 0


class Queue:
    """Rows by tab. `decided` is shared with the session and says which rows have a decision."""

    def __init__(self, decided: set[str]) -> None:
        self.rows: dict[str, Row] = {}
        self.order: list[str] = []
        self.tab: Tab = "singles"
        self.filter = Filter()
        self.show_hidden = False
        self.visible: list[Row] = []
        self.marks: set[str] = set()
        self.spared: set[str] = set()
        """Noise that the reader took the mark off."""
        self.seen: set[str] = set()
        """Rows that have been on the screen."""
        self.anchor: str | None = None
        """Where a range began."""
        self._decided = decided
        self._places: dict[str, tuple[Tab, str]] = {}
        self._index: dict[str, int] = {}
        self._cursors: dict[Tab, str] = {}
        self._wanted: dict[Tab, str] = {}
        """The row that a key last went to, which a filter may hide for a while."""
        self.moves = 0
        """Grows with every move of the reader's own."""
        self._filling = False
        self._window = (0, 0)
        self._totals: Counter[Tab] | None = None
        self._counts: dict[Tab, tuple[int, int]] | None = None

    # The rows

    def load(self, rows: Sequence[Row], *, filling: bool = False) -> News:
        """Take in the rows as they are now. Known ones keep their place and tab; the cursor stays on its row.

        With `filling` more rows are to come, and what these show may still change by them: then a row goes where it
        belongs, unless the reader has it under the cursor, has marked it or has decided on it.
        """
        fresh = {row.key: row for row in rows}
        if filling or self._filling:
            self._let_go(fresh)
        self._filling = filling
        gone = tuple(key for key in self.rows if key not in fresh)
        added = tuple(key for key in fresh if key not in self.rows)
        places = self._places
        self.order = arrange(self.order, places, fresh.values())
        self.rows = fresh
        self._totals = self._counts = None
        for key in gone:
            del places[key]
        for key, row in fresh.items():
            # What waits stays where it was first seen; a memory goes where its status belongs.
            if key not in places or row.kind == "record":
                places[key] = (row.tab, row.bundle)
        for held in (self.marks, self.spared, self.seen):
            held.intersection_update(fresh)
        if self.anchor not in fresh:
            self.anchor = None
        self.refresh()
        return News(added, gone)

    def _let_go(self, fresh: Mapping[str, Row]) -> None:
        """Forget the place of rows that turned out to belong elsewhere."""
        held = self.marks | self.spared | self._decided | set(self._cursors.values())
        moved = {
            key for key, row in fresh.items()
            if key in self._places and self._places[key] != (row.tab, row.bundle) and key not in held
        }  # fmt: skip
        if moved:
            self.order = [key for key in self.order if key not in moved]
            for key in moved:
                del self._places[key]

    def tab_of(self, key: str) -> Tab:
        """The tab a row stands in; of something that waits the one it was first seen in."""
        return self._places[key][0]

    def shows(self, tab: Tab, key: str) -> bool:
        """A tab shows the row, filter or not."""
        return self._places[key][0] in SHOWN_IN[tab]

    def counts(self) -> dict[Tab, tuple[int, int]]:
        """Per tab: rows without a decision, and all rows. Hidden ones count only while they are shown."""
        if self._counts is not None:
            return self._counts
        if self._totals is None:
            self._totals = Counter(
                tab for key, (tab, _) in self._places.items() if self.show_hidden or not self.rows[key].hidden
            )
        done = Counter(
            self._places[key][0]
            for key in self._decided
            if key in self._places and (self.show_hidden or not self.rows[key].hidden)
        )
        totals = self._totals
        every = {tab: sum(totals[part] for part in SHOWN_IN[tab]) for tab in TABS}
        self._counts = {tab: (every[tab] - sum(done[part] for part in SHOWN_IN[tab]), every[tab]) for tab in TABS}
        return self._counts

    def recount(self) -> None:
        """Decisions were taken or taken back: counts are worked out anew when next asked for."""
        self._counts = None

    def show_tombstoned(self, show: bool) -> None:
        """Show or hide rows whose like was rejected or deleted before."""
        self.show_hidden = show
        self._totals = self._counts = None
        self.refresh()

    # What is visible

    def refresh(self) -> None:
        """Work out the visible rows again; the cursor stays, or goes to the neighbour when its row is not there."""
        standing = Standing(self._decided, self.marks)
        places, tabs, test = self._places, SHOWN_IN[self.tab], self.filter
        before, at = self.visible, self.position
        rows, hidden = self.rows, self.show_hidden
        shown = [row for key in self.order if places[key][0] in tabs and (not (row := rows[key]).hidden or hidden)]
        self.visible = test.among(shown, standing)
        self._index = {row.key: number for number, row in enumerate(self.visible)}
        if self.cursor is None:
            beside = [row.key for row in (*before[at:], *reversed(before[:at])) if row.key in self._index]
            chosen = beside[0] if beside else self.visible[0].key if self.visible else None
            if chosen is None:
                self._cursors.pop(self.tab, None)
            else:
                self._cursors[self.tab] = chosen

    def set_filter(self, text: str) -> Filter:
        """Narrow the tab to what the filter accepts; the row that a key last went to is found again if it fits."""
        self.filter = parse(text)
        self.anchor = None
        self.refresh()
        if (wanted := self._wanted.get(self.tab)) in self._index:
            self._cursors[self.tab] = wanted
        return self.filter

    def set_tab(self, tab: Tab) -> None:
        """Go to a tab, to the row where its cursor was."""
        self.moves += 1
        self.tab = tab
        self.anchor = None
        self.visible = []
        self._index = {}
        self.refresh()

    def window(self, top: int, height: int) -> None:
        """The screen shows `height` rows from `top` on: they have been seen now."""
        self._window = (top, height)
        self.seen.update(row.key for row in self.visible[top : top + height])

    def page(self) -> list[Row]:
        """The rows on the screen."""
        top, height = self._window
        return self.visible[top : top + height]

    # The cursor

    @property
    def cursor(self) -> str | None:
        """Key of the row under the cursor; None when no row is visible."""
        key = self._cursors.get(self.tab)
        return key if key in self._index else None

    @property
    def current(self) -> Row | None:
        """The row under the cursor."""
        key = self.cursor
        return self.rows[key] if key is not None else None

    @property
    def position(self) -> int:
        """Index of the cursor among the visible rows, 0 when there are none."""
        key = self._cursors.get(self.tab)
        return self._index.get(key, 0) if key is not None else 0

    def move(self, by: int) -> bool:
        """Move by rows, not beyond the ends; False when the cursor is where it was."""
        return self.move_to(self.position + by)

    def move_to(self, index: int) -> bool:
        """Move to a visible row by index."""
        self.moves += 1
        if not self.visible:
            return False
        index = min(max(index, 0), len(self.visible) - 1)
        before = self.cursor
        self._cursors[self.tab] = self._wanted[self.tab] = self.visible[index].key
        return before != self.cursor

    def go_to(self, key: str) -> bool:
        """Bring a row under the cursor, in its tab, clearing a filter that hides it. False when it is not there."""
        self.moves += 1
        if key not in self.rows:
            return False
        if not self.shows(self.tab, key):
            self.set_tab(self.tab_of(key))
        if key not in self._index and self.filter.tests:
            self.set_filter("")
        if key not in self._index:
            return False
        self._cursors[self.tab] = self._wanted[self.tab] = key
        return True

    def next_bundle(self, way: int) -> bool:
        """Move to where the next (or previous) bundle begins."""
        start = self.position
        if not self.visible:
            return False
        here = self.visible[start].bundle
        index = start + way
        while 0 <= index < len(self.visible) and self.visible[index].bundle == here:
            index += way
        if way < 0:
            # Backwards: to the first row of this bundle, or of the one before when the cursor is there already.
            if index + 1 < start:
                return self.move_to(index + 1)
            while index > 0 and self.visible[index - 1].bundle == self.visible[index].bundle:
                index -= 1
            return self.move_to(index)
        return index < len(self.visible) and self.move_to(index)

    def next_open(self, start: int) -> int | None:
        """Index of the first visible row from `start` on that waits for a decision; no wrapping round."""
        for index in range(max(start, 0), len(self.visible)):
            key = self.visible[index].key
            if key not in self._decided and key not in self.spared:
                return index
        return None

    # Marks

    def toggle_mark(self) -> bool:
        """Mark the row, or take the mark off; in the noise tab it takes off (or puts back) the mark set beforehand."""
        key = self.cursor
        if key is None:
            return False
        held = self.spared if self.premarked(key) or key in self.spared else self.marks
        held.symmetric_difference_update({key})
        return True

    def toggle_range(self) -> bool:
        """Begin a range at the cursor, or end it: what it spans is marked then."""
        if self.anchor is None:
            self.anchor = self.cursor
        else:
            self.marks.update(self.ranged())
            self.anchor = None
        return self.anchor is not None

    def ranged(self) -> list[str]:
        """Keys that the open range spans."""
        if self.anchor is None or self.anchor not in self._index:
            return []
        low, high = sorted((self._index[self.anchor], self.position))
        return [row.key for row in self.visible[low : high + 1]]

    def in_range(self, key: str) -> bool:
        """The open range spans the row."""
        if self.anchor is None or self.anchor not in self._index or key not in self._index:
            return False
        low, high = sorted((self._index[self.anchor], self.position))
        return low <= self._index[key] <= high

    def marked_size(self) -> tuple[int, int]:
        """How many rows are marked or in the open range, and how many of them are out of sight."""
        if self.anchor is None:
            return len(self.marks), sum(key not in self._index for key in self.marks)
        chosen = self.marks.union(self.ranged())
        return len(chosen), sum(key not in self._index for key in chosen)

    def mark_visible(self) -> int:
        """Mark every row that the filter lets through; gives how many carry a mark now."""
        self.marks.update(row.key for row in self.visible)
        self.spared.difference_update(row.key for row in self.visible)
        return len(self.marks)

    def unmark(self) -> None:
        """Take off all marks and end a range."""
        self.marks.clear()
        self.anchor = None

    def marked(self) -> Marked:
        """Marked rows and those of an open range, in queue order, and how many of them are out of sight."""
        chosen = self.marks.union(self.ranged())
        if not chosen:
            return Marked()
        keys = tuple(key for key in self.order if key in chosen)
        return Marked(keys, sum(key not in self._index for key in keys))

    def premarked(self, key: str) -> bool:
        """Likely noise, marked for rejection beforehand, that the reader has not spared and not decided."""
        return self._places[key][0] == "noise" and key not in self.spared and key not in self._decided

    def premarked_page(self) -> tuple[str, ...]:
        """The rows on the screen that are marked for rejection beforehand."""
        return tuple(row.key for row in self.page() if self.premarked(row.key))

    def indexes(self, keys: Iterable[str]) -> list[int]:
        """Where the visible ones of these rows are."""
        return [self._index[key] for key in keys if key in self._index]
