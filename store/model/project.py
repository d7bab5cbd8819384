"""A project as the registry knows it."""

from __future__ import annotations

from pydantic import Field

from store.model.base import Model


class Project(Model):
    """`id` is the identity (`github.com/acme/shop`, `local:shop-1a2b3c4d`, `path:...`); aliases lead to it."""

    id: str
    name: str
    file: str
    """Base name of its files under `memory/projects` and `rendered/projects`, without extension."""
    aliases: list[str] = Field(default_factory=list)
    paths: list[str] = Field(default_factory=list)
    """Directories it was seen in, newest last."""
    profile: str | None = None
    branch_scope: bool = False
    superproject: str | None = None
    """The project that holds this one as a submodule. Not `parent`, which every line has for its parent revision."""
    note: str | None = None
    created_at: str
    updated_at: str
