"""The two steps of a promotion and the link to a note, each after a question, each written away from the screen."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from curate.tui.cells import safe_line
from curate.tui.dialogs.confirm import Confirm
from curate.tui.dialogs.pick import Offer, Pick
from curate.tui.screens.tabbed import Tabbed
from curate.tui.transcript import below_home
from curate.vault.promote import REPORTS
from curate.vault.steps import Promoted, link, promote
from store.errors import CurateError

if TYPE_CHECKING:
    from curate.tui.theme import InkName
    from curate.vault.folder import Vault
    from curate.vault.promote import Case
    from curate.vault.survey import Standing


class Steps(Tabbed[None]):
    """The part of the page of the vault that writes."""

    folder: Vault | None

    @property
    def record(self) -> Standing | None:
        """The record under the cursor; the page says which."""
        raise NotImplementedError

    @property
    def case(self) -> Case | None:
        """Its case, once it is judged."""
        raise NotImplementedError

    async def look_again(self, say: str, ink: InkName) -> None:
        """Something was written: the page reads anew."""
        raise NotImplementedError

    def _ask_dossier(self) -> None:
        one = self.record
        if one is None:
            return
        detail = (
            f"{safe_line(one.statement)}\n\nMarks the memory as one for the vault (a patch, which can be undone) and "
            f"writes the dossier below {REPORTS}/ in the store. Nothing is written into the vault."
        )
        self.app.push_screen(Confirm("Write the dossier?", detail), partial(self._answered, one.id, write=False))

    def _ask_note(self) -> None:
        one, made, folder = self.record, self.case, self.folder
        if one is None or folder is None:
            return
        if made is None:
            self.headline("one moment: it is being judged", "warn")
            return
        unmet = "; ".join(each.why for each in made.criteria if not each.met)
        warns = f"\n\nNot every condition is met: {safe_line(unmet)}." if unmet else ""
        detail = (
            f"{safe_line(one.statement)}\n\nWrites {safe_line(folder.staging_name())}/{safe_line(made.name)}.md into "
            f"{safe_line(below_home(str(folder.root)))}, and no other file of the vault. A note that is there already "
            f"is never written over; of one that was made before only our own block changes.{warns}"
        )
        self.app.push_screen(
            Confirm("Write the note into the staging folder?", detail), partial(self._answered, one.id, write=True)
        )

    def _answered(self, ident: str, yes: bool | None, *, write: bool) -> None:
        if yes:
            self.headline("writing…", "muted")
            self.run_worker(self._promote(ident, write=write), exclusive=True)

    async def _promote(self, ident: str, *, write: bool) -> None:
        folder, at = self.folder, self.moment
        try:
            done = await self.curate.work(
                lambda feed: feed.change(lambda store: promote(store, ident, folder, at, write=write))
            )
        except CurateError as fault:
            self.headline(f"nothing was written: {fault}", "bad")
            return
        refused = done.refused
        if refused is not None:
            line = f", line {refused.line}" if refused.line else ""
            say = f"left alone: {refused.path}{line}: {refused.why}; mend it and try again"
        else:
            say = _placed(done)
        await self.look_again(safe_line(say), "warn" if refused is not None else "good")
        await self.curate.look(force=True)

    def _ask_link(self) -> None:
        one, made = self.record, self.case
        if one is None:
            return
        offers = [Offer(one.note, one.note, "moved there since")] if one.kind == "lost" and one.note else []
        offers += [Offer(each.page.path, each.page.path, each.why) for each in made.near] if made is not None else []

        def done(found: tuple[str, ...] | None) -> None:
            if found:
                self.run_worker(self._link(one.id, found[0]), exclusive=True)

        self.app.push_screen(Pick("Which note says the same? The memory refers to it from then on.", offers), done)

    async def _link(self, ident: str, note: str) -> None:
        try:
            patch = await self.curate.work(lambda feed: feed.change(lambda store: link(store, ident, note)))
        except CurateError as fault:
            self.headline(f"nothing was written: {fault}", "bad")
            return
        self.view = ""
        say = f"it refers to {note}" + (f" · written as {patch}" if patch else " already")
        await self.look_again(safe_line(say), "good")
        await self.curate.look(force=True)


def _placed(done: Promoted) -> str:
    places = (("note", done.note), ("dossier", done.report))
    told = (f"{what} {one.path} ({one.outcome.replace('_', ' ')})" for what, one in places if one is not None)
    return " · ".join(told)
