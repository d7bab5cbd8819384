"""What agents were told: every turn of the journal with what was put in, what was left out where, and the block as it
was sent; a preview for a message that is pasted; and what memory cost over time.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, ClassVar

from curate.recall import journal
from curate.recall.silence import silence
from curate.recall.since import statement
from curate.recall.sound import sound
from curate.recall.spend import spending
from curate.review.rows import short_project
from curate.tui.cells import day, safe_line
from curate.tui.clipboard import copy
from curate.tui.dialogs.line import Line
from curate.tui.screens.explain_asking import PREVIEW, Asking, Turn
from curate.tui.screens.tabbed import Part
from curate.tui.widgets.gauge import gauge
from curate.tui.widgets.key_bar import PageKey
from curate.tui.widgets.spend_text import write_spending
from curate.tui.widgets.turn_text import write_block, write_funnel, write_head, write_sent

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from textual.content import Content

    from curate.tui.widgets.card_text import Lines

LONG_NAME = 20
"""Characters of a session's name that stand in the list; most agents give it a UUID, whose beginning tells it apart."""


class ExplainScreen(Asking):
    """Left the turns by session, the newest first; right one of them."""

    HEADING = "What agents were told"
    OPENED_BY = "explain"
    VIEWS: ClassVar[tuple[tuple[str, str], ...]] = (
        ("sent", "Sent"), ("funnel", "Left out"), ("block", "Block"), ("spend", "Spend"),
    )  # fmt: skip

    def __init__(self) -> None:
        super().__init__()
        self.sessions: list[tuple[str, list[Turn]]] = []
        """Sessions with their turns, the newest of both first."""
        self._wanted = ""
        self._turns: dict[str, Turn] = {}

    def begin(self) -> None:
        """The journal is read session by session, away from the screen."""
        self.run_worker(self._load(), exclusive=True)

    async def _load(self) -> None:
        root = str(self.curate.root)
        names = await asyncio.to_thread(journal.sessions, root)
        for number, name in enumerate(reversed(names), 1):
            turns = await asyncio.to_thread(_turns, root, name)
            if turns:
                self.sessions.append((str(turns[-1].get("session") or name), turns[::-1]))
            if number == 1:
                self._list()
            self.headline(f"reading the journal, session {number} of {len(names)}…", "muted")
        self._list()
        self._say()

    def _say(self, note: str = "") -> None:
        count = sum(len(turns) for _, turns in self.sessions)
        silent = sum(bool(silence(turn)) for _, turns in self.sessions for turn in turns)
        told = f"What agents were told: {_counted(count, 'turn')} in {_counted(len(self.sessions), 'session')}"
        told += f", {silent} silent" if silent else ""
        nothing = "What agents were told: nothing yet; the journal keeps 14 days of turns"
        found = f" · {len(self._turns)} with “{safe_line(self._wanted)}”" if self._wanted else ""
        self.headline(note or (told if count else nothing) + found)

    # What is shown

    def _list(self) -> None:
        self._turns = {}
        self.fill(self._entries())

    def _entries(self) -> Iterator[tuple[Content, str | None]]:
        if self.preview is not None:
            self._turns[PREVIEW] = self.preview
            yield self.entry((" Preview, not sent", "title")), None
            yield self._line(self.preview), PREVIEW
        for name, turns in self.sessions:
            found = [turn for turn in turns if self._meant(turn)]
            if not found:
                continue
            where = short_project(str(found[0].get("project") or "")) or "no project"
            short = name if len(name) <= LONG_NAME else f"{name[:8]}…"
            head = " · ".join(filter(None, (str(found[0].get("agent") or ""), where, short)))
            yield self.entry((f" {safe_line(head)}", "title"), (f"  {len(found)}", "muted")), None
            for place, turn in enumerate(found):
                # Two processes of one session may have taken the same number.
                ident = f"{name}/{turn.get('turn')}/{place}"
                self._turns[ident] = turn
                yield self._line(turn), ident

    def _line(self, turn: Turn) -> Content:
        number = "new" if turn.get("preview") else str(turn.get("turn"))
        lead: Part = (f" {number:>4}  {day(str(turn.get('at') or ''))[5:]}  ", "muted")
        if why := silence(turn):
            return self.entry(lead, ("– silent: ", "warn"), (safe_line(why), "muted"))
        budget = turn.get("budget") or 0
        share = (turn.get("total") or 0) / budget if budget else 0.0
        count = len(turn.get("entries") or ())
        full: Part = (" ! full", "warn") if turn.get("truncated") else ("", "text")
        return self.entry(
            lead, (gauge(share, 6), "key"), (f"  {count} sent", "text"), (f", {turn.get('total')} ", "muted"),
            (safe_line(str(turn.get("unit") or "")), "muted"), full,
        )  # fmt: skip

    def _meant(self, turn: Turn) -> bool:
        """Every word wanted stands in what was sent, what was left out, or where."""
        if not self._wanted:
            return True
        state = self.curate.feed.state
        parts = [str(turn.get(name) or "") for name in ("agent", "session", "project", "skipped", "block")]
        parts += map(str, turn.get("identifiers") or ())
        for entry in turn.get("entries") or ():
            parts += [str(entry.get("id")), str(entry.get("reason")), statement(state, str(entry.get("id")))]
        for stage in turn.get("traces") or ():
            for ident, reason in (stage.get("exclusion_reasons") or {}).items():
                parts += [ident, str(reason), statement(state, ident)]
        whole = " ".join(parts).casefold()
        return all(word in whole for word in self._wanted.casefold().split())

    @property
    def turn_shown(self) -> Turn | None:
        """The turn under the cursor."""
        return self._turns.get(self.current or "")

    def views(self) -> Sequence[tuple[str, str]]:
        """What was sent comes first; of a silent turn, what was left out."""
        turn = self.turn_shown
        if turn is None:
            return self.VIEWS[3:] if self.sessions and not self._wanted else ()
        if silence(turn):
            return (self.VIEWS[1], self.VIEWS[3])
        count = len(turn.get("entries") or ())
        return (("sent", f"Sent {count}"), *self.VIEWS[1:])

    def write_text(self, lines: Lines) -> None:
        """The turn under the cursor, or the spending of all."""
        if self.shown == "spend":
            write_spending(lines, spending(turn for _, turns in self.sessions for turn in turns))
            return
        turn, state = self.turn_shown, self.curate.feed.state
        if turn is None:
            self._write_nothing(lines)
            return
        write_head(lines, turn)
        if self.shown == "sent":
            write_sent(lines, turn, state)
        elif self.shown == "funnel":
            write_funnel(lines, turn, state)
        else:
            write_block(lines, turn)

    def _write_nothing(self, lines: Lines) -> None:
        if self._wanted:
            lines.text(f"No turn has “{safe_line(self._wanted)}” in it.", "muted")
            return
        lines.text("Nothing was told yet.", "title")
        lines.text("A turn stands here once an agent that is connected has asked: `curate install AGENT` connects one.",
                   "muted")  # fmt: skip
        key = self.curate.keys.named("preview")
        lines.text(f"{key} shows what a message would get.", "muted")

    # Keys

    def keys(self) -> list[PageKey]:
        """Those that do something now."""
        out = [*self.turns()[:1], PageKey(self._ask, "preview a message", "preview")]
        if self.current == PREVIEW:
            out.append(PageKey(self._ask_place, "other project", "scope_project"))
        if self.sessions:
            out.append(PageKey(self._find, "find", "filter"))
        if (turn := self.turn_shown) is not None and turn.get("block"):
            out.append(PageKey(self._copy, "copy the block", "copy"))
        return [*out, *self.turns()[1:], self.scrolling()]

    def leave(self) -> None:
        """First out of what was looked for."""
        if self._wanted:
            self._look_for("")
        else:
            self.dismiss(None)

    def _find(self) -> None:
        def done(text: str | None) -> None:
            if text is not None:
                self._look_for(text)

        hint = "a record, words of it, a reason, a session, a project"
        self.app.push_screen(Line("Find turns by what was sent or left out", hint, self._wanted), done)

    def _look_for(self, text: str) -> None:
        self._wanted = text
        self._list()
        self._say()

    def _copy(self) -> None:
        turn = self.turn_shown
        if turn is not None:
            self.headline(f"the block: {copy(self.curate, str(turn.get('block') or ''))}", "muted")

    def asked(self) -> None:
        """The preview stands first."""
        self._list()
        self.go_to(PREVIEW)
        self._say("Preview: what would be told now")


def _turns(root: str, session: str) -> list[Turn]:
    return [sound(turn) for turn in journal.turns(root, session)]


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}{'s' if number != 1 else ''}"
