"""Searching a store as a person or a program asks: records in force, with their statement and the reason."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, TypeVar

from store.errors import StoreUnusable
from store.index import schema
from store.index.encoder import Encoder
from store.index.projects import canonical
from store.index.refresh import refreshed
from store.index.search import NEAR, Found, Hit, search

if TYPE_CHECKING:
    from collections.abc import Callable
    from sqlite3 import Connection

    from store.index.semantic import Semantic

T = TypeVar("T")

THOROUGH = 3 * NEAR
"""Vectors compared where nobody waits for an agent."""
ALL = 1 << 40
"""Places in the index that may be visited then."""


class IndexUnusable(StoreUnusable):
    """The index can neither be read nor built."""

    def __init__(self, root: Path, cause: Exception) -> None:
        super().__init__(f"{root / schema.FOLDER}: {cause}; check its permissions and the room on the disk")


_IN_FORCE = "SELECT bucket, type, project, profile FROM bucket WHERE status IN ('active', 'contested')"


class Lookup:
    """An open index and the encoder, for one question or many."""

    def __init__(self, db: Connection) -> None:
        self.db = db
        self._encoder: Encoder | None = None
        self.note = ""

    @classmethod
    def open(cls, root: Path) -> Lookup:
        """The index of a store, up to date. Raises `StoreUnusable`."""
        if not root.is_dir():  # looking makes no store
            with TemporaryDirectory() as folder:
                return cls(refreshed(Path(folder)))
        try:
            return cls(refreshed(root))
        except (schema.Fault, schema.NoIndex, OSError) as fault:
            raise IndexUnusable(root, fault) from fault

    @classmethod
    def ask(cls, root: Path, question: Callable[[Lookup], T]) -> T:
        """The answer to a question, asked once more of a new index when this one turns out broken. Raises
        `StoreUnusable`.
        """
        try:
            return question(cls.open(root))
        except schema.Fault as fault:
            if schema.is_busy(fault):
                raise IndexUnusable(root, fault) from fault
            schema.discard(str(root))
            try:
                return question(cls.open(root))
            except schema.Fault as again:
                raise IndexUnusable(root, again) from again

    @property
    def encoder(self) -> Encoder:
        """The encoder, opened when first needed."""
        if self._encoder is None:
            self._encoder = Encoder()
        return self._encoder

    def hits(
        self,
        text: str,
        *,
        mode: str,
        limit: int,
        project: str | None = None,
        semantic: Semantic | None = None,
        allowed: Callable[[str, str], bool] | None = None,
    ) -> tuple[list[dict[str, Any]], str]:
        """The best records as `{id, score, statement, why}`, and the mode in which they were found.

        `allowed` says whether records of a project (empty: not of one) and a profile may be seen; nothing that is
        unassigned may then. `semantic` searches by meaning instead of the table in the package; `note` says how that
        went.
        """
        found = search(
            self.db, text, buckets=self._in_force(project, allowed), mode=mode,
            encoder=self.encoder if mode != "keyword" else None, near=THOROUGH, postings=ALL, semantic=semantic,
        )  # fmt: skip
        self.note = found.note
        speaking = [hit for hit in found.hits if hit.bm25 > 0 or hit.cosine > 0]
        return [self._told(hit, found) for hit in speaking[:limit]], found.mode

    def _in_force(self, project: str | None, allowed: Callable[[str, str], bool] | None) -> list[int]:
        wanted = canonical(self.db, self._named(project)) if project is not None else None
        found = []
        for bucket, kind, own, profile in self.db.execute(_IN_FORCE).fetchall():
            home = own if kind == "project" else ""
            if wanted is not None and kind == "project" and canonical(self.db, own) != wanted:
                continue
            if allowed is None or (allowed(home, profile) and (home or kind != "project")):
                found.append(bucket)
        return found

    def _named(self, project: str) -> str:
        """The id of the project that a person means by an id, an alias or a name."""
        row = self.db.execute("SELECT id FROM project WHERE lower(name) = lower(?) ORDER BY id", (project,)).fetchone()
        known = self.db.execute("SELECT 1 FROM bucket WHERE project = ?", (project,)).fetchone()
        return row[0] if row and not known else project

    def _told(self, hit: Hit, found: Found) -> dict[str, Any]:
        ident, gist, terms = self.db.execute("SELECT id, gist, terms FROM record WHERE n = ?", (hit.number,)).fetchone()
        shared = set(terms.split()).intersection(found.frequency)
        words = sorted(shared, key=lambda term: (-found.rarity(term), term))[:5]
        why = [f"words: {' '.join(found.spelled[term] for term in words)}"] if words and hit.bm25 else []
        if hit.cosine > 0:
            why.append(f"meaning {hit.cosine:.2f}")
        return {"id": ident, "score": round(hit.score, 4), "statement": gist, "why": "; ".join(why)}
