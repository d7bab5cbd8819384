"""The keys that settle a dispute: each asks what it has to, and leads to the preview of a patch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from curate.review.assemble import scoped_of
from curate.review.audit_page import page
from curate.review.settling import Wanted, day_to_come, settling
from curate.tui.clipboard import copy
from curate.tui.dialogs.line import Line
from curate.tui.dialogs.pick import Offer, Pick
from curate.tui.screens.carry import CarryScreen
from curate.tui.screens.review_forms import OFFERED
from curate.tui.screens.tabbed import Tabbed
from curate.tui.widgets.key_bar import PageKey
from store.errors import CurateError
from store.ids import new_id, now
from store.log.fold import status

if TYPE_CHECKING:
    from collections.abc import Callable

    from curate.review.audit import Audit, Claim


class Ways(Tabbed[None]):
    """The part of the page of disputes that settles them."""

    @property
    def audit(self) -> Audit | None:
        """All about the dispute under the cursor; the page says which."""
        raise NotImplementedError

    def settled(self, say: str) -> None:
        """A patch was written; the page looks again."""
        raise NotImplementedError

    # Keys

    def keys(self) -> list[PageKey]:
        """Those that do something now."""
        found = self.audit
        if found is None:
            return [self.scrolling()]
        fork, rivals = self._fork(found), self._rivals(found)
        if fork:
            out = [PageKey(lambda: self._keep_version(0), "keep version A", "keep_left"),
                   PageKey(lambda: self._keep_version(1), "keep version B", "keep_right")]  # fmt: skip
        else:
            out = []
            if rivals or self._contested(found):
                out.append(PageKey(self._keep, "keep it", "keep_left"))
            if rivals:
                out += [PageKey(self._supersede, "keep the other", "keep_right"),
                        PageKey(self._narrow, "both true", "both")]  # fmt: skip
            else:
                out += [PageKey(self._replace, "another holds", "supersede"),
                        PageKey(self._narrow_it, "only when…", "both")]  # fmt: skip
            out += [PageKey(self._exception, "exception", "exception"),
                    PageKey(self._until, "contested until…", "contest")]  # fmt: skip
        copy_it = PageKey(self._copy, "copy it as a page", "copy")
        return [*out, *self.turns(), copy_it, self.scrolling()]

    def _copy(self) -> None:
        """As Markdown, for a colleague who has neither the store nor the tool."""
        if self.audit is not None:
            self.headline(f"as Markdown: {copy(self.curate, page(self.audit, self.moment))}", "muted")

    @staticmethod
    def _fork(found: Audit) -> bool:
        return found.case is not None and found.case.kind == "fork"

    @staticmethod
    def _contested(found: Audit) -> bool:
        return found.claims[0].standing == "contested"

    @staticmethod
    def _rivals(found: Audit) -> list[Claim]:
        """Memories on the other side; what waits in the inbox is decided on there."""
        return [claim for claim in found.claims[1:] if claim.kind == "record"]

    def _settle(self, wanted: Wanted) -> None:
        ident = self.current or ""
        try:
            patch = settling(self.curate.feed.state, ident, wanted, patch_id=new_id("pat"), at=now())
        except CurateError as fault:
            self.headline(str(fault), "warn")
            return

        def done(written: str | None) -> None:
            if written is not None:
                self.settled(f"settled as {written}; {self.curate.keys.named('history')} undoes it")

        self.app.push_screen(CarryScreen(patch, [op.op_id for op in patch.ops]), done)

    def _which(self, title: str, then: Callable[[Claim], None]) -> None:
        """The other side: asked only when there are several."""
        rivals = self._rivals(self.audit) if self.audit is not None else []
        if len(rivals) == 1:
            then(rivals[0])
        elif rivals:
            by_key = {claim.key: claim for claim in rivals}
            offers = [Offer(claim.key, claim.statement, claim.why) for claim in rivals]

            def done(found: tuple[str, ...] | None) -> None:
                if found:
                    then(by_key[found[0]])

            self.app.push_screen(Pick(title, offers), done)

    def _ask(self, title: str, hint: str, then: Callable[[str], None]) -> None:
        def done(text: str | None) -> None:
            if text:
                then(text)

        self.app.push_screen(Line(title, hint), done)

    def _keep_version(self, number: int) -> None:
        found = self.audit
        versions = [claim for claim in found.claims if claim.kind == "version"] if found is not None else []
        if number < len(versions):
            self._settle(Wanted(keep=True, version=versions[number].key))

    def _keep(self) -> None:
        rivals = self._rivals(self.audit) if self.audit is not None else []
        self._settle(Wanted(keep=True, over=tuple(claim.key for claim in rivals)))

    def _supersede(self) -> None:
        self._which("Which takes its place?", lambda claim: self._settle(Wanted(supersede=claim.key)))

    def _narrow(self) -> None:
        def both(claim: Claim) -> None:
            first = self.audit.claims[0].statement if self.audit is not None else ""
            hint = "a case, such as: in the web client"
            self._ask(
                f"When does this hold?  {first}", hint,
                lambda when: self._ask(
                    f"And when does this?  {claim.statement}", hint,
                    lambda other: self._settle(Wanted(narrow=when, beside=claim.key, beside_when=other)),
                ),
            )  # fmt: skip

        self._which("Which is true as well?", both)

    def _replace(self) -> None:
        """By any memory: nobody knows yet which one contradicts it."""
        offers = [
            Offer(one.id, str(one.data["statement"]), scoped_of(one.data.get("scope") or {}, ()).in_words())
            for one in self.curate.feed.state.live_records()
            if one.id != self.current and status(one) == "active"
        ]

        def done(found: tuple[str, ...] | None) -> None:
            if found:
                self._settle(Wanted(supersede=found[0]))

        self.app.push_screen(Pick("Which memory takes its place?", offers[:OFFERED]), done)

    def _narrow_it(self) -> None:
        hint = "a case, such as: in the web client"
        self._ask("When does it hold?", hint, lambda text: self._settle(Wanted(narrow=text)))

    def _exception(self) -> None:
        hint = "a case in which it does not hold"
        self._ask("Keep it, except when?", hint, lambda text: self._settle(Wanted(exception=text)))

    def _until(self) -> None:
        def reason(day: str) -> None:
            try:
                until = day_to_come(day, self.moment)
            except CurateError as fault:
                self.headline(str(fault), "warn")
                return
            self._ask("Why?", "what has to be found out", lambda why: self._settle(Wanted(until=until, because=why)))

        self._ask("Contested until when?", "a day (2026-12-24), or a number of days (30d)", reason)
