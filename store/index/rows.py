"""New lines of the logs folded into what the index holds of each record and project. Never asks for more than it needs:
a record that did not change costs nothing.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from store import layout
from store.index.projects import write_project
from store.index.records import Records
from store.log.fold import Revision, Versions, status
from store.log.parse import NotALine, parse_revision
from store.log.stub import MARK, hash_of, stub

if TYPE_CHECKING:
    from pathlib import Path
    from sqlite3 import Connection

_PURGED = re.compile(rb'"cause":"purged","of":"([^"\\\\]+)"')
"""In a tombstone, which holds no words in which this could be quoted."""


class Rows:
    """Takes lines in, and writes what they amount to when flushed. Lives within one transaction of the index."""

    def __init__(self, db: Connection, root: Path) -> None:
        self._db = db
        self._root = root
        self._empty = db.execute("SELECT 1 FROM revision LIMIT 1").fetchone() is None
        self._new: dict[str, dict[str, tuple[Revision, int, int, bytes | None]]] = {}
        """By id and hash: the revision, its offset and size in its file, and its bytes while it is only planned."""

    def add(self, name: str, raw: bytes, offset: int) -> None:
        """Take in a line of a log. What is no revision is left out; raises as `parse` for a file to be refused."""
        self._add(name, raw, offset, None)

    def plan(self, name: str, raw: bytes) -> None:
        """Take in a line that is decided and not yet in its file."""
        if name == layout.PROJECTS or name in layout.SHARED or name.startswith(layout.PROJECT_MEMORY):
            self._add(name, raw, -1, raw)

    def _add(self, name: str, raw: bytes, offset: int, planned: bytes | None) -> None:
        try:
            data = parse_revision(raw, self._root / name, 0)
        except NotALine:
            return
        hash_ = hash_of(data, raw)
        known = self._new.setdefault(data["id"], {})
        if hash_ not in known or (planned is None and MARK not in known[hash_][0].data):
            known[hash_] = (Revision(data, hash_, name, 1), offset, len(raw), planned)

    def flush(self) -> None:
        """Write what the new lines amount to."""
        records = Records(self._db)
        purged = self._purged()
        # In the order of ids, which is that of their making: a record gets the same rank among equals in an index that
        # followed the logs and in one built anew.
        for ident, new in sorted(self._new.items()):
            versions = self._versions(ident, new)
            self._keep(ident, new)
            head = versions.head
            data = head.data if head.data.get("statement") or head.data.get("name") else self._load(head)
            if ident in purged:  # a copy of the store may have brought its content back
                data = stub(data, head.hash, candidate=False)
            if head.file == layout.PROJECTS:
                write_project(self._db, ident, data)
            else:
                records.write(data, head.hash, status(versions) if versions.forked and ident not in purged else None)
        records.flush()
        self._new.clear()

    def _purged(self) -> set[str]:
        """Ids whose content is to be seen by nobody, whatever the logs hold of it."""
        try:
            raw = (self._root / layout.TOMBSTONES).read_bytes()
        except OSError:
            return set()
        return {ident.decode() for ident in _PURGED.findall(raw)}

    def _versions(self, ident: str, new: dict[str, tuple[Revision, int, int, bytes | None]]) -> Versions:
        known = [] if self._empty else self._known(ident)
        revisions = [*known, *(entry[0] for entry in new.values())]
        versions = Versions(revisions[0])
        for revision in revisions[1:]:
            versions.add(revision)
        return versions

    def _known(self, ident: str) -> list[Revision]:
        """Revisions of an id that were read before, without their content."""
        found = []
        for hash_, rev, parent, joins, at, file in self._db.execute(
            "SELECT hash, rev, parent, joins, at, file FROM revision WHERE id = ?", (ident,)
        ):
            data: dict[str, Any] = {"id": ident, "rev": rev, "at": at, "joins": json.loads(joins) if joins else []}
            if parent:
                data["parent"] = parent.hex()
            found.append(Revision(data, hash_.hex(), file, 1))
        return found

    def _keep(self, ident: str, new: dict[str, tuple[Revision, int, int, bytes | None]]) -> None:
        rows = [
            (
                bytes.fromhex(hash_),
                ident,
                revision.rev,
                bytes.fromhex(revision.parent) if revision.parent else None,
                json.dumps(revision.joins) if revision.joins else None,
                revision.at,
                revision.file,
                offset,
                size,
                planned,
            )
            for hash_, (revision, offset, size, planned) in new.items()
        ]
        self._db.executemany("INSERT OR REPLACE INTO revision VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)

    def _load(self, head: Revision) -> dict[str, Any]:
        """The content of a revision that was read before, from where its line is."""
        file, offset, size, planned = self._db.execute(
            "SELECT file, offset, size, planned FROM revision WHERE hash = ?", (bytes.fromhex(head.hash),)
        ).fetchone()
        raw = planned
        if offset >= 0:
            with (self._root / file).open("rb") as log:
                log.seek(offset)
                raw = log.read(size)
        return parse_revision(raw, self._root / file, 0)
