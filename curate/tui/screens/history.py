"""What was written, newest first, each patch with its ops; any of them can be taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from textual.containers import Container, VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from curate.tui.cells import day, safe_line
from curate.tui.dialogs.confirm import Confirm
from curate.tui.theme import InkName, inks
from curate.tui.widgets.card_text import Lines
from store.errors import CurateError

if TYPE_CHECKING:
    from textual import events
    from textual.app import ComposeResult

    from curate.tui.app import CurateApp


class HistoryScreen(Screen[None]):
    """Left the patches, right the ops of one."""

    AUTO_FOCUS = "OptionList"

    def __init__(self) -> None:
        super().__init__()
        self.patches: list[dict[str, Any]] = []

    @property
    def curate(self) -> CurateApp:
        """The app, by its own type."""
        return cast("CurateApp", self.app)

    def compose(self) -> ComposeResult:
        """Title, list, text, keys."""
        yield Static("History", markup=False, classes="page-title", id="page-title")
        yield Static(classes="page-rule", id="page-rule", markup=False)
        with Container(classes="page"):
            yield OptionList(classes="page-list", markup=False, compact=True)
            with VerticalScroll(classes="page-text", can_focus=False):
                yield Static(markup=False, id="page-text")
        yield Static(classes="page-keys", id="page-keys", markup=False)

    def on_mount(self) -> None:
        """Read away from the screen."""
        keys: list[tuple[str, InkName]] = [
            ("u", "key"), (" undo this patch   ", "text"), ("pgdn pgup", "key"), (" scroll   ", "text"), ("esc", "key"),
            (" back", "text"),
        ]  # fmt: skip
        self.query_one("#page-keys", Static).update(Content.assemble(*(self._ink(*part) for part in keys)))
        self.run_worker(self._load(), exclusive=True)

    def on_resize(self, event: events.Resize) -> None:
        """Beside each other when there is room."""
        self.set_class(event.size.width >= 100, "wide")
        self.query_one("#page-rule", Static).update("─" * event.size.width)
        self.call_after_refresh(self._show)

    async def _load(self, say: str = "") -> None:
        try:
            self.patches = list(await self.curate.work(lambda feed: feed.history()))
        except CurateError as fault:
            self._title(str(fault), "bad")
            return
        options = self.query_one(OptionList)
        options.clear_options()
        for patch in self.patches:
            undone = bool(patch.get("undone_by"))
            options.add_option(
                Option(
                    Content.assemble(
                        self._ink(f" {day(str(patch['at']))}  ", "muted"),
                        self._ink("undone  " if undone else "", "warn"),
                        self._ink(
                            safe_line(str(patch.get("summary") or patch["patch_id"])), "faint" if undone else "text"
                        ),
                    )
                )
            )
        if self.patches:
            options.highlighted = 0
        count = len(self.patches)
        empty = "Nothing has been written yet"
        self._title(say or (f"History: {count} patch{'es' if count != 1 else ''}" if count else empty), "title")
        self._show()

    def on_option_list_option_highlighted(self, _: OptionList.OptionHighlighted) -> None:
        """Show the ops of the patch under the cursor."""
        self._show()

    def _current(self) -> dict[str, Any] | None:
        at = self.query_one(OptionList).highlighted
        return self.patches[at] if at is not None and at < len(self.patches) else None

    def _show(self) -> None:
        patch = self._current()
        text = self.query_one("#page-text", Static)
        lines = Lines(inks(self.app.theme), self.query_one(".page-text").scrollable_content_region.width or 60)
        if patch is not None:
            lines.text(safe_line(str(patch.get("summary") or "")), "title")
            lines.text(f"{patch['patch_id']} · {day(str(patch['at']))} · {patch.get('generated_by', '')}", "muted")
            if patch.get("undone_by"):
                lines.text(f"undone by {patch['undone_by']}", "warn")
            lines.gap()
            receipts = {receipt["op_id"]: receipt for receipt in map(_plain, patch.get("receipts") or ())}
            for op in map(_plain, patch.get("ops") or ()):
                self._op(lines, op, receipts.get(op["op_id"]))
        text.update(lines.content())

    def _op(self, lines: Lines, op: dict[str, Any], receipt: dict[str, Any] | None) -> None:
        applied = receipt is not None and receipt.get("applied")
        about = (op.get("record") or {}).get("statement") or (op.get("updates") or {}).get("statement")
        about = about or self._statement(op) or op.get("target_id") or ""
        name = str(op["op"]).replace("_", " ")
        lines.text(
            lines.joined(("✓ " if applied else "- ", "good" if applied else "muted"), (f"{name}  ", "muted"),
                         (safe_line(str(about)), "text"))
        )  # fmt: skip
        if not applied and receipt is not None and receipt.get("reason") != "not_selected":
            lines.row("", f"not applied: {safe_line(str(receipt.get('detail') or receipt.get('reason')))}", "warn")

    def _statement(self, op: dict[str, Any]) -> str | None:
        state = self.curate.feed.state
        for ident in (op.get("target_id"), *(op.get("candidate_ids") or ())):
            versions = state.records.get(ident) or state.candidates.get(ident) if ident else None
            if versions is not None:
                return str(versions.data.get("statement") or "")
        return None

    def on_key(self, event: events.Key) -> None:
        """Undo with u; esc and q go back."""
        text = self.query_one(".page-text", VerticalScroll)
        if event.character == "u":
            self._undo()
        elif event.key == "escape" or event.character in {"q", "h"}:
            self.dismiss(None)
        elif event.key in {"pagedown", "pageup"}:
            (text.scroll_page_down if event.key == "pagedown" else text.scroll_page_up)(animate=False)
        elif event.character in {"j", "k"}:
            options = self.query_one(OptionList)
            (options.action_cursor_down if event.character == "j" else options.action_cursor_up)()
        else:
            return
        event.stop()
        event.prevent_default()

    def _undo(self) -> None:
        patch = self._current()
        if patch is None:
            return
        if patch.get("undone_by"):
            self._title(f"it is undone already, by {patch['undone_by']}", "warn")
            return

        def answered(yes: bool | None) -> None:
            if yes:
                self.run_worker(self._take_back(str(patch["patch_id"])), exclusive=True)

        detail = "What it changed goes back to what it was before; nothing is removed from the log."
        self.app.push_screen(
            Confirm(f"Undo “{safe_line(str(patch.get('summary') or patch['patch_id']))}”?", detail), answered
        )

    async def _take_back(self, patch_id: str) -> None:
        try:
            receipts = await self.curate.work(lambda feed: feed.undo(patch_id))
        except CurateError as fault:
            self._title(f"not undone: {fault}", "bad")
            return
        refused = [receipt for receipt in receipts if not receipt.applied]
        say = f"undone: {len(receipts) - len(refused)} of {len(receipts)}"
        if refused:
            say += f" · {refused[0].detail or refused[0].reason}"
        await self._load(say)
        await self.curate.look(force=True)

    def _title(self, text: str, ink: InkName) -> None:
        self.query_one("#page-title", Static).update(self._ink(text, ink))

    def _ink(self, text: str, ink: InkName) -> Content:
        return Content.styled(text, inks(self.app.theme)[ink])


def _plain(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else value.model_dump()
