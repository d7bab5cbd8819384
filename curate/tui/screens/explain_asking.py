"""Asking the planner for a message that is typed or pasted: what it would get now, in the shape of a turn."""

from __future__ import annotations

import asyncio
from typing import Any

from curate.review.rows import short_project
from curate.tui.asked import folder_of, would_get
from curate.tui.cells import safe_line
from curate.tui.dialogs.paste import Paste
from curate.tui.dialogs.pick import Offer, Pick
from curate.tui.screens.tabbed import Tabbed
from store.errors import CurateError

Turn = dict[str, Any]
PREVIEW = "preview"
NO_PROJECT = "-"


class Asking(Tabbed[None]):
    """The part of the page of what was told that asks what would be."""

    preview: Turn | None = None
    _project: str | None = None

    @property
    def turn_shown(self) -> Turn | None:
        """The turn under the cursor; the page says which."""
        raise NotImplementedError

    def asked(self) -> None:
        """There is an answer: the page lists it."""
        raise NotImplementedError

    def _ask(self) -> None:
        turn = self.turn_shown
        if turn is not None and self.current != PREVIEW:
            self._project = turn.get("project")
        agent = str(turn.get("agent") or "") if turn is not None else ""

        def done(message: str | None) -> None:
            if message is not None:
                self._plan(message, agent)

        where = short_project(self._project) if self._project else "no project"
        detail = f"asked in {safe_line(where)}; it is kept nowhere, and nothing is written"
        before = str(self.preview["preview"]) if self.preview is not None else ""
        self.app.push_screen(Paste("What would a turn with this message get?", detail, before), done)

    def _ask_place(self) -> None:
        projects = self.curate.feed.state.projects
        offers = [Offer(ident, short_project(ident), ident) for ident in sorted(projects)]
        offers.append(Offer(NO_PROJECT, "no project", "where none can be told"))

        def done(found: tuple[str, ...] | None) -> None:
            if found and self.preview is not None:
                self._project = None if found[0] == NO_PROJECT else found[0]
                self._plan(str(self.preview["preview"]), str(self.preview.get("agent") or ""))

        self.app.push_screen(Pick("In which project?", offers), done)

    def _plan(self, message: str, agent: str) -> None:
        self.headline("asking recall…", "muted")
        self.run_worker(self._planned(message, agent), group="recall", exclusive=True)

    async def _planned(self, message: str, agent: str) -> None:
        now = self.moment
        project = self._project
        try:
            self.preview = await asyncio.to_thread(
                would_get, self.curate.root, message, project=project, agent=agent, now=now,
                folder=folder_of(self.curate.feed.state, project),
            )  # fmt: skip
        except CurateError as fault:
            self.headline(str(fault), "bad")
            return
        if self.view == "spend":
            self.view = "sent"
        self.asked()
