"""Revisions of one thing folded to what it is now, whatever the order of the lines.

Standard library only: readers on the hot path use it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from store.log.stub import MARK

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

ENVELOPE = ("schema", "rev", "parent", "joins", "patch", "op", "at", "purged")
"""Keys of a line that say how it came about; the rest (with `id`) is content."""


class Revision:
    """One immutable line: its envelope as attributes, the whole parsed line as `data`."""

    __slots__ = ("data", "file", "hash", "id", "line_no")

    def __init__(self, data: dict[str, Any], hash_: str, file: str, line_no: int) -> None:
        self.id: str = data["id"]
        self.hash = hash_
        self.data = data
        self.file = file
        self.line_no = line_no
        """1-based line in `file`; 0 while the line is planned and not yet in its file."""

    @property
    def rev(self) -> int:
        """Number of the revision, from 1; a child is one more than its parent."""
        return int(self.data["rev"])

    @property
    def parent(self) -> str | None:
        """Hash of the revision this one follows."""
        return self.data.get("parent")

    @property
    def joins(self) -> list[str]:
        """Hashes of further heads that this revision also follows (it resolved a fork)."""
        return self.data.get("joins") or []

    @property
    def op(self) -> str:
        """What made this revision."""
        return str(self.data.get("op", ""))

    @property
    def patch(self) -> str | None:
        """The patch that made it; none for a capture."""
        return self.data.get("patch")

    @property
    def at(self) -> str:
        """When, RFC 3339."""
        return str(self.data.get("at", ""))

    def content(self) -> dict[str, Any]:
        """The line without its envelope: what a model is validated from."""
        return content(self.data)

    def __repr__(self) -> str:
        return f"Revision({self.id!r}, rev={self.rev}, {self.hash[:8]}, {self.file}:{self.line_no})"


def content(data: Mapping[str, Any]) -> dict[str, Any]:
    """A line without its envelope keys; `id` and unknown fields stay."""
    return {key: value for key, value in data.items() if key not in ENVELOPE}


def _age(revision: Revision) -> tuple[int, str, str]:
    return (revision.rev, revision.at, revision.hash)


class Versions:
    """All revisions of one id. Adding the same line twice changes nothing; order of adding never matters."""

    __slots__ = ("_by_hash", "_heads", "id")

    def __init__(self, first: Revision) -> None:
        self.id = first.id
        self._by_hash = {first.hash: first}
        self._heads: list[Revision] | None = [first]

    def add(self, revision: Revision) -> bool:
        """Take in a revision; False when it is already known."""
        known = self._by_hash.get(revision.hash)
        if known is not None:
            if revision.line_no:  # a planned line has arrived in its file
                known.file, known.line_no = revision.file, revision.line_no
            if MARK in revision.data:  # its words were purged, and a copy of the store brought them back
                known.data = revision.data
            return False
        self._by_hash[revision.hash] = revision
        self._heads = None
        return True

    def __contains__(self, hash_: object) -> bool:
        return hash_ in self._by_hash

    def __getitem__(self, hash_: str) -> Revision:
        return self._by_hash[hash_]

    @property
    def revisions(self) -> list[Revision]:
        """Every revision, oldest first."""
        return sorted(self._by_hash.values(), key=_age)

    @property
    def heads(self) -> list[Revision]:
        """Revisions that nothing follows, sorted by hash. More than one is a fork."""
        if self._heads is None:
            followed = {revision.parent for revision in self._by_hash.values()}
            for revision in self._by_hash.values():
                followed.update(revision.joins)
            heads = [revision for hash_, revision in self._by_hash.items() if hash_ not in followed]
            self._heads = sorted(heads, key=lambda revision: revision.hash)
        return self._heads

    @property
    def head(self) -> Revision:
        """The current revision; of a fork the latest by (rev, at, hash), the same on every machine."""
        heads = self.heads
        return heads[0] if len(heads) == 1 else max(heads, key=_age)

    @property
    def forked(self) -> bool:
        """True when two revisions follow the same one and nothing has joined them."""
        return len(self.heads) > 1

    @property
    def data(self) -> dict[str, Any]:
        """The parsed line of the head."""
        return self.head.data

    def __repr__(self) -> str:
        return f"Versions({self.id!r}, {len(self._by_hash)} revisions, {len(self.heads)} heads)"


Folded = dict[str, Versions]


def fold(revisions: Iterable[Revision], into: Folded | None = None) -> Folded:
    """Revisions by id. `into` is extended in place, so that new lines cost only themselves."""
    folded: Folded = {} if into is None else into
    for revision in revisions:
        known = folded.get(revision.id)
        if known is None:
            folded[revision.id] = Versions(revision)
        else:
            known.add(revision)
    return folded


def status(versions: Versions) -> str:
    """The status to show: a fork is `contested` unless every head is deleted."""
    heads = versions.heads
    if len(heads) == 1:
        return str(heads[0].data.get("status", "active"))
    if all(head.data.get("status") == "deleted" for head in heads):
        return "deleted"
    return "contested"
