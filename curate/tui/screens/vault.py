"""The vault: what is ripe for it, whose note is lost, which notes cannot be read; the conditions of each with what
shows them, the notes near it, the dossier, and the two steps that write it.
"""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from curate.tui.cells import safe_line
from curate.tui.screens.vault_steps import Steps
from curate.tui.transcript import below_home, show
from curate.tui.widgets.key_bar import PageKey
from curate.tui.widgets.vault_text import write_broken, write_conditions, write_dossier, write_near, write_standing
from curate.vault.folder import NoVault, Vault
from curate.vault.promote import Case, case
from curate.vault.survey import Kind, Standing, Survey, survey
from store.errors import CurateError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from textual.content import Content

    from curate.review.feed import Feed
    from curate.tui.theme import InkName
    from curate.tui.widgets.card_text import Lines

SECTIONS: tuple[tuple[Kind, str, str, InkName], ...] = (
    ("lost", "References that lead nowhere", "×", "bad"), ("ripe", "Ripe", "✓", "good"),
    ("marked", "Marked for the vault", "+", "key"), ("nearly", "Seen in several projects, not ripe yet", "·", "muted"),
    ("linked", "In the vault", "→", "good"),
)  # fmt: skip
BROKEN = "broken "
REST = 0.03
"""Seconds that the cursor rests on a record before it is judged."""


class VaultScreen(Steps):
    """Left the records by how they stand to the vault, right one of them."""

    HEADING = "Vault"
    OPENED_BY = "pages"
    VIEWS: ClassVar[tuple[tuple[str, str], ...]] = (("conditions", "Conditions"), ("near", "Near it"),
                                                    ("dossier", "Dossier"))  # fmt: skip

    def __init__(self) -> None:
        super().__init__()
        self.folder: Vault | None = None
        self.survey = Survey(())
        self._why_none = ""
        self._cases: dict[str, Case | str] = {}
        self._judging = ""
        self._records: dict[str, Standing] = {}

    def begin(self) -> None:
        """The vault and the memory are read away from the screen."""
        self.headline("reading the vault, and looking for what is ripe…", "muted")
        self.run_worker(self._load(), exclusive=True)

    async def _load(self, say: str = "", ink: InkName = "title") -> None:
        at = self.moment
        try:
            self.folder, self.survey, self._why_none = await self.curate.work(partial(_looked, at=at))
        except CurateError as fault:
            self.headline(str(fault), "bad")
            return
        self._cases.clear()
        self._judging = ""
        self._records = {one.id: one for one in self.survey.records}
        self.fill(self._entries())
        self.headline(say or self._summary(), ink)

    async def look_again(self, say: str, ink: InkName) -> None:
        """Something was written."""
        await self._load(say, ink)

    def _summary(self) -> str:
        ripe, lost = len(self.survey.of("ripe")), len(self.survey.of("lost"))
        told = f"Vault: {ripe} ripe"
        told += f", {lost} lost" if lost else ""
        told += f", {len(self.survey.broken)} unreadable" if self.survey.broken else ""
        if self.folder is None:
            return f"{told}; {self._why_none}"
        return f"{told}; {self.survey.notes} notes in {safe_line(below_home(str(self.folder.root)))}"

    # What is shown

    def _entries(self) -> Iterator[tuple[Content, str | None]]:
        for kind, title, sign, ink in SECTIONS:
            found = self.survey.of(kind)
            if found:
                yield self.entry((f" {title}", "title"), (f"  {len(found)}", "muted")), None
            for one in found:
                yield self.entry((f"   {sign} ", ink), (safe_line(one.statement), "text")), one.id
        if self.survey.broken:
            yield self.entry((" Notes that cannot be read", "title"), (f"  {len(self.survey.broken)}", "muted")), None
        for number, broken in enumerate(self.survey.broken):
            where = f"{safe_line(broken.path)}, line {broken.line}"
            yield self.entry(("   ! ", "warn"), (where, "text")), f"{BROKEN}{number}"

    @property
    def record(self) -> Standing | None:
        """The record under the cursor."""
        return self._records.get(self.current or "")

    @property
    def case(self) -> Case | None:
        """Its case, once it is judged."""
        found = self._cases.get(self.current or "")
        return found if isinstance(found, Case) else None

    def views(self) -> Sequence[tuple[str, str]]:
        """Of a record."""
        if self.record is None:
            return ()
        made = self.case
        if made is None:
            return self.VIEWS
        met = sum(one.met for one in made.criteria)
        return (("conditions", f"Conditions {met}/{len(made.criteria)}"), ("near", f"Near it {len(made.near)}"),
                self.VIEWS[2])  # fmt: skip

    def write_text(self, lines: Lines) -> None:
        """The entry under the cursor."""
        one, ident = self.record, self.current
        if one is None:
            if ident is not None and self.folder is not None:
                write_broken(lines, self.folder.root, self.survey.broken[int(ident.removeprefix(BROKEN))])
            elif ident is None and not self._records:
                lines.text("Nothing is ripe yet.", "title")
                lines.text("A memory is, once it was seen in two projects, stands unchanged for 30 days, is knowledge "
                           "rather than taste, and its sources are known.", "muted")  # fmt: skip
            return
        write_standing(lines, one)
        found = self._cases.get(one.id)
        if found is None:
            lines.gap()
            lines.text("judging…", "muted")
            if self._judging != one.id:
                self._judging = one.id
                self.run_worker(self._judge(one.id))
        elif isinstance(found, str):
            lines.text(f"! {safe_line(found)}", "warn")
        elif self.shown == "conditions":
            write_conditions(lines, found)
        elif self.shown == "near":
            write_near(lines, found, vault=self.folder is not None)
        else:
            write_dossier(lines, found)

    async def _judge(self, ident: str) -> None:
        folder, at = self.folder, self.moment
        await asyncio.sleep(REST)
        if self.current != ident:
            # The cursor went on: what it passed is not judged.
            self._judging = ""
            return
        try:
            self._cases[ident] = await self.curate.work(lambda feed: case(feed.state, ident, folder, at))
        except CurateError as fault:
            self._cases[ident] = str(fault)
        self._judging = ""
        self.show_text()
        self.show_keys()

    # Keys

    def keys(self) -> list[PageKey]:
        """Those that do something now."""
        one = self.record
        if one is None:
            broken = self.current is not None and self.current.startswith(BROKEN)
            return [PageKey(self._open_broken, "open the note", "transcript"), self.scrolling()] if broken else []
        out = self.turns()[:1]
        if one.kind != "linked":
            out.append(PageKey(self._ask_dossier, "write the dossier", "vault"))
            if self.folder is not None:
                out.append(PageKey(self._ask_note, "write the note", "write"))
        if self.folder is not None and (one.kind == "lost" and one.note or self.case is not None and self.case.near):
            out.append(PageKey(self._ask_link, "link to a note", letter="l"))
        if one.note and self.folder is not None:
            out.append(PageKey(self._open_note, "open its note", "transcript"))
        return [*out, *self.turns()[1:], self.scrolling()]

    def _open_note(self) -> None:
        if self.record is not None and self.folder is not None:
            self.headline(safe_line(show(self.curate, str(self.folder.root / self.record.note), 1)), "muted")

    def _open_broken(self) -> None:
        ident = self.current or ""
        if self.folder is not None and ident.startswith(BROKEN):
            one = self.survey.broken[int(ident.removeprefix(BROKEN))]
            self.headline(safe_line(show(self.curate, str(self.folder.root / one.path), one.line)), "muted")


def _looked(feed: Feed, *, at: str) -> tuple[Vault | None, Survey, str]:
    assert feed.store is not None, "pages open once the store is read"
    feed.store.refresh()
    config = feed.store.config
    try:
        folder, why = Vault.at(config.get("vault.path"), staging=config.get("vault.staging")), ""
    except NoVault as fault:
        folder, why = None, str(fault)
    return folder, survey(feed.state, folder, at), why
