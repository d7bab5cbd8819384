"""What an agent needs, as data: entries in files that others write to, and files that are ours alone."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

MARK = "Written by `curate install`"
"""Stands in every file that is ours alone and can hold a remark."""


@dataclass(frozen=True, slots=True)
class Element:
    """A group of hooks in the list at a place."""

    place: tuple[str, ...]
    value: Any


@dataclass(frozen=True, slots=True)
class Member:
    """A named member of the object at a place."""

    place: tuple[str, ...]
    key: str
    value: Any


@dataclass(frozen=True, slots=True)
class Merged:
    """Entries in a file that belongs to the agent or the person.

    JSON with or without comments; in a file that is called `.toml` each entry is a `Member`, which becomes a table.
    """

    file: Path
    entries: tuple[Element | Member, ...]


@dataclass(frozen=True, slots=True)
class Whole:
    """A file of ours."""

    file: Path
    text: str


Piece = Merged | Whole
