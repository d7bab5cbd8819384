"""The filter of the queue: words that must occur, and `field:value` terms. Cheap enough to run at each key."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from curate.review.rows import Row

FIELDS: dict[str, str] = {
    "is": "open, decided, marked, safe, pinned, hidden, forked, overdue or a status (active, contested, ...)",
    "op": "the proposed op: add, update, supersede, ...",
    "scope": "global, domain, project, path or unassigned",
    "project": "part of a project's name",
    "path": "part of a path the rule is bound to",
    "rule": "the type of rule: prefer_pattern, convention, ...",
    "intent": "what capture took it for",
    "match": "new, duplicate, strengthens, updates, conflicts, ...",
    "flag": "a mark of capture: redacted, one_off, joke, ...",
    "agent": "claude-code, codex, ...",
    "tag": "a tag",
    "risk": "low, medium or high",
    "layer": "L1 or L2",
    "quotes": "at least this many quotes",
}
"""Fields that a term may name, with what they take."""


@dataclass(frozen=True, slots=True)
class Standing:
    """What the session knows of a row that the row itself does not."""

    decided: Collection[str] = ()
    marked: Collection[str] = ()


@dataclass(frozen=True, slots=True)
class Filter:
    """A parsed filter. `problem` says in words why a term was taken as plain text, if one was."""

    text: str = ""
    tests: tuple[Callable[[Row, Standing], bool], ...] = ()
    moving: bool = False
    """It asks for something that a decision changes, so it must be applied anew after each."""
    problem: str | None = None

    def among(self, rows: list[Row], standing: Standing) -> list[Row]:
        """Those of the rows for which every term holds; one term after the other, since this runs at each key."""
        for test in self.tests:
            rows = [row for row in rows if test(row, standing)]
        return rows

    def accepts(self, row: Row, standing: Standing) -> bool:
        """Every term holds for the row."""
        return all(test(row, standing) for test in self.tests)


def parse(text: str) -> Filter:
    """Terms parted by spaces, all of which must hold; a leading `-` turns one round. Never fails: see `problem`."""
    tests: list[Callable[[Row, Standing], bool]] = []
    moving, problem = False, None
    for term in text.split():
        negative = len(term) > 1 and term.startswith("-")
        name, colon, value = term.removeprefix("-" if negative else "").partition(":")
        if colon and name.casefold() in FIELDS:
            if not value:
                continue
            test = _field(name.casefold(), value.casefold())
            moving = moving or (name.casefold() == "is" and value.casefold() in {"open", "decided", "marked"})
        else:
            if colon and value and name.isalpha() and not value.startswith("/"):
                problem = f"no field `{name}`: {', '.join(FIELDS)}"
            test = _word(term.removeprefix("-" if negative else "").casefold())
        tests.append(_not(test) if negative else test)
    return Filter(text, tuple(tests), moving, problem)


def _not(test: Callable[[Row, Standing], bool]) -> Callable[[Row, Standing], bool]:
    return lambda row, standing: not test(row, standing)


def _word(word: str) -> Callable[[Row, Standing], bool]:
    return lambda row, _: word in row.haystack


def _field(name: str, value: str) -> Callable[[Row, Standing], bool]:
    if name == "is":
        return _is(value)
    if name == "quotes":
        least = int(value) if value.isdecimal() else 0
        return lambda row, _: row.quotes >= least
    read: dict[str, Callable[[Row], Collection[str]]] = {
        "op": lambda row: (row.op,),
        "scope": lambda row: (row.scoped.reach,),
        "project": lambda row: row.scoped.projects,
        "path": lambda row: row.scoped.paths,
        "rule": lambda row: (row.rule,),
        "intent": lambda row: (row.intent,),
        "match": lambda row: (row.match,),
        "flag": lambda row: row.flags,
        "agent": lambda row: row.agents,
        "tag": lambda row: row.tags,
        "risk": lambda row: (row.risk,),
        "layer": lambda row: (row.layer,),
    }
    values = read[name]
    return lambda row, _: any(value in each.casefold() for each in values(row))


def _is(value: str) -> Callable[[Row, Standing], bool]:
    if value == "open":
        return lambda row, standing: row.key not in standing.decided
    if value == "decided":
        return lambda row, standing: row.key in standing.decided
    if value == "marked":
        return lambda row, standing: row.key in standing.marked
    if value == "safe":
        return lambda row, _: row.safe
    if value == "pinned":
        return lambda row, _: row.pinned
    if value == "forked":
        return lambda row, _: row.forked
    if value == "overdue":
        return lambda row, _: row.overdue
    if value == "hidden":
        return lambda row, _: row.hidden
    return lambda row, _: row.status == value
