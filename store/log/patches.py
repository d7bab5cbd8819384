"""An index over the patch logs: which patch is where and in which phase, without parsing what they hold.

Phases of one transaction share the patch id, the moment (`at`) and the round, so the order of lines never matters.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from store.line import SCHEMA
from store.log.parse import parse

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from store.line import PlannedLine
    from store.log.tail import Line

PREFIX = re.compile(
    rb'\{"schema":"1\.\d+","patch_id":"([^"\\]+)","phase":"(proposed|applying|applied|aborted)","at":"([^"\\]+)"(?:,"round":(\d+))?'
)
_UNDOES = re.compile(rb'"undoes":"([^"\\]+)"')
"""Inside a JSON string the quotes would be escaped, so this only finds the key itself."""


Key = tuple[str, str, int]


@dataclass(frozen=True, slots=True)
class Entry:
    """Where one line of a patch log is, and what its head says."""

    patch_id: str
    phase: str
    at: str
    round: int
    """Which time it is that ops of this patch are applied, from 1."""
    path: Path
    line: int
    offset: int
    length: int

    @property
    def key(self) -> Key:
        """What the lines of one transaction share."""
        return (self.patch_id, self.at, self.round)

    def raw(self) -> bytes:
        """The bytes of the line; fewer when the file was cut meanwhile."""
        try:
            with self.path.open("rb") as file:
                file.seek(self.offset)
                return file.read(self.length)
        except FileNotFoundError:
            return b""

    def load(self) -> dict[str, Any]:
        """The whole line, parsed. Raises `NotALine` when only its head is sound."""
        return parse(self.raw(), self.path, self.line)


@dataclass(slots=True)
class Transaction:
    """The lines of one patch applied at one moment."""

    patch_id: str
    at: str
    round: int = 1
    applying: Entry | None = None
    applied: Entry | None = None
    aborted: Entry | None = None

    @property
    def pending(self) -> bool:
        """True when its plan is durable and nothing says that it was carried out."""
        return self.applying is not None and self.applied is None and self.aborted is None


@dataclass(slots=True)
class PatchIndex:
    """Every patch by id, with its transactions; grows line by line."""

    proposed: dict[str, Entry] = field(default_factory=dict)
    transactions: dict[Key, Transaction] = field(default_factory=dict)
    by_patch: dict[str, list[Transaction]] = field(default_factory=dict)
    undone: dict[str, str] = field(default_factory=dict)
    """Which applied patch took back which, by the id of the one taken back."""
    open: dict[Key, Transaction] = field(default_factory=dict)
    """Transactions that are pending, so that nobody has to look through all of them."""

    def add(self, line: Line, path: Path) -> Entry:
        """Take in a line. Raises `NotALine` as `parse` does when its head is not as we write it and cannot be read."""
        head = PREFIX.match(line.raw)
        if head is not None and line.raw.endswith(b"}"):
            patch_id, phase, at = (part.decode("utf-8", "replace") for part in head.groups()[:3])
            round_ = int(head[4] or 1)
        else:
            data = parse(line.raw, path, line.number)
            patch_id, phase, at = (str(data.get(key)) for key in ("patch_id", "phase", "at"))
            round_ = data.get("round", 1)
        entry = Entry(patch_id, phase, at, round_, path, line.number, line.offset, len(line.raw))
        if phase == "proposed":
            self.proposed.setdefault(patch_id, entry)
        else:
            self._file(entry, line.raw)
        return entry

    def _file(self, entry: Entry, raw: bytes) -> None:
        key = entry.key
        transaction = self.transactions.get(key)
        if transaction is None:
            transaction = self.transactions[key] = Transaction(*key)
            self.by_patch.setdefault(entry.patch_id, []).append(transaction)
        if entry.phase == "applying":
            transaction.applying = transaction.applying or entry
            undoes = _UNDOES.search(raw, 0, max(raw.find(b'"ops":['), 0))
            if undoes is not None:
                self.undone[undoes[1].decode()] = entry.patch_id
        elif entry.phase == "applied":
            transaction.applied = transaction.applied or entry
        elif entry.phase == "aborted":
            transaction.aborted = transaction.aborted or entry
        if transaction.pending:
            self.open[key] = transaction
        else:
            self.open.pop(key, None)

    def rounds(self, patch_id: str) -> int:
        """How often ops of a patch were applied."""
        return max((one.round for one in self.by_patch.get(patch_id, ())), default=0)

    def receipts(self, patch_id: str) -> list[dict[str, Any]]:
        """What became of the ops of a patch over all its transactions, those applied only, oldest first."""
        found: list[dict[str, Any]] = []
        for transaction in sorted(self.by_patch.get(patch_id, ()), key=lambda one: one.at):
            told = transaction.applied or transaction.applying
            if told is not None and not transaction.aborted:
                found += [receipt for receipt in told.load().get("receipts", ()) if receipt["applied"]]
        return found


def phase_line(patch_id: str, phase: str, at: str, round_: int = 1, **rest: Any) -> dict[str, Any]:
    """A line of the patch log, its head in the order that the index reads without parsing."""
    head: dict[str, Any] = {"schema": SCHEMA, "patch_id": patch_id, "phase": phase, "at": at}
    return head | ({"round": round_} if round_ > 1 else {}) | rest


def with_plan(line: bytes, planned: Iterable[PlannedLine]) -> bytes:
    """The canonical line with `revisions` after its other keys, put together from bytes that are canonical already."""
    items = b",".join([b'{"file":%s,"line":%s}' % (_quoted(one.file), one.raw) for one in planned])
    return with_keys(line, b'{"revisions":[%s]}' % items)


def with_keys(line: bytes, more: bytes) -> bytes:
    """The canonical line with the keys of another after its own."""
    return line[:-1] + b"," + more[1:]


@lru_cache(maxsize=256)
def _quoted(text: str) -> bytes:
    return json.dumps(text).encode()
