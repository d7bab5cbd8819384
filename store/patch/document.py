"""A patch document as people and programs write it, made whole: what it leaves out is filled in from the state."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from store import ids
from store.errors import BadPatch
from store.line import canonical
from store.model import Op, Patch
from store.patch.check import check
from store.patch.draft import Draft, before
from store.patch.policy import default_selected, effect, least_risk, rationale, risk
from store.patch.table import RULES
from store.secrets import mask, may_hold
from store.text import clean, one_line

if TYPE_CHECKING:
    from store.ids import Clock, NewId
    from store.state import State

PROSE = frozenset({
    "statement", "body", "tags", "applies_when", "does_not_apply_when", "known_exceptions", "review",
    "change_condition", "contested_because",
})  # fmt: skip
"""Fields of `record` and `updates` that hold words of people, and so may hold a secret."""


def parse_patch(document: object, *, clock: Clock = ids.now, new_id: NewId = ids.new_id) -> Patch:
    """A patch from parsed JSON; a missing `patch_id` or `created_at` is given. Raises `BadPatch` with the op's id."""
    if not isinstance(document, Mapping):
        raise BadPatch("document", 'it must be an object such as {"ops": [...]}')
    if not isinstance(document.get("ops"), list):
        raise BadPatch("document", 'it needs "ops", a list')
    whole = {key: value for key, value in document.items() if value is not None}
    whole.setdefault("created_at", clock())
    if not whole.get("patch_id"):
        whole["patch_id"] = new_id("pat")
    _check_writable(whole)
    whole["ops"] = [_without_nulls(op) for op in document["ops"]]
    try:
        return Patch.model_validate(whole)
    except ValidationError as error:
        raise _named(error, whole["ops"]) from None


def fill(state: State, patch: Patch) -> Patch:
    """The patch with bases, risks, default selections and rationales where an op has none, and its text made harmless.

    A missing base is the current revision. Pure: nothing is looked up outside the state. Raises `BadPatch`.
    """
    check(patch)
    draft = Draft(state, patch.patch_id, patch.created_at, _no_ids)
    ops = [_fill(draft, op, undoing=patch.undoes is not None) for op in patch.ops]
    return patch.model_copy(update={"ops": ops, "summary": one_line(mask(patch.summary).text)})


def _fill(draft: Draft, op: Op, *, undoing: bool) -> Op:
    found = draft.find(op.target_id, ("record", "candidate", "tombstone", "project")) if op.target_id else None
    versions = before(draft.state, found.kind, found.id) if found else None
    seen = effect(op, draft)
    told = _harmless(op)
    told["base"] = op.base or (versions.head.hash if versions else None)
    told["risk"] = least_risk(op.risk, risk(op, draft, seen))
    chosen = undoing or default_selected(op, draft, seen)
    told["default_selected"] = chosen and op.default_selected is not False
    told["rationale"] = told["rationale"] or rationale(op, draft, seen)
    return op.model_copy(update=told)


def _harmless(op: Op) -> dict[str, Any]:
    """What an op says, with no hidden characters and no secrets in it: it goes into the patch log as it is."""
    record = {name: value for name, value in op.record.items() if name in PROSE} if op.record else {}
    updates = {name: value for name, value in op.updates.items() if name in PROSE}
    prose: dict[str, Any] = {"reason": op.reason, "rationale": op.rationale, "record": record, "updates": updates}
    texts: list[str] = []

    def cleaned(text: str) -> str:
        texts.append(text := clean(text))
        return text

    told: dict[str, Any] = _each(prose, cleaned)
    if may_hold("\n".join(texts)):
        told = _each(told, _masked)
    return told | {
        "record": op.record and {**op.record, **told["record"]},
        "updates": {**op.updates, **told["updates"]},
    }


def _masked(text: str) -> str:
    return mask(text).text


def _each(value: Any, treat: Callable[[str], str]) -> Any:
    """A value with all its texts treated, the keys left alone."""
    if isinstance(value, str):
        return treat(value)
    if isinstance(value, list):
        return [_each(item, treat) for item in value]
    if isinstance(value, dict):
        return {key: _each(item, treat) for key, item in value.items()}
    return value


def _check_writable(document: Mapping[str, Any]) -> None:
    """Numbers and characters that no line can hold: NaN, infinity, halves of surrogate pairs."""
    try:
        canonical(dict(document))
    except RecursionError:
        raise BadPatch("document", "it is nested too deeply") from None
    except (ValueError, TypeError) as fault:
        raise BadPatch("document", f"it holds what JSON in UTF-8 cannot: {fault}") from None


def _without_nulls(op: object) -> object:
    """Null means "left out" for an op's own fields; inside `updates` it means "clear"."""
    return {key: value for key, value in op.items() if value is not None} if isinstance(op, Mapping) else op


def _named(error: ValidationError, ops: list[Any]) -> BadPatch:
    first = error.errors()[0]
    loc = first["loc"]
    if len(loc) < 2 or loc[0] != "ops":
        return BadPatch(".".join(str(part) for part in loc) or "document", first["msg"].lower())
    number = int(loc[1])
    op = ops[number]
    name = op.get("op_id") if isinstance(op, Mapping) and isinstance(op.get("op_id"), str) else None
    where = name or f"op number {number + 1}"
    if loc[2:] == ("op",):
        said = op.get("op")
        known = ", ".join(RULES)
        return BadPatch(
            where, f"unknown op {said!r}; known are {known}" if said else f"it has no op; known are {known}"
        )
    return BadPatch(where, f"{'.'.join(str(part) for part in loc[2:]) or 'op'}: {first['msg'].lower()}")


def _no_ids(prefix: str) -> str:
    raise AssertionError(f"filling in a patch makes no {prefix}")
