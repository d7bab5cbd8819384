"""The memory as it was: what stood in the log at a moment, or right after a patch. Pure, and O(revisions)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from store.errors import InputError
from store.state import State

if TYPE_CHECKING:
    from store.log.fold import Revision
    from store.past import Past

_AGE = re.compile(r"(\d{1,5})\s*([hdw])")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_HOURS = {"h": 1, "d": 24, "w": 168}
BEFORE = "^"
"""After the id of a patch: the moment before it."""


class NotAMoment(InputError):
    """A text names no moment."""

    def __init__(self, text: str) -> None:
        super().__init__(
            f"{text}: no moment; name a date (2026-11-01, meaning its end), a time (2026-11-01T12:00:00Z), an age (7d, "
            "12h, 2w), `now`, or a patch (pat_..., or pat_...^ for right before it)"
        )


@dataclass(frozen=True, slots=True)
class Cut:
    """A moment in the log: all that was written up to `at`, but for `without`, patches of that very moment."""

    at: str
    without: frozenset[str] = frozenset()

    def has(self, revision: Revision) -> bool:
        """True when the revision was there."""
        made = _key(revision.at)
        return made < _key(self.at) or (made == _key(self.at) and revision.patch not in self.without)


def cut(text: str, past: Past, now: str) -> Cut:
    """The moment that a person means. A bare date means the end of that day, in UTC. Raises `NotAMoment`."""
    named = text.strip()
    if past.knows(named.removesuffix(BEFORE)):
        return _of_patch(named, past)
    if named == "now":
        return Cut(now)
    if age := _AGE.fullmatch(named.lower()):
        return Cut(_text(datetime.fromisoformat(now) - timedelta(hours=int(age[1]) * _HOURS[age[2]])))
    try:
        moment = datetime.fromisoformat(named)
        if _DATE.fullmatch(named):
            moment += timedelta(days=1, milliseconds=-1)
        return Cut(_text(moment if moment.tzinfo else moment.replace(tzinfo=UTC)))
    except (ValueError, OverflowError):
        raise NotAMoment(text) from None


def state_at(state: State, when: Cut) -> State:
    """A state of its own with what was there then. Words that were purged since stay purged."""
    past = State()
    past.evidence = state.evidence
    for folded in (state.projects, state.records, state.candidates, state.tombstones):
        for versions in folded.values():
            for revision in versions.revisions:
                if when.has(revision):
                    past.add(revision.file, revision)
    return past


def _of_patch(named: str, past: Past) -> Cut:
    patch_id = named.removesuffix(BEFORE)
    order = past.order()
    at = past.at(patch_id)
    place = order.index(patch_id) + (0 if named.endswith(BEFORE) else 1)
    return Cut(at, frozenset(other for other in order[place:] if past.at(other) == at))


def _text(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _key(at: str) -> str:
    """Moments with and without parts of a second, in one order."""
    return at if "." in at else at.removesuffix("Z") + ".000Z"
