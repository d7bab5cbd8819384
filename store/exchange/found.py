"""What an import would do, before anything is done: ops for records, captures for foreign text, and what is refused."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from store.captures import Capture
    from store.model import Evidence, Patch, Project

LINE_LIMIT = 1_000_000
"""Bytes of one line or entry that is read."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that a source holds: a record's fields, or the reason why it cannot be read."""

    line: int
    data: dict[str, Any] | None = None
    fault: str | None = None
    file: str | None = None
    """The file of a source that has several."""


@dataclass(slots=True)
class Import:
    """A patch and captures, and the lines that need none or cannot be taken."""

    patch: Patch
    captures: list[tuple[Entry, Capture]] = field(default_factory=list)
    """Foreign text as candidates, each with the entry that it came from."""
    waits: bool = False
    """The captures waited for a decision where they are from, so they do here, though the patch is applied at once."""
    projects: list[Project] = field(default_factory=list)
    """Projects that were met on the way."""
    evidence: list[Evidence] = field(default_factory=list)
    """What the records of the patch rest on."""
    created: list[str] = field(default_factory=list)
    updated: list[str] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    conflicts: list[dict[str, Any]] = field(default_factory=list)
    """Lines whose id is taken by something that an import may not overwrite: `line`, `id`, `reason`."""
    rejected: list[dict[str, Any]] = field(default_factory=list)
    """Lines that cannot be taken: `line`, `reason`, and `file` where the source has several."""
    lines: dict[str, int] = field(default_factory=dict)
    """The line that each op of the patch came from, by op id."""

    def reject(self, entry: Entry, reason: str) -> None:
        """Refuse an entry."""
        self.rejected.append(told(entry, reason=reason))


def told(entry: Entry, **more: Any) -> dict[str, Any]:
    """An entry's place as a report names it."""
    place: dict[str, Any] = {"line": entry.line, **more}
    return {**place, "file": entry.file} if entry.file else place
