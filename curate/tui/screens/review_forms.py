"""Decisions of the review that need more than a key: words, a scope, a memory to aim at, a yes."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

from curate.review.allowed import why_not
from curate.review.card import card
from curate.review.choice import Verb
from curate.review.deciding import lacks_condition
from curate.review.naming import key_of
from curate.review.rows import Scoped
from curate.tui.dialogs.edit import Edit
from curate.tui.dialogs.identity import Identity
from curate.tui.dialogs.line import Line
from curate.tui.dialogs.pick import Offer, Pick
from curate.tui.screens.review_frame import ReviewFrame
from store.patch.policy import IDENTITY_WORD
from store.text import one_line

if TYPE_CHECKING:
    from collections.abc import Callable

    from curate.review.rows import Row

OFFERED = 2000
"""Memories that a list to choose from holds at most; the filter of the memory tab finds any."""


class Forms(ReviewFrame):
    """The part of the review screen that asks. Everything asked ends in one call to the session."""

    # Identity

    def do_accept(self) -> None:
        """As proposed."""
        row = self._row()
        if self.curate.session.queue.marked_size()[0]:
            self.outcome(self.curate.session.decide("accept"))
        else:
            self._settle("accept", row)

    def _settle(self, verb: Verb, row: Row, **told: Any) -> None:
        """Decide; of identity memory only after it is said what would make it false, and a word is typed."""
        session = self.curate.session
        aimed = told.get("target") or (row.records[0] if row.records and row.takes != "add" else "")
        aim = session.queue.rows.get(aimed)
        blocked = why_not(verb, row, records=session.has_records) or session.refusal(row.key)
        if blocked or not lacks_condition(verb, row, aim):
            self.outcome(session.decide(verb, **told))
            return

        def done(condition: str | None) -> None:
            if condition is not None and self._still(row):
                self.curate.confirmed.add(row.key)
                self.outcome(session.decide(verb, text=condition, **told))

        self.app.push_screen(Identity(one_line(told.get("statement") or row.statement), IDENTITY_WORD), done)

    # Words

    def do_edit(self) -> None:
        """Change the words, then accept; of a memory, change it."""
        row, session = self._row(), self.curate.session
        verb: Verb = "update" if row.kind == "record" else "accept"
        title = "Change the memory" if row.kind == "record" else "Edit, then accept"

        def done(text: str | None) -> None:
            if text is not None and self._still(row):
                self._settle(verb, row, statement=text)

        self.app.push_screen(Edit(title, session.statement(row), original=row.statement), done)

    # A memory to aim at

    def do_merge(self) -> None:
        """Into which memory?"""
        self._aim("merge", "Merge into which memory?")

    def do_supersede(self) -> None:
        """In place of which memory? A memory itself is replaced by other words."""
        row = self._row()
        if row.kind == "record":
            self.replace_memory(row)
            return
        self._aim("supersede", "Which memory does this take the place of?")

    def do_contest(self) -> None:
        """A memory is contested as it is; a candidate contests the memory it contradicts."""
        self.outcome(self.curate.session.decide("contest"))

    def do_exception(self) -> None:
        """An exception to which memory, in which words?"""
        row, session = self._row(), self.curate.session

        def worded(target: str) -> None:
            title = "In which case does it not hold?"
            start = row.statement if row.kind == "candidate" else ""

            def done(text: str | None) -> None:
                if text is not None and self._still(row):
                    self.outcome(session.decide("exception", target=target, text=text))

            self.app.push_screen(Edit(title, start), done)

        if row.kind == "record":
            worded(row.key)
        else:
            self._target("An exception to which memory?", row, worded)

    def _aim(self, verb: Verb, title: str) -> None:
        row = self._row()
        self._target(title, row, lambda target: self._settle(verb, row, target=target))

    def replace_memory(self, row: Row) -> None:
        """New words in the place of a memory, which ends today and is kept in the log."""

        def done(text: str | None) -> None:
            if text is None or not self._still(row):
                return
            if text == row.statement:
                self.tell("supersede: these are the same words", "warn")
                return
            self._settle("supersede", row, statement=text)

        self.app.push_screen(Edit("What holds in its place?", row.statement, original=row.statement), done)

    def _target(self, title: str, row: Row, then: Callable[[str], None]) -> None:
        """The one memory it was matched with, else the reader chooses, best match first."""
        if len(row.records) == 1:
            then(row.records[0])
            return

        def chosen(found: tuple[str, ...] | None) -> None:
            if found and self._still(row):
                then(found[0])

        self.app.push_screen(Pick(title, self._memories(row)), chosen)

    def _memories(self, row: Row) -> list[Offer]:
        rows = self.curate.session.queue.rows
        near = set(row.scoped.projects)
        found = [other for other in rows.values() if other.kind == "record" and other.status in {"active", "contested"}]
        found.sort(key=lambda other: near.isdisjoint(other.scoped.projects))
        first = [rows[ident] for ident in row.records if ident in rows]
        ordered = [*first, *(other for other in found if other not in first)]
        return [Offer(other.key, other.statement, other.scoped.in_words()) for other in ordered[:OFFERED]]

    # Scope

    def do_scope_global(self) -> None:
        """Everywhere."""
        self.outcome(self.curate.session.rescope(Scoped("global")))

    def do_scope_project(self) -> None:
        """The project it was said for; asks when that could not be told."""
        row = self._row()
        known = self.curate.session.scoped(row).projects or row.scoped.projects
        if known:
            self.outcome(self.curate.session.rescope(Scoped("project", known)))
        else:
            self._ask_projects(row)

    def do_scope_path(self) -> None:
        """Certain paths of the project; asks which unless they are known."""
        row, session = self._row(), self.curate.session
        now = session.scoped(row)
        projects = now.projects or row.scoped.projects
        if not projects:
            self.tell(f"path: name the project first ({key_of('scope_project')})", "warn")
            return
        if row.scoped.paths and now.reach != "path":
            self.outcome(session.rescope(Scoped("path", projects, row.scoped.paths)))
            return

        def done(text: str | None) -> None:
            if text and self._still(row):
                paths = tuple(dict.fromkeys(text.replace(",", " ").split()))
                self.outcome(session.rescope(Scoped("path", projects, paths)))

        hint = "globs, parted by spaces, as in  api/** docs/*.md"
        self.app.push_screen(Line("Only for which paths?", hint, " ".join(now.paths)), done)

    def do_scope_choose(self) -> None:
        """Any projects."""
        self._ask_projects(self._row())

    def _ask_projects(self, row: Row) -> None:
        session = self.curate.session
        offers = self._projects(row)
        if not offers:
            self.tell(f"no project is known yet: {key_of('scope_global')} makes it global", "warn")
            return
        several = row.kind == "candidate"

        def done(found: tuple[str, ...] | None) -> None:
            if found and self._still(row):
                self.outcome(session.rescope(Scoped("project", found)))

        ticked = session.scoped(row).projects if several else ()
        self.app.push_screen(Pick("For which project?", offers, several=several, ticked=ticked), done)

    def _projects(self, row: Row) -> list[Offer]:
        store = self.curate.feed.store
        known = list(store.state.projects.values()) if store is not None else []
        offers = [Offer(versions.id, str(versions.data.get("name") or versions.id), versions.id) for versions in known]
        named = {offer.id for offer in offers}
        return offers + [Offer(ident, ident) for ident in row.scoped.projects if ident not in named]

    # Outside

    def do_copy(self) -> None:
        """The statement, to the clipboard if there is a way."""
        from curate.tui.clipboard import copy

        self.tell(copy(self.curate, self.curate.session.statement(self._row())), "good")

    def do_transcript(self) -> None:
        """At the line of the first quote."""
        from curate.tui.transcript import show

        row = self._row()
        quotes = card(self.curate.feed.state, row, None).quotes if self.curate.feed.store is not None else ()
        with contextlib.suppress(StopIteration):
            quote = next(quote for quote in quotes if quote.path)
            self.tell(show(self.curate, quote.path, quote.line))
            return
        self.tell("transcript: no quote says where it was written down", "warn")
