"""The ways from the review to the other pages: what agents were told, the vault, disputes, upkeep."""

from __future__ import annotations

from typing import TYPE_CHECKING

from curate.tui.screens.review_frame import ReviewFrame

if TYPE_CHECKING:
    from textual.screen import Screen


class Looks(ReviewFrame):
    """The part of the review screen that opens pages. They show the state, which is there once it has been read."""

    def do_explain(self) -> None:
        """What agents were told."""
        from curate.tui.screens.explain import ExplainScreen

        self._open(ExplainScreen)

    def do_pages(self) -> None:
        """The vault."""
        from curate.tui.screens.vault import VaultScreen

        self._open(VaultScreen)

    def do_audit(self) -> None:
        """What is in dispute."""
        from curate.tui.screens.audit import AuditScreen

        self._open(AuditScreen)

    def do_upkeep(self) -> None:
        """What wants looking after."""
        from curate.tui.screens.upkeep import UpkeepScreen

        self._open(UpkeepScreen)

    def _open(self, page: type[Screen[None]]) -> None:
        if self.curate.feed.store is None:
            self.tell("one moment: the store is still being read", "warn")
        else:
            self.app.push_screen(page())
