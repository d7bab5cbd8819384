"""From decisions to the patch that carries them out. Pure: what each op then does is the store's affair."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from curate.review.choice import DONE_WORDS, Choice, Verb
from curate.review.deciding import WITH_CONDITION
from store import ids
from store.model import Op, OpName, Patch

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from curate.review.rows import Row, Scoped

_ON_RECORD: Mapping[Verb, OpName] = {
    "uncontest": "uncontest", "deprecate": "deprecate", "delete": "delete", "pin": "pin", "unpin": "unpin",
    "flag": "flag_for_review", "vault": "promote_to_vault_candidate", "decay": "decay",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Draft:
    """A patch, and for each of its ops the row it was decided on."""

    patch: Patch
    rows: Mapping[str, str]
    """Op id to row key."""

    def outcome(self, receipts: Iterable[Any]) -> tuple[list[str], dict[str, str]]:
        """Keys of rows that were applied whole, and for the others why not, from the receipts of the patch."""
        skipped: dict[str, str] = {}
        done: dict[str, None] = {}
        for receipt in receipts:
            key = self.rows.get(receipt.op_id)
            if key is None:
                continue
            if receipt.applied:
                done[key] = None
            else:
                skipped.setdefault(key, receipt.detail or str(receipt.reason or "skipped"))
        return [key for key in done if key not in skipped], skipped


def draft(
    rows: Mapping[str, Row],
    pending: Mapping[str, Choice],
    *,
    known: set[str] | None = None,
    now: ids.Clock = ids.now,
    new_id: ids.NewId = ids.new_id,
) -> Draft:
    """The patch of all pending decisions. `known`: ids of the records that are there."""
    ops: list[Op] = []
    owners: dict[str, str] = {}
    decided = [
        (key, op) for key, choice in pending.items() if key in rows and choice.verb for op in ops_of(rows[key], choice)
    ]
    made = {str(op.record["id"]) for _, op in decided if op.op == "add" and op.record and op.record.get("id")}
    # What takes the place of another has to be there first; and when the reader did not accept it, nothing is replaced.
    for key, op in sorted(decided, key=lambda item: "by" in item[1].updates):
        if "by" in op.updates and op.target_id in made and op.updates["by"] not in made | (known or set()):
            continue
        op_id = f"op_{len(ops) + 1:03}"
        ops.append(op.model_copy(update={"op_id": op_id, "default_selected": True}))
        owners[op_id] = key
    patch = Patch(
        patch_id=new_id("pat"), created_at=now(), generated_by="curator", summary=summary(pending.values()), ops=ops
    )
    return Draft(patch, owners)


def summary(choices: Iterable[Choice]) -> str:
    """One line for the history: `review: 12 accepted, 40 rejected`."""
    counted = Counter(DONE_WORDS[choice.verb] for choice in choices if choice.verb is not None)
    return "review: " + ", ".join(f"{count} {word}" for word, count in counted.most_common())


def ops_of(row: Row, choice: Choice) -> list[Op]:
    """The ops that carry out one decision. `op_id` is left for the caller to set."""
    verb = choice.verb
    assert verb is not None, "a changed scope alone is no decision"
    if verb == "accept":
        return _accepted(row, choice)
    if verb == "reject":
        return [_op("reject_candidate", choice, reason=choice.text or row.reason or None)]
    if verb == "later":
        return [_op("defer_candidate", choice, reason=choice.text)]
    target = choice.target if row.kind == "candidate" else row.key
    if verb == "merge":
        return [_op("update", choice, target, updates=_words(choice) | _condition(choice))]
    if verb == "supersede":
        record = _words(choice) | _one_scope(choice) | _condition(choice)
        return [_op("supersede", choice, target, record=record)]
    if verb == "both":
        return [_added(row, choice), *_narrowed(choice)]
    if verb == "exception":
        words = choice.text or choice.statement or row.statement
        return [_op("add_exception", choice, target, updates={"known_exceptions": [words]})]
    if verb == "contest":
        reason = choice.text or (f"contradicted: {row.statement}" if row.kind == "candidate" else None)
        return [_op("contest", choice, target, reason=reason)]
    if verb == "update":
        return [_op("update", choice, target, updates=_words(choice) | _one_scope(choice) | _condition(choice))]
    if verb == "stability":
        return [_op("update_stability", choice, target, updates={"stability": choice.text})]
    if verb == "restore":
        return [_op("restore", choice, target, updates={"to": choice.text} | _back(row))]
    if verb == "resolve":
        updates = {"keep": choice.text} if choice.text else {}
        return [_op("resolve_fork", choice, target, updates=updates | _back(row))]
    return [_op(_ON_RECORD[verb], choice, target, reason=choice.text)]


def _accepted(row: Row, choice: Choice) -> list[Op]:
    proposed = [op for op in row.ops if op.op not in {"reject_candidate", "defer_candidate"}]
    out = [_added(row, choice)] if row.takes == "add" else []
    for op in proposed:
        if op.op == "add" and row.takes == "add":
            continue
        told: dict[str, Any] = {"base": dict(choice.bases).get(op.target_id or "") or op.base}
        told["candidate_ids"] = [ident for ident in op.candidate_ids if ident in choice.candidates]
        if op.op == "update":
            told["updates"] = {**op.updates, **_words(choice), **_one_scope(choice), **_condition(choice)}
        elif op.op == "supersede" and "by" not in op.updates:
            told["record"] = {**(op.record or {}), **_words(choice), **_one_scope(choice), **_condition(choice)}
        elif op.op == "add_exception" and choice.statement:
            told["updates"] = {**op.updates, "known_exceptions": [choice.statement]}
        out.append(op.model_copy(update=told))
    if out:
        return out
    # Nothing was spelt out: the record it was matched with is the one that is meant.
    return ops_of(row, _aimed(row, choice))


def _aimed(row: Row, choice: Choice) -> Choice:
    from dataclasses import replace

    verbs: dict[OpName, Verb] = {"supersede": "supersede", "add_exception": "exception", "contest": "contest"}
    return replace(choice, verb=verbs.get(row.takes, "merge"), target=choice.target or (row.records or (None,))[0])


def _added(row: Row, choice: Choice) -> Op:
    proposed = next((op for op in row.ops if op.op == "add"), None)
    scoped = choice.scope_for(row)
    record = dict(proposed.record or {}) if proposed else {}
    record.pop("scope", None)
    record = {**record, "scope": _scope(scoped), **_words(choice), **_condition(choice)}
    targets = list(scoped.projects) if scoped.reach in {"project", "path"} else []
    return Op(
        op_id="", op="add", candidate_ids=list(choice.candidates), record=record, targets=targets, updates=_back(row),
        reason=row.reason or None,
    )  # fmt: skip


def _back(row: Row) -> dict[str, Any]:
    """What is dead comes back when the reader, who sees that it is, takes it all the same."""
    return {"lift_tombstone": True} if "tombstoned" in row.flags else {}


def _op(name: OpName, choice: Choice, target: str | None = None, **fields: Any) -> Op:
    base = dict(choice.bases).get(target) if target else None
    return Op(
        op_id="", op=name, target_id=target, base=base, candidate_ids=list(choice.candidates),
        **{key: value for key, value in fields.items() if value is not None},
    )  # fmt: skip


def _words(choice: Choice) -> dict[str, Any]:
    return {"statement": choice.statement} if choice.statement else {}


def _condition(choice: Choice) -> dict[str, Any]:
    return {"review": {"change_condition": choice.text}} if choice.text and choice.verb in WITH_CONDITION else {}


def _narrowed(choice: Choice) -> list[Op]:
    """The memory beside it, where that holds for less from now on; the evidence belongs to the other side."""
    if choice.target is None or choice.other is None:
        return []
    scope = _one_scope(Choice(scoped=choice.other))
    return [Op(op_id="", op="update", target_id=choice.target, base=dict(choice.bases).get(choice.target),
               updates=scope)]  # fmt: skip


def _one_scope(choice: Choice) -> dict[str, Any]:
    """The scope of one record, when the reader changed it: of several projects the first."""
    if choice.scoped is None or choice.scoped.reach == "unassigned":
        return {}
    scope = _scope(choice.scoped)
    if choice.scoped.projects and scope["type"] == "project":
        scope["project"] = choice.scoped.projects[0]
    return {"scope": scope}


def _scope(scoped: Scoped) -> dict[str, Any]:
    if scoped.reach == "global":
        return {"type": "global"}
    if scoped.reach == "domain":
        return {"type": "domain", "domains": list(scoped.domains)}
    return {"type": "project", **({"paths": list(scoped.paths)} if scoped.paths else {})}
