"""A patch planned before it is applied, so that what a person was shown is what is written, ids and moments with it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from store.ids import NewId
    from store.line import PlannedLine
    from store.model import Patch
    from store.patch import Plan
    from store.state import State


class Ids:
    """New ids that can be given once more, in the same order."""

    def __init__(self, new_id: NewId) -> None:
        self._new_id = new_id
        self._given: dict[str, list[str]] = {}

    def again(self) -> NewId:
        """The ids from the first on, and new ones after the last."""
        places: dict[str, int] = {}

        def given(prefix: str) -> str:
            known, place = self._given.setdefault(prefix, []), places.get(prefix, 0)
            places[prefix] = place + 1
            if place == len(known):
                known.append(self._new_id(prefix))
            return known[place]

        return given


@dataclass(frozen=True, slots=True)
class Foreseen:
    """The plan of a patch, and what it takes to make the same one again."""

    plan: Plan
    at: str
    ids: Ids
    later_days: int

    def again(self, state: State, patch: Patch, select: Collection[str] | None, confirm: str | None) -> Plan | None:
        """The same plan from the present state and a patch that is filled; None when another would come of it."""
        from store.patch import plan

        planned = plan(
            state, patch, select=select, confirm=confirm, at=self.at, new_id=self.ids.again(), filled=True,
            later_days=self.later_days,
        )  # fmt: skip
        return planned if _bytes(planned.revisions) == _bytes(self.plan.revisions) else None


def _bytes(lines: Iterable[PlannedLine]) -> list[tuple[str, bytes]]:
    return [(line.file, line.raw) for line in lines]
