"""The turns of the journal as upkeep needs them: when, in which session and project, and what was put in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from curate.recall import journal


@dataclass(frozen=True, slots=True)
class Sent:
    """One turn."""

    at: str
    session: str
    project: str | None
    ids: frozenset[str]


def sent(root: Path) -> list[Sent]:
    """Every turn that the journal still has, oldest first."""
    return sorted(_turns(str(root)), key=lambda turn: turn.at)


def _turns(root: str) -> Iterator[Sent]:
    for name in journal.sessions(root):
        for turn in journal.turns(root, name):
            ids = frozenset(str(entry.get("id")) for entry in turn.get("entries") or () if isinstance(entry, dict))
            project = turn.get("project")
            yield Sent(
                str(turn.get("at") or ""), str(turn.get("session") or name), str(project) if project else None, ids
            )
