"""What the service is asked, checked before anything is done with it. These models are its OpenAPI too."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AliasChoices, BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints

Prompt = Annotated[str, StringConstraints(max_length=200_000)]
Name = Annotated[str, StringConstraints(max_length=500)]
Budget = Annotated[int, Field(ge=1, le=1_000_000), BeforeValidator(lambda value: _whole(value))]  # noqa: PLW0108
Folder = Annotated[str, StringConstraints(max_length=4096)]


class Asked(BaseModel):
    """A body. Unknown fields are let through, so that a newer client gets an answer; wrong types are not."""

    model_config = ConfigDict(extra="ignore", populate_by_name=True, strict=True)


class Retrieve(Asked):
    """`POST /api/retrieve`: what is known about a prompt, in the layout `knowledge`."""

    query: Prompt
    task_id: Name | None = None
    """The session; with it the turn goes into the journal."""
    agent: Name = ""
    project: Name | None = None
    cwd: Folder | None = None
    recent_files: list[Folder] = Field(default_factory=list, max_length=200)
    budget: Budget = 1000
    """In tokens."""


class Context(Asked):
    """`POST /v1/context`: the block to put before a turn, in the layout `context`."""

    user_message: Prompt = Field(validation_alias=AliasChoices("userMessage", "user_message"), alias="userMessage")
    session_id: Name | None = Field(
        default=None, validation_alias=AliasChoices("sessionId", "session_id"), alias="sessionId"
    )
    transcript: Annotated[str, StringConstraints(max_length=4_000_000)] | None = None
    """What the model can see of the conversation."""
    agent: Name = ""
    project: Name | None = None
    cwd: Folder | None = None
    layout: Literal["governed", "knowledge", "context"] = "context"
    budget: Budget | None = None
    preview: bool = False
    """Only look: nothing goes into the journal."""


class Remember(Asked):
    """`POST /v1/remember`: something to hold from now on. It becomes a candidate that a person decides on."""

    statement: Annotated[str, StringConstraints(min_length=1, max_length=2000)] = Field(
        validation_alias=AliasChoices("statement", "content", "text")
    )
    scope: Literal["global", "project"] | None = None
    project: Name | None = None
    cwd: Folder | None = None
    rule_type: Name | None = Field(
        default=None, validation_alias=AliasChoices("ruleType", "rule_type"), alias="ruleType"
    )
    tags: list[Name] = Field(default_factory=list, max_length=16)
    agent: Name = ""
    session_id: Name | None = Field(
        default=None, validation_alias=AliasChoices("sessionId", "session_id"), alias="sessionId"
    )
    reason: Annotated[str, StringConstraints(max_length=2000)] = ""


class Outcome(Asked):
    """`POST /v1/outcomes`: how work of one kind went. Three bad ones make a weak domain."""

    domain: Annotated[str, StringConstraints(min_length=1, max_length=200)]
    ok: bool
    project: Name | None = None
    cwd: Folder | None = None
    agent: Name | None = None
    pattern: Annotated[str, StringConstraints(max_length=2000)] | None = None
    """What went wrong."""
    strategy: Annotated[str, StringConstraints(max_length=2000)] | None = None
    """What helped."""


class Event(BaseModel):
    """`POST /hooks/claude-code`: an event as Claude Code sends it, with whatever else it has."""

    model_config = ConfigDict(extra="allow", strict=True)

    hook_event_name: Name
    session_id: Name = ""
    prompt: str | None = None
    cwd: Folder | None = None
    transcript_path: Folder | None = None


def _whole(value: object) -> object:
    """JSON has one kind of number: 1000.0 is whole."""
    return int(value) if isinstance(value, float) and value.is_integer() else value
