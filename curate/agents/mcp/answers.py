"""What the tools answer. These models are the schemas that clients see."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, Field


class Written(BaseModel):
    """What became of a note or a proposal."""

    target: str
    outcome: str
    """In words: noted, proposed, counted as said again, already known, turned away before."""
    candidates: list[str] = Field(default_factory=list)


class Hit(BaseModel):
    """A memory that was found."""

    id: str
    score: float
    statement: str
    why: str | None = None


class Hits(BaseModel):
    """Memories about a text, best first."""

    hits: list[Hit]
    mode: str
    project: str | None


class Memory(BaseModel):
    """A memory with where it came from."""

    record: dict[str, Any]
    evidence: list[dict[str, Any]]
    revisions: int


class Decision(BaseModel):
    """A line marked #decision."""

    date: str
    project: str | None
    text: str


class Decisions(BaseModel):
    """Decisions, newest first."""

    decisions: list[Decision]


class PastTurn(BaseModel):
    """A turn of a past session, or the digest of one."""

    id: str
    tier: str
    session: str | None
    agent: str | None
    time: str | None
    day: str | None
    name: str | None
    text: str
    project: str | None
    score: float


class Sessions(BaseModel):
    """What past sessions were about, best first."""

    found: list[PastTurn]


class ContextLine(BaseModel):
    """A line of a block."""

    id: str
    section: str
    reason: str
    cost: int


class ContextBlock(BaseModel):
    """What a turn would get."""

    block: str
    entries: list[ContextLine]
    total: int
    budget: int
    unit: str
    truncated: bool
    skipped: str | None = None


class Explained(BaseModel):
    """Turns as they were sent, with the funnel."""

    session: str | None
    kept: int = 0
    """How many turns of it the journal has; only the last are given at once."""
    turns: list[dict[str, Any]]


class Waiting(BaseModel):
    """A group that waits for a person."""

    statement: str
    said: int
    where: str
    kind: str
    tab: str


class ReviewSummary(BaseModel):
    """What waits for review."""

    groups: int
    noise: int
    conflicts: int
    first: list[Waiting]
    """Of what may hold here."""
    how: str = "A person decides: run `curate` in a terminal, or `curate review --text`."
