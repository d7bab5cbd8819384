"""Where a memory holds."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from store.model.base import Model

ScopeType = Literal["global", "domain", "project"]


class Scope(Model):
    """Global, a set of domains, or one project (narrowed by path globs).

    A project scope without a project is *unassigned*: it waits for a person and is never taken as global.
    """

    type: ScopeType = "project"
    project: str | None = None
    domains: list[str] = Field(default_factory=list)
    paths: list[str] = Field(default_factory=list)

    @property
    def unassigned(self) -> bool:
        """True when nobody could tell which project is meant."""
        return self.type == "project" and not self.project
