"""A memory."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from store.model.base import Model
from store.model.scope import Scope

Layer = Literal["L1", "L2"]
Kind = Literal["fact", "event", "instruction", "task"]
RuleType = Literal[
    "avoid_pattern",
    "prefer_pattern",
    "convention",
    "correction",
    "workflow",
    "testing",
    "tool",
    "architecture",
    "preference",
]
Stability = Literal["low", "semi-stable", "stable"]
Status = Literal["active", "contested", "deprecated", "superseded", "deleted"]


class Review(Model):
    """When a record is looked at again, and what would make it false."""

    cadence_days: int | None = Field(default=None, gt=0)
    next_review: str | None = None
    change_condition: str | None = None


class Record(Model):
    """One memory as a person approved it. `statement` is the one-line gist, `body` the full text."""

    id: str
    group: str | None = None
    """Shared by the records that one approved candidate became, one per project."""
    layer: Layer = "L2"
    kind: Kind = "instruction"
    rule_type: RuleType | None = None
    scope: Scope = Field(default_factory=lambda: Scope(type="global"))
    profile: str | None = None
    statement: str = Field(min_length=1, max_length=2000)
    body: str | None = None
    tags: list[str] = Field(default_factory=list)
    applies_when: list[str] = Field(default_factory=list)
    does_not_apply_when: list[str] = Field(default_factory=list)
    known_exceptions: list[str] = Field(default_factory=list)
    evidence: list[str] = Field(default_factory=list)
    evidence_against: list[str] = Field(default_factory=list)
    """Evidence of what contested it: said for something else, so it is the record that knows its polarity here."""
    confidence: float = Field(default=0.5, ge=0.0, le=1.0)
    stability: Stability = "semi-stable"
    status: Status = "active"
    pinned: bool = False
    supersedes: list[str] = Field(default_factory=list)
    superseded_by: str | None = None
    contested_because: str | None = None
    vault_ref: str | None = None
    review: Review = Field(default_factory=Review)
    created_at: str
    updated_at: str
    valid_from: str | None = None
    valid_to: str | None = None
