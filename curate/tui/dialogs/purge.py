"""Purging a memory or a candidate: what would be rewritten, a typed word, and what was done."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, cast

from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from curate.review.purging import WORD, vault_notes
from curate.sync.reaching import reach
from curate.tui.cells import safe_line
from curate.tui.theme import inks
from curate.tui.widgets.card_text import Lines
from store.errors import CurateError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from textual import events
    from textual.app import ComposeResult

    from curate.review.feed import Feed
    from curate.review.rows import Row
    from curate.sync.purging import Cleaned
    from curate.tui.app import CurateApp
    from store.purge import Purged

FILES_SHOWN = 12
MOST = 24
"""Lines of the text at most."""
AROUND = 11
"""Lines around it: the border, the question, the hint and the field."""


class PurgeDialog(ModalScreen[str | None]):
    """Gives the id of the patch that purged the row, None when it was left alone."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "Back", show=False),
        Binding("pagedown,down", "scroll(1)", "On", show=False),
        Binding("pageup,up", "scroll(-1)", "Back up", show=False),
    ]

    def __init__(self, row: Row) -> None:
        super().__init__()
        self.row = row
        self.patch: str | None = None
        self.done: Purged | None = None
        self._ids = (row.key,) if row.kind == "record" else row.candidates
        self._history: Cleaned | None = None
        self._hindrance = ""
        self._foreseen: Purged | None = None
        self._trouble = ""
        self._busy = True

    @property
    def curate(self) -> CurateApp:
        """The app, by its own type."""
        return cast("CurateApp", self.app)

    def compose(self) -> ComposeResult:
        """Statement, what would be done, field."""
        what = "memory" if self.row.kind == "record" else "candidate"
        with Vertical(classes="dialog wide"):
            yield Static(f"Purge this {what}: its words leave every file, for good", markup=False, classes="question")
            with VerticalScroll(classes="purge-text", can_focus=False):
                yield Static(markup=False, id="purge-text")
            yield Static(markup=False, classes="hint", id="purge-hint")
            yield Input(compact=True)

    def on_mount(self) -> None:
        """What it would do is worked out away from the screen."""
        self.query_one(Input).disabled = True
        self.run_worker(self._foresee())

    def on_resize(self, event: events.Resize) -> None:
        """The text is wrapped to the width; what is asked for has to stay in sight below it."""
        self.query_one(".purge-text").styles.max_height = max(3, min(MOST, event.size.height - AROUND))
        self.call_after_refresh(self._show)

    async def _foresee(self) -> None:
        try:
            self._foreseen = await self.curate.work(self._planned)
        except CurateError as fault:
            self._trouble = str(fault)
        else:
            self._busy = False
            self.query_one(Input).disabled = False
            self.query_one(Input).focus()
        self._show()

    def _planned(self, feed: Feed) -> Purged:
        store = feed.store
        assert store is not None, "rows come from an open store"
        found = store.preview_purge(self._ids)
        found.by_hand += vault_notes(store, self._ids)
        return found

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Only the word itself does it."""
        event.stop()
        if self._busy or self.done is not None:
            return
        if event.value.strip().casefold() != WORD:
            self._trouble = f"that is not the word: type {WORD}, or esc leaves it alone"
            self._show()
            return
        self._busy = True
        self.query_one(Input).disabled = True
        self.run_worker(self._purge(), exclusive=True)

    async def _purge(self) -> None:
        ids: Sequence[str] = self._ids
        try:
            # What was decided on it goes first: the log of decisions is a file like any other.
            self.curate.session.forget(self.row.key)
            await self.curate.work(lambda _: self.curate.decisions.wait())
            self.patch, done = await self.curate.work(lambda feed: feed.purge(ids, WORD))
            self._history, self._hindrance = await self.curate.work(
                lambda feed: feed.change(lambda store: reach(store, done))
            )
            self.done = done
        except CurateError as fault:
            self._trouble = str(fault)
        self._busy = False
        self._show()
        await self.curate.look(force=True)

    def on_key(self, event: events.Key) -> None:
        """Once it is done, Enter goes back as well."""
        if self.done is not None and event.key == "enter":
            event.stop()
            self.action_leave()

    def action_scroll(self, way: int) -> None:
        """Through the text, while the field has the keys."""
        self.query_one(".purge-text").scroll_relative(y=way * 5, animate=False)

    def action_leave(self) -> None:
        """Back; while it is being written there is no way back."""
        if not self._busy or self._foreseen is None:
            self.dismiss(self.patch)

    # What is shown

    def _show(self) -> None:
        if not self.is_mounted:
            return
        text = self.query_one("#purge-text", Static)
        lines = Lines(inks(self.app.theme), (self.query_one(".purge-text").scrollable_content_region.width or 60) - 1)
        if self.done is None:
            lines.text(safe_line(self.row.statement))
            lines.gap()
        told = self.done or self._foreseen
        if told is not None:
            _tell(lines, told, self.patch)
            if self.done is None:
                _tell_git(lines, told, self.curate.root)
            else:
                _tell_history(lines, told, self._history, self._hindrance)
        elif not self._trouble:
            lines.text("looking for its words in every file…", "muted")
        if self._trouble:
            lines.gap()
            lines.text(f"! {safe_line(self._trouble)}", "bad")
        text.update(lines.content())
        hint = f"It cannot be undone. Type {WORD} and press enter; esc leaves it alone."
        self.query_one("#purge-hint", Static).update("esc back" if self.done is not None else hint)
        self.query_one(Input).display = self.done is None


def _tell(lines: Lines, told: Purged, patch: str | None) -> None:
    """What is done, or would be, in the order in which it matters to whoever wants it gone."""
    if patch is not None:
        lines.text(f"✓ purged as {patch}", "good")
        lines.gap()
    if told.evidence:
        count = len(told.evidence)
        lines.row(
            "quotes", f"{count} without words from now on; {'its id and hash' if count == 1 else 'ids and hashes'} stay"
        )
    for label, names in (("rewrite", told.rewritten), ("remove", told.removed)):
        for number, name in enumerate(names[:FILES_SHOWN]):
            lines.row(label if number == 0 else "", safe_line(name), limit=1)
        if len(names) > FILES_SHOWN:
            lines.row("", f"and {len(names) - FILES_SHOWN} more files", "muted")
    if told.removed:
        lines.row("", "what is removed was made from the others, and is made again when needed", "muted")
    if told.shared:
        lines.row("kept", f"{len(told.shared)} quotes that others rest on too", "warn")
    if told.remains:
        lines.row("stays", f"{', '.join(told.remains)} say the same themselves: purge them too", "warn")
    for name in told.by_hand:
        lines.row("by hand", f"{safe_line(name)} may still hold it, and is left to you", "warn")


def _tell_git(lines: Lines, told: Purged, root: Path) -> None:
    """What will become of git."""
    if told.git is None:
        return
    if (root / ".git").exists():
        lines.row("git", "every commit of this store is written anew without it; a remote only when you say so")
    else:
        lines.row("git", f"earlier commits in {safe_line(told.git)} may still hold it; they are not rewritten", "warn")


def _tell_history(lines: Lines, told: Purged, history: Cleaned | None, hindrance: str) -> None:
    """What became of git."""
    if hindrance:
        lines.row("git", f"the history still holds it: {safe_line(hindrance)}", "bad")
    elif told.git:
        lines.row("git", f"earlier commits in {safe_line(told.git)} may still hold it; they are not rewritten", "warn")
    if history is None:
        return
    lines.row(
        "git", "the history was searched and written anew without it" if history.changed else "no commit holds it"
    )
    if history.left:
        lines.row("", f"some objects still hold it: {', '.join(history.left[:3])}", "bad")
    if history.waits:
        lines.row("", "the remote still has it: leave and run `curate sync --push`; other clones follow then", "warn")
