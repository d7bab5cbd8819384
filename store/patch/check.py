"""Whether a patch is valid as a whole, before anything of it is planned. Every fault names the op and the field."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from typing import Any

from pydantic import ValidationError

from store.errors import BadPatch
from store.model import Op, Patch, Record
from store.model.record import Review
from store.model.scope import Scope
from store.patch.build import moment, tidy
from store.patch.table import EXCEPTIONS, RULES, UPDATABLE, Rule
from store.text import one_line

WITH_RECORD = frozenset({"add", "supersede", "resolve_fork"})
WITH_TARGETS = frozenset({"add", "supersede"})
NEVER_NULL = frozenset({"statement", "scope", "layer", "kind", "confidence"})
"""Fields that `update` cannot clear: without them a record means nothing, or something wider."""

_ID_LIMIT = 200
_FIELDS = frozenset(Record.model_fields)
_NESTED = {"scope": frozenset(Scope.model_fields), "review": frozenset(Review.model_fields)}
_LEAST = {"id": "x", "statement": "x", "created_at": "x", "updated_at": "x"}
"""What a record cannot be without: an op need not say it."""


def check(patch: Patch) -> None:
    """Raises `BadPatch` at the first fault of the patch."""
    twice = [op_id for op_id, count in Counter(op.op_id for op in patch.ops).items() if count > 1]
    if twice:
        raise BadPatch(twice[0], "two ops have this op_id; give each its own")
    for op in patch.ops:
        check_op(op)


def check_selection(select: Collection[str], known: Collection[str]) -> None:
    """Raises `BadPatch` when a selected op is named twice or is not in the patch."""
    for op_id, count in Counter(select).items():
        if count > 1:
            raise BadPatch("selection", f"{op_id} is selected {count} times; name each op once")
        if op_id not in known:
            raise BadPatch("selection", f"there is no op {op_id}; the patch has {', '.join(sorted(known)) or 'no ops'}")


def check_op(op: Op) -> None:
    """Raises `BadPatch` when the op by itself cannot mean anything."""
    rule = RULES[op.op]
    if not op.op_id.strip():
        raise BadPatch("an op", "its op_id is empty")
    _check_plain(op, "op_id", op.op_id)
    _check_names(op, rule)
    unknown = sorted(set(op.updates) - rule.updates)
    if unknown:
        raise BadPatch(op.op_id, f"{op.op} cannot set updates.{unknown[0]}; it knows {_listed(rule.updates)}")
    missing = sorted(rule.needs - set(op.updates))
    if missing:
        raise BadPatch(op.op_id, f"{op.op} needs updates.{missing[0]}")
    _check_values(op)
    if op.op == "update":
        _check_update(op)
    elif op.op == "add_exception":
        _check_exceptions(op)
    if op.record is not None:
        _check_fields(op, "record", op.record)
        scope = op.record.get("scope") or {}
        if op.targets and scope.get("type", "project") != "project":
            raise BadPatch(op.op_id, f"a {scope['type']} scope takes no targets; leave out one of them")
    _check_made(op)


def _check_names(op: Op, rule: Rule) -> None:
    many = rule.on in ("candidate", "record or candidate") and bool(op.candidate_ids)
    if rule.on == "nothing" and op.target_id:
        raise BadPatch(op.op_id, f"{op.op} takes no target_id; to change a record use update or supersede")
    if rule.on != "nothing" and not op.target_id and not many:
        raise BadPatch(op.op_id, f"{op.op} needs a target_id")
    if op.candidate_ids and not rule.candidates:
        raise BadPatch(op.op_id, f"{op.op} takes no candidate_ids")
    if op.record is not None and op.op not in WITH_RECORD:
        raise BadPatch(op.op_id, f"{op.op} takes no record; what changes goes into updates")
    if op.targets and op.op not in WITH_TARGETS:
        raise BadPatch(op.op_id, f"{op.op} takes no targets")
    for name, values in (("candidate_ids", op.candidate_ids), ("targets", op.targets)):
        if len(set(values)) < len(values):
            raise BadPatch(op.op_id, f"{name} has one entry twice")
        if not all(value.strip() for value in values):
            raise BadPatch(op.op_id, f"{name} has an empty entry")
        for value in values:
            _check_plain(op, name, value)


def _check_made(op: Op) -> None:
    """What an op that makes a record needs for it."""
    statement = (op.record or {}).get("statement")
    if op.op == "add" and not statement and not op.candidate_ids:
        raise BadPatch(op.op_id, "add needs record.statement, or candidate_ids to take it from")
    if op.op == "supersede":
        if op.updates.get("by") and op.record:
            raise BadPatch(op.op_id, "supersede takes either a new record or updates.by, not both")
        if not (op.updates.get("by") or statement or op.candidate_ids):
            raise BadPatch(op.op_id, "supersede needs record.statement, candidate_ids, or updates.by")


def _check_update(op: Op) -> None:
    told = {key: value for key, value in op.updates.items() if key in UPDATABLE}
    if not told and not op.candidate_ids:
        raise BadPatch(op.op_id, "update needs updates, or candidate_ids whose evidence it takes in")
    cleared = sorted(key for key in NEVER_NULL & set(told) if told[key] is None)
    if cleared:
        raise BadPatch(op.op_id, f"updates.{cleared[0]} cannot be null")
    _check_fields(op, "updates", told)
    scope = told.get("scope")
    if scope is not None and scope.get("type", "project") == "project" and not scope.get("project"):
        raise BadPatch(op.op_id, "updates.scope needs a project")


def _check_exceptions(op: Op) -> None:
    told = {key: [value] if isinstance(value, str) else value for key, value in op.updates.items()}
    if not any(tidy(told).values()):
        raise BadPatch(op.op_id, f"add_exception needs one of {_listed({f'updates.{name}' for name in EXCEPTIONS})}")
    _check_fields(op, "updates", told)


def _check_fields(op: Op, where: str, fields: Mapping[str, Any]) -> None:
    """Record fields by the model, each fault with its own path; fields that no record has are refused."""
    for name, value in fields.items():
        if name not in _FIELDS:
            raise BadPatch(op.op_id, f"a record has no field {where}.{name}")
        odd = sorted(set(value) - _NESTED[name]) if name in _NESTED and isinstance(value, Mapping) else []
        if odd:
            raise BadPatch(op.op_id, f"there is no field {where}.{name}.{odd[0]}")
    given = {key: value for key, value in tidy(fields).items() if value is not None}
    try:
        Record.model_validate(_LEAST | given)
    except ValidationError as error:
        first = error.errors()[0]
        path = ".".join(str(part) for part in (where, *first["loc"]))
        raise BadPatch(op.op_id, f"{path}: {first['msg'].lower()}") from None
    ident = given.get("id")
    if ident is not None and (not ident or len(ident) > _ID_LIMIT or any(char.isspace() for char in ident)):
        raise BadPatch(op.op_id, f"{where}.id must be 1 to {_ID_LIMIT} characters without spaces")
    for name in ("created_at", "updated_at", "valid_from", "valid_to"):
        if given.get(name):
            _check_time(op, f"{where}.{name}", given[name])
    if (review := given.get("review") or {}).get("next_review"):
        _check_time(op, f"{where}.review.next_review", review["next_review"])


def _check_values(op: Op) -> None:
    """Values in `updates` that are no record fields."""
    told = op.updates
    if not told:
        return
    for name in ("defer_until", "next_review"):
        if told.get(name) is not None:
            _check_time(op, f"updates.{name}", told[name])
    for name in ("by", "keep", "to", "together", "change_condition"):
        if told.get(name) is not None and not (isinstance(told[name], str) and told[name].strip()):
            raise BadPatch(op.op_id, f"updates.{name} must be text")
    for name in ("cycles", "cadence_days"):
        value = told.get(name)
        if value is not None and (not isinstance(value, int) or isinstance(value, bool) or value < 1):
            raise BadPatch(op.op_id, f"updates.{name} must be a whole number from 1")
    if not isinstance(told.get("lift_tombstone", False), bool):
        raise BadPatch(op.op_id, "updates.lift_tombstone must be true or false")
    if told.get("mode", "audit") not in ("audit", "purge"):
        raise BadPatch(op.op_id, f"updates.mode must be audit or purge, not {told['mode']!r}")
    if "stability" in told and told["stability"] not in ("low", "semi-stable", "stable"):
        raise BadPatch(op.op_id, "updates.stability must be low, semi-stable or stable")


def _check_plain(op: Op, where: str, ident: str) -> None:
    if one_line(ident) != ident:
        raise BadPatch(op.op_id, f"{where} {ident!r} has hidden characters or odd spaces in it")


def _check_time(op: Op, where: str, value: object) -> None:
    try:
        moment(str(value))
    except ValueError:
        raise BadPatch(op.op_id, f"{where}: {value!r} is no RFC 3339 time such as 2026-11-29T12:00:00Z") from None


def _listed(names: Collection[str]) -> str:
    return ", ".join(sorted(names)) or "none"
