"""One wish on one row: the choice it makes, or in words why it makes none. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from curate.review.allowed import NEEDS_TARGET, why_not
from curate.review.choice import DONE_WORDS, Choice, Verb
from curate.review.naming import key_of
from store.text import one_line

if TYPE_CHECKING:
    from collections.abc import Mapping

    from curate.review.rows import Row, Scoped

WITH_CONDITION: frozenset[Verb] = frozenset({"accept", "merge", "supersede", "both", "update"})
"""Verbs that may write identity memory: what is said with them is what would make it false."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What a key asks for, before it meets a row."""

    verb: Verb
    statement: str | None = None
    target: str | None = None
    text: str | None = None
    scoped: Scoped | None = None
    other: Scoped | None = None


@dataclass(frozen=True, slots=True)
class Sight:
    """What the reader has had before the eyes of a row, and what else there is."""

    bulk: bool
    """The row is one of several that are decided at once."""
    seen: bool
    read: bool
    records: bool
    """There is any memory at all."""
    aim: Row | None = None
    """The memory that the decision would change."""


def decide(wish: Wish, row: Row, known: Choice, sight: Sight) -> Choice | str:
    """The choice, without the bases that were seen, or why there is none."""
    verb = wish.verb
    base = replace(known, scoped=wish.scoped or known.scoped)
    problem = why_not(verb, row, records=sight.records) or _unseen(verb, row, base, sight)
    if problem is None and not wish.text and lacks_condition(verb, row, sight.aim):
        problem = "identity memory needs what would make it false: decide on it alone, and you are asked"
    if problem is not None:
        return problem
    target = wish.target or (row.records[0] if verb in NEEDS_TARGET and row.records else None)
    if verb in NEEDS_TARGET and row.kind == "candidate" and target is None:
        return "no memory was named that it could be applied to"
    if verb == "supersede" and row.kind == "record" and not wish.statement:
        return "the words that take its place are missing"
    words = _typed(wish.statement) if wish.statement is not None else base.statement
    if (words == row.statement and not (verb == "supersede" and row.kind == "record")) or verb in {"reject", "later"}:
        words = None
    text = _typed(wish.text) if wish.text else None
    choice = replace(base, verb=verb, statement=words, target=target, text=text, other=wish.other)
    return f"already {DONE_WORDS[verb]}" if choice == known else choice


def lacks_condition(verb: Verb, row: Row, aim: Row | None) -> bool:
    """The decision would write identity memory (L1), and nothing says yet what would make it false."""
    if verb not in WITH_CONDITION:
        return False
    touched = [each for each in (row, aim) if each is not None]
    return any(each.layer == "L1" for each in touched) and not any(each.condition for each in touched)


def with_bases(choice: Choice, row: Row, rows: Mapping[str, Row], at: str) -> Choice:
    """The choice with what was there to be seen when it was taken: candidates, and the records as they stood."""
    bases = dict(row.bases)
    if choice.target is not None and choice.target not in bases and choice.target in rows:
        bases |= dict(rows[choice.target].bases)
    return replace(choice, candidates=row.candidates, bases=tuple(bases.items()), at=at)


def _unseen(verb: Verb, row: Row, choice: Choice, sight: Sight) -> str | None:
    if verb not in {"accept", "merge", "supersede", "both"} or row.kind == "record":
        return None
    if (verb == "both" or (verb == "accept" and row.takes == "add")) and choice.scope_for(row).reach == "unassigned":
        return (
            f"no project could be told: {key_of('scope_project')} names one, {key_of('scope_global')} makes it global, "
            f"{key_of('reject')} rejects it"
        )
    if sight.bulk and not sight.seen:
        return "not all of it has been on the screen: scroll there first"
    if row.needs_reading and not sight.read:
        return "read its card first: it touches what is already known"
    return None


def _typed(text: str) -> str:
    """What a person typed, as one line, its secrets masked: the log of decisions is a file like any other."""
    from store.secrets import mask

    return one_line(mask(text).text)
