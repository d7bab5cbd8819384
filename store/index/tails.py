"""How far each log was read, kept in the index itself; and the new lines, those of a patch under way included.

As for every reader, a patch counts from the moment its plan is durable, whatever part of it has reached the files.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from store import layout
from store.index.fresh import Stamp, stamp
from store.line import canonical
from store.log.parse import NotALine
from store.log.patches import PatchIndex
from store.log.tail import Rewritten, Tail

if TYPE_CHECKING:
    from collections.abc import Iterator
    from sqlite3 import Connection

    from store.index.rows import Rows
    from store.layout import Layout
    from store.log.patches import Key

FOLDERS = (f"{layout.PROJECT_MEMORY}/", f"{layout.PATCHES}/")
ALWAYS = (layout.PROJECTS, *layout.SHARED)
"""Files that are watched even before they are there."""


class Tails:
    """The tails of all logs that recall rests on."""

    def __init__(self, db: Connection, paths: Layout) -> None:
        self._db = db
        self._paths = paths
        self._tails: dict[str, Tail] = {}
        self._stamps: dict[str, Stamp] = {}
        for name, offset, line_no, guard in db.execute("SELECT name, offset, line_no, guard FROM file"):
            if not name.endswith("/"):
                tail = self._tails[name] = Tail(name, paths.path(name))
                tail.resume(offset, line_no, guard)
        found = db.execute("SELECT value FROM meta WHERE key = 'overlaid'").fetchone()
        self._overlaid: set[Key] = {(key[0], key[1], key[2]) for key in json.loads(found[0])} if found else set()
        """Patches whose plan was taken in before it was carried out."""
        self._patches = PatchIndex()

    def read(self, rows: Rows) -> bool:
        """Give what was added to `rows`; True when there was something. Raises `Rewritten`."""
        for folder in FOLDERS:
            self._stamps[folder] = stamp(str(self._paths.root / folder) + "/")
        self._read_patches()
        pending = dict(self._patches.open)
        changed = False
        for name in (*ALWAYS, *self._names(self._paths.record_files(), f"{layout.PROJECT_MEMORY}/")):
            for line in self._new(name):
                rows.add(name, line.raw, line.offset)
                changed = True
        self._read_patches()
        for key, transaction in {**pending, **self._patches.open}.items():
            if transaction.aborted or transaction.applying is None or key in self._overlaid:
                continue
            self._overlaid.add(key)
            for item in transaction.applying.load().get("revisions", ()):
                rows.plan(item["file"], canonical(item["line"]))
                changed = True
        return changed

    def save(self) -> None:
        """Keep how far was read."""
        self._db.executemany("INSERT OR REPLACE INTO file VALUES (?, ?, ?, ?, ?, ?, ?)", list(self._rows()))
        self._db.execute("INSERT OR REPLACE INTO meta VALUES ('overlaid', ?)", (json.dumps(sorted(self._overlaid)),))

    def _rows(self) -> Iterator[tuple[Any, ...]]:
        for name, seen in self._stamps.items():
            tail = self._tails.get(name)
            place = (tail.offset, tail.line_no, tail.guard) if tail else (0, 0, b"")
            yield (name, *seen, *place)

    def _new(self, name: str) -> Iterator[Any]:
        tail = self._tails.get(name)
        if tail is None:
            tail = self._tails[name] = Tail(name, self._paths.path(name))
        self._stamps[name] = stamp(str(tail.path))
        return (line for line in tail.read() if line.raw)

    def _names(self, there: list[str], folder: str) -> list[str]:
        """Files of a folder: those that are there, and those that were, so that a vanished one is noticed."""
        were = {name for name in self._tails if name.startswith(folder)}
        return [name for name in sorted(were.union(there)) if name not in ALWAYS]

    def _read_patches(self) -> None:
        for name in self._names(self._paths.patch_files(), f"{layout.PATCHES}/"):
            path = self._paths.path(name)
            for line in self._new(name):
                try:
                    entry = self._patches.add(line, path)
                except NotALine:
                    continue
                if entry.phase == "aborted" and entry.key in self._overlaid:
                    raise Rewritten
                if entry.phase == "applied":
                    self._overlaid.discard(entry.key)
