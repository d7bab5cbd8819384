"""What was written, newest first, each patch with its ops; any of them can be taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from textual.content import Content
from textual.widgets.option_list import Option

from curate.tui.cells import day, safe_line
from curate.tui.dialogs.confirm import Confirm
from curate.tui.screens.page import Page
from curate.tui.widgets.key_bar import PageKey
from store.errors import CurateError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from curate.tui.widgets.card_text import Lines


class HistoryScreen(Page[None]):
    """Left the patches, right the ops of one."""

    HEADING = "History"
    OPENED_BY = "history"

    def __init__(self) -> None:
        super().__init__()
        self.patches: list[dict[str, Any]] = []

    def begin(self) -> None:
        """Read away from the screen."""
        self.run_worker(self._load(), exclusive=True)

    def keys(self) -> Sequence[PageKey]:
        """Undo; the key that opened the page closes it, too."""
        if not self.patches:
            return ()
        return (PageKey(self._undo, "undo this patch", "undo"), PageKey(self._scroll, "scroll", "page_down"))

    def _scroll(self) -> None:
        self.pane.scroll_page_down(animate=False)

    async def _load(self, say: str = "") -> None:
        try:
            self.patches = list(await self.curate.work(lambda feed: feed.history()))
        except CurateError as fault:
            self.headline(str(fault), "bad")
            return
        self.options.clear_options()
        self.options.add_options([Option(self._entry(patch)) for patch in self.patches])
        if self.patches:
            self.options.highlighted = 0
        count = len(self.patches)
        empty = "History: nothing has been written yet"
        self.headline(say or (f"History: {count} patch{'es' if count != 1 else ''}" if count else empty))
        self.show_text()
        self.show_keys()

    def _entry(self, patch: dict[str, Any]) -> Content:
        undone = bool(patch.get("undone_by"))
        words = safe_line(str(patch.get("summary") or patch["patch_id"]))
        return Content.assemble(
            self.ink(f" {day(str(patch['at']))}  ", "muted"),
            self.ink("undone  " if undone else "", "warn"),
            self.ink(words, "faint" if undone else "text"),
        )

    def _current(self) -> dict[str, Any] | None:
        at = self.options.highlighted
        return self.patches[at] if at is not None and at < len(self.patches) else None

    def write_text(self, lines: Lines) -> None:
        """The ops of the patch under the cursor."""
        patch = self._current()
        if patch is None:
            return
        lines.text(safe_line(str(patch.get("summary") or "")), "title")
        lines.text(f"{patch['patch_id']} · {day(str(patch['at']))} · {patch.get('generated_by', '')}", "muted")
        if patch.get("undone_by"):
            lines.text(f"undone by {patch['undone_by']}", "warn")
        lines.gap()
        receipts = {receipt["op_id"]: receipt for receipt in map(_plain, patch.get("receipts") or ())}
        for op in map(_plain, patch.get("ops") or ()):
            self._op(lines, op, receipts.get(op["op_id"]))

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

    def _undo(self) -> None:
        patch = self._current()
        if patch is None:
            return
        if patch.get("undone_by"):
            self.headline(f"it is undone already, by {patch['undone_by']}", "warn")
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
            self.headline(f"not undone: {fault}", "bad")
            return
        refused = [receipt for receipt in receipts if not receipt.applied]
        say = f"undone: {len(receipts) - len(refused)} of {len(receipts)}"
        if refused:
            say += f" · {refused[0].detail or refused[0].reason}"
        await self._load(say)
        await self.curate.look(force=True)


def _plain(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else value.model_dump()
