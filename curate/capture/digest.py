"""Sessions and days in short: decisions, corrections, files, commits, from the observations of their turns. Pure.

The same observations give the same digest, byte for byte, whatever their order.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from store.ids import content_id
from store.knowledge.lines import in_time, text, texts
from store.line import SCHEMA
from store.text import shorten

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from store.knowledge.lines import Item
    from store.notes import DayNote

ASKED, FILES, COMMITS, STATEMENTS = 4, 15, 10, 12
SAID = 300
_Key = tuple[str, str, str]


def session_digests(observations: Iterable[Item]) -> list[Item]:
    """A digest for each session and project. Observations without a session have none."""
    groups: dict[tuple[str, str, str, str], list[Item]] = {}
    for one in observations:
        if one.get("session"):
            key = (text(one, "agent"), text(one, "session"), text(one, "project"), text(one, "profile"))
            groups.setdefault(key, []).append(one)
    made = []
    for key, turns in sorted(groups.items()):
        turns.sort(key=in_time)
        fields = {"agent": key[0], "session": key[1], "day": text(turns[-1], "day")}
        made.append(_digest("session", ("session", *key), turns, fields, ()))
    return made


def day_digests(observations: Iterable[Item], notes: Sequence[DayNote] = ()) -> list[Item]:
    """A digest for each day and project; what was noted as a decision that day is in it."""
    groups: dict[_Key, list[Item]] = {}
    for one in observations:
        if one.get("day") and one.get("project"):
            groups.setdefault((text(one, "day"), text(one, "project"), text(one, "profile")), []).append(one)
    made = []
    for (day, project, profile), turns in sorted(groups.items()):
        turns.sort(key=in_time)
        noted = [note.bare for note in notes if note.decision and note.date == day and note.project == project]
        sessions = {(text(one, "agent"), text(one, "session")) for one in turns}
        fields = {"day": day, "sessions": len(sessions), "agents": sorted({agent for agent, _ in sessions if agent})}
        made.append(_digest("day", ("day", day, project, profile), turns, fields, noted))
    return made


def _digest(kind: str, ident: tuple[str, ...], turns: list[Item], own: Item, noted: Sequence[str]) -> Item:
    touched = Counter(path for one in turns for path in texts(one, "files"))
    first, last = turns[0], turns[-1]
    fields = {
        **own,
        "project": first.get("project"),
        "name": last.get("name"),
        "profile": first.get("profile"),
        "since": first.get("time"),
        "until": last.get("time"),
        "turns": len(turns),
        "asked": _asked(turns),
        "decisions": _once((*noted, *_all(turns, "decisions")), STATEMENTS),
        "corrections": _once(_all(turns, "corrections"), STATEMENTS),
        "files": sorted(touched, key=lambda path: (-touched[path], path))[:FILES],
        "more_files": max(0, len(touched) - FILES) + sum(int(one.get("more_files") or 0) for one in turns),
        "commits": _once(_all(turns, "commits"), COMMITS),
        "ended": last.get("ended"),
        "steps": len(turns) + len(noted) + sum(int(one.get("steps") or 0) for one in turns),
    }
    item: Item = {"schema": SCHEMA, "id": content_id("dig", *ident), "kind": kind}
    return item | {key: value for key, value in fields.items() if value}


def _asked(turns: list[Item]) -> list[str]:
    """What a session began with, and what was asked last."""
    said = _once(_all(turns, "asked"), len(turns))
    return said if len(said) <= ASKED else [said[0], *said[1 - ASKED :]]


def _all(turns: Iterable[Item], name: str) -> Iterable[str]:
    return (text for one in turns for text in texts(one, name))


def _once(found: Iterable[str], limit: int) -> list[str]:
    """The last ones, each once, in order: what was said later counts more."""
    kept = list(dict.fromkeys(found))
    return [shorten(text, SAID) for text in kept[-limit:]]
