"""The life of a memory: every revision with who made it, when, why, on what evidence, and what it changed. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from curate.review.card import Quote, quote_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from store.log.fold import Versions
    from store.state import State

SHOWN_FIELDS = (
    "status", "scope", "layer", "rule_type", "confidence", "stability", "pinned", "tags", "applies_when",
    "does_not_apply_when", "known_exceptions", "superseded_by", "supersedes", "vault_ref", "contested_because",
    "valid_to",
)  # fmt: skip
WHO = {"curator": "decided in a review", "maintainer": "upkeep", "manual": "a patch by hand"}


@dataclass(frozen=True, slots=True)
class Moment:
    """One revision."""

    at: str
    op: str
    who: str
    why: str
    patch: str
    summary: str
    old: str
    new: str
    """The statement before and after; the same when it was left alone."""
    changes: tuple[tuple[str, Any, Any], ...]
    quotes: tuple[Quote, ...]
    """Evidence that came in with it, newest first."""
    head: bool
    """Of a fork: one of its newest versions."""


def life(state: State, versions: Versions, patches: Sequence[Mapping[str, Any]]) -> list[Moment]:
    """Its revisions, oldest first. `patches` are those that touched it."""
    known = {str(patch.get("patch_id")): patch for patch in patches}
    moments: list[Moment] = []
    for revision in versions.revisions:
        data = revision.data
        parent = revision.parent
        before: Mapping[str, Any] = versions[parent].data if parent and parent in versions else {}
        had = set(before.get("evidence") or ())
        fresh = [state.evidence[i] for i in data.get("evidence") or () if i not in had and i in state.evidence]
        patch = known.get(revision.patch or "", {})
        moments.append(
            Moment(
                revision.at,
                revision.op,
                who(patch) if revision.patch else "capture",
                reason_of(patch, revision.id, revision.op),
                revision.patch or "",
                str(patch.get("summary") or ""),
                str(before.get("statement") or ""),
                str(data.get("statement") or ""),
                tuple(
                    (name, before.get(name), data.get(name))
                    for name in SHOWN_FIELDS
                    if before and (before.get(name) or None) != (data.get(name) or None)
                ),
                tuple(sorted(map(quote_of, fresh), key=lambda quote: quote.time, reverse=True)),
                versions.forked and any(head.hash == revision.hash for head in versions.heads),
            )
        )
    return moments


def who(patch: Mapping[str, Any]) -> str:
    """Who decided on a patch, in words."""
    if patch.get("automatic"):
        return f"by itself, under {patch['automatic']}"
    return WHO.get(str(patch.get("generated_by")), "")


def reason_of(patch: Mapping[str, Any], ident: str, name: str) -> str:
    """The reason that was given; what an op does in general says its name already."""
    plain = [op if isinstance(op, dict) else op.model_dump() for op in patch.get("ops") or ()]
    ops = [op for op in plain if op.get("op") == name and op.get("target_id") == ident]
    made = _made_by(patch, ident)
    ops += [op for op in plain if op.get("op_id") == made]
    return next((str(op["reason"]) for op in ops if op.get("reason")), "")


def _made_by(patch: Mapping[str, Any], ident: str) -> str:
    for receipt in patch.get("receipts") or ():
        told = receipt if isinstance(receipt, dict) else receipt.model_dump()
        if any(change.get("id") == ident for change in told.get("changes") or ()):
            return str(told.get("op_id"))
    return ""
