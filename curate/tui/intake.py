"""Taking the store in: the rows part by part, what is new, and what other open reviews have decided."""

from __future__ import annotations

import gc
import time
from functools import partial
from typing import TYPE_CHECKING

from curate.review.rows import QUEUE, TABS
from curate.tui.no_log import NoLog
from store.errors import CurateError

if TYPE_CHECKING:
    from curate.review.decisions import Others
    from curate.review.feed import Feed, Part
    from curate.tui.app import CurateApp

REST_SHARE = 3.0
"""After a look the store is left alone for this many times as long as the look took."""


class Intake:
    """Looks at the store by the app's thread for it, and gives the session and the screen what it finds."""

    def __init__(self, app: CurateApp, others: Others | None, spoilt: int) -> None:
        self._app = app
        self._others = others
        self._spoilt = spoilt
        self._rest_until = 0.0
        self.looking = False

    @property
    def due(self) -> bool:
        """Another look may be taken."""
        return not self.looking and time.monotonic() >= self._rest_until

    async def look(self, *, force: bool = False) -> None:
        """Take in what is new in the store, and what other open reviews have decided."""
        if self.looking and not force:
            return
        self.looking = True
        began = time.monotonic()
        first = self._app.session.ledger.candidates()
        try:
            while True:
                part, others = await self._app.work(partial(self._poll, first))
                self._take(part, others)
                if part is None or not part.left:
                    break
        except CurateError as fault:
            self._trouble(fault)
        finally:
            self.looking = False
            # A long queue takes long to group: then it is looked at less often, so that keys keep the processor.
            self._rest_until = time.monotonic() + REST_SHARE * (time.monotonic() - began)

    def _poll(self, first: set[str], feed: Feed) -> tuple[Part | None, set[str]]:
        from curate.capture.checkpoint import Checkpoints

        part = feed.poll(first)
        if part is not None and not part.left:
            self._app.review.progress_bar.warning = Checkpoints(self._app.root).misread() or ""
        return part, self._others.decided() if self._others is not None else set()

    def _trouble(self, fault: CurateError) -> None:
        if self._app.review.progress_bar.reading:
            self._app.exit(fault.exit_code, message=str(fault))
            return
        self._app.review.progress_bar.trouble = "the store cannot be read"
        self._app.review.tell(str(fault), "bad")
        self._app.review.renew()

    def _take(self, part: Part | None, others: set[str]) -> None:
        session, review, bar = self._app.session, self._app.review, self._app.review.progress_bar
        changed = others != session.taken
        session.elsewhere(others)
        if part is None:
            if changed:
                review.renew()
            return
        first, filling = bar.reading, bool(bar.coming) or bar.reading
        before = session.queue.position
        bar.trouble = ""
        bar.reading = False
        bar.coming = (part.total - part.left, part.total) if part.left else None
        had = len(session.decided)
        news = session.load(part.rows, filling=bool(part.left))
        if review.card_view.state is None:
            review.card_view.state = self._app.feed.state
        words = []
        if first:
            self._open_first_tab()
            self._app.show_saved()
            words.append(self._greeting())
        elif not filling and (added := sum(session.queue.tab_of(key) in QUEUE for key in news.added)):
            words.append(f"{added} new")
        if (lost := had - len(session.decided)) > 0:
            words.append(f"{lost} of your decisions are void: those rows were decided elsewhere")
        review.loaded(" · ".join(filter(None, words)), 0 if first else before)
        if filling and not part.left:
            # What was read stays for good: the collector need not look at it again while keys come in.
            gc.freeze()
            gc.enable()
            self._app.all_read()

    def _open_first_tab(self) -> None:
        counts = self._app.session.queue.counts()
        cursor = self._app.session.ledger.done[-1].cursor if self._app.session.ledger.done else None
        if cursor is not None and self._app.session.queue.go_to(cursor):
            return
        self._app.session.set_tab(next((tab for tab in TABS if counts[tab][0]), "singles"))

    def _greeting(self) -> str:
        words = []
        if isinstance(self._app.decisions, NoLog):
            words.append(
                f"decisions cannot be kept here ({self._app.decisions.fault.strerror}): write before you leave"
            )
        if kept := len(self._app.session.decided):
            keys = self._app.keys.shown
            counted = f"{kept} decision{'s' if kept != 1 else ''}"
            words.append(f"resumed {counted}: {keys('preview')} shows them, {keys('undo')} walks back")
        if self._spoilt:
            words.append(f"{self._spoilt} lines of the decision log could not be read")
        words += self._app.keys.problems
        return " · ".join(words)
