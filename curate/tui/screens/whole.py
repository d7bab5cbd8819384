"""One row in full: every quote with where it was said; of a memory its whole life, and every key that applies to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from curate.review.card import card
from curate.review.diff import by_word
from curate.review.life import Moment, life
from curate.tui.actions import BY_ID, DECIDE, LOOK, SCOPE
from curate.tui.cells import day, safe, safe_line
from curate.tui.theme import inks
from curate.tui.widgets.action_bar import ActionBar
from curate.tui.widgets.bars import Bar, StatusBar
from curate.tui.widgets.card_text import Lines, card_lines, quoted

if TYPE_CHECKING:
    from textual import events
    from textual.app import ComposeResult

    from curate.recall.injected import Injection
    from curate.review.rows import Row
    from curate.tui.app import CurateApp

TURNS_SHOWN = 12
QUOTES_IN_LIFE = 2
"""Quotes shown with the revision they came in with; all of them stand under Evidence."""
PASSED_ON = {"next_open", "previous_open", "copy", "transcript", "theme"}
"""What the page does besides deciding, as the review does it."""


class WholeScreen(Screen[None]):
    """Scrolls; any of esc, q and enter goes back. A decision on what waits goes back, too, to the next row."""

    AUTO_FOCUS = "VerticalScroll"

    def __init__(self, row: Row) -> None:
        super().__init__()
        self.row = row
        self._injections: list[Injection] | None = None

    @property
    def curate(self) -> CurateApp:
        """The app, by its own type."""
        return cast("CurateApp", self.app)

    def compose(self) -> ComposeResult:
        """Title, text, what happened, keys."""
        yield Static(markup=False, classes="page-title", id="page-title")
        yield Static(classes="page-rule", id="page-rule", markup=False)
        with VerticalScroll(classes="page-text whole"):
            yield Static(markup=False, id="page-text")
        yield StatusBar(self.curate.session, id="page-status")
        yield ActionBar(self.curate.session, self.curate.keys, groups=(DECIDE, SCOPE), way_out="esc back")

    def on_mount(self) -> None:
        """What the journal says is read aside."""
        self._turn_to(self.row)

    def _turn_to(self, row: Row) -> None:
        self.row = row
        self._injections = None
        self._verb = self._decided()
        if row.kind == "record":
            self.run_worker(self._look_up(), exclusive=True)
        self.query_one(VerticalScroll).scroll_home(animate=False)
        self._draw()

    def _decided(self) -> Any:
        return self.curate.session.choice(self.row.key)

    async def _look_up(self) -> None:
        from curate.recall.injected import injections

        root, ident = self.curate.root, self.row.key
        self._injections = await self.curate.work(lambda _: injections(root, ident))
        self._draw()

    def on_resize(self, event: events.Resize) -> None:
        """The text is wrapped to the width."""
        self.query_one("#page-rule", Static).update("─" * event.size.width)
        self._draw()

    def on_screen_resume(self) -> None:
        """A question was answered: what it decided shows here."""
        if self.is_mounted:
            self._after()

    def _draw(self) -> None:
        width = self.size.width
        if not width or not self.is_mounted:
            return
        kind = "Memory" if self.row.kind == "record" else "Candidate"
        self.query_one("#page-title", Static).update(f"{kind} {self.row.key}")
        self.query_one("#page-text", Static).update(self._content(width - 4))
        self.query_one(ActionBar).renew()

    def _content(self, width: int) -> Content:
        session, state, palette = self.curate.session, self.curate.feed.state, inks(self.app.theme)
        choice = session.choice(self.row.key)
        whole = card(state, self.row, choice)
        head = card_lines(
            self.row, choice, whole, palette, width, shown=self.curate.keys.named,
            note=session.notes.get(self.row.key), quotes=0,
        )  # fmt: skip
        lines = Lines(palette, width)
        body = self._body(lines)
        if body:
            lines.gap()
            lines.text(safe(body))
        if self.row.kind == "record":
            self._life(lines)
            self._told(lines)
        lines.gap()
        lines.text(f"Evidence {len(whole.quotes)}", "title")
        for quote in whole.quotes:
            lines.gap()
            quoted(lines, quote)
        return Content("\n").join([*head, Content(""), lines.content()])

    def _body(self, lines: Lines) -> str:
        state = self.curate.feed.state
        versions = state.records.get(self.row.key) or state.candidates.get(self.row.key)
        data: dict[str, Any] = versions.data if versions is not None else {}
        for name, label in (
            ("applies_when", "applies"), ("does_not_apply_when", "not"), ("known_exceptions", "except"),
            ("tags", "tags"),
        ):  # fmt: skip
            if data.get(name):
                lines.row(label, safe_line(" · ".join(map(str, data[name]))))
        if data.get("stability") and self.row.kind == "record":
            lines.row("holds", f"{data['stability']}, {data.get('kind', 'instruction')}", "muted")
        review = data.get("review") or {}
        if review.get("next_review"):
            overdue = "  overdue" if self.row.overdue else ""
            every = f"{review['next_review'][:10]}, every {review.get('cadence_days', '?')} days{overdue}"
            lines.row("review", every, "warn" if overdue else "muted")
        if review.get("change_condition"):
            lines.row("unless", safe_line(str(review["change_condition"])))
        if data.get("vault_ref"):
            lines.row("vault", safe_line(str(data["vault_ref"])))
        return str(data.get("body") or "")

    def _life(self, lines: Lines) -> None:
        feed = self.curate.feed
        versions = feed.state.records.get(self.row.key)
        if versions is None:
            return
        patches = feed.store.patches_of(self.row.key) if feed.store is not None else []
        lines.gap()
        lines.text(f"Life {len(versions.revisions)}", "title")
        for moment in life(feed.state, versions, patches):
            lines.gap()
            self._moment(lines, moment)

    def _moment(self, lines: Lines, moment: Moment) -> None:
        words: list[tuple[str, Any]] = [
            ("● ", "key"), (day(moment.at), "muted"), (f"  {moment.op.replace('_', ' ')}", "title"),
        ]  # fmt: skip
        if moment.who:
            words.append((f"  {moment.who}", "muted"))
        if moment.head:
            words.append(("  one of two newest versions", "warn"))
        lines.text(lines.joined(*words))
        if moment.patch:
            lines.row("", f"{moment.patch}  {safe_line(moment.summary)}", "muted", limit=2)
        if moment.why:
            lines.row("why", safe_line(moment.why), limit=3)
        old, new = safe_line(moment.old), safe_line(moment.new)
        if old != new:
            styles = {"same": "text", "old": "old", "new": "new"}
            parts = ((part.text, styles[part.change]) for part in by_word(old, new))
            lines.row("words", lines.joined(*parts) if old else lines.plain(new))  # type: ignore[arg-type]
        for name, before, after in moment.changes:
            lines.row(
                _NAMES.get(name, name.replace("_", " "))[:7], safe_line(f"{_shown(before)} → {_shown(after)}"), "muted"
            )
        for quote in moment.quotes[:QUOTES_IN_LIFE]:
            where = f"{day(quote.time)}  {quote.agent}"
            lines.row("quote", safe_line(f"“{quote.text.strip()}”"), "quote", limit=2)
            lines.row("", safe_line(where), "muted", limit=1)
        if len(moment.quotes) > QUOTES_IN_LIFE:
            lines.row("", f"and {len(moment.quotes) - QUOTES_IN_LIFE} more quotes, below", "muted")

    def _told(self, lines: Lines) -> None:
        """In which turns agents got it."""
        found = self._injections
        lines.gap()
        if found is None:
            lines.text("Told to agents …", "muted")
            return
        lines.text(f"Told to agents {len(found)}", "title")
        if not found:
            lines.text("in no turn that the journal still knows; it keeps 14 days", "muted")
        for each in found[:TURNS_SHOWN]:
            what = f"{day(each.at)} · {each.agent} · turn {each.turn} of {each.session}"
            lines.row("", safe_line(what), "text", limit=1)
            lines.row("", safe_line(f"{each.section}, rev {each.rev}: {each.reason}"), "muted", limit=2)
        if len(found) > TURNS_SHOWN:
            lines.row("", f"and {len(found) - TURNS_SHOWN} more: `curate explain` shows each whole", "muted")

    # Keys

    def on_key(self, event: events.Key) -> None:
        """Back, or what the review does with the same key."""
        if self.app.screen is not self:
            # Typed ahead: what the key in front of it opened, or left, was not there yet.
            event.stop()
            event.prevent_default()
            return
        text = self.query_one(VerticalScroll)
        found = self.curate.keys.action(event.key, event.character)
        if event.key in {"escape", "enter"} or found == "quit":
            self.dismiss(None)
        elif found in {"down", "up"}:
            (text.scroll_down if found == "down" else text.scroll_up)(animate=False)
        elif found in {"page_down", "page_up"}:
            (text.scroll_page_down if found == "page_down" else text.scroll_page_up)(animate=False)
        elif found in {"first", "last"}:
            (text.scroll_home if found == "first" else text.scroll_end)(animate=False)
        elif found is not None and (found in PASSED_ON or BY_ID[found].group in {DECIDE, SCOPE}):
            self._act(found)
        elif found is not None and found != "palette":
            self.query_one(StatusBar).tell(f"{BY_ID[found].name}: esc goes back to the queue, where that works", "warn")
        else:
            return
        event.stop()
        event.prevent_default()

    def on_bar_clicked(self, message: Bar.Clicked) -> None:
        """A key was clicked."""
        if message.kind == "act":
            self._act(message.what)

    def _act(self, name: str) -> None:
        review, queue = self.curate.review, self.curate.session.queue
        queue.go_to(self.row.key)
        review.action_act(name)
        if name in PASSED_ON and BY_ID[name].group != LOOK and queue.current is not None:
            self._turn_to(queue.current)
        elif self.app.screen is self:
            self._after()

    def _after(self) -> None:
        """Say what came of a key; what waits has its decision now, and the queue has moved on."""
        said, bar = self.curate.review.status_bar, self.query_one(StatusBar)
        bar.say, bar.tone = said.say, said.tone
        bar.refresh()
        now = self._decided()
        if self.row.kind == "candidate" and now != self._verb and now is not None and now.verb is not None:
            self.dismiss(None)
            return
        self._verb = now
        self.curate.session.queue.go_to(self.row.key)
        self._draw()


_NAMES = {
    "confidence": "sure", "stability": "stable", "applies_when": "applies", "does_not_apply_when": "not",
    "known_exceptions": "except", "superseded_by": "by", "supersedes": "in for", "contested_because": "dispute",
    "valid_to": "until", "rule_type": "rule", "vault_ref": "vault",
}  # fmt: skip


def _shown(value: Any) -> str:
    if value in (None, [], ""):
        return "none"
    if isinstance(value, dict):
        return " ".join(_shown(part) for part in value.values())
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
