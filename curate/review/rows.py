"""What one line of the review shows and decides on: a group of candidates, a single one, or a record.

Rows are plain frozen values, made from the state away from the screen; the session and the widgets only read them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, get_args

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from store.model import Op, OpName, Risk

Tab = Literal["noise", "groups", "singles", "conflicts", "contested", "memory"]
TABS: tuple[Tab, ...] = get_args(Tab)
QUEUE: tuple[Tab, ...] = ("noise", "groups", "singles", "conflicts")
"""The tabs whose rows wait for a decision; `contested` and `memory` are for browsing and upkeep."""
SHOWN_IN: dict[Tab, frozenset[Tab]] = {tab: frozenset({tab}) for tab in TABS} | {
    "memory": frozenset({"memory", "contested"})
}
"""Whose rows a tab shows: every memory stands in the memory tab, disputed ones in a tab of their own besides."""

Reach = Literal["global", "domain", "project", "path", "unassigned"]


@dataclass(frozen=True, slots=True)
class Scoped:
    """Where something is to hold: the scope as a person chooses it, before it becomes one scope per record."""

    reach: Reach
    projects: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    domains: tuple[str, ...] = ()

    def in_words(self) -> str:
        """A few words: `global`, `shop-api`, `shop-api: api/**`, `3 projects`, `no project`."""
        if self.reach == "global":
            return "global"
        if self.reach == "domain":
            return ", ".join(self.domains) or "domain"
        if not self.projects:
            return "no project"
        where = short_project(self.projects[0]) if len(self.projects) == 1 else f"{len(self.projects)} projects"
        return f"{where}: {', '.join(self.paths)}" if self.paths else where


@dataclass(frozen=True, slots=True)
class Rival:
    """Another row that cannot hold beside this one."""

    key: str
    statement: str
    newest: str


@dataclass(frozen=True, slots=True)
class Row:
    """One line. `key` stays the same while the thing it stands for lasts, so cursor and decisions hang on it."""

    key: str
    tab: Tab
    statement: str
    scoped: Scoped
    cues: tuple[tuple[int, int], ...] = ()
    """Spans of the statement (characters) that made us capture it."""
    kind: Literal["candidate", "record"] = "candidate"
    candidates: tuple[str, ...] = ()
    records: tuple[str, ...] = ()
    """Records it was matched with, best first; of a record, itself."""
    bases: tuple[tuple[str, str], ...] = ()
    """The hash of each of those records as the row shows it."""
    heads: tuple[str, ...] = ()
    """Of a record with several newest versions their hashes, the oldest first."""
    condition: str = ""
    """Of identity memory: what would make it false."""
    overdue: bool = False
    """A review of the memory is due."""
    rivals: tuple[Rival, ...] = ()
    match: str = "new"
    ops: Sequence[Op] = field(default=(), compare=False)
    """What is proposed, in full."""
    op: OpName = "add"
    reason: str = ""
    """Why this op on this scope, in words."""
    risk: Risk = "low"
    safe: bool = False
    """The proposal is preselected by policy."""
    quotes: int = 1
    sessions: int = 1
    newest: str = ""
    bundle: str = ""
    """What stands together in the queue: the kind of noise, or the project."""
    intent: str = ""
    rule: str = ""
    trust: str = ""
    confidence: float = 0.0
    layer: str = "L2"
    status: str = ""
    pinned: bool = False
    agents: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    hidden: bool = False
    """Its like was rejected or deleted before; shown on request only."""
    haystack: str = field(default="", compare=False)
    """Folded text that the filter looks through."""

    @property
    def takes(self) -> OpName:
        """The op that accepting leads to. Accepting what was proposed for rejection makes a memory of it."""
        return "add" if self.op in {"reject_candidate", "defer_candidate"} else self.op

    @property
    def forked(self) -> bool:
        """It has two newest versions, written apart from each other."""
        return len(self.heads) > 1

    @property
    def needs_reading(self) -> bool:
        """It touches something that is already known, or L1: not to be accepted before its card was on the screen."""
        return self.kind == "candidate" and (self.tab == "conflicts" or self.layer == "L1" or self.takes == "supersede")


def short_project(ident: str) -> str:
    """The last part of a project's id, for narrow columns: `shop-api` of `github.com/acme/shop-api`."""
    tail = ident.rstrip("/").rsplit("/", 1)[-1]
    if tail.startswith("local:"):
        # local:shop-1a2b3c4d: the hash tells clones apart, not readers.
        name, _, digest = tail.removeprefix("local:").rpartition("-")
        return name if name and len(digest) == 8 else tail.removeprefix("local:")
    return tail.removeprefix("path:")


def arrange(known: Sequence[str], tabs: dict[str, tuple[Tab, str]], rows: Iterable[Row]) -> list[str]:
    """The order of the queue after a reload: what was there keeps its place, what is new goes behind its like.

    `tabs` holds tab and bundle of every known key, so that a row never changes its tab under the reader's eyes.
    """
    present = {row.key: (row.tab, row.bundle) for row in rows}
    kept = [key for key in known if key in present]
    fresh: dict[tuple[Tab, str], list[str]] = {}
    staying = set(kept)
    for key, place in present.items():
        if key not in staying:
            fresh.setdefault(place, []).append(key)
    if not fresh:
        return kept
    last = {tabs[key]: key for key in kept}
    behind = {last[place]: keys for place, keys in fresh.items() if place in last}
    out: list[str] = []
    for key in kept:
        out.append(key)
        out.extend(behind.get(key, ()))
    for place, keys in fresh.items():
        if place not in last:
            out.extend(keys)
    return out
