"""A patch that did not come from the queue, shown as the review previews its own, and written from here only."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content
from textual.widgets.option_list import Option

from curate.tui.cells import safe_line
from curate.tui.dialogs.confirm import TypedWord
from curate.tui.screens.page import Page
from curate.tui.widgets.key_bar import PageKey
from curate.tui.widgets.preview_text import write_files
from store.errors import CurateError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from curate.review.proposal import Proposal
    from curate.tui.widgets.card_text import Lines
    from store.model import Op, Patch
    from store.store import Applied


class CarryScreen(Page[str | None]):
    """Left the ops, right what they do to the files. Gives the patch that was written, None when none was."""

    HEADING = "What will be written"
    OPENED_BY = "preview"

    def __init__(self, patch: Patch, select: Sequence[str]) -> None:
        super().__init__()
        self._patch = patch
        self._select = tuple(select)
        self._chosen = [op for op in patch.ops if op.op_id in self._select]
        self.shown: Proposal | None = None
        self.written: Applied | None = None
        self._busy = True
        self._whole_lines = False

    def begin(self) -> None:
        """Worked out away from the screen, since it plans the whole patch."""
        self._again("")

    def leave(self) -> None:
        """Back, with what became of it."""
        self.dismiss(self.written.patch_id if self.written else None)

    def _again(self, confirm: str) -> None:
        self._busy = True
        self.run_worker(self._prepare(confirm or None), exclusive=True)

    async def _prepare(self, confirm: str | None) -> None:
        patch, select = self._patch, self._select
        try:
            self.shown = await self.curate.work(lambda feed: feed.foresee(patch, select, confirm))
        except CurateError as fault:
            self.headline(str(fault), "bad")
            return
        self._busy = False
        self._list()
        self.headline(self._summary())

    def _summary(self) -> str:
        assert self.shown is not None, "it was worked out"
        count, files = len(self._chosen), sum(each.file.startswith("memory/") for each in self.shown.changes)
        text = f"{count} change{'s' if count != 1 else ''} in {files} file{'s' if files != 1 else ''} of memory"
        refused, asking = len(self.shown.refused), bool(self.shown.words_needed)
        if asking:
            return f"{text}; a word has to be typed for some of it"
        return f"{text}, {refused} cannot be applied as it stands" if refused else text

    # What is shown

    def _list(self) -> None:
        self.options.clear_options()
        refused = self._refused()
        self.options.add_options([Option(self._entry(op, refused=op.op_id in refused)) for op in self._chosen])
        if self._chosen:
            self.options.highlighted = 0
        self.show_text()
        self.show_keys()

    def _entry(self, op: Op, *, refused: bool) -> Content:
        sign = (
            self.ink(" ! ", "warn") if refused else self.ink(" ✓ ", "good") if self.written else self.ink(" + ", "key")
        )
        name = f"{op.op.replace('_', ' ')}  "
        return Content.assemble(sign, self.ink(name, "muted"), self.ink(safe_line(self._about(op)), "text"))

    def _about(self, op: Op) -> str:
        versions = self.curate.feed.state.records.get(op.target_id or "")
        words = (op.updates or {}).get("statement") or (op.record or {}).get("statement")
        return str(words or (versions.data.get("statement") if versions else "") or op.target_id or "")

    def _refused(self) -> dict[str, str]:
        if self.written is not None:
            return {
                one.op_id: one.detail or str(one.reason).replace("_", " ")
                for one in self.written.receipts
                if not one.applied and one.op_id in self._select
            }
        return self.shown.refused if self.shown is not None else {}

    def write_text(self, lines: Lines) -> None:
        """What stands in the way, why each op is proposed, and the files."""
        if self.shown is None:
            return
        refused = self._refused()
        if self.written is not None:
            done = sum(one.applied for one in self.written.receipts)
            history = self.curate.keys.named("history")
            lines.text(f"✓ {done} written as {self.written.patch_id}; one step of the history ({history}) undoes it",
                       "good")  # fmt: skip
        for op in self._chosen:
            if op.op_id in refused:
                lines.text(f"! {safe_line(self._about(op))}: {safe_line(refused[op.op_id])}", "warn")
        if self.written is not None or refused:
            lines.gap()
        for op in self._chosen:
            if op.reason:
                lines.row("because", safe_line(op.reason), "text", limit=3)
        lines.gap()
        write_files(lines, self.shown.changes, whole=self._whole_lines)

    # Keys

    def keys(self) -> list[PageKey]:
        """Those that do something now."""
        if self._busy or self.shown is None:
            return []
        lines = PageKey(self._lines_in_full, "heads of lines" if self._whole_lines else "lines in full", letter="l")
        scroll = PageKey(lambda: self.pane.scroll_page_down(animate=False), "scroll", "page_down")
        write = [PageKey(self._write, "write it", "write")] if self.written is None else []
        return [*write, lines, scroll]

    def _lines_in_full(self) -> None:
        self._whole_lines = not self._whole_lines
        self.show_text()
        self.show_keys()

    def _write(self) -> None:
        shown = self.shown
        if self._busy or shown is None or self.written is not None:
            return
        if words := shown.words_needed:
            word = words[0]

            def answered(right: bool | None) -> None:
                if right:
                    # What the word lets through is shown first, as all else was.
                    self._again(word)
                else:
                    self.headline(f"not written: the word is {word}", "warn")

            self.app.push_screen(TypedWord("Some of this shapes every session.", word), answered)
            return
        self._busy = True
        self.run_worker(self._commit(shown), exclusive=True)

    async def _commit(self, shown: Proposal) -> None:
        self.headline("writing…", "muted")
        try:
            self.written = await self.curate.work(lambda feed: feed.apply(shown))
        except CurateError as fault:
            self._busy = False
            self.headline(f"nothing was written: {fault}", "bad")
            return
        self._busy = False
        done = sum(one.applied for one in self.written.receipts)
        self._list()
        self.headline(f"written: {done} of {len(self._chosen)}", "good" if done else "warn")
        await self.curate.look(force=True)
