"""What stands between an op and identity memory (L1): a condition that could come true, repeated strong evidence, and a
typed word. Identity memory shapes every session, so no op may get round these three.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from store.patch.draft import Draft, Item, Skip, before
from store.patch.trust import STRONG, weight

if TYPE_CHECKING:
    from store.model import Op

WORD = "identity"
SESSIONS = 2
"""Sessions in which strong evidence must have been given."""

_WRITING = frozenset({"add", "update", "supersede", "resolve_fork", "restore", "flag_for_review"})
"""Ops that can put words, a layer or a condition into a record."""
_VACUOUS = re.compile(r"(?i)^\W*(never|none|nothing|no|n/?a|always|tbd|unknown|not applicable|won'?t change)\W*$")


def layers(op: Op, draft: Draft) -> set[str]:
    """Layers that the op takes something from or puts something in."""
    told = said(op)
    record = draft.item("record", op.target_id) if op.target_id else None
    found = {str(told.get("layer") or "L2"), _layer(record.content) if record else "L2"}
    if op.op == "add" and "layer" not in told and op.candidate_ids:
        first = draft.item("candidate", op.candidate_ids[0])
        found |= {_layer(first.content)} if first else set()
    if op.op == "supersede" and (by := draft.item("record", str(op.updates.get("by")))):
        found.add(_layer(by.content))
    if op.op in ("resolve_fork", "restore") and op.target_id:
        versions = before(draft.state, "record", op.target_id)
        named = str(op.updates.get("to") or op.updates.get("keep"))
        found |= {_layer(versions[named].data)} if versions is not None and named in versions else set()
        if op.op == "resolve_fork" and versions is not None:
            found |= {_layer(head.data) for head in versions.heads}
    return found


def barred_from_identity(op: Op, draft: Draft, words: Iterable[str], *, undoing: bool = False) -> Skip | None:
    """Why the op may not write identity memory, or nothing when it may, or does not.

    An undo gives back what a person had confirmed before, so it asks for nothing.
    """
    if op.op not in _WRITING or undoing or "L1" not in layers(op, draft):
        return None
    target = _subject(op, draft)
    told = said(op)
    if op.op == "flag_for_review":
        if "change_condition" in op.updates and not _falsifiable(op.updates["change_condition"]):
            return Skip("invalid", _LACKS_CONDITION)
        return None
    if op.op == "restore" and op.updates.get("to") is None:
        return None
    review = {**((_content(op, draft, target).get("review")) or {}), **(told.get("review") or {})}
    if not _falsifiable(review.get("change_condition")):
        return Skip("invalid", _LACKS_CONDITION)
    if lacking := _weak(op, draft, target):
        return Skip("not_applicable", lacking)
    if WORD not in set(words):
        return Skip("needs_confirmation", f"identity memory shapes every session; confirm with the word {WORD}")
    return None


def said(op: Op) -> dict[str, Any]:
    """Fields of a record that the op itself names."""
    return {**(op.record or {}), **({} if op.op != "update" else op.updates)}


_LACKS_CONDITION = "identity memory needs review.change_condition: what, if seen, would make it false"


def _falsifiable(condition: object) -> bool:
    text = str(condition or "").strip()
    return len(text.split()) >= 2 and not _VACUOUS.match(text)


def _layer(content: Mapping[str, Any]) -> str:
    return str(content.get("layer") or "L2")


def _subject(op: Op, draft: Draft) -> Item | None:
    """The record that holds afterwards, where it is there already."""
    if op.op == "supersede" and op.updates.get("by"):
        return draft.item("record", str(op.updates["by"]))
    return draft.item("record", op.target_id) if op.target_id else None


def _content(op: Op, draft: Draft, target: Item | None) -> Mapping[str, Any]:
    """What the record says before the op's own words are put over it."""
    if target is None:
        return {}
    named = op.updates.get("to") if op.op == "restore" else op.updates.get("keep") if op.op == "resolve_fork" else None
    versions = before(draft.state, "record", target.id)
    return versions[named].data if named and versions is not None and named in versions else target.content


def _weak(op: Op, draft: Draft, target: Item | None) -> str:
    """What the evidence lacks. What was captured needs two sessions. A record that is brought as it stands was approved
    elsewhere, so one strong piece will do; words written by hand without any rest on the typed word alone.
    """
    named: list[str] = [*(said(op).get("evidence") or ())]
    for ident in op.candidate_ids:
        item = draft.item("candidate", ident)
        named += item.content.get("evidence", ()) if item else ()
    if target is not None and op.op in ("update", "resolve_fork"):
        if _layer(target.content) == "L1" and not (op.candidate_ids and op.updates):
            return ""  # it was confirmed before, and what is new comes by hand or adds to what speaks for it
        named += target.content.get("evidence", ())
    if not named or op.op == "restore":
        return ""
    strong: set[str] = set()
    for ident in named:
        piece = draft.state.evidence.get(ident, {})
        if weight(piece.get("trust")) >= STRONG:
            strong.add(str(piece.get("session") or ident))
    if len(strong) >= (SESSIONS if op.candidate_ids or op.op != "add" else 1):
        return ""
    if op.op == "add" and not op.candidate_ids:
        return "identity memory needs strong evidence, and what it names is weak or not there"
    return f"identity memory needs strong evidence from two sessions or more; there is {len(strong) or 'none'}"
