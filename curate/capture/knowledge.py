"""Gathers what a scan tells of past turns, and writes it: observations first, then the digests and entities that they
concern. Durable before the checkpoint moves, and the same again when a turn is read twice.
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING

from curate.capture.digest import day_digests, session_digests
from curate.capture.entities import entities_of, gone
from curate.capture.observation import observe
from store.knowledge.lines import DIGESTS, ENTITIES, OBSERVATIONS, read
from store.knowledge.writing import add, sweep
from store.notes import daily_notes

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from curate.capture.activity import Touched
    from curate.capture.turns import Turn
    from curate.capture.whose import Home, Whose
    from store.captures import Capture
    from store.knowledge.lines import Item
    from store.log.disk import Disk

_KEYS = 24
"""Days and sessions up to which only their own lines of the log are taken apart."""


class Gatherer:
    """What was observed and is not written yet."""

    def __init__(self, root: Path, whose: Whose, *, at: str, kept_days: int, disk: Disk) -> None:
        """`kept_days` is for how long observations are kept; 0 makes none at all."""
        self._root = root
        self._whose = whose
        self._at = at
        self._days = kept_days
        self._disk = disk
        self._waiting: list[Item] = []
        self._homes: dict[str, Home] = {}
        self._seen: set[str] = set()
        """Projects whose repositories were read in this run."""
        self._oldest = (date.fromisoformat(at[:10]) - timedelta(days=kept_days)).isoformat()

    def take(self, turn: Turn, own: Touched, captures: Sequence[Capture]) -> None:
        """Observe one turn."""
        if self._days <= 0 or turn.time is not None and turn.time[:10] < self._oldest:
            return
        paths = [path for folder in own.values() for path in folder if not path.endswith("/")]
        here = self._whose.of(turn.cwd)
        home = self._home(here, own)
        files: list[str] = []
        if home is not None:
            self._homes.setdefault(home.project, home)
            for path in paths:
                inside = self._whose.relative(path, home)
                if inside:
                    files.append(inside)
        files = list(dict.fromkeys(files))
        self._waiting.append(observe(turn, home, files, len(paths) - len(files), captures))

    def flush(self) -> None:
        """Write what was observed, and what follows from it. Raises `StoreUnusable`."""
        if not self._waiting:
            return
        fresh = add(self._root, {OBSERVATIONS: self._waiting}, disk=self._disk).get(OBSERVATIONS, [])
        self._waiting = []
        news = {DIGESTS: self._digests(fresh) if fresh else [], ENTITIES: list(self._entities())}
        add(self._root, news, disk=self._disk)

    def finish(self) -> None:
        """Let go of what is too old."""
        if self._days > 0:
            sweep(self._root, self._oldest, disk=self._disk)

    def _home(self, here: Home | None, own: Touched) -> Home | None:
        """The project that a turn belongs to: where it was said, unless it only wrote elsewhere."""
        wrote = list(dict.fromkeys(home for folder in own if (home := self._whose.of(folder)) is not None))
        return here if here in wrote or not wrote else wrote[0]

    def _digests(self, fresh: Iterable[Item]) -> list[Item]:
        """The digests of the sessions and days of these observations, from all that is known of them."""
        sessions = {(one.get("agent"), one["session"]) for one in fresh if one.get("session")}
        days = {one["day"] for one in fresh if one.get("day")}
        keys = [_key("session", session) for _, session in sessions] + [_key("day", day) for day in days]
        known = list(read(self._root, OBSERVATIONS, keys if len(keys) <= _KEYS else ()).values())
        notes = daily_notes(self._root, since=min(days), until=max(days)) if days else []
        return [
            *session_digests(one for one in known if (one.get("agent"), one.get("session")) in sessions),
            *day_digests((one for one in known if one.get("day") in days), notes),
        ]

    def _entities(self) -> Iterable[Item]:
        known: list[Item] | None = None
        for home in self._homes.values():
            if home.project in self._seen:
                continue
            self._seen.add(home.project)
            found = entities_of(home, self._at)
            if not found:
                continue
            yield from found
            if known is None:
                known = list(read(self._root, ENTITIES).values())
            yield from gone(known, found, home, self._at)


def _key(name: str, value: str) -> bytes:
    from store.line import canonical

    return canonical({name: value})[1:-1]
