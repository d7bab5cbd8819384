"""Which decision may be taken on which row, and why not. One rule for keys, footer, palette and session alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

from curate.review.naming import key_of

if TYPE_CHECKING:
    from curate.review.choice import Verb
    from curate.review.rows import Row

ONE_AT_A_TIME: frozenset[Verb] = frozenset({"update", "delete", "resolve", "both", "restore"})
"""Too weighty, or too particular, to be done to marked rows."""

NEEDS_TARGET: frozenset[Verb] = frozenset({"merge", "supersede", "exception", "contest"})
"""On a candidate these change a record that is already there."""

_RECORD_INSTEAD: dict[Verb, str] = {
    "accept": f"this is a memory already: {key_of('edit')} changes it, {key_of('deprecate')} deprecates it",
    "reject": f"a memory is not rejected: {key_of('deprecate')} deprecates it, {key_of('delete')} deletes it for good",
    "later": "only what waits can be put off",
    "merge": "merging starts from a candidate",
    "both": (
        f"this is a memory already: {key_of('scope_path')} {key_of('scope_project')} {key_of('scope_global')} change "
        f"where it holds, {key_of('exception')} adds an exception"
    ),
}
_CANDIDATE_INSTEAD: dict[Verb, str] = {
    "update": "accept it first",
    "uncontest": "only a contested memory can be uncontested",
    "deprecate": f"not a memory yet: {key_of('reject')} rejects it",
    "delete": f"not a memory yet: {key_of('reject')} rejects it",
    "pin": f"not a memory yet: {key_of('accept')} accepts it",
    "unpin": f"not a memory yet: {key_of('accept')} accepts it",
    "flag": f"not a memory yet: {key_of('later')} puts it off",
    "vault": f"not a memory yet: {key_of('accept')} accepts it, the vault comes after",
    "resolve": "only a memory with two versions has a fork to resolve",
    "stability": f"not a memory yet: {key_of('accept')} accepts it",
    "decay": f"not a memory yet: {key_of('later')} puts it off",
    "restore": "not a memory yet: it has no earlier versions",
}


def why_not(verb: Verb, row: Row, *, records: bool) -> str | None:
    """The reason in words why `verb` makes no sense for the row, None when it does. `records`: there are any at all."""
    if row.kind == "record":
        return _RECORD_INSTEAD.get(verb) or _of_record(verb, row)
    if verb in _CANDIDATE_INSTEAD:
        return _CANDIDATE_INSTEAD[verb]
    if verb == "contest" and not row.records:
        return "it contradicts nothing that is known"
    if verb == "both" and not (row.rivals or row.records):
        return "it contradicts nothing"
    if verb in NEEDS_TARGET and not records:
        return "there is no memory yet that it could be applied to"
    return None


def _of_record(verb: Verb, row: Row) -> str | None:
    if row.forked and verb not in {"resolve", "delete"}:
        return f"it has two versions: {key_of('resolve')} resolves the fork first"
    if verb == "resolve":
        return None if row.forked else "it has one version only"
    if verb == "uncontest":
        return None if row.status == "contested" else "it is not contested"
    if verb == "contest" and row.status == "contested":
        return f"it is contested already: {key_of('uncontest')} takes that back"
    if verb == "pin" and row.pinned:
        return "it is pinned already"
    if verb == "unpin" and not row.pinned:
        return "it is not pinned"
    if verb == "decay" and not row.overdue:
        return "no review of it is overdue"
    if verb not in {"delete", "restore"} and row.status not in {"active", "contested"}:
        return f"it is {row.status}: only what is in force can be changed"
    return None
