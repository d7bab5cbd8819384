"""Names of notes held against what a record says: how much of a name is in the text. Pure.

A name is taken word by word; words match by their stems, by a shared beginning, or by a slip of the keyboard.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from rapidfuzz import fuzz

from store.index.terms import terms, words

GENERIC = frozenset(
    term
    for word in (
        "pattern guide handbook notes basics overview principle practice rule policy strategy system introduction "
        "checklist concept method approach development management process standard convention idea topic tip reference"
    ).split()
    for term in terms(word)
)
"""Words that many names end in and that say little of their subject."""
GENERIC_WEIGHT = 0.25

_PARENTHESIS = re.compile(r"[(\[][^()\[\]]*[)\]]")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]")
_SLIP = 90.0
"""Likeness of two long words (0 to 100) from which they are taken for one."""


@dataclass(frozen=True, slots=True)
class Word:
    """One word of a name: the terms that stand for it whole, those of its parts, and how much it weighs."""

    whole: frozenset[str]
    parts: tuple[str, ...]
    weight: float
    spaced: bool


@dataclass(frozen=True, slots=True)
class Name:
    """A name as words. Empty when it holds nothing but words that every text has."""

    words: tuple[Word, ...]
    joined: tuple[str, ...] = ()
    """Each word and the next as one (`Lock Files`, `lockfile`)."""

    @property
    def head(self) -> Word | None:
        """The word that says what kind of thing it is: the last one that is not generic."""
        telling = [word for word in self.words if word.weight > GENERIC_WEIGHT] or list(self.words)
        return telling[-1] if telling else None


@dataclass(frozen=True, slots=True)
class Cover:
    """How much of a name a text holds: a share from 0 to 1, how many words, whether its head, and which terms."""

    share: float
    count: int
    head: bool
    terms: frozenset[str]


@lru_cache(maxsize=65536)
def name_of(text: str) -> Name:
    """A title, alias or heading as words; what stands in brackets is a remark."""
    plain = _PARENTHESIS.sub(" ", text).strip() or text
    chunks = [chunk for chunk in plain.split() if terms(chunk)]
    found = []
    for chunk in chunks:
        parts = terms(chunk)
        whole = frozenset(terms(chunk.lower().replace("-", ""))) if not _UNSPACED.search(chunk) else frozenset()
        spaced = not _UNSPACED.search(chunk)
        simple = [part for part in parts if "-" not in part] or parts
        weight = GENERIC_WEIGHT if spaced and set(parts) <= GENERIC else 1.0
        found.append(Word(whole if len(whole) == 1 else frozenset(), tuple(simple), weight, spaced))
    joined = (
        tuple(next(iter(terms((first + second).lower())), "") for first, second in pairwise(chunks)) if found else ()
    )
    return Name(tuple(found), joined)


@dataclass(frozen=True, slots=True)
class Text:
    """What a record says, ready to be compared: the terms of its statement, and of its tags."""

    said: frozenset[str]
    tagged: frozenset[str]

    @classmethod
    def of(cls, statement: str, tags: Iterable[str]) -> Text:
        """The terms of a statement with pairs of neighbouring words joined (`lock file`, `lockfile`), and of tags."""
        row = words(statement)
        joined = [first + second for first, second in pairwise(row) if first.isalpha()]
        said = [*terms(statement), *terms(" ".join(joined)), *terms(statement.lower())]
        return cls(frozenset(said), frozenset(terms(" ".join(tag.replace("/", " ") for tag in tags))))


def cover(name: Name, text: Text) -> Cover:
    """How much of a name the text holds. Tags help to complete a name; by themselves they are no match."""
    total = sum(word.weight for word in name.words)
    held, count, matched = 0.0, 0, set[str]()
    head = False
    whole = {at + next_ for at, term in enumerate(name.joined) if term in text.said for next_ in (0, 1)}
    for at, word in enumerate(name.words):
        share, hits = (1.0, set(word.parts)) if at in whole else _held(word, text.said)
        if share < 1 and word.spaced:
            tagged, _ = _held(word, text.tagged)
            share = max(share, 0.8 * tagged)
        held += word.weight * share
        matched |= hits
        if hits and word.weight > GENERIC_WEIGHT:
            count += 1
        head = head or (word is name.head and bool(hits) and share > 0.5)
    if not matched or not total:
        return Cover(0.0, 0, head=False, terms=frozenset())
    return Cover(held / total, count, head, frozenset(matched))


def _held(word: Word, said: frozenset[str]) -> tuple[float, set[str]]:
    """The share of a word that is among some terms, and the terms of it that are."""
    for whole in word.whole:
        if whole in said or any(alike(whole, term) for term in said):
            return 1.0, {whole}
    hits = {part for part in word.parts if part in said or (word.spaced and any(alike(part, term) for term in said))}
    return (len(hits) / len(word.parts), hits) if word.parts else (0.0, set())


@lru_cache(maxsize=262144)
def alike(a: str, b: str) -> bool:
    """True for two long words that begin alike: one continues the other, or they differ by a slip."""
    if len(a) < 5 or len(b) < 5 or a[:3] != b[:3]:
        return False
    short, long = sorted((a, b), key=len)
    if long.startswith(short) and len(long) - len(short) <= 4:
        return True
    return len(short) >= 6 and fuzz.ratio(a, b) >= _SLIP
