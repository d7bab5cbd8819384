"""The preview of everything decided: by project, each line that would be appended, and the change in the Markdown.

Nothing is written except from here, and only what stands here.
"""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any, cast

from textual.containers import Container, VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from curate.review.choice import DONE_WORDS
from curate.review.diff import by_line
from curate.review.rows import short_project
from curate.tui.afterwards import Told, affected, afterwards, prompt_for
from curate.tui.cells import cut, safe, safe_line
from curate.tui.dialogs.confirm import TypedWord
from curate.tui.dialogs.line import Line
from curate.tui.theme import InkName, inks
from curate.tui.widgets.card_text import Lines
from curate.tui.widgets.queue_line import DONE
from store.errors import CurateError

if TYPE_CHECKING:
    from textual import events
    from textual.app import ComposeResult

    from curate.review.feed import FileChange, Preview, Written
    from curate.review.rows import Row
    from curate.tui.app import CurateApp
    from store.model import Receipt

LINES_SHOWN = 40
"""Lines of a file shown in full; a review of two hundred decisions is read by its heads."""


class PreviewScreen(Screen[str | None]):
    """Left what was decided, by project; right what that does to the files."""

    AUTO_FOCUS = "OptionList"

    def __init__(self) -> None:
        super().__init__()
        self.preview: Preview | None = None
        self.written: Written | None = None
        self._busy = True
        self._whole_lines = False
        self._place: int | None = None
        """Which of the projects is shown as its agents would be told; None: the files are shown."""
        self._prompt: str | None = None
        """What the reader has the agent asked; None: what was decided is asked about."""
        self._told: dict[tuple[str | None, str], Told | str] = {}
        self._keys: list[str | None] = []

    @property
    def curate(self) -> CurateApp:
        """The app, by its own type."""
        return cast("CurateApp", self.app)

    def compose(self) -> ComposeResult:
        """Title, list, text, keys."""
        yield Static("What will be written", markup=False, classes="page-title", id="page-title")
        yield Static(classes="page-rule", id="page-rule", markup=False)
        with Container(classes="page"):
            yield OptionList(classes="page-list", markup=False, compact=True)
            with VerticalScroll(classes="page-text", can_focus=False):
                yield Static(markup=False, id="page-text")
        yield Static(classes="page-keys", id="page-keys", markup=False)

    def on_mount(self) -> None:
        """Worked out away from the screen, since it plans the whole patch."""
        self._tell_keys()
        self.run_worker(self._prepare(), exclusive=True)

    def on_resize(self, event: events.Resize) -> None:
        """Beside each other when there is room."""
        self.set_class(event.size.width >= 100, "wide")
        self.query_one("#page-rule", Static).update("─" * event.size.width)
        if self.preview is not None:
            self.call_after_refresh(self._show_text)

    async def _prepare(self) -> None:
        session = self.curate.session
        version = session.version
        pending = session.pending()
        try:
            self.preview = await self.curate.work(lambda feed: feed.preview(dict(session.queue.rows), pending))
        except CurateError as fault:
            self._title(str(fault), "bad")
            return
        self._busy = False
        self._told.clear()
        if session.version == version:
            session.previewed()
        self._title(self._summary(), "title")
        self._list()
        self._show_text()
        self._tell_keys()

    def _summary(self) -> str:
        assert self.preview is not None
        count = len(self.preview.draft.patch.ops)
        files = sum(change.file.startswith("memory/") for change in self.preview.changes)
        skipped = len(self._problems())
        text = f"{count} change{'s' if count != 1 else ''} in {files} file{'s' if files != 1 else ''} of memory"
        return f"{text}, {skipped} cannot be applied as it stands" if skipped else text

    # What is shown

    def _list(self) -> None:
        options = self.query_one(OptionList)
        at = options.highlighted
        options.clear_options()
        self._keys = []
        for head, entries in self._by_project():
            options.add_option(Option(self._ink(f" {head}  {len(entries)}", "title"), disabled=True))
            self._keys.append(None)
            for key, content in entries:
                options.add_option(Option(content))
                self._keys.append(key)
        options.highlighted = at if at is not None and at < len(self._keys) else 1 if len(self._keys) > 1 else None

    def _by_project(self) -> list[tuple[str, list[tuple[str, Content]]]]:
        session = self.curate.session
        pending = session.pending() if self.written is None else {}
        places: dict[str, list[tuple[str, Content]]] = {}
        problems = self._problems()
        rows = self._rows
        for key, row in rows.items():
            choice = pending.get(key) or self._choices.get(key)
            if choice is None or choice.verb is None:
                continue
            scoped = choice.scope_for(row)
            place = "turned away or put off" if choice.verb in {"reject", "later"} else scoped.in_words()
            if scoped.reach == "path" and scoped.projects:
                place = short_project(scoped.projects[0])
            sign, _, ink = DONE[choice.verb]
            problem = problems.get(key)
            head = "!" if problem else sign
            text = safe_line(choice.statement or row.statement)
            content = Content.assemble(
                self._ink(f"   {head} ", "warn" if problem else ink),
                self._ink(f"{DONE_WORDS[choice.verb]} ", "muted"),
                self._ink(text, "text"),
            )
            places.setdefault(place, []).append((key, content))
        return sorted(places.items(), key=lambda item: (item[0] == "turned away or put off", item[0]))

    @property
    def _rows(self) -> dict[str, Row]:
        if not hasattr(self, "_kept_rows"):
            session = self.curate.session
            self._choices = session.pending()
            self._kept_rows = {key: session.queue.rows[key] for key in self._choices}
        return self._kept_rows

    def _problems(self) -> dict[str, str]:
        if self.preview is None:
            return {}
        receipts: list[Receipt] = list(self.written.receipts if self.written else self.preview.receipts)
        out: dict[str, str] = {}
        for receipt in receipts:
            key = self.preview.draft.rows.get(receipt.op_id)
            if key is not None and not receipt.applied:
                if self.written is None and receipt.reason == "needs_confirmation" and key in self.curate.confirmed:
                    continue
                out[key] = receipt.detail or str(receipt.reason)
        return out

    # What agents would be told

    def _places(self) -> list[str | None]:
        return affected(self.preview.changes) if self.preview is not None else []

    def _turn(self, place: int | None) -> None:
        places = self._places()
        if place is not None and not places:
            self._title("no memory changes, so agents are told what they are told now", "warn")
            return
        self._place = None if place is None else place % len(places)
        self.query_one(".page-text", VerticalScroll).scroll_home(animate=False)
        self._show_text()
        self._tell_keys()
        if self._place is not None:
            where = places[self._place]
            self.run_worker(self._ask_recall(where, self.asked(where)), group="recall", exclusive=True)

    def asked(self, place: str | None) -> str:
        """What an agent is asked there."""
        assert self.preview is not None, "nothing is asked before there is a preview"
        return self._prompt or prompt_for(self.preview.changes, place)

    async def _ask_recall(self, place: str | None, prompt: str) -> None:
        if (place, prompt) in self._told or self.preview is None:
            return
        root, changes, today = self.curate.root, self.preview.changes, self.curate.today().strftime("%Y-%m-%d")
        name = self._name_of(place)
        try:
            told: Told | str = await asyncio.to_thread(
                afterwards, root, changes, place, name=name, prompt=prompt, today=today
            )
        except (CurateError, OSError) as fault:
            told = str(fault)
        self._told[place, prompt] = told
        self._show_text()

    def _name_of(self, place: str | None) -> str:
        return short_project(place) if place else ""

    def _show_told(self, lines: Lines) -> None:
        assert self._place is not None
        places = self._places()
        place = places[self._place]
        where = f"in {safe_line(self._name_of(place))}" if place else "anywhere"
        number = f"  ({self._place + 1} of {len(places)})" if len(places) > 1 else ""
        lines.text(f"What an agent {where} would be told{number}", "title")
        lines.row("asked", safe_line(self.asked(place)), "muted", limit=3)
        lines.gap()
        told = self._told.get((place, self.asked(place)))
        if told is None:
            lines.text("asking recall …", "muted")
        elif isinstance(told, str):
            lines.text(f"! it cannot be worked out: {safe_line(told)}", "warn")
        else:
            if told.silent:
                lines.text(f"Nothing: {told.silent}", "warn")
            elif told.before == told.after:
                lines.text("The same as now:", "muted")
            for sign, line in by_line(told.before, told.after, context=200):
                ink: InkName = {"+": "good", "-": "bad"}.get(sign, "text")  # type: ignore[assignment]
                lines.text(f"{sign} {safe(line)}", ink)
            if told.before == told.after:
                for line in told.after.splitlines():
                    lines.text(f"  {safe(line)}")
            if told.cut:
                lines.gap()
                lines.text("Not all of it fits: what comes last gives way.", "muted")

    def _ask_prompt(self) -> None:
        def done(text: str | None) -> None:
            if text:
                self._prompt = text
                self._turn(self._place or 0)

        hint = "memory is chosen by what is asked"
        now = self.asked(self._places()[self._place or 0])
        self.app.push_screen(Line("Ask something else", hint, now), done)

    def _show_text(self) -> None:
        if self.preview is None:
            return
        text = self.query_one("#page-text", Static)
        width = self.query_one(".page-text").scrollable_content_region.width
        lines = Lines(inks(self.app.theme), (width or 60) - 1)
        problems = self._problems()
        if self._place is not None:
            self._show_told(lines)
            text.update(lines.content())
            return
        if self.written is not None:
            done = len(self.written.applied)
            lines.text(f"✓ {done} written as {self.written.patch}; one step of the history (h) undoes them all", "good")
            lines.gap()
        if problems:
            word = "were not applied" if self.written else "cannot be applied"
            lines.text(f"! {len(problems)} {word}; they stay in the queue:", "warn")
            for key, problem in list(problems.items())[:10]:
                lines.row("", f"{safe_line(self._rows[key].statement)}: {safe_line(problem)}", "text", limit=2)
            lines.gap()
        for change in self.preview.changes:
            self._file(lines, change)
        text.update(lines.content())

    def _file(self, lines: Lines, change: FileChange) -> None:
        count = len(change.lines)
        lines.text(f"{safe_line(change.file)}  {count} line{'s' if count != 1 else ''} more", "title")
        for sign, line in by_line(change.old, change.new, context=1) if change.old or change.new else ():
            ink: InkName = {"+": "good", "-": "bad", "@": "faint"}.get(sign, "muted")  # type: ignore[assignment]
            if line.strip():
                lines.text(f"  {line}" if sign == "@" else f"{sign} {safe(line)}", ink)
        for data in change.lines[:LINES_SHOWN]:
            if self._whole_lines:
                lines.text(safe(json.dumps(data, ensure_ascii=False, separators=(",", ":"))), "faint")
            else:
                lines.out.append(self._ink(cut(_gist(data), lines.width - 2), "faint"))
        if count > LINES_SHOWN:
            lines.text(f"  and {count - LINES_SHOWN} lines more", "faint")
        lines.gap()

    def _ink(self, text: str, ink: InkName) -> Content:
        return Content.styled(text, inks(self.app.theme)[ink])

    def _title(self, text: str, ink: InkName) -> None:
        self.query_one("#page-title", Static).update(self._ink(text, ink))

    def _tell_keys(self) -> None:
        if self.written is not None:
            keys = [("esc", "back to the review"), ("l", "lines in full"), ("pgdn pgup", "scroll")]
        elif self._busy:
            keys = [("esc", "back")]
        else:
            keys = [("w", "write it")]
            if self._place is None:
                keys += [("enter", "go to the row"), ("t", "what agents are told"), ("l", "lines in full")]
            else:
                keys += [("t", "the files"), ("/", "ask otherwise")]
                keys += [("] [", "project")] if len(self._places()) > 1 else []
            keys += [("esc", "back"), ("pgdn pgup", "scroll")]
        parts = [self._ink(text, ink) for key, word in keys for text, ink in ((key, "key"), (f" {word}   ", "text"))]  # type: ignore[arg-type]
        self.query_one("#page-keys", Static).update(Content.assemble(*parts))

    # Keys

    def on_key(self, event: events.Key) -> None:
        """Write with w; esc, q and p go back."""
        text = self.query_one(".page-text", VerticalScroll)
        if event.character == "w":
            self._write()
        elif event.key == "escape" or event.character in {"q", "p"}:
            self.dismiss(f"written as {self.written.patch}" if self.written else None)
        elif event.key in {"pagedown", "pageup"}:
            (text.scroll_page_down if event.key == "pagedown" else text.scroll_page_up)(animate=False)
        elif event.character == "t" and self.written is None:
            self._turn(0 if self._place is None else None)
        elif self._place is not None and event.character in {"]", "["}:
            self._turn(self._place + (1 if event.character == "]" else -1))
        elif self._place is not None and event.character == "/":
            self._ask_prompt()
        elif event.character == "l":
            self._whole_lines = not self._whole_lines
            self._show_text()
        elif event.character in {"j", "k"}:
            options = self.query_one(OptionList)
            (options.action_cursor_down if event.character == "j" else options.action_cursor_up)()
        else:
            return
        event.stop()
        event.prevent_default()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Enter goes to the row."""
        key = self._keys[event.option_index]
        if key is not None and self.written is None:
            self.curate.session.queue.go_to(key)
            self.dismiss(None)

    def _write(self) -> None:
        session = self.curate.session
        if self._busy or self.written is not None or self.preview is None:
            return
        problem = session.why_not_write()
        if problem is not None:
            # The store or the decisions moved while this was being read: show it as it is now.
            self._title(f"not written: {problem}; here it is as it stands now", "warn")
            self._again()
            return
        words = self.preview.words_needed
        asking = {
            self.preview.draft.rows.get(receipt.op_id)
            for receipt in self.preview.receipts
            if receipt.reason == "needs_confirmation"
        }
        if words and not asking <= self.curate.confirmed:
            self._ask(words[0])
        elif words:
            # The word was typed when these were decided.
            self._busy = True
            self.run_worker(self._commit(words[0]), exclusive=True)
        else:
            self._busy = True
            self.run_worker(self._commit(None), exclusive=True)

    def _again(self) -> None:
        if not self.curate.session.pending():
            self.dismiss(None)
            return
        del self._kept_rows
        self._busy = True
        self.run_worker(self._prepare(), exclusive=True)

    def _ask(self, word: str) -> None:
        def answered(right: bool | None) -> None:
            self._busy = True
            self.run_worker(self._commit(word if right else None), exclusive=True)

        self.app.push_screen(TypedWord("Some of this shapes every session.", word), answered)

    async def _commit(self, confirm: str | None) -> None:
        assert self.preview is not None
        session, made = self.curate.session, self.preview.draft
        self._rows  # noqa: B018  keep what is shown, since the session forgets it now
        session.writing()
        self._title("writing…", "muted")
        try:
            self.written = await self.curate.work(lambda feed: feed.write(made, confirm))
        except CurateError as fault:
            session.not_written()
            self._busy = False
            self._title(f"nothing was written: {fault}", "bad")
            return
        session.written(self.written.patch, self.written.applied, self.written.skipped)
        self._busy = False
        self._place = None
        self._title(f"written: {len(self.written.applied)} of {len(self._rows)}", "good")
        self._list()
        self._show_text()
        self._tell_keys()
        await self.curate.look(force=True)


def _gist(data: Any) -> str:
    """A line of the log in one glance: what, which revision, by which op, and its words or state."""
    ident = str(data.get("id", ""))
    short = f"{ident.split('_', 1)[0]}…{ident[-6:]}" if len(ident) > 14 else ident
    what = data.get("status") or data.get("cause") or ""
    words = safe_line(str(data.get("statement") or data.get("name") or ""))
    return f"+ {short} rev {data.get('rev')} {str(data.get('op', '')).replace('_', ' ')} {what}  {words}"
