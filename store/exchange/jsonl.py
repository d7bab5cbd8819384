"""Records as JSON lines: one record a line, `id` and `statement`, and any other field of a record.

Reading gives a patch, so what comes in passes the same checks as everything else, and importing twice changes nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from store.errors import BadPatch
from store.log.fold import ENVELOPE
from store.model import Op, Patch, Record, dump
from store.patch import fill
from store.patch.build import tidy
from store.patch.check import check_op
from store.patch.table import RULES, UPDATABLE
from store.project.registry import canonical_id

if TYPE_CHECKING:
    from store.state import State

_NOT_COMPARED = frozenset({"id", "created_at", "updated_at", "evidence"})
"""What may differ while the memory is the same: our own times, and evidence that lives in the other store."""


@dataclass(slots=True)
class Import:
    """What an import would do: a patch, and the lines that need none or cannot be taken."""

    patch: Patch
    created: list[str] = field(default_factory=list)
    updated: list[str] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    conflicts: list[dict[str, Any]] = field(default_factory=list)
    """Lines whose id is taken by something that an import may not overwrite: `line`, `id`, `reason`."""
    rejected: list[dict[str, Any]] = field(default_factory=list)
    """Lines that cannot be read: `line`, `reason`."""
    lines: dict[str, int] = field(default_factory=dict)
    """The line that each op of the patch came from, by op id."""


def export(state: State) -> Iterator[dict[str, Any]]:
    """Every record that is not deleted, as it stands now, in the order it was first read."""
    for versions in state.live_records():
        yield dump(state.record(versions.id))


def plan_import(state: State, lines: Iterable[bytes], *, patch_id: str, at: str) -> Import:
    """Read lines against a state. Nothing is written."""
    bare = Patch(patch_id=patch_id, created_at=at, summary="Import of JSON lines")
    done = Import(bare)
    ops: list[Op] = []
    seen: dict[str, int] = {}
    for number, raw in enumerate(lines, 1):
        if not raw.strip():
            continue
        try:
            said = _record(raw.removeprefix(b"\xef\xbb\xbf") if number == 1 else raw)
            op = _harmless(state, bare, Op(op_id=f"line_{number}", op="add", record=said))
        except _BadRecord as fault:
            done.rejected.append({"line": number, "reason": str(fault)})
            continue
        if said["id"] in seen:
            done.rejected.append({"line": number, "reason": f"the id stands in line {seen[said['id']]} already"})
            continue
        seen[said["id"]] = number
        wanted = _decide(state, op, number, done)
        if wanted is not None:
            ops.append(wanted)
            done.lines[wanted.op_id] = number
    done.patch = bare.model_copy(update={"ops": ops})
    return done


class _BadRecord(ValueError):
    """Why a line is no record."""


def _record(raw: bytes) -> dict[str, Any]:
    try:
        data = json.loads(raw.decode("utf-8"))
    except UnicodeDecodeError as fault:
        raise _BadRecord(f"not UTF-8 at byte {fault.start + 1}") from None
    except json.JSONDecodeError as fault:
        raise _BadRecord(f"not JSON ({fault.msg}, column {fault.colno})") from None
    except RecursionError:
        raise _BadRecord("nested too deeply") from None
    if not isinstance(data, dict):
        raise _BadRecord("not a JSON object")
    for name in ("id", "statement"):
        if not isinstance(data.get(name), str) or not data[name].strip():
            raise _BadRecord(f"no `{name}`")
    return {key: value for key, value in data.items() if key not in ENVELOPE and value is not None}


def _harmless(state: State, bare: Patch, op: Op) -> Op:
    """The op with secrets masked and its record checked."""
    try:
        check_op(op)
    except BadPatch as fault:
        raise _BadRecord(str(fault).partition(f"{op.op_id}: ")[2] or str(fault)) from None
    filled = fill(state, bare.model_copy(update={"ops": [op]})).ops[0]
    return filled.model_copy(update={"record": tidy(filled.record or {})})


def _decide(state: State, op: Op, number: int, done: Import) -> Op | None:
    said = op.record or {}
    ident = said["id"]
    versions = state.records.get(ident)
    if versions is None:
        if ident in state.candidates or ident in state.tombstones or ident in state.projects:
            done.conflicts.append({"line": number, "id": ident, "reason": "the id belongs to something else"})
            return None
        done.created.append(ident)
        return op
    changes = _changes(state, said, dump(state.record(ident)))
    if not changes and not versions.forked:
        done.unchanged.append(ident)
        return None
    closed = sorted(set(changes) - UPDATABLE)
    standing = "forked" if versions.forked else str(versions.data.get("status", "active"))
    if closed or standing not in RULES["update"].statuses:
        differ = f"its {', '.join(closed)} would change" if closed else f"it is {standing}"
        done.conflicts.append({"line": number, "id": ident, "reason": f"the record is there, and {differ}"})
        return None
    done.updated.append(ident)
    return Op(op_id=op.op_id, op="update", target_id=ident, base=versions.head.hash, updates=changes)


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
