"""Rows of what waits, made anew only where something has changed.

Groups and ops are many times the size of a row, so they are made one after the other, and let go of.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from curate.review.assemble import records, row_of
from curate.review.inbox import Group, group_of, no_collection, place_of
from curate.review.propose import Maker, Proposed, glance
from curate.review.waiting import Waiting, waiting_in
from store import ids

if TYPE_CHECKING:
    from collections.abc import Collection

    from curate.review.rows import Row
    from store.state import State

Place = tuple[int, bool, tuple[str, ...], str]


class Renewal:
    """The rows of one state. Not for several threads at once; the rows themselves may be read in any."""

    def __init__(self, state: State, new_id: ids.NewId = ids.new_id) -> None:
        self._state = state
        self._new_id = new_id
        self._rows: dict[str, Row] = {}
        self._places: dict[str, Place] = {}
        self._record_of: dict[str, str] = {}
        self._made_for: tuple[str, int, bool] | None = None
        """The day, the threshold, and whether the batch was full."""

    @property
    def left(self) -> int:
        """Candidates that `rows` has left for the next time."""
        return waiting_in(self._state).left

    def rows(self, at: str, threshold: int, *, limit: int | None = None, first: Collection[str] = ()) -> list[Row]:
        """All rows: what waits in the order of the inbox, then every record that is not deleted, by project.

        With `limit` only so many more candidates are taken in, those in `first` before all others, and `left` says how
        many are left.
        """
        with no_collection():
            waiting = waiting_in(self._state)
            changed = waiting.update(at, limit=limit, first=first)
            made_for = (at[:10], threshold, waiting.batch >= threshold)
            stale = changed.groups
            if made_for != self._made_for:  # age and the size of the batch tell on all of them
                self._made_for = made_for
                stale = frozenset(waiting.pool.groups())
            for group in self._rows.keys() - waiting.pool.names():
                del self._rows[group], self._places[group]
            self._renew(waiting, stale, at, threshold)
            waiting.pool.release()
            order = sorted(self._rows, key=lambda group: (self._places[group], waiting.pool.order(group)))
            return [*map(self._rows.__getitem__, order), *records(self._state)]

    def _renew(self, waiting: Waiting, stale: frozenset[str], at: str, threshold: int) -> None:
        """Make these rows. A proposal depends on what contradicts it, so disputed groups wait for each other."""
        disputed: dict[str, Group] = {}
        names: dict[str, str] = {}

        def look(name: str) -> Group:
            if name not in disputed:
                disputed[name] = group_of(waiting, name, at, threshold)
                names[disputed[name].id] = name
            return disputed[name]

        def find(group_id: str) -> Group | None:
            group = look(names[group_id])
            return group if group.visible else None

        def key(group_id: str) -> str:
            return min(waiting.pool.members(names[group_id]))

        maker = Maker(self._state, at, self._new_id, find)
        maker.record_of = self._record_of
        for name in sorted(stale, key=waiting.pool.order):
            rivals = waiting.rivals.get(name, ())
            for rival, _ in rivals:
                look(rival)
            group = look(name) if rivals else group_of(waiting, name, at, threshold)
            sketches = maker.sketches(group) if group.visible else []
            proposed = Proposed(self._state, sketches, at) if sketches else ()
            self._rows[name] = row_of(self._state, group, proposed, glance(self._state, sketches), key)
            rank, narrow, targets, oldest = place_of(group)
            self._places[name] = (rank, narrow, tuple(targets), oldest)
