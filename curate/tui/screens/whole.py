"""One row in full: every quote with where it was said, and of a memory its whole life."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from curate.review.card import card
from curate.review.diff import by_word
from curate.tui.cells import day, safe, safe_line
from curate.tui.theme import inks
from curate.tui.widgets.card_text import Lines, card_lines, quoted

if TYPE_CHECKING:
    from textual import events
    from textual.app import ComposeResult

    from curate.review.rows import Row
    from curate.tui.app import CurateApp


class WholeScreen(Screen[None]):
    """Scrolls; any of esc, q and enter goes back."""

    AUTO_FOCUS = "VerticalScroll"

    def __init__(self, row: Row) -> None:
        super().__init__()
        self.row = row

    @property
    def curate(self) -> CurateApp:
        """The app, by its own type."""
        return cast("CurateApp", self.app)

    def compose(self) -> ComposeResult:
        """Title, text, keys."""
        title = "Memory" if self.row.kind == "record" else "Candidate"
        yield Static(f"{title} {self.row.key}", markup=False, classes="page-title")
        yield Static(classes="page-rule", id="page-rule", markup=False)
        with VerticalScroll(classes="page-text whole"):
            yield Static(markup=False, id="page-text")
        yield Static("o open the transcript   y copy   ↑ ↓ scroll   esc back", markup=False, classes="page-keys")

    def on_resize(self, event: events.Resize) -> None:
        """The text is wrapped to the width."""
        self.query_one("#page-rule", Static).update("─" * event.size.width)
        self.query_one("#page-text", Static).update(self._content(event.size.width - 4))

    def _content(self, width: int) -> Content:
        session, state, palette = self.curate.session, self.curate.feed.state, inks(self.app.theme)
        choice = session.choice(self.row.key)
        whole = card(state, self.row, choice)
        head = card_lines(self.row, choice, whole, palette, width, note=session.notes.get(self.row.key), quotes=0)
        lines = Lines(palette, width)
        body = self._body(lines)
        if body:
            lines.gap()
            lines.text(safe(body))
        lines.gap()
        lines.text(f"Evidence {len(whole.quotes)}", "title")
        for quote in whole.quotes:
            lines.gap()
            quoted(lines, quote)
        if self.row.kind == "record":
            self._life(lines, state.records.get(self.row.key))
        return Content("\n").join([*head, lines.content()])

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
        review = data.get("review") or {}
        if review.get("next_review"):
            lines.row("review", f"{review['next_review'][:10]}, every {review.get('cadence_days', '?')} days", "muted")
        if review.get("change_condition"):
            lines.row("unless", safe_line(str(review["change_condition"])))
        if data.get("vault_ref"):
            lines.row("vault", safe_line(str(data["vault_ref"])))
        return str(data.get("body") or "")

    def _life(self, lines: Lines, versions: Any) -> None:
        if versions is None:
            return
        store = self.curate.feed.store
        patches = store.patches_of(self.row.key) if store is not None else []
        summaries = {patch["patch_id"]: str(patch.get("summary") or "") for patch in patches}
        lines.gap()
        lines.text(f"Life {len(versions.revisions)}", "title")
        before: dict[str, Any] = {}
        for revision in versions.revisions:
            data = revision.data
            lines.gap()
            words = [("● ", "key"), (day(revision.at), "muted"), (f"  {revision.op.replace('_', ' ')}", "text")]
            if len(versions.heads) > 1 and any(head.hash == revision.hash for head in versions.heads):
                words.append(("  one of two newest versions", "warn"))
            lines.text(lines.joined(*words))  # type: ignore[arg-type]
            if revision.patch:
                lines.row("", f"{revision.patch}  {safe_line(summaries.get(revision.patch, ''))}", "muted")
            self._changes(lines, before, data)
            before = data

    @staticmethod
    def _changes(lines: Lines, before: dict[str, Any], after: dict[str, Any]) -> None:
        old, new = safe_line(str(before.get("statement") or "")), safe_line(str(after.get("statement") or ""))
        if old != new:
            styles = {"same": "text", "old": "old", "new": "new"}
            parts = ((part.text, styles[part.change]) for part in by_word(old, new))
            lines.row("words", lines.joined(*parts) if old else lines.plain(new))  # type: ignore[arg-type]
        for name in ("status", "scope", "confidence", "stability", "pinned", "known_exceptions", "superseded_by"):
            if before and before.get(name) != after.get(name):
                lines.row(name[:7], safe_line(f"{_shown(before.get(name))} → {_shown(after.get(name))}"), "muted")
        added = len(after.get("evidence") or ()) - len(before.get("evidence") or ())
        if before and added > 0:
            lines.row("", f"{added} more quote{'s' if added != 1 else ''}", "muted")

    def on_key(self, event: events.Key) -> None:
        """Back, or what the review does with the same key."""
        if event.key in {"escape", "enter"} or event.character == "q":
            self.dismiss(None)
        elif event.character in {"j", "k"}:
            text = self.query_one(VerticalScroll)
            (text.scroll_down if event.character == "j" else text.scroll_up)(animate=False)
        elif event.character in {"o", "y"}:
            self.curate.review.action_act("transcript" if event.character == "o" else "copy")
            self.notify(self.curate.review.status_bar.say, markup=False, timeout=4)
        else:
            return
        event.stop()
        event.prevent_default()


def _shown(value: Any) -> str:
    if value in (None, [], ""):
        return "none"
    if isinstance(value, dict):
        return " ".join(str(part) for part in value.values())
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
