"""The review app: one session, one store, one thread for all that touches the disk.

The screen never waits for the disk. Rows come from a thread that watches the store; decisions go to another one that
writes them down, and "saved" is shown only once they are.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from textual.app import App
from textual.binding import Binding, BindingType
from textual.filter import Monochrome, NoColor

from curate.review.decisions import DecisionLog, Others, open_log
from curate.review.feed import Feed
from curate.review.ledger import Ledger
from curate.review.session import Session
from curate.tui.intake import Intake
from curate.tui.keymap import Keymap, keymap
from curate.tui.no_log import NoLog
from curate.tui.palette import Actions
from curate.tui.screens.review import ReviewScreen
from curate.tui.theme import NAMES, THEMES
from curate.tui.transcript import below_home

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


Result = TypeVar("Result")

WATCH = 0.8
"""Seconds between looks at the store: soon enough to feel live, seldom enough to cost nothing."""


class CurateApp(App[int]):
    """Opens on the review."""

    TITLE = "curate"
    CSS_PATH = "app.tcss"
    COMMANDS: ClassVar[set[Any]] = {Actions}
    ENABLE_COMMAND_PALETTE = True
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+z", "suspend_process", show=False)]
    ESCAPE_TO_MINIMIZE = False
    VERTICAL_BREAKPOINTS = [(0, "-low"), (30, "-high")]  # noqa: RUF012  (its base has no ClassVar either)

    def __init__(
        self,
        root: Path,
        *,
        demo: bool = False,
        theme: str | None = None,
        preset: str = "vim",
        keys: Mapping[str, Any] | None = None,
        watch: float | None = WATCH,
        clock: Callable[[], float] = time.monotonic,
        today: Callable[[], datetime] = lambda: datetime.now(UTC),
        first: str | None = None,
    ) -> None:
        super().__init__()
        self.animation_level = "none"
        self.broken: BaseException | None = None
        for ours in THEMES:
            self.register_theme(ours)
        self._dress(theme)
        self.root = root
        self.today = today
        self.place = "demo" if demo else below_home(str(root))
        self.keys: Keymap = keymap(preset, keys)
        self.feed = Feed(root)
        self._watch = watch
        self._first = first
        """The action that is done once everything is there: the page that was asked for."""
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="store")
        self._filled = asyncio.Event()
        self.decisions: DecisionLog | NoLog
        others: Others | None = None
        ledger, spoilt = Ledger(), 0
        try:
            self.decisions, ledger, spoilt = open_log(root)
            self.decisions.on_saved = self._saved
            others = Others(root, self.decisions.path)
        except OSError as fault:
            self.decisions = NoLog(fault)
        self.session = Session(self.decisions, ledger, clock=clock)
        self.confirmed: set[str] = set()
        """Rows of identity memory for which the word was typed when they were decided."""
        self.review = ReviewScreen()
        self.intake = Intake(self, others, spoilt)

    def _dress(self, theme: str | None) -> None:
        chosen = NAMES.get(theme or "", "curate-dark")
        if self.no_color:
            # The terminal's own colours, with all colour taken out: weight, underline and reverse are left.
            chosen = "curate-ansi"
            for index, found in enumerate(self._filters):
                if isinstance(found, Monochrome):
                    self._filters[index] = NoColor()
        self.theme = chosen

    # Life

    def on_mount(self) -> None:
        """The frame is drawn before the store has been read."""
        self._ui = asyncio.get_running_loop()
        self.push_screen(self.review)
        self.call_after_refresh(self._begin)

    def _begin(self) -> None:
        # Nothing that is read goes round in circles, and a look for circles in it would hold up the keys.
        gc.disable()
        self.run_worker(self.look(force=True), group="look")
        if self._watch is not None:
            self.set_interval(self._watch, self._watched)

    def _watched(self) -> None:
        if self.intake.due:
            self.run_worker(self.look(), group="look")

    async def work(self, task: Callable[[Feed], Result]) -> Result:
        """Do something with the store in its thread, after what was asked before."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, task, self.feed)

    def _handle_exception(self, error: Exception) -> None:
        """Keep what broke: the log of it is written once the terminal is whole again, instead of a wall of frames."""
        self._return_code = 1
        if self.broken is None:
            self.broken = error
            # What drives the app in a test takes the fault from here.
            self._exception = error
            self._exception_event.set()
        self._close_messages_no_wait()

    def all_read(self) -> None:
        """All rows are there."""
        self._filled.set()
        if self._first is not None:
            first, self._first = self._first, None
            self.review.action_act(first)

    async def ready(self) -> None:
        """Wait until the rows are there."""
        await self._filled.wait()

    async def look(self, *, force: bool = False) -> None:
        """Take in what is new in the store, and what other open reviews have decided."""
        await self.intake.look(force=force)

    # Saving

    def _saved(self) -> None:
        """Called in the thread that writes decisions down."""
        with contextlib.suppress(RuntimeError):
            self._ui.call_soon_threadsafe(self.show_saved)

    def show_saved(self) -> None:
        """Say whether all decisions are on the disk."""
        if not self.review.is_mounted:
            return
        bar = self.review.progress_bar
        if self.decisions.fault is not None:
            bar.trouble = f"not saved: {self.decisions.fault.strerror}"
        bar.saved = "saved" if self.decisions.clean else ""
        bar.refresh()

    def leave(self) -> None:
        """Quit; what is decided and not written is kept for the next time."""
        count = len(self.session.pending())
        keep = f"{count} decision{'s' if count != 1 else ''} kept for the next time; nothing is written to memory yet"
        if count and isinstance(self.decisions, NoLog):
            from curate.tui.dialogs.confirm import Confirm

            question = f"Leave and lose {count} decisions? They cannot be saved here."
            self.push_screen(Confirm(question), lambda yes: self.exit(0) if yes else None)
            return
        self.exit(0, message=keep if count else None)

    def close(self) -> None:
        """Let go of the store and the log; the log's file stays only when something in it is still to be written."""
        gc.enable()
        self._pool.shutdown(wait=True, cancel_futures=True)
        self.decisions.close(keep=bool(self.session.ledger.choices))

    def next_theme(self) -> None:
        """Dark, light, ansi, and round again."""
        order = list(NAMES.values())
        self.theme = order[(order.index(self.theme) + 1) % len(order)] if self.theme in order else order[0]
