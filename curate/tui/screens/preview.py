"""The preview of everything decided: by project, each line that would be appended, and the change in the Markdown.

Nothing is written except from here, and only what stands here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content
from textual.widgets.option_list import Option

from curate.review.choice import DONE_WORDS
from curate.review.choice import REPLACED as REPLACED_WORD
from curate.review.drafting import summary
from curate.review.sides import gives_way
from curate.tui.cells import safe_line
from curate.tui.dialogs.confirm import TypedWord
from curate.tui.dialogs.line import Line
from curate.tui.screens.page import Page
from curate.tui.screens.preview_told import Telling
from curate.tui.widgets.key_bar import PageKey
from curate.tui.widgets.preview_text import Decided, by_place, write_files
from curate.tui.widgets.queue_line import DONE, REPLACED
from store.errors import CurateError

if TYPE_CHECKING:
    from textual.widgets import OptionList

    from curate.review.feed import Preview, Written
    from curate.tui.widgets.card_text import Lines


class PreviewScreen(Page[str | None]):
    """Left what was decided, by project; right what that does to the files."""

    HEADING = "What will be written"
    OPENED_BY = "preview"

    def __init__(self) -> None:
        super().__init__()
        self.preview: Preview | None = None
        self.written: Written | None = None
        self.telling: Telling | None = None
        self._busy = True
        self._whole_lines = False
        self._decided: list[Decided] = []
        self._keys: list[str | None] = []

    def begin(self) -> None:
        """Worked out away from the screen, since it plans the whole patch."""
        self._again("")

    def leave(self) -> None:
        """Back to the review, with what became of it."""
        self.dismiss(f"written as {self.written.patch}" if self.written else None)

    def _again(self, say: str) -> None:
        self._busy = True
        self.run_worker(self._prepare(say), exclusive=True)

    async def _prepare(self, say: str) -> None:
        session, confirmed = self.curate.session, set(self.curate.confirmed)
        version, pending, rows = session.version, session.pending(), dict(session.queue.rows)
        self._decided = [
            Decided(rows[key], choice, gives_way(rows[key], pending, rows)) for key, choice in pending.items()
        ]
        try:
            self.preview = await self.curate.work(lambda feed: feed.preview(rows, pending, confirmed))
        except CurateError as fault:
            self.headline(str(fault), "bad")
            return
        self._busy = False
        self.telling = Telling(self.curate.root, self.preview.changes, self.curate.today().strftime("%Y-%m-%d"))
        if session.version == version:
            session.previewed()
        self.headline(say or self._summary(), "warn" if say else "title")
        self._list()
        self.show_text()
        self.show_keys()

    def _summary(self) -> str:
        assert self.preview is not None
        words = summary(each.choice for each in self._decided).removeprefix("review: ")
        count, files = sum(len(change.lines) for change in self.preview.changes), len(self.preview.changes)
        asking = len(self.preview.asking)
        skipped = len(self._problems()) - asking
        text = f"{words}: {count} line{'s' if count != 1 else ''} in {files} file{'s' if files != 1 else ''}"
        text += f", {asking} of them need{'s' if asking == 1 else ''} a word to be typed" if asking else ""
        return f"{text}, {skipped} cannot be applied as it stands" if skipped else text

    # What is shown

    def _list(self) -> None:
        options, at = self.options, self.options.highlighted
        options.clear_options()
        self._keys = []
        problems = self._problems()
        for head, entries in by_place(self._decided):
            options.add_option(Option(self.ink(f" {head}  {len(entries)}", "title"), disabled=True))
            self._keys.append(None)
            for each in entries:
                options.add_option(Option(self._entry(each, warn=each.row.key in problems)))
                self._keys.append(each.row.key)
        options.highlighted = at if at is not None and at < len(self._keys) else 1 if len(self._keys) > 1 else None

    def _entry(self, each: Decided, *, warn: bool) -> Content:
        assert each.choice.verb is not None, "only decisions are written"
        sign, _, ink = REPLACED if each.replaced else DONE[each.choice.verb]
        word = REPLACED_WORD if each.replaced else DONE_WORDS[each.choice.verb]
        return Content.assemble(
            self.ink(f"   {'!' if warn else sign} ", "warn" if warn else ink),
            self.ink(f"{word} ", "muted"),
            self.ink(safe_line(each.choice.statement or each.row.statement), "text"),
        )

    def _problems(self) -> dict[str, str]:
        """By row, why it is not applied, or would not be."""
        if self.preview is None:
            return {}
        rows, receipts = self.preview.draft.rows, (self.written or self.preview).receipts
        return {
            rows[one.op_id]: one.detail or str(one.reason)
            for one in receipts
            if not one.applied and one.op_id in rows
        }  # fmt: skip

    def write_text(self, lines: Lines) -> None:
        """What agents would be told, or what came of it, what stands in the way, and the files."""
        if self.preview is None:
            return
        if self.telling is not None and self.telling.at is not None:
            self.telling.write(lines)
            return
        problems = self._problems()
        if self.written is not None:
            history = self.curate.keys.named("history")
            say = f"✓ {len(self.written.applied)} written as {self.written.patch}"
            lines.text(f"{say}; one step of the history ({history}) undoes them all", "good")
            lines.gap()
        if problems:
            asking = not self.written and len(self.preview.asking) == len(problems)
            word = "were not applied" if self.written else "cannot be applied"
            ways = f"{self.curate.keys.named('write')} asks for a word first"
            lines.text(f"! {ways}:" if asking else f"! {len(problems)} {word}; they stay in the queue:", "warn")
            statements = {each.row.key: each.row.statement for each in self._decided}
            for key, problem in list(problems.items())[:10]:
                lines.row("", f"{safe_line(statements.get(key, ''))}: {safe_line(problem)}", "text", limit=2)
            lines.gap()
        write_files(lines, self.preview.changes, whole=self._whole_lines)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Enter goes to the row in the review."""
        key = self._keys[event.option_index]
        if key is not None and self.written is None:
            self.dismiss(None)
            self.curate.review.action_go(key)

    # Keys

    def keys(self) -> list[PageKey]:
        """Those that do something now."""
        scroll = PageKey(lambda: self.pane.scroll_page_down(animate=False), "scroll", "page_down")
        lines = PageKey(self._lines_in_full, "heads of lines" if self._whole_lines else "lines in full", letter="l")
        if self._busy or self.preview is None:
            return []
        if self.written is not None:
            return [lines, scroll]
        write = PageKey(self._write, "write it", "write")
        if self.telling is None or self.telling.at is None:
            told = PageKey(lambda: self._turn(0), "what agents are told", letter="t")
            return [write, PageKey(self._go, "go to the row", "evidence"), told, lines, scroll]
        keys = [write, PageKey(lambda: self._turn(None), "the files", letter="t"),
                PageKey(self._ask_prompt, "ask otherwise", "filter")]  # fmt: skip
        if len(self.telling.places) > 1:
            at = self.telling.at
            keys += [PageKey(lambda: self._turn(at + 1), "next project", "next_tab"),
                     PageKey(lambda: self._turn(at - 1), "previous project", "previous_tab")]  # fmt: skip
        return [*keys, scroll]

    def _go(self) -> None:
        self.options.action_select()

    def _lines_in_full(self) -> None:
        self._whole_lines = not self._whole_lines
        self.show_text()
        self.show_keys()

    def _turn(self, at: int | None) -> None:
        assert self.telling is not None, "there is a preview"
        if at is not None and not self.telling.places:
            self.headline("no memory changes, so agents are told what they are told now", "warn")
            return
        self.telling.turn(at)
        self.pane.scroll_home(animate=False)
        self.show_text()
        self.show_keys()
        if self.telling.at is not None:
            self.run_worker(self._ask(self.telling), group="recall", exclusive=True)

    async def _ask(self, telling: Telling) -> None:
        await telling.ask()
        self.show_text()

    def _ask_prompt(self) -> None:
        telling = self.telling
        assert telling is not None, "there is a preview"

        def done(text: str | None) -> None:
            if text:
                telling.prompt = text
                self._turn(telling.at or 0)

        self.app.push_screen(Line("Ask something else", "memory is chosen by what is asked", telling.asked), done)

    # Writing

    def _write(self) -> None:
        session, preview = self.curate.session, self.preview
        if self._busy or self.written is not None or preview is None:
            return
        if not session.pending():
            self.dismiss(None)
            return
        if (problem := session.why_not_write()) is not None:
            # The store or the decisions moved while this was being read: show it as it is now.
            self._again(f"not written: {problem}; here it is as it stands now")
        elif words := preview.words_needed:
            self._ask_word(words[0], preview)
        else:
            self._commit_now(preview)

    def _ask_word(self, word: str, preview: Preview) -> None:
        """What shapes every session is written only after a word; then it is shown first, as all else was."""

        def answered(right: bool | None) -> None:
            if right:
                self.curate.confirmed |= preview.asking
                self._again(f"confirmed: this is what it writes, {self.curate.keys.named('write')} writes it")
            else:
                self._commit_now(preview)

        self.app.push_screen(TypedWord("Some of this shapes every session.", word), answered)

    def _commit_now(self, preview: Preview) -> None:
        self._busy = True
        self.run_worker(self._commit(preview), exclusive=True)

    async def _commit(self, preview: Preview) -> None:
        session = self.curate.session
        session.writing()
        self.headline("writing…", "muted")
        try:
            self.written = await self.curate.work(lambda feed: feed.write(preview))
        except CurateError as fault:
            session.not_written()
            self._busy = False
            self.headline(f"nothing was written: {fault}", "bad")
            return
        session.written(self.written.patch, self.written.applied, self.written.skipped)
        self._busy = False
        if self.telling is not None:
            self.telling.turn(None)
        self.headline(f"written: {len(self.written.applied)} of {len(self._decided)}", "good")
        self._list()
        self.show_text()
        self.show_keys()
        await self.curate.look(force=True)
