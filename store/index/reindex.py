"""Reading everything again on request: records beside the index in force, knowledge within one transaction of it. Who
searches meanwhile finds what was there before, and never nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from store.errors import InputError
from store.index import knowledge, refresh, schema
from store.index.lookup import IndexUnusable
from store.knowledge.lines import FILES
from store.layout import Layout
from store.log.tail import Rewritten

if TYPE_CHECKING:
    from sqlite3 import Connection

_TRIES = 3


class EmptySource(InputError):
    """There is nothing to index, and something that would be lost."""

    def __init__(self, root: Path, held: int) -> None:
        super().__init__(
            f"the logs under {root} hold nothing, and the index still has {held} entries; nothing was changed. "
            f"Bring the files back, or delete {root / schema.FOLDER} if they are meant to be gone"
        )


@dataclass(slots=True)
class Reindexed:
    """What was read."""

    records: int = 0
    records_gone: int = 0
    """Records that the index had and the logs have no more."""
    knowledge: dict[str, dict[str, int]] = field(default_factory=dict)
    """By tier: how many items were `written`, `unchanged`, `removed`, or are `stale` and were left in."""

    def document(self) -> dict[str, Any]:
        """As JSON has it."""
        return {"records": self.records, "records_gone": self.records_gone, "knowledge": self.knowledge}


def reindex(root: Path, *, prune: bool) -> Reindexed:
    """Read all logs anew; `prune` also takes out what knowledge no longer has in its logs.

    Raises `EmptySource`, `StoreUnusable`.
    """
    done = Reindexed()
    try:
        before = _ids(root, schema.RECORDS, "SELECT id FROM record")
        if before and not any(_size(root / name) for name in Layout(root).record_files()):
            raise EmptySource(root, len(before))
        held = _ids(root, schema.KNOWLEDGE, "SELECT id FROM source")
        told = any(_size(root / name) for name in FILES.values())
        if held and not told:
            raise EmptySource(root, len(held))
        db = _built(root)
        after = {row[0] for row in db.execute("SELECT id FROM record")}
        db.close()
        done.records, done.records_gone = len(after), len(before - after)
        if told:
            done.knowledge = _knowledge(root, prune=prune)
    except (schema.Fault, schema.NoIndex, OSError) as fault:
        raise IndexUnusable(root, fault) from fault
    return done


def _built(root: Path) -> Connection:
    for _ in range(_TRIES):
        try:
            return refresh.build(root)
        except Rewritten:  # the logs were rewritten while they were read
            continue
    return refresh.build(root)


def _knowledge(root: Path, *, prune: bool) -> dict[str, dict[str, int]]:
    path = schema.current(str(root), schema.KNOWLEDGE)
    try:
        db = schema.connect(path) if path is not None else knowledge.build(root)
    except (schema.NoIndex, schema.Fault):
        db = knowledge.build(root)
    try:
        taken = knowledge.catch_up(db, root, anew=True, prune=prune)
    finally:
        db.close()
    assert taken is not None  # the whole was asked for
    counts = {"written": taken.written, "unchanged": taken.unchanged, "removed": taken.removed, "stale": taken.stale}
    return {tier: {name: found.get(tier, 0) for name, found in counts.items()} for tier in FILES}


def _ids(root: Path, kind: str, query: str) -> set[str]:
    """Ids in the index in force; none where there is none that can be read."""
    path = schema.current(str(root), kind)
    if path is None:
        return set()
    try:
        db = schema.connect(path)
    except (schema.NoIndex, schema.Fault):
        return set()
    try:
        return {row[0] for row in db.execute(query)}
    except schema.Fault:
        return set()
    finally:
        db.close()


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0
