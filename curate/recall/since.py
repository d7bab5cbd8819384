"""What has become of a record since it was sent: the journal says what an agent got, this says whether it still holds.

Pure. What was deleted is named as deleted; of what was purged nothing is shown but that.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from store.log.fold import status
from store.text import one_line

if TYPE_CHECKING:
    from store.log.fold import Versions
    from store.state import State

NO_RECORD = ("message", "domain:", "obs_", "dig_", "ent_")
"""Beginnings of ids that stand for something of the turn itself, or for what happened: those never change."""


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of it, in words (empty: nothing); what it said then, and what it says now where that differs."""

    word: str
    said: str = ""
    says: str = ""
    at: str = ""
    """When it came to be so."""

    @property
    def whole(self) -> str:
        """The word with its date."""
        return f"{self.word} on {self.at[:10]}" if self.word and self.at else self.word


def fate(state: State, ident: str, rev: int) -> Fate:
    """What became of the record whose revision `rev` was sent."""
    versions = state.records.get(ident)
    if ident in state.purged:
        return Fate("purged")
    if versions is None:
        return Fate("" if ident.startswith(NO_RECORD) else "not a record of this store")
    said = _said(versions, rev)
    says = one_line(str(versions.data.get("statement") or ""))
    now = status(versions)
    if now == "deleted":
        return Fate("deleted", said, at=versions.head.at)
    if now == "superseded":
        by = versions.data.get("superseded_by")
        return Fate(f"superseded{f' by {by}' if by else ''}", said, _statement(state, by), versions.head.at)
    if versions.forked:
        return Fate("split into two versions", said, at=max(head.at for head in versions.heads))
    if now != "active":
        return Fate(now, said, says if says != said else "", versions.head.at)
    if says != said:
        return Fate("reworded", said, says, versions.head.at)
    return Fate("changed, in the same words," if versions.head.rev > rev else "", said,
                at=versions.head.at if versions.head.rev > rev else "")  # fmt: skip


def statement(state: State, ident: str) -> str:
    """What a record says now, for a line that names it; empty for what was purged, deleted or never there."""
    versions = state.records.get(ident)
    if versions is None or ident in state.purged or status(versions) == "deleted":
        return ""
    return one_line(str(versions.data.get("statement") or ""))


def _said(versions: Versions, rev: int) -> str:
    """The statement of the revision that was sent; of two that bear the number, the later one."""
    found = [one for one in versions.revisions if one.rev == rev] or [versions.head]
    return one_line(str(found[-1].data.get("statement") or ""))


def _statement(state: State, ident: object) -> str:
    return statement(state, ident) if isinstance(ident, str) else ""
