"""Decisions on a memory that is already there, beyond a single key, and the way back to the last decisions."""

from __future__ import annotations

from curate.tui.cells import day
from curate.tui.dialogs.confirm import Confirm
from curate.tui.dialogs.pick import Offer, Pick
from curate.tui.screens.review_forms import Forms
from curate.tui.widgets.queue_line import DONE
from store.text import one_line, shorten

STABILITY = (
    ("low", "low: it may change any week"), ("semi-stable", "semi-stable: it holds for months"),
    ("stable", "stable: it hardly ever changes"),
)  # fmt: skip
LAST = 60
"""Decisions that the way back lists."""


class UpkeepForms(Forms):
    """The part of the review screen for memories."""

    def do_delete(self) -> None:
        """Asks first: it cannot come back by being said again."""
        row, session, keys = self._row(), self.curate.session, self.curate.keys.named

        def answered(yes: bool | None) -> None:
            if yes and self._still(row):
                self.outcome(session.decide("delete"))

        detail = (
            f"{shorten(one_line(row.statement), 200)}\n\nIt is deleted when the decisions are written "
            f"({keys('preview')}, {keys('write')}), and cannot come back by being said again. Its words stay in the "
            f"log; {keys('purge')} removes them from there, too."
        )
        self.app.push_screen(Confirm("Delete this memory for good?", detail), answered)

    def do_purge(self) -> None:
        """Shows what would be rewritten, and asks for a word."""
        from curate.tui.dialogs.purge import PurgeDialog

        def done(patch: str | None) -> None:
            self.tell(f"purged as {patch}" if patch else "", "good")
            self.renew()

        self.app.push_screen(PurgeDialog(self._row()), done)

    def do_pin(self) -> None:
        """Pin, or unpin."""
        self.outcome(self.curate.session.decide("unpin" if self._row().pinned else "pin"))

    def do_stability(self) -> None:
        """How soon is it expected to change?"""
        row, session = self._row(), self.curate.session

        def done(found: tuple[str, ...] | None) -> None:
            if found and self._still(row):
                self.outcome(session.decide("stability", text=found[0]))

        offers = [Offer(name, text) for name, text in STABILITY]
        self.app.push_screen(Pick("How stable is it?", offers), done)

    def do_restore(self) -> None:
        """To which earlier version?"""
        row, session = self._row(), self.curate.session
        versions = self.curate.feed.state.records.get(row.key)
        earlier = [each for each in versions.revisions if each.hash != versions.head.hash] if versions else []
        if not earlier:
            self.tell("go back: it has one version only", "warn")
            return
        offers = [
            Offer(
                each.hash,
                f"{day(each.at)}  {each.data.get('statement', '')}",
                f"{each.op.replace('_', ' ')}, {each.data.get('status', 'active')}",
            )
            for each in reversed(earlier)
        ]

        def done(found: tuple[str, ...] | None) -> None:
            if found and self._still(row):
                self.outcome(session.decide("restore", text=found[0]))

        self.app.push_screen(Pick("Go back to which version?", offers), done)

    def do_strip(self) -> None:
        """The last decisions, newest first; Enter goes to one."""
        session = self.curate.session
        offers = []
        for key, choice in session.strip(LAST):
            assert choice.verb is not None, "the strip holds decisions only"
            text = choice.statement or session.queue.rows[key].statement
            offers.append(Offer(key, f"{DONE[choice.verb][0]} {text}", choice.words()))
        if not offers:
            self.tell("last decisions: nothing is decided yet", "warn")
            return

        def done(found: tuple[str, ...] | None) -> None:
            if found:
                if not session.queue.go_to(found[0]):
                    self.tell("it is no longer there", "warn")
                self.renew()

        self.app.push_screen(Pick("Go back to which decision?", offers), done)
