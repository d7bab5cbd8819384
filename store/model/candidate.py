"""Something captured that may deserve to be remembered."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from store.model.base import Model
from store.model.evidence import TrustClass
from store.model.record import Layer, RuleType
from store.model.scope import Scope

Intent = Literal[
    "user_preference", "behavior_correction", "project_convention", "reusable_workflow", "temporary", "none"
]
Durability = Literal["durable", "doubtful", "temporary"]
CandidateStatus = Literal["waiting", "deferred", "accepted", "rejected"]


class Candidate(Model):
    """A line of the inbox. Recurrence adds evidence to it; only a patch moves it out of `waiting`."""

    id: str
    statement: str = Field(min_length=1, max_length=2000)
    body: str | None = None
    intent: Intent = "none"
    rule_type: RuleType | None = None
    layer: Layer = "L2"
    scope: Scope = Field(default_factory=Scope)
    targets: list[str] = Field(default_factory=list)
    """Project ids; several make one record each when approved. Empty with a project scope: unassigned."""
    scope_reason: str | None = None
    """Why capture gave it this scope, in words."""
    profile: str | None = None
    tags: list[str] = Field(default_factory=list)
    durability: Durability = "durable"
    trust: TrustClass = "direct_user_instruction"
    confidence: float = Field(default=0.5, ge=0.0, le=1.0)
    """How sure capture is that this is a standing rule, 0 to 1."""
    poisoning_risk: Literal["low", "medium", "high"] = "low"
    flags: list[str] = Field(default_factory=list)
    """Marks for the reviewer: `joke`, `one_off`, `redacted`, `tombstoned`, `quoted`, `needs_context`."""
    language: str | None = None
    evidence: list[str] = Field(default_factory=list)
    status: CandidateStatus = "waiting"
    defer_until: str | None = None
    reason: str | None = None
    """Why it was rejected or deferred, in a few words."""
    became: list[str] = Field(default_factory=list)
    """Ids of the records it was made into or merged into."""
    created_at: str
    updated_at: str
