"""The logs without the words of what was purged. Ids, order and hashes stay, so the chain holds and receipts still fit.

Pure: lines in, lines out. Done again it changes nothing more, so that a purge which was cut off can be finished.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from store.layout import CANDIDATES
from store.line import canonical
from store.log.fold import ENVELOPE, status
from store.log.parse import NotALine, parse
from store.log.stub import GONE, MARK, blank_evidence, hash_of, marked, stub

if TYPE_CHECKING:
    from pathlib import Path

    from store.log.traces import Traces
    from store.state import State

PROSE = frozenset({
    "statement", "body", "tags", "applies_when", "does_not_apply_when", "known_exceptions", "contested_because",
    "reason", "scope_reason", "note", "review", "change_condition", "excerpt", "context",
})  # fmt: skip
"""Fields that hold words of people."""
CONTENT_FREE = frozenset({"mode", "to", "together", "by", "keep", "lift_tombstone", "cycles", "cadence_days"})
"""What an op may set without saying anything."""
_OWN = frozenset({"statement", "body"})
"""What a living thing says itself: it is reported, and left alone."""

Parsed = dict[str, Any] | None
_LEFT: dict[str, Any] = {}
"""In place of the object of a line that nobody asked for."""
_HEAD = re.compile(rb'\{"schema":"[\d.]+","id":"([^"\\\\]+)",')


@dataclass(slots=True)
class Erasing:
    """One purge: whose content goes, what it was, and what was found on the way."""

    state: State
    ids: frozenset[str]
    traces: Traces
    evidence: frozenset[str] = frozenset()
    """Evidence that only they rest on, or that says the same."""
    remains: dict[str, None] = field(default_factory=dict)
    """Living records and candidates that say the same in a longer sentence or elsewhere."""

    def alive(self, ident: str) -> bool:
        """Whether this is something in force or waiting that is not purged itself."""
        if ident in self.ids:
            return False
        if ident in self.state.records:
            return status(self.state.records[ident]) != "deleted"
        known = self.state.candidates.get(ident)
        return known is not None and known.data.get("status", "waiting") in ("waiting", "deferred")


def lines_of(raw: bytes, path: Path, wanted: Callable[[bytes], bool]) -> Iterator[tuple[bytes, Parsed]]:
    """The lines of a log; those that are wanted with their object, or None when they cannot be read.

    Raises as `parse` for a file to be refused.
    """
    for number, whole in enumerate(raw.split(b"\n"), 1):
        line = whole.removesuffix(b"\r")  # git may have put it there
        if not line.strip():
            continue
        if not wanted(line):
            yield line, _LEFT
            continue
        try:
            yield line, parse(line, path, number)
        except NotALine:
            yield line, None


def of_ids(ids: Collection[str]) -> Callable[[bytes], bool]:
    """Whether a line is one of these ids, or does not say of which it is in the usual place."""

    def wanted(line: bytes) -> bool:
        head = _HEAD.match(line)
        return head is None or head[1].decode("utf-8", "replace") in ids

    return wanted


def revisions(erasing: Erasing, name: str, raw: bytes, path: Path) -> bytes:
    """A log of revisions: those of purged ids as stubs, in the others every mention taken out."""
    own, may_state = of_ids(erasing.ids), erasing.traces.may_state
    done: dict[bytes, None] = {}
    for line, data in lines_of(raw, path, lambda line: own(line) or may_state(line)):
        if data is _LEFT:
            done[line] = None
        elif data is None or type(data.get("id")) is not str or type(data.get("rev")) is not int:
            if not _unreadable(erasing, line, erasing.ids):
                done[line] = None
        else:
            fresh = _revision(erasing, name, line, data)
            done[line if fresh is data else canonical(fresh)] = None
    return _joined(done)


def evidence(erasing: Erasing, raw: bytes, path: Path) -> tuple[bytes, list[str]]:
    """The evidence without the words of what goes; gives the ids that were blanked now."""
    done: dict[bytes, None] = {}
    blanked: dict[str, None] = {}
    for line, data in lines_of(raw, path, of_ids(erasing.evidence)):
        if data is None:
            if not _unreadable(erasing, line, erasing.evidence):
                done[line] = None
        elif data.get("id") in erasing.evidence and MARK not in data:
            done[canonical(blank_evidence(data, line))] = None
            blanked[data["id"]] = None
        else:
            done[line] = None
    return _joined(done), list(blanked)


def patches(erasing: Erasing, raw: bytes, path: Path) -> bytes:
    """A patch log: what ops on purged ids said is gone, planned lines are stubs, receipts keep ids and hashes."""
    needles = [ident.encode() for ident in erasing.ids]
    done: dict[bytes, None] = {}
    may_state = erasing.traces.may_state
    for line, data in lines_of(raw, path, lambda line: any(one in line for one in needles) or may_state(line)):
        if data is _LEFT:
            done[line] = None
        elif data is None:
            if not _unreadable(erasing, line, erasing.ids):
                done[line] = None
        else:
            done[canonical(_patch(erasing, data))] = None
    return _joined(done)


def _revision(erasing: Erasing, name: str, line: bytes, data: dict[str, Any]) -> dict[str, Any]:
    hash_ = hash_of(data, line)
    if data["id"] in erasing.ids:
        return stub(data, hash_, candidate=name == CANDIDATES)
    known = erasing.state.folded(name).get(data["id"])
    speaks = known is not None and any(head.hash == hash_ for head in known.heads) and erasing.alive(data["id"])
    content = {key: value for key, value in data.items() if key not in ENVELOPE and key != "id"}
    said = [str(content[key]) for key in _OWN if content.get(key)]
    if speaks and any(map(erasing.traces.states, said)):
        erasing.remains[data["id"]] = None
    fresh = {key: value if speaks and key in _OWN else _silenced(erasing, key, value) for key, value in content.items()}
    return data if fresh == content else marked(data, hash_, **fresh)


def _silenced(erasing: Erasing, key: str, value: Any) -> Any:
    """A field with every text in it that holds a statement replaced, if it is a field of words."""
    if key not in PROSE:
        return value
    if isinstance(value, str):
        return GONE if erasing.traces.states(value) else value
    if isinstance(value, list):
        return [_silenced(erasing, key, item) for item in value]
    if isinstance(value, Mapping):
        return {name: _silenced(erasing, name, item) for name, item in value.items()}
    return value


def _patch(erasing: Erasing, data: dict[str, Any]) -> dict[str, Any]:
    """A line of a patch log. Its head stays as it is and in its place, since the index reads it unparsed."""
    receipts = data.get("receipts") or []
    ops = (data.get("patch") or {}).get("ops") or []
    touched = {op.get("op_id") for op in ops if _touches(erasing.ids, op)}
    touched |= {
        receipt.get("op_id")
        for receipt in receipts
        if any(change.get("id") in erasing.ids for change in receipt.get("changes") or ())
    }
    fresh = dict(data)
    if "patch" in data:
        document = dict(data["patch"])
        if touched and erasing.traces.hints(str(document.get("summary", ""))):
            document["summary"] = GONE
        document["ops"] = [_wordless(op) if op.get("op_id") in touched else _without(erasing, op) for op in ops]
        fresh["patch"] = _without(erasing, document, leave=("ops",))
    if receipts:
        fresh["receipts"] = [
            {key: value for key, value in receipt.items() if key != "detail"}
            if receipt.get("op_id") in touched
            else _without(erasing, receipt)
            for receipt in receipts
        ]
    if "revisions" in data:
        fresh["revisions"] = [_planned(erasing, item) for item in data["revisions"]]
    return fresh


def _planned(erasing: Erasing, item: dict[str, Any]) -> dict[str, Any]:
    line = item["line"]
    if "rev" not in line:
        return {**item, "line": blank_evidence(line, canonical(line)) if line["id"] in erasing.evidence else line}
    return {**item, "line": _revision(erasing, item["file"], canonical(line), line)}


def _touches(ids: frozenset[str], op: Mapping[str, Any]) -> bool:
    others = [(op.get("record") or {}).get("id"), (op.get("updates") or {}).get("by")]
    return not ids.isdisjoint([op.get("target_id"), *others, *(op.get("candidate_ids") or ())])


def _wordless(op: Mapping[str, Any]) -> dict[str, Any]:
    """An op that says which and how, and nothing of what."""
    kept = {key: value for key, value in op.items() if key not in ("record", "reason", "rationale", "updates")}
    updates = {key: value for key, value in (op.get("updates") or {}).items() if key in CONTENT_FREE}
    return {**kept, "updates": updates} if updates else kept


def _without(erasing: Erasing, value: Any, leave: tuple[str, ...] = ()) -> Any:
    """JSON with every text that holds a statement replaced."""
    if isinstance(value, str):
        return GONE if erasing.traces.states(value) else value
    if isinstance(value, list):
        return [_without(erasing, item) for item in value]
    if isinstance(value, Mapping):
        return {key: item if key in leave else _without(erasing, item) for key, item in value.items()}
    return value


def _unreadable(erasing: Erasing, line: bytes, ids: Collection[str]) -> bool:
    """Whether a line that nobody can read has something to do with it."""
    from store.log.traces import readings

    return any(ident.encode() in line for ident in ids) or any(map(erasing.traces.hints, readings(line)))


def _joined(lines: Mapping[bytes, None]) -> bytes:
    return b"".join(line + b"\n" for line in lines)
