"""The review app: one session, one store, one thread for all that touches the disk.

The screen never waits for the disk. Rows come from a thread that watches the store; decisions go to another one that
writes them down, and "saved" is shown only once they are.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from textual.app import App
from textual.binding import Binding, BindingType
from textual.filter import Monochrome, NoColor

from curate.review.decisions import DecisionLog, Others, open_log
from curate.review.feed import Feed
from curate.review.ledger import Ledger
from curate.review.rows import QUEUE, TABS
from curate.review.session import Session
from curate.tui.keymap import Keymap, keymap
from curate.tui.palette import Actions
from curate.tui.screens.review import ReviewScreen
from curate.tui.theme import NAMES, THEMES
from curate.tui.transcript import below_home
from store.errors import CurateError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from curate.review.feed import Part

Result = TypeVar("Result")

WATCH = 0.8
"""Seconds between looks at the store: soon enough to feel live, seldom enough to cost nothing."""


REST_SHARE = 3.0
"""After a look the store is left alone for this many times as long as the look took."""

SWITCH = 0.001
"""Seconds after which a working thread gives way: a key must not wait for the store's thread for longer."""


class NoLog:
    """Stands in for the log of decisions where the disk may not be written: the review then lives in memory."""

    def __init__(self, fault: OSError) -> None:
        self.fault = fault
        self.clean = False
        self.path = Path()

    def append(self, event: dict[str, Any]) -> None:
        """Nothing is kept."""

    def close(self, *, keep: bool) -> None:
        """Nothing to close."""

    def wait(self, timeout: float | None = None) -> bool:
        """There is nothing to wait for."""
        del timeout
        return True


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
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="store")
        self._looking = False
        self._rest_until = 0.0
        self._filled = asyncio.Event()
        self.decisions: DecisionLog | NoLog
        self._others: Others | None = None
        ledger, self._resumed, self._spoilt = Ledger(), 0, 0
        try:
            self.decisions, ledger, self._spoilt = open_log(root)
            self.decisions.on_saved = self._saved
            self._others = Others(root, self.decisions.path)
        except OSError as fault:
            self.decisions = NoLog(fault)
        self.session = Session(self.decisions, ledger, clock=clock)
        self._resumed = len(self.session.decided)
        self.confirmed: set[str] = set()
        """Rows of identity memory for which the word was typed when they were decided."""
        self.review = ReviewScreen()

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
        if not self._looking and time.monotonic() >= self._rest_until:
            self.run_worker(self.look(), group="look")

    async def work(self, task: Callable[[Feed], Result]) -> Result:
        """Do something with the store in its thread, after what was asked before."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, task, self.feed)

    async def look(self, *, force: bool = False) -> None:
        """Take in what is new in the store, and what other open reviews have decided."""
        if self._looking and not force:
            return
        self._looking = True
        began = time.monotonic()
        first = self.session.ledger.candidates()
        try:
            while True:
                part, others = await self.work(partial(self._poll, first))
                self._take(part, others)
                if part is None or not part.left:
                    break
        except CurateError as fault:
            self._trouble(fault)
        finally:
            self._looking = False
            # A long queue takes long to group: then it is looked at less often, so that keys keep the processor.
            self._rest_until = time.monotonic() + REST_SHARE * (time.monotonic() - began)

    def _poll(self, first: set[str], feed: Feed) -> tuple[Part | None, set[str]]:
        from curate.capture.checkpoint import Checkpoints

        part = feed.poll(first)
        if part is not None and not part.left:
            self.review.progress_bar.warning = Checkpoints(self.root).misread() or ""
        return part, self._others.decided() if self._others is not None else set()

    def _trouble(self, fault: CurateError) -> None:
        if self.review.progress_bar.reading:
            self.exit(fault.exit_code, message=str(fault))
            return
        self.review.progress_bar.trouble = "the store cannot be read"
        self.review.tell(str(fault), "bad")
        self.review.renew()

    def _take(self, part: Part | None, others: set[str]) -> None:
        session, review, bar = self.session, self.review, self.review.progress_bar
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
            review.card_view.state = self.feed.state
        words = []
        if first:
            self._open_first_tab()
            self._saved_now()
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
            self._filled.set()

    def _open_first_tab(self) -> None:
        counts = self.session.queue.counts()
        cursor = self.session.ledger.done[-1].cursor if self.session.ledger.done else None
        if cursor is not None and self.session.queue.go_to(cursor):
            return
        self.session.set_tab(next((tab for tab in TABS if counts[tab][0]), "singles"))

    def _greeting(self) -> str:
        words = []
        if isinstance(self.decisions, NoLog):
            words.append(f"decisions cannot be kept here ({self.decisions.fault.strerror}): write before you leave")
        if kept := len(self.session.decided):
            keys = self.keys.shown
            counted = f"{kept} decision{'s' if kept != 1 else ''}"
            words.append(f"resumed {counted}: {keys('preview')} shows them, {keys('undo')} walks back")
        if self._spoilt:
            words.append(f"{self._spoilt} lines of the decision log could not be read")
        words += self.keys.problems
        return " · ".join(words)

    def _handle_exception(self, error: Exception) -> None:
        """Keep what broke: the log of it is written once the terminal is whole again, instead of a wall of frames."""
        self._return_code = 1
        if self.broken is None:
            self.broken = error
            # What drives the app in a test takes the fault from here.
            self._exception = error
            self._exception_event.set()
        self._close_messages_no_wait()

    async def ready(self) -> None:
        """Wait until the rows are there."""
        await self._filled.wait()

    # Saving

    def _saved(self) -> None:
        """Called in the thread that writes decisions down."""
        with contextlib.suppress(RuntimeError):
            self._ui.call_soon_threadsafe(self._saved_now)

    def _saved_now(self) -> None:
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


def run(store_root: Path, *, demo: bool = False) -> int:
    """Open the review on a store until the reader leaves it; gives the exit code.

    When the app breaks the terminal is put right first; then one line says where the log is.
    """
    sys.setswitchinterval(SWITCH)
    app = CurateApp(store_root, demo=demo, **_settings(store_root))
    try:
        code = app.run()
    finally:
        app.close()
    if app.broken is not None:
        path = _write_crash(store_root, app.broken)
        print(f"curate broke; your decisions are saved; the log is {path}", file=sys.stderr)  # noqa: T201
        return 2
    return code if code is not None else 0


def _settings(root: Path) -> dict[str, Any]:
    """Theme and keys from the settings of the store."""
    from store.config import Config
    from store.layout import CONFIG

    config = Config.load(root / CONFIG)
    keys = dict(config.section("keys"))
    return {
        "theme": os.environ.get("CURATE_THEME") or config.section("screen").get("theme"),
        "preset": str(keys.pop("preset", None) or "vim"),
        "keys": keys,
    }


def _write_crash(root: Path, fault: BaseException) -> Path:
    import tempfile
    import traceback

    text = "".join(traceback.format_exception(fault))
    for folder in (root / "reports", Path(tempfile.gettempdir())):
        path = folder / f"crash-{time.strftime('%Y%m%d-%H%M%S')}.txt"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
        except OSError:
            continue
        return path
    return Path(os.devnull)
