"""The footer: the keys that make sense just now, the most likely first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from textual.content import Content

from curate.review.allowed import NEEDS_TARGET
from curate.tui.actions import ACTIONS, GROUPS, Action
from curate.tui.widgets.bars import Bar

if TYPE_CHECKING:
    from collections.abc import Sequence

    from curate.review.session import Session
    from curate.tui.keymap import Keymap

SIDED = 3
"""Place of accepting in the footer where there are two sides to choose from: behind keeping one of them."""

LEFT_OUT = {"help", "clear", "redo"}
"""Actions that no footer offers, or each at a place of its own."""


class ActionBar(Bar):
    """The keys that make sense here, the most likely first, each clickable."""

    def __init__(
        self, session: Session, keys: Keymap, *, groups: Sequence[str] = GROUPS, way_out: str = "", **options: Any
    ) -> None:
        super().__init__(session, **options)
        self.keys = keys
        self._groups = groups
        self._way_out = way_out

    def draw(self) -> Content:
        """As many as there is room for; `?`, or the way out, always."""
        help_ = self.ink(self._way_out, "muted") if self._way_out else self._entry("help", "all keys")
        room = self.size.width - help_.cell_length - 1
        out: list[Content] = [Content(" ")]
        used = 1
        for action in self.sensible():
            entry = self._entry(action.id, self.word(action))
            if used + entry.cell_length + 2 > room:
                break
            out += [entry, Content("  ")]
            used += entry.cell_length + 2
        out += [Content(" " * (self.size.width - used - help_.cell_length - 1)), help_]
        return Content.assemble(*out)

    def sensible(self) -> list[Action]:
        """Actions of the footer that do something now."""
        row = self.session.queue.current
        alone = row is not None and row.kind == "candidate" and not row.records
        found = [
            action
            for action in ACTIONS
            if (action.footer or len(self._groups) < len(GROUPS)) and action.id not in LEFT_OUT
            and action.group in self._groups and not (alone and action.id in NEEDS_TARGET)
            and action.why_not(self.session) is None
        ]  # fmt: skip
        sided = self.session.sides() is not None
        found.sort(key=lambda action: SIDED if sided and action.id == "accept" else action.footer or 99)
        return found

    def word(self, action: Action) -> str:
        """The action's name, with how many rows it would be done to when that is not plainly one."""
        session = self.session
        row = session.queue.current
        if action.id in {"accept", "reject", "later"}:
            count, unseen = session.subject_size(action.id)  # type: ignore[arg-type]
            if count > 1:
                return f"{action.name} {count}" + (f" ({unseen} hidden)" if unseen else "")
        if action.id == "mark" and row is not None and session.queue.tab == "noise":
            return "spare"
        if action.id == "preview":
            return f"preview {len(session.decided)}"
        if action.id == "pin" and row is not None and row.pinned:
            return "unpin"
        return action.name

    def _entry(self, action: str, word: str) -> Content:
        return Content.assemble(self.ink(self.keys.shown(action), "key", action), self.ink(f" {word}", "text", action))
