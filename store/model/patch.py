"""A reviewed set of changes and what came of each."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from store.model.base import Model

OpName = Literal[
    "add",
    "update",
    "supersede",
    "deprecate",
    "decay",
    "contest",
    "uncontest",
    "add_exception",
    "update_stability",
    "flag_for_review",
    "pin",
    "unpin",
    "resolve_fork",
    "delete",
    "reject_candidate",
    "defer_candidate",
    "promote_to_vault_candidate",
    "restore",
]
Risk = Literal["low", "medium", "high"]


class Op(Model):
    """One change. What a hand-written op leaves out (`None`) is filled in before it is planned."""

    op_id: str
    op: OpName
    target_id: str | None = None
    base: str | None = None
    """Hash of the revision the op was proposed against; no longer current means the op is skipped as `stale`."""
    candidate_ids: list[str] = Field(default_factory=list)
    record: dict[str, Any] | None = None
    updates: dict[str, Any] = Field(default_factory=dict)
    targets: list[str] = Field(default_factory=list)
    reason: str | None = None
    rationale: str | None = None
    risk: Risk | None = None
    default_selected: bool | None = None


class Patch(Model):
    """A patch document, as in the command-line contract."""

    patch_id: str
    created_at: str
    generated_by: Literal["curator", "maintainer", "manual"] = "manual"
    summary: str = ""
    undoes: str | None = None
    """The patch that this one takes back."""
    automatic: str | None = None
    """The setting under which it was applied without a person; absent for what a person decided."""
    ops: list[Op] = Field(default_factory=list)


SkipReason = Literal[
    "stale",
    "not_selected",
    "unknown_target",
    "not_applicable",
    "invalid",
    "needs_confirmation",
    "tombstoned",
    "changed_since",
    "already_applied",
]


class Receipt(Model):
    """What applying one op did (`applied`), or why it was skipped (`reason`, and `detail` in words)."""

    op_id: str
    op: OpName
    applied: bool
    reason: SkipReason | None = None
    detail: str | None = None
    changes: list[dict[str, str | None]] = Field(default_factory=list)
    """One entry per revision: `file`, `id`, `hash`, `parent`."""
