"""What lies before the reader: rows and decisions, what may be done with them, and what becomes of them in the store.

Every change goes through the ledger, so that what is seen, what is on disk and what undo gives back are one thing.
Nothing is ever written to memory that was not previewed as it stands.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any, Protocol

from curate.review.allowed import why_not
from curate.review.choice import Choice, Verb
from curate.review.ledger import Ledger
from curate.review.pace import Pace
from curate.review.queue import Marked, News, Queue
from curate.review.rows import QUEUE, Row, Scoped, Tab
from store import ids
from store.text import shorten

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from curate.review.filters import Filter

SHORTEST = 16
"""Cells that the name of a row has in a message, however much else it says."""

STRIP = 8
"""How many of the last decisions the done strip holds."""


class Log(Protocol):
    """Where events of the ledger are kept."""

    def append(self, event: dict[str, Any]) -> None:
        """Keep an event, without holding up the caller."""


class Desk:
    """Reading, moving and handing over; `Session` decides."""

    def __init__(
        self,
        log: Log,
        ledger: Ledger | None = None,
        *,
        clock: Callable[[], float],
        now: ids.Clock = ids.now,
    ) -> None:
        self.ledger = ledger or Ledger()
        self.decided: set[str] = set()
        self.queue = Queue(self.decided)
        self.pace = Pace()
        self.read: set[str] = set()
        """Rows whose card has been on the screen."""
        self.notes: dict[str, str] = {}
        """What became of a row in the last write, when it was not applied."""
        self.room = 80
        """Cells that a message may take."""
        self._finished: set[str] = set()
        """Rows of the queue that were decided and written since the review was opened."""
        self._log = log
        self._clock = clock
        self._now = now
        self._written: set[str] = set()
        self._refused: dict[str, str] = {}
        self._elsewhere: set[str] = set()
        self._gone: deque[str] = deque(maxlen=200)
        self._asked: tuple[str, tuple[str, ...]] | None = None
        self._ended: tuple[str, int] | None = None
        """The row that the cursor stayed on since none was left to go to, and the moves made by then."""
        self._last: Choice | None = None
        self._version = 0
        self._loads = 0
        self._previewed: int | None = None
        self._sync()

    # The store's side

    def load(self, rows: Sequence[Row], *, filling: bool = False) -> News:
        """Take in the rows as the store has them now. Decisions on rows that are gone are void, and said to be so.

        With `filling` more rows are to come: a decision whose row is not there yet waits for it.
        """
        self._refused.clear()
        self._loads += 1
        news = self.queue.load(rows, filling=filling)
        # What was written counts as done once it has left the queue, and no longer when an undo brings it back.
        done = self._written.intersection(news.gone)
        self._written -= done
        self._finished |= done
        self._finished.difference_update(news.added)
        gone = [key for key in self.ledger.choices if key not in self.queue.rows] if not filling else []
        if gone or news.gone:
            self._keep(self.ledger.settle({*gone, *news.gone}))
            self.read.difference_update(news.gone)
            self._gone.extend(news.gone)
            self._sync()
        return news

    def elsewhere(self, keys: Iterable[str]) -> None:
        """Another open review has decided these rows and not yet written them: they are left alone here."""
        self._elsewhere = set(keys)

    @property
    def loaded(self) -> int:
        """Grows with every reload."""
        return self._loads

    @property
    def taken(self) -> set[str]:
        """Rows that another open review has decided."""
        return self._elsewhere

    def refusal(self, key: str) -> str | None:
        """Why a row takes no decision just now."""
        if key in self._refused:
            return self._refused[key]
        if key in self._elsewhere and key not in self.decided:
            return "decided in another open review, not yet written there"
        if key not in self.queue.rows:
            return "it was decided elsewhere meanwhile" if key in self._gone else "it is no longer there"
        return None

    # What the screen shows

    def choice(self, key: str) -> Choice | None:
        """What was chosen for a row, if anything."""
        return self.ledger.choices.get(key)

    def scoped(self, row: Row) -> Scoped:
        """The scope that accepting the row would write."""
        choice = self.choice(row.key)
        return choice.scope_for(row) if choice else row.scoped

    def statement(self, row: Row) -> str:
        """The statement that accepting the row would write."""
        choice = self.choice(row.key)
        return choice.statement if choice and choice.statement else row.statement

    def progress(self) -> tuple[int, int]:
        """Rows of the queue decided so far (written ones too), and all of them."""
        waiting = total = 0
        for tab, (left, every) in self.queue.counts().items():
            if tab in QUEUE:
                waiting += left
                total += every
        finished = len(self._finished)
        return total - waiting + finished, total + finished

    def left(self) -> int:
        """Rows of the queue that wait for a decision."""
        done, total = self.progress()
        return total - done

    def strip(self, count: int = STRIP) -> list[tuple[str, Choice]]:
        """The last decisions, newest first: key and choice, as long as they stand."""
        out: dict[str, Choice] = {}
        for step in reversed(self.ledger.done):
            for key in reversed(step.keys):
                choice = self.ledger.choices.get(key)
                if choice is not None and choice.verb is not None and key in self.queue.rows:
                    out.setdefault(key, choice)
            if len(out) >= count:
                break
        return list(out.items())[:count]

    def subject(self, verb: Verb) -> Marked:
        """The rows that a verb would be done to: marks or the open range, a page of noise, else the cursor's row."""
        marked = self.queue.marked()
        if marked.keys:
            return marked
        if verb == "reject" and self.queue.tab == "noise":
            page = self.queue.premarked_page()
            if self.queue.cursor in page:
                return Marked(page)
        return Marked((self.queue.cursor,)) if self.queue.cursor else Marked()

    def subject_size(self, verb: Verb) -> tuple[int, int]:
        """How many rows a verb would be done to, and how many of them are out of sight."""
        marked = self.queue.marked_size()
        if marked[0]:
            return marked
        subject = self.subject(verb)
        return len(subject.keys), subject.hidden

    def why_not(self, verb: Verb) -> str | None:
        """Why a verb does nothing at the cursor, None when it does something."""
        row = self.queue.current
        if row is None:
            return "no row here"
        return self.refusal(row.key) or why_not(verb, row, records=self.has_records)

    @property
    def has_records(self) -> bool:
        """There is a memory that could be merged into, superseded or contested."""
        return self.queue.counts()["memory"][1] > 0

    # Moving

    def set_filter(self, text: str) -> Filter:
        """Narrow the tab as one types."""
        self._asked = None
        return self.queue.set_filter(text)

    def set_tab(self, tab: Tab) -> None:
        """Go to another tab."""
        self._asked = None
        self.queue.set_tab(tab)

    def show(self, top: int, height: int) -> None:
        """The screen shows these rows now; the time of the first decision counts from the first time."""
        self.queue.window(top, height)
        if self.queue.visible:
            self.pace.start(self._clock())

    def card_shown(self, key: str) -> None:
        """The row's card is on the screen."""
        self.read.add(key)

    # Towards the store

    @property
    def version(self) -> int:
        """Grows with every change of the decisions: a preview holds for one version only."""
        return self._version

    def pending(self) -> dict[str, Choice]:
        """Decisions to be written, in queue order. A changed scope alone is none."""
        return {
            key: choice
            for key in self.queue.order
            if (choice := self.ledger.choices.get(key)) is not None and choice.verb is not None
        }

    def previewed(self) -> None:
        """The reader has the whole patch, as decided now, on the screen."""
        self._previewed = self._version

    def why_not_write(self) -> str | None:
        """Why nothing may be written now."""
        if not self.pending():
            return "nothing is decided yet"
        if self._previewed != self._version:
            return "the decisions have changed since the preview: look at it again first"
        return None

    def writing(self) -> dict[str, Choice]:
        """The decisions to write, which are locked until `written` is called. Raises `ValueError` without a preview."""
        if (problem := self.why_not_write()) is not None:
            raise ValueError(problem)
        pending = self.pending()
        self._refused |= dict.fromkeys(pending, "it is being written just now")
        return pending

    def not_written(self) -> None:
        """The store refused as a whole: everything is as it was."""
        self._refused.clear()

    def written(self, patch: str, applied: Iterable[str], skipped: Mapping[str, str]) -> None:
        """The patch was applied: its rows are settled. Skipped ones are open again, with the reason beside them."""
        applied = list(applied)
        rows = self.queue.rows
        self._written = {key for key in applied if key in rows and rows[key].kind == "candidate"}
        self._keep(self.ledger.settle({*applied, *skipped}, patch=patch))
        self._refused = dict.fromkeys(applied, "it has just been written")
        self.notes |= dict(skipped)
        self._sync()

    # Inside

    def _do(self, label: str, after: Mapping[str, Choice | None]) -> None:
        self._keep(self.ledger.do(label, after, cursor=self.queue.cursor, at=self._now()))
        self._asked = None
        for key in after:
            self.notes.pop(key, None)
        self._sync()

    def _keep(self, event: dict[str, Any] | None) -> None:
        if event is not None:
            self._version += 1
            self._log.append(event)

    def _sync(self) -> None:
        self.queue.recount()
        self.decided.clear()
        self.decided.update(key for key, choice in self.ledger.choices.items() if choice.verb is not None)

    def _name(self, keys: Iterable[str], beside: int = 32) -> str:
        """What was decided on, short enough to leave `beside` cells of the message to what else it says."""
        found = list(keys)
        if len(found) == 1 and found[0] in self.queue.rows:
            return shorten(self.statement(self.queue.rows[found[0]]), max(SHORTEST, self.room - beside))
        return f"{len(found)} rows"
