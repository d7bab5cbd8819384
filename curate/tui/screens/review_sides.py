"""Decisions between two sides: keep one of them, or both where each holds for less."""

from __future__ import annotations

from typing import TYPE_CHECKING

from curate.review.naming import key_of
from curate.review.rows import Row, Scoped
from curate.review.versus import versus
from curate.tui.cells import day
from curate.tui.dialogs.line import Line
from curate.tui.dialogs.pick import Offer, Pick
from curate.tui.screens.review_forms import Forms

if TYPE_CHECKING:
    from collections.abc import Callable

    from curate.review.sides import Side

_AS_IT_IS, _PATHS = "as it is", "paths"


class SideForms(Forms):
    """The part of the review screen for contradictions and forks."""

    def do_keep_left(self) -> None:
        """What is known, or was said first."""
        self._keep("left")

    def do_keep_right(self) -> None:
        """What was said, or said later."""
        self._keep("right")

    def _keep(self, side: Side) -> None:
        session = self.curate.session
        sides = session.sides()
        row = self._row()
        if sides is not None and sides.kind == "known" and side == "right":
            self._settle("supersede", row, target=sides.left)
        else:
            self.outcome(session.keep(side))

    def do_resolve(self) -> None:
        """Which of two versions?"""
        row, session = self._row(), self.curate.session
        found = versus(self.curate.feed.state, row, session.queue.rows)
        sides = session.sides()
        if found is None or sides is None:
            self.tell("resolve: the two versions cannot be read", "warn")
            return
        halves = ((sides.left, found.left), (sides.right, found.right))
        offers = [
            Offer(key, f"{half.title}: {half.statement}", f"{day(half.last)} · {half.scoped.in_words()} · {half.by}")
            for key, half in halves
        ]

        def done(chosen: tuple[str, ...] | None) -> None:
            if chosen and self._still(row):
                self.outcome(session.decide("resolve", text=chosen[0]))

        self.app.push_screen(Pick("Which version holds?", offers), done)

    def do_both(self) -> None:
        """Both are true: where does each hold?"""
        session, row = self.curate.session, self._row()
        sides = session.sides()
        if sides is None or sides.kind == "fork":
            self.tell(
                f"both true: of two versions one holds; {key_of('keep_left')} or {key_of('keep_right')} keeps it",
                "warn",
            )
            return
        rows = session.queue.rows
        if sides.kind == "waiting":
            self._narrow(rows[sides.left], lambda left: self._narrow(
                rows[sides.right], lambda right: self._both_wait(sides.left, left, sides.right, right)))  # fmt: skip
            return
        known = rows[sides.left]

        def narrowed(new: Scoped) -> None:
            def done(old: Scoped) -> None:
                if new == old:
                    self.tell("both true: they would still contradict each other, one has to hold for less", "warn")
                elif self._still(row):
                    other = None if old == known.scoped else old
                    self._settle("both", row, target=known.key, scoped=new, other=other)

            self._narrow(known, done)

        self._narrow(row, narrowed)

    def _both_wait(self, first: str, left: Scoped, second: str, right: Scoped) -> None:
        if left == right:
            self.tell("both true: they would still contradict each other, one has to hold for less", "warn")
            return
        self.outcome(self.curate.session.keep_both({first: left, second: right}))

    def _narrow(self, row: Row, then: Callable[[Scoped], None]) -> None:
        """Where one side is to hold: as it is, one project, or certain paths of it."""
        scoped = self.curate.session.scoped(row)
        offers = [Offer(_AS_IT_IS, f"as it is: {scoped.in_words()}")] if scoped.reach != "unassigned" else []
        if scoped.projects:
            offers.append(Offer(_PATHS, f"certain paths of {Scoped('project', scoped.projects).in_words()} …"))
        offers += [
            Offer(offer.id, f"only {offer.text}", offer.beside)
            for offer in self._projects(row)
            if scoped.reach != "project" or scoped.projects != (offer.id,)
        ]
        if scoped.reach != "global":
            offers.append(Offer("global", "everywhere"))

        def chosen(found: tuple[str, ...] | None) -> None:
            if not found:
                return
            if found[0] == _AS_IT_IS:
                then(scoped)
            elif found[0] == _PATHS:
                self._paths(scoped, then)
            else:
                then(Scoped("global") if found[0] == "global" else Scoped("project", found))

        self.app.push_screen(Pick(f"Where does this hold?  {row.statement}", offers), chosen)

    def _paths(self, scoped: Scoped, then: Callable[[Scoped], None]) -> None:
        def done(text: str | None) -> None:
            if text:
                paths = tuple(dict.fromkeys(text.replace(",", " ").split()))
                then(Scoped("path", scoped.projects, paths))

        hint = "globs, parted by spaces, as in  api/** docs/*.md"
        self.app.push_screen(Line("Only for which paths?", hint, " ".join(scoped.paths)), done)
