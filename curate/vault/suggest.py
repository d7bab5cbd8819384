"""Which notes of the vault say what a record says: at most three, and none when nothing fits. Pure.

A note answers by its title and aliases, by a heading, and with less weight by its tags; a shared tag alone is nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from curate.vault.folder import Page
from curate.vault.names import Cover, Text, cover, name_of
from curate.vault.taste import is_taste
from store.index.terms import terms

LIMIT = 3

FULL = 0.95
"""Share of a name that counts as all of it."""
MOST = 0.65
HALF = 0.45

_DATED = re.compile(r"^\d{4}[-.]?(?:\d{2}|W\d{2}|Q\d)?(?:[-.]?\d{2})?\b")
_NOT_KNOWLEDGE = frozenset({"agents", "claude", "gemini", "readme", "contributing", "index", "home", "changelog"})
_WEIGHTS = {"title": 1.0, "alias": 1.0, "heading": 0.8, "opening": 0.6}


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A note, how well it fits (0 to about 1.2), and by which of its names."""

    page: Page
    score: float
    why: str


def suggest(pages: Iterable[Page], statement: str, tags: Iterable[str] = (), *, limit: int = LIMIT) -> list[Suggestion]:
    """The notes that fit best, best first; of equals the one whose path sorts first."""
    tags = list(tags)
    text = Text.of(statement, tags)
    if not text.said:
        return []
    taste = is_taste(statement)
    found = [one for page in pages if may_be_named(page) and (one := judge(page, text, taste=taste))]
    found.sort(key=lambda one: (-round(one.score, 6), one.page.path))
    return found[:limit]


def may_be_named(page: Page) -> bool:
    """Whether a note may hold knowledge: no diary page, no instructions for agents."""
    return page.title.lower() not in _NOT_KNOWLEDGE and not _DATED.match(page.title)


def judge(page: Page, text: Text, *, taste: bool = False) -> Suggestion | None:
    """How a note fits a text, or None. What is a matter of taste fits only what is called just so."""
    note_tags = frozenset(terms(" ".join(tag.replace("/", " ") for tag in page.tags)))
    shared = note_tags & (text.tagged | text.said)
    best: tuple[float, str, str] | None = None
    others = 0
    for kind, name in _names(page):
        held = cover(name_of(name), text)
        if held.share >= HALF:
            others += 1
        if not _enough(kind, held, note_tags & text.tagged, lone=is_lone(name), taste=taste):
            continue
        score = _WEIGHTS[kind] * held.share + (0.02 * min(held.count, 5))
        if best is None or score > best[0]:
            best = (score, kind, name)
    if best is None:
        return None
    score, kind, name = best
    score += 0.1 * bool(shared) + 0.03 * max(0, min(others, 4) - 1)
    return Suggestion(page, round(score, 4), _why(kind, name, sorted(shared)))


def _why(kind: str, name: str, shared: list[str]) -> str:
    called = {"title": "its title", "alias": f'its alias "{name}"', "heading": f'its heading "{name}"'}
    told = f"{called.get(kind, 'its first sentence')} is in what the record says"
    return f"{told}, and so is a tag of it" if shared else told


def _names(page: Page) -> Iterator[tuple[str, str]]:
    yield "title", page.title
    yield from (("alias", alias) for alias in page.aliases)
    yield from (("heading", heading) for heading in page.headings)
    if page.opening:
        yield "opening", page.opening


def is_lone(name: str) -> bool:
    """True for a name of several words of which a single one tells anything: `To file`, `How to test`."""
    return len(name.split()) > 1 and len(name_of(name).words) == 1


def _enough(kind: str, held: Cover, tagged: frozenset[str], *, lone: bool, taste: bool) -> bool:
    """Whether so much of a name says that the note is meant. `tagged`: tags that the note and the record share."""
    several = len(held.terms) > 1
    if not held.terms or (taste and (kind not in {"title", "alias"} or held.share < FULL)):
        return False
    if kind == "opening":
        return held.share >= MOST and held.count > 1 and bool(tagged)
    if held.share >= FULL:
        return (kind != "heading" and not lone) or several or bool(tagged - held.terms)
    if kind == "heading":
        return False
    if held.share >= MOST and several:
        return True
    return held.share >= HALF and bool(tagged) and (held.head or bool(tagged - held.terms))
