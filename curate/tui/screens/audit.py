"""What is in dispute: the claims side by side, what was said, who was told meanwhile, what is open, and the keys that
settle it. Each of them leads to the preview of a patch, as every decision does.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, ClassVar

from curate.review.contested import Case
from curate.review.remembered import cases_in
from curate.review.rows import short_project
from curate.tui.cells import safe_line
from curate.tui.screens.audit_ways import Ways
from curate.tui.widgets.audit_text import write_case, write_claims, write_open, write_said, write_told
from curate.upkeep.disputed import audited
from store.errors import CurateError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from textual.content import Content

    from curate.review.audit import Audit
    from curate.tui.widgets.card_text import Lines

REST = 0.03
"""Seconds that the cursor rests on a dispute before it is gone into."""
WRITE = {"claims": write_claims, "said": write_said, "told": write_told, "open": write_open}
KINDS = {
    "overdue": "To be looked at again by now", "fork": "Two versions", "contested": "Contested",
    "dead elsewhere": "Deleted elsewhere, holding here", "conflict": "Contradictions",
}  # fmt: skip


class AuditScreen(Ways):
    """Left the disputes, right one of them."""

    HEADING = "Disputes"
    OPENED_BY = "audit"
    VIEWS: ClassVar[tuple[tuple[str, str], ...]] = (
        ("claims", "Claims"), ("said", "Said"), ("told", "Told"), ("open", "Open"),
    )  # fmt: skip

    def __init__(self) -> None:
        super().__init__()
        self.cases: dict[str, Case] = {}
        self._audits: dict[str, Audit | str] = {}
        self._looking = ""

    def begin(self) -> None:
        """Disputes are looked for away from the screen: every memory is held against the others."""
        self.headline("looking for what contradicts what…", "muted")
        self.run_worker(self._load(), exclusive=True)

    async def _load(self, say: str = "") -> None:
        try:
            at = self.moment
            found = await self.curate.work(lambda feed: feed.change(lambda store: cases_in(store, at)))
        except CurateError as fault:
            self.headline(str(fault), "bad")
            return
        self.cases = {case.id: case for case in found}
        self._audits.clear()
        self._looking = ""
        self.fill(self._entries())
        late = sum(case.overdue for case in found)
        told = f"Disputes: {len(found)}" + (f", {late} to be looked at again by now" if late else "")
        self.headline(say or (told if found else "Disputes: nothing is in dispute"), "good" if say else "title")

    def settled(self, say: str) -> None:
        """Look again."""
        self.run_worker(self._load(say), exclusive=True)

    # What is shown

    def _entries(self) -> Iterator[tuple[Content, str | None]]:
        for kind, title in KINDS.items():
            found = [case for case in self.cases.values() if (case.overdue and "overdue" or case.kind) == kind]
            if found:
                yield self.entry((f" {title}", "title"), (f"  {len(found)}", "muted")), None
            for case in found:
                sign = "! " if case.overdue else "≠ "
                where = short_project(str(case.scope.get("project") or "")) or str(case.scope.get("type") or "")
                yield (
                    self.entry(
                        (f"   {sign}", "warn"), (f"{safe_line(where)}  ", "scope"), (safe_line(case.statement), "text")
                    ),
                    case.id,
                )

    @property
    def audit(self) -> Audit | None:
        """All about the dispute under the cursor, once it was gone into."""
        found = self._audits.get(self.current or "")
        return None if isinstance(found, str) else found

    def views(self) -> Sequence[tuple[str, str]]:
        """Of a dispute, with how much there is in each."""
        found = self.audit
        if found is None:
            return self.VIEWS if self.cases else ()
        said = sum(len(claim.for_) + len(claim.against) for claim in found.claims)
        return (("claims", f"Claims {len(found.claims)}"), ("said", f"Said {said}"),
                ("told", f"Told {len(found.told)}"), ("open", f"Open {len(found.questions)}"))  # fmt: skip

    def write_text(self, lines: Lines) -> None:
        """The dispute under the cursor."""
        ident = self.current
        if ident is None:
            if not self.cases:
                lines.text("Nothing is in dispute.", "title")
                told = "Memories that are contested, have two versions or contradict each other stand here."
                lines.text(told, "muted")
            return
        write_case(lines, self.cases[ident])
        found = self._audits.get(ident)
        if found is None:
            lines.text("reading…", "muted")
            if self._looking != ident:
                self._looking = ident
                self.run_worker(self._go_into(ident))
        elif isinstance(found, str):
            lines.text(f"! {safe_line(found)}", "warn")
        else:
            WRITE[self.shown](lines, found)

    async def _go_into(self, ident: str) -> None:
        at = self.moment
        await asyncio.sleep(REST)
        if self.current == ident:
            try:
                self._audits[ident] = await self.curate.work(
                    lambda feed: feed.change(lambda store: audited(store, ident, at))
                )
            except CurateError as fault:
                self._audits[ident] = str(fault)
        self._looking = ""
        self.show_text()
        self.show_keys()
