"""What one patch has planned so far: the state seen through it, and the lines it will append.

Ops read the draft and answer with writes; nothing here touches a disk, the clock or randomness.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from store.layout import CANDIDATES, PROJECTS, TOMBSTONES, record_file
from store.line import SCHEMA, PlannedLine, canonical, digest
from store.log.fold import ENVELOPE, content
from store.model import Candidate, Model, Op, Project, Record, Tombstone, dump
from store.project.naming import display_name, file_stem
from store.project.registry import canonical_id

if TYPE_CHECKING:
    from store.ids import NewId
    from store.log.fold import Versions
    from store.model.patch import SkipReason
    from store.state import State

Kind = Literal["record", "candidate", "tombstone", "project"]

MODELS: dict[Kind, type[Model]] = {
    "record": Record,
    "candidate": Candidate,
    "tombstone": Tombstone,
    "project": Project,
}


_ENVELOPE = frozenset(ENVELOPE)


@dataclass(frozen=True, slots=True)
class Skip:
    """Why an op is not applied: the reason of the contract, and what a person should know."""

    reason: SkipReason
    detail: str


@dataclass(frozen=True, slots=True)
class Write:
    """The next content of one thing. `parent` names another revision than the current one to follow; `joins` the heads
    of a fork that end here.
    """

    kind: Kind
    content: dict[str, Any]
    parent: str | None = None
    joins: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Item:
    """One record, candidate, tombstone or project as the draft sees it."""

    kind: Kind
    id: str
    content: dict[str, Any]
    rev: int
    hash: str
    heads: tuple[str, ...]
    """Hashes of all heads; more than one is a fork."""
    fresh: bool = False
    """True when this patch wrote it."""

    @property
    def forked(self) -> bool:
        """True when two revisions both claim to be the newest."""
        return len(self.heads) > 1

    @property
    def status(self) -> str:
        """The status of its content."""
        return str(self.content.get("status", "active"))

    def with_(self, **fields: Any) -> dict[str, Any]:
        """Its content with other values; `None` takes a field away."""
        merged = {**self.content, **fields}
        return {key: value for key, value in merged.items() if value is not None}


LATER_DAYS = 7
"""How long a candidate is put off when neither the op nor the settings say until when."""


@dataclass(slots=True)
class Draft:
    """The state as it will be after the ops planned so far."""

    state: State
    patch_id: str
    at: str
    new_id: NewId
    later_days: int = LATER_DAYS
    planned: list[PlannedLine] = field(default_factory=list)
    lifting: frozenset[str] = frozenset()
    """Marks of dead statements that this patch takes away by going back to before they were put there."""
    _items: dict[tuple[Kind, str], Item] = field(default_factory=dict)

    def item(self, kind: Kind, ident: str) -> Item | None:
        """The present form of one thing, or nothing when the store has none of that kind and id."""
        found = self._items.get((kind, ident))
        if found is not None:
            return found
        versions = before(self.state, kind, ident)
        if versions is None:
            return None
        return self._items.setdefault((kind, ident), _item(kind, ident, versions))

    def find(self, ident: str, kinds: Iterable[Kind] = ("record", "candidate", "tombstone")) -> Item | None:
        """The first of the kinds that has this id."""
        for kind in kinds:
            found = self.item(kind, ident)
            if found is not None:
                return found
        return None

    def tombstone_for(
        self, fingerprint: str, scope: dict[str, Any], targets: Iterable[str] = ()
    ) -> dict[str, Any] | None:
        """The live tombstone of a statement as it was before the patch, unless this patch lifted it."""
        found = self.state.tombstone_for(fingerprint, scope, targets)
        if found is None:
            return None
        here = self._items.get(("tombstone", str(found["id"])))
        return None if here is not None and here.content.get("lifted") else found

    def write(self, writes: Iterable[Write], op: str) -> list[dict[str, str | None]]:
        """Adds revisions to the plan, all or (on a `ValidationError`) none, and gives the receipt's entries."""
        valid = [(write, dump(MODELS[write.kind].model_validate(write.content))) for write in writes]
        return [self._write(write, fields, op) for write, fields in valid]

    def _write(self, write: Write, fields: dict[str, Any], op: str) -> dict[str, str | None]:
        ident = str(fields["id"])
        current = self.item(write.kind, ident)
        parent = write.parent or (current.hash if current else None)
        data: dict[str, Any] = {"schema": SCHEMA, "id": ident, "rev": current.rev + 1 if current else 1}
        if parent is not None:
            data["parent"] = parent
        if write.joins:
            data["joins"] = list(write.joins)
        data |= {"patch": self.patch_id, "op": op, "at": self.at}
        data |= fields if _ENVELOPE.isdisjoint(fields) else content(fields)
        file = self._file(write.kind, fields)
        raw = canonical(data)
        hashed = digest(raw)
        self.planned.append(PlannedLine(file, data, raw))
        ended = {parent, *write.joins}
        left = [head for head in current.heads if head not in ended] if current else []
        self._items[write.kind, ident] = Item(write.kind, ident, fields, data["rev"], hashed, (hashed, *left), True)
        return {"file": file, "id": ident, "hash": hashed, "parent": parent}

    def project(self, ident: str) -> tuple[str, list[Write]]:
        """The id that a project's memory is kept under, and the line that registers it when it is not known yet."""
        canonical_ = canonical_id(self.state, ident)
        if self.item("project", canonical_) is not None:
            return canonical_, []
        entry = {
            "id": canonical_,
            "name": display_name(canonical_),
            "file": file_stem(canonical_),
            "created_at": self.at,
            "updated_at": self.at,
        }
        return canonical_, [Write("project", entry)]

    def _file(self, kind: Kind, fields: dict[str, Any]) -> str:
        if kind == "record":
            return record_file(fields, self.state.projects)
        return {"candidate": CANDIDATES, "tombstone": TOMBSTONES, "project": PROJECTS}[kind]


@dataclass(frozen=True, slots=True)
class Change:
    """What an op's function gets: the op, its target, and the draft to read (never to write)."""

    op: Op
    target: Item | None
    draft: Draft

    @property
    def item(self) -> Item:
        """The target of an op that always has one."""
        assert self.target is not None
        return self.target

    @property
    def at(self) -> str:
        """The moment of the patch."""
        return self.draft.at


Outcome = list[Write] | Skip
Apply = Callable[[Change], Outcome]


def before(state: State, kind: Kind, ident: str) -> Versions | None:
    """All revisions of one thing as they were before the patch."""
    tables = {
        "record": state.records,
        "candidate": state.candidates,
        "tombstone": state.tombstones,
        "project": state.projects,
    }
    return tables[kind].get(ident)


def _item(kind: Kind, ident: str, versions: Versions) -> Item:
    head = versions.head
    heads = (head.hash, *(other.hash for other in versions.heads if other.hash != head.hash))
    rev = max(other.rev for other in versions.heads)
    return Item(kind, ident, content(versions.data), rev, head.hash, heads)
