"""Records of another place against those that are here: which are new, which differ, which may not be touched.

What comes in passes the same checks as everything else, and importing twice changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from store.errors import BadPatch
from store.exchange.found import Entry, Import, told
from store.log.fold import status
from store.model import Op, Patch, Record, dump
from store.patch import fill
from store.patch.build import tidy
from store.patch.check import check_op
from store.patch.table import RULES, UPDATABLE
from store.project.registry import canonical_id
from store.text import fingerprint

if TYPE_CHECKING:
    from store.state import State

_NOT_COMPARED = frozenset({"id", "created_at", "updated_at", "evidence", "evidence_against"})
"""What may differ while the memory is the same: our own times, and evidence that lives in the other store."""


def plan_records(state: State, entries: Iterable[Entry], *, patch_id: str, at: str, summary: str) -> Import:
    """Hold entries against a state. Nothing is written."""
    bare = Patch(patch_id=patch_id, created_at=at, summary=summary)
    done = Import(bare)
    ops: list[Op] = []
    seen: dict[str, Entry] = {}
    for number, entry in enumerate(entries, 1):
        if entry.fault is not None or entry.data is None:
            done.reject(entry, entry.fault or "nothing in it")
            continue
        op = Op(op_id=f"line_{number if entry.file else entry.line}", op="add", record=entry.data)
        try:
            op = _harmless(state, bare, op)
        except BadPatch as fault:
            done.reject(entry, str(fault).partition(f"{op.op_id}: ")[2] or str(fault))
            continue
        ident = str((op.record or {})["id"])
        if ident in seen:
            first = seen[ident]
            done.reject(entry, f"the id stands in {f'{first.file}, ' if first.file else ''}line {first.line} already")
            continue
        seen[ident] = entry
        wanted = _decide(state, op, entry, done)
        if wanted is not None:
            ops.append(wanted)
            done.lines[wanted.op_id] = entry.line
    done.patch = bare.model_copy(update={"ops": _linked(ops)})
    return done


def _linked(ops: list[Op]) -> list[Op]:
    """New records that replace others of the same import know of it, also where only the old ones said so."""
    replaced: dict[str, list[str]] = {}
    for op in ops:
        if op.record and op.record.get("superseded_by"):
            replaced.setdefault(str(op.record["superseded_by"]), []).append(str(op.record["id"]))
    linked = []
    for op in ops:
        old = replaced.get(str((op.record or {}).get("id")), []) if op.op == "add" else []
        known = (op.record or {}).get("supersedes") or []
        record = {**(op.record or {}), "supersedes": list(dict.fromkeys([*known, *old]))}
        linked.append(op.model_copy(update={"record": record}) if old else op)
    return linked


def _harmless(state: State, bare: Patch, op: Op) -> Op:
    """The op with secrets masked and its record checked. Raises `BadPatch`."""
    check_op(op)
    filled = fill(state, bare.model_copy(update={"ops": [op]})).ops[0]
    return filled.model_copy(update={"record": tidy(filled.record or {})})


def _decide(state: State, op: Op, entry: Entry, done: Import) -> Op | None:
    said = op.record or {}
    ident = said["id"]
    versions = state.records.get(ident)
    if versions is None:
        if ident in state.candidates or ident in state.tombstones or ident in state.projects:
            done.conflicts.append(told(entry, id=ident, reason="the id belongs to something else"))
            return None
        if refused := _unwelcome(state, said):
            done.reject(entry, refused)
            return None
        done.created.append(ident)
        return op
    if status(versions) == "deleted":
        if said.get("status") == "deleted":
            done.unchanged.append(ident)
        else:
            done.reject(entry, f"it was deleted here on {versions.head.at[:10]}")
        return None
    changes = _changes(state, said, dump(state.record(ident)))
    if not changes and not versions.forked:
        done.unchanged.append(ident)
        return None
    closed = sorted(set(changes) - UPDATABLE)
    standing = "forked" if versions.forked else str(versions.data.get("status", "active"))
    if closed or standing not in RULES["update"].statuses:
        differ = f"its {', '.join(closed)} would change" if closed else f"it is {standing}"
        done.conflicts.append(told(entry, id=ident, reason=f"the record is there, and {differ}"))
        return None
    done.updated.append(ident)
    return Op(op_id=op.op_id, op="update", target_id=ident, base=versions.head.hash, updates=changes)


def _unwelcome(state: State, said: dict[str, Any]) -> str | None:
    """Why a new record may not come in: what was turned away stays away, and nothing becomes wider than it was."""
    scope = {"type": "project", **said["scope"]} if said.get("scope") else {"type": "global"}
    if scope["type"] == "project" and not scope.get("project"):
        return "its scope names no project"
    mark = state.tombstone_for(fingerprint(said["statement"]), _plain(state, "scope", scope))
    if mark is not None:
        return f"the same statement was {mark['cause']} on {mark['created_at'][:10]} ({mark['of']})"
    return None


def _changes(state: State, said: dict[str, Any], known: dict[str, Any]) -> dict[str, Any]:
    """Fields that the line gives another value than the record has. What it does not mention stays."""
    return {
        name: value
        for name, value in said.items()
        if name not in _NOT_COMPARED and _plain(state, name, value) != _plain(state, name, known.get(name))
    }


def _plain(state: State, name: str, value: Any) -> Any:
    """A value in the one shape that two equal ones share: defaults filled in, a project by the id it is kept under."""
    if name == "scope":
        scope = {"type": "project", **(value or {})}
        if scope.get("project"):
            scope["project"] = canonical_id(state, scope["project"])
        return {key: each for key, each in scope.items() if each}
    if value is None and name in Record.model_fields:
        value = Record.model_fields[name].get_default(call_default_factory=True, validated_data={})
    if hasattr(value, "model_dump"):
        value = value.model_dump()
    if isinstance(value, dict):
        return {key: each for key, each in value.items() if each is not None}
    return value or None
