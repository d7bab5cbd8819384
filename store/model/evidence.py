"""What somebody said, kept so that it can be read after the transcript is gone."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from store.line import SCHEMA
from store.model.base import Model

TrustClass = Literal[
    "direct_user_instruction",
    "user_correction",
    "repeated_user_preference",
    "accepted_code_review_outcome",
    "existing_project_convention",
    "passing_tool_or_test_outcome",
    "agent_inference",
    "single_session_observation",
    "repository_text",
    "generated_content",
    "third_party_documentation",
]
Polarity = Literal["for", "against"]

EXCERPT_LIMIT = 1000
"""Characters of an excerpt (design, section 2)."""


class Evidence(Model):
    """A bounded excerpt with its source. Immutable; its id is made from source and excerpt, so it is never doubled."""

    schema_: str = Field(default=SCHEMA, alias="schema")
    id: str
    excerpt: str = Field(max_length=EXCERPT_LIMIT)
    cues: list[tuple[int, int]] = Field(default_factory=list)
    """Spans of the excerpt (start, end; characters) that made us capture it."""
    statement_span: tuple[int, int] | None = None
    """Span of the statement inside the excerpt (characters)."""
    context: str | None = None
    """The neighbouring sentence or agent line that the statement needs to be understood."""
    trust: TrustClass = "direct_user_instruction"
    polarity: Polarity = "for"
    agent: str | None = None
    session: str | None = None
    turn: str | None = None
    time: str | None = None
    cwd: str | None = None
    projects: list[str] = Field(default_factory=list)
    """Projects that the turn (or the session up to it) materially modified."""
    path: str | None = None
    """Transcript file, and `line` the 1-based line in it; both may have vanished since."""
    line: int | None = None
    redacted: list[str] = Field(default_factory=list)
    """Kinds of secret that were masked in the excerpt."""
    purged: str | None = None
    """SHA-256 of the line that this one stands for, when its words were purged."""
