"""In which turns a memory was really put before an agent, from the journal. Reads files, so it is asked for aside."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from pathlib import Path

from curate.recall import journal


@dataclass(frozen=True, slots=True)
class Injection:
    """One turn that got the memory."""

    at: str
    agent: str
    session: str
    turn: int
    section: str
    reason: str
    rev: int
    project: str = ""


def injections(root: Path, ident: str) -> list[Injection]:
    """Every turn of the journal that got the record, newest first."""
    found: list[Injection] = []
    for session in journal.sessions(str(root)):
        if not _mentions(Path(journal.path_of(str(root), session)), ident):
            continue
        for turn in journal.turns(str(root), session):
            found += [
                Injection(
                    str(turn.get("at") or ""), str(turn.get("agent") or ""), str(turn.get("session") or session),
                    int(turn["turn"]), str(entry.get("section") or ""), str(entry.get("reason") or ""),
                    int(entry.get("rev") or 0), str(turn.get("project") or ""),
                )
                for entry in turn.get("entries") or ()
                if entry.get("id") == ident
            ]  # fmt: skip
    return sorted(found, key=lambda each: (each.at, each.turn), reverse=True)


def _mentions(path: Path, ident: str) -> bool:
    """Most sessions never had it, and looking for a word costs less than reading every line as JSON."""
    with contextlib.suppress(OSError):
        return ident.encode() in path.read_bytes()
    return False
