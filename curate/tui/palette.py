"""The command palette: the table of actions under their long names; what makes no sense just now says why."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, cast

from textual.command import DiscoveryHit, Hit, Hits, Provider

from curate.review.naming import spelled
from curate.tui.actions import ACTIONS, Action

if TYPE_CHECKING:
    from curate.tui.app import CurateApp


class Actions(Provider):
    """Every action of the table but the palette itself."""

    @property
    def _curate(self) -> CurateApp:
        return cast("CurateApp", self.app)

    async def discover(self) -> Hits:
        """Those that do something now come first."""
        for action in sorted(self._actions(), key=lambda action: self._why(action) is not None):
            yield DiscoveryHit(self._title(action), self._run(action), help=self._help(action))

    async def search(self, query: str) -> Hits:
        """By long name and help."""
        matcher = self.matcher(query)
        for action in self._actions():
            title = self._title(action)
            score = matcher.match(title)
            if score > 0:
                yield Hit(score, matcher.highlight(title), self._run(action), help=self._help(action))

    @staticmethod
    def _actions() -> list[Action]:
        return [action for action in ACTIONS if action.id != "palette"]

    def _why(self, action: Action) -> str | None:
        why = action.why_not(self._curate.session)
        return spelled(why, self._curate.keys.named) if why else None

    def _title(self, action: Action) -> str:
        return f"{action.title} ({self._curate.keys.shown(action.id)})"

    def _help(self, action: Action) -> str:
        why = self._why(action)
        # The palette reads markup in its help; reasons are our own words, but names in them need not be.
        return (f"Not now: {why}" if why else action.help or action.group).replace("[", "\\[")

    def _run(self, action: Action) -> partial[None]:
        return partial(self._curate.review.action_act, action.id)
