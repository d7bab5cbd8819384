"""The content-free mark of something rejected or deleted."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from store.model.base import Model
from store.model.scope import Scope


class Tombstone(Model):
    """Stops the same statement from coming back. Holds a fingerprint, never the words.

    `lifted` is set when the rejection or deletion was undone.
    """

    id: str
    fingerprint: str
    scope: Scope = Field(default_factory=Scope)
    targets: list[str] = Field(default_factory=list)
    cause: Literal["rejected", "deleted", "purged"]
    of: str
    """The candidate or record it stands for."""
    lifted: bool = False
    created_at: str
    updated_at: str
