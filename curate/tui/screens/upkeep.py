"""Upkeep: what has aged, repeats, was told and corrected all the same, or is ripe, by kind, each with the op that would
answer it. Nothing is done but what is chosen, and that through the preview of a patch.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from curate.review.assemble import scoped_of
from curate.tui.cells import safe_line
from curate.tui.screens.carry import CarryScreen
from curate.tui.screens.tabbed import Tabbed
from curate.tui.widgets.audit_text import write_pieces
from curate.tui.widgets.key_bar import PageKey
from curate.upkeep.finding import TITLES
from curate.upkeep.maintain import Upkeep, maintain
from curate.upkeep.turns import sent
from store.errors import CurateError
from store.log.fold import status

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from textual.content import Content

    from curate.tui.widgets.card_text import Lines
    from curate.upkeep.finding import Finding
    from store.model import Op
    from store.store import Store

RECORDS_SHOWN = 12
"""Records of one finding that are shown in full."""


class UpkeepScreen(Tabbed[None]):
    """Left the findings by kind, right one of them."""

    HEADING = "Upkeep"
    OPENED_BY = "upkeep"
    VIEWS: ClassVar[tuple[tuple[str, str], ...]] = (("finding", "Finding"), ("said", "Said"))

    def __init__(self) -> None:
        super().__init__()
        self.found: Upkeep | None = None
        self.chosen: set[str] = set()
        """Ops that the preview takes up: those that upkeep preselects, until the reader marks otherwise."""
        self._ops: dict[str, Op] = {}
        self._findings: dict[str, tuple[Finding, str | None]] = {}

    def begin(self) -> None:
        """Every memory is looked at, away from the screen."""
        self.headline("looking at every memory and at the turns of the journal…", "muted")
        self.run_worker(self._load(), exclusive=True)

    async def _load(self, say: str = "") -> None:
        at = self.moment

        def look(store: Store) -> Upkeep:
            return maintain(store.state, sent(store.root), at=at)

        try:
            found = await self.curate.work(lambda feed: feed.change(look))
        except CurateError as fault:
            self.headline(str(fault), "bad")
            return
        self.found = found
        self._ops = {op.op_id: op for op in found.patch.ops}
        self.chosen = {op.op_id for op in found.patch.ops if op.default_selected}
        self._findings = {
            str(number): pair for number, pair in enumerate(zip(found.findings, found.op_ids, strict=True))
        }
        self._list()
        self.headline(say or self._summary(), "good" if say else "title")

    def _summary(self) -> str:
        if self.found is None or not self.found.findings:
            return "Upkeep: nothing to do"
        count, ops = len(self.found.findings), len(self._ops)
        return f"Upkeep: {count} finding{'s' if count != 1 else ''}, {len(self.chosen)} of {ops} ops chosen"

    # What is shown

    def _list(self) -> None:
        self.fill(self._entries())

    def _entries(self) -> Iterator[tuple[Content, str | None]]:
        for kind, title in TITLES.items():
            own = [(ident, one, op) for ident, (one, op) in self._findings.items() if one.kind == kind]
            if own:
                yield self.entry((f" {title}", "title"), (f"  {len(own)}", "muted")), None
            for ident, one, op in own:
                box = "[x] " if op in self.chosen else "[ ] " if op is not None else " ·  "
                name = f"{self._ops[op].op.replace('_', ' ')}  " if op is not None else ""
                yield self.entry(
                    (f"  {box}", "mark" if op in self.chosen else "muted"), (name, "scope"),
                    (safe_line(one.statement), "text"),
                ), ident  # fmt: skip

    @property
    def finding(self) -> Finding | None:
        """What was found, under the cursor."""
        pair = self._findings.get(self.current or "")
        return pair[0] if pair else None

    @property
    def op(self) -> Op | None:
        """The op that would answer it."""
        pair = self._findings.get(self.current or "")
        return self._ops.get(pair[1] or "") if pair else None

    def views(self) -> Sequence[tuple[str, str]]:
        """Of a finding."""
        return self.VIEWS if self.finding is not None else ()

    def write_text(self, lines: Lines) -> None:
        """The finding under the cursor."""
        one = self.finding
        if one is None:
            if self.found is not None:
                lines.text("Nothing to do.", "title")
                lines.text("What ages, repeats, is never used or is ripe for more is shown here.", "muted")
            return
        lines.text(safe_line(one.statement), "title")
        lines.text(TITLES[one.kind], "warn")
        lines.text(safe_line(one.why))
        if self.shown == "said":
            self._write_said(lines, one)
            return
        lines.gap()
        self._write_op(lines)
        for ident in one.record_ids[:RECORDS_SHOWN]:
            self._write_record(lines, ident)
        left = len(one.record_ids) - RECORDS_SHOWN
        if left > 0:
            lines.text(f"and {left} more", "muted")

    def _write_op(self, lines: Lines) -> None:
        op = self.op
        if op is None:
            lines.text("Nothing is proposed: it is told so that you know.", "muted")
            lines.gap()
            return
        mark = self.curate.keys.named("mark")
        state = "chosen" if op.op_id in self.chosen else "not chosen"
        lines.row("would", f"{op.op.replace('_', ' ')}, {op.risk or 'low'} risk: {state}, {mark} changes that", "good")
        for name, value in (op.updates or {}).items():
            lines.row("", f"{name.replace('_', ' ')}: {safe_line(str(value))}", "muted", limit=2)
        if op.rationale:
            lines.row("rule", safe_line(str(op.rationale)), "muted", limit=3)
        lines.gap()

    def _write_record(self, lines: Lines, ident: str) -> None:
        versions = self.curate.feed.state.records.get(ident)
        if versions is None:
            return
        data = versions.data
        lines.row("memory", safe_line(str(data.get("statement") or "")))
        review = data.get("review") or {}
        facts = [
            scoped_of(data.get("scope") or {}, ()).in_words(), status(versions),
            f"confidence {float(data.get('confidence') or 0):.2f}", str(data.get("stability") or ""),
            f"since {str(data.get('created_at') or '')[:10]}",
        ]  # fmt: skip
        if review.get("next_review"):
            facts.append(f"review {str(review['next_review'])[:10]}")
        lines.row("", safe_line(" · ".join(filter(None, facts))), "muted")
        lines.row("", safe_line(ident), "faint")

    def _write_said(self, lines: Lines, one: Finding) -> None:
        state = self.curate.feed.state
        for ident in one.record_ids[:RECORDS_SHOWN]:
            versions = state.records.get(ident)
            if versions is not None:
                pieces = state.spoken(versions.data)
                against = [piece for piece in pieces if piece.get("polarity") == "against"]
                lines.gap()
                rest = [piece for piece in pieces if piece not in against]
                write_pieces(lines, str(versions.data.get("statement") or ""), rest, against)

    # Keys

    def keys(self) -> list[PageKey]:
        """Those that do something now."""
        out: list[PageKey] = []
        if self.op is not None:
            out.append(PageKey(self._mark, "choose it or not", "mark"))
        if self.chosen:
            out.append(PageKey(self._preview, f"preview {len(self.chosen)}", "preview"))
        if len(self.chosen) < len(self._ops):
            out.append(PageKey(self._all_of_kind, "all of this kind", "mark_all"))
        if self.chosen:
            out.append(PageKey(self._none, "none", "unmark"))
        return [*out, *self.turns(), self.scrolling()]

    def _chose(self) -> None:
        self._list()
        self.headline(self._summary())

    def _mark(self) -> None:
        op = self.op
        if op is not None:
            self.chosen ^= {op.op_id}
            self._chose()
            self.options.action_cursor_down()

    def _all_of_kind(self) -> None:
        """Never more than the kind under the cursor: what is chosen at once has been looked at together."""
        here = self.finding
        self.chosen |= {op for one, op in self._findings.values() if op and here is not None and one.kind == here.kind}
        self._chose()

    def _none(self) -> None:
        self.chosen.clear()
        self._chose()

    def _preview(self) -> None:
        if self.found is None:
            return
        select = [op.op_id for op in self.found.patch.ops if op.op_id in self.chosen]

        def done(written: str | None) -> None:
            if written is not None:
                say = f"written as {written}; {self.curate.keys.named('history')} undoes it"
                self.run_worker(self._load(say), exclusive=True)

        self.app.push_screen(CarryScreen(self.found.patch, select), done)
