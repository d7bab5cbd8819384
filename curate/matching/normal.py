"""What a statement asks for, apart from how it is said."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from curate.matching.ask import Ask, Words
from curate.matching.clause import Parser
from curate.matching.language import fold, guess_language
from curate.matching.tokens import tokens
from curate.matching.words import choices, lexicon
from store.text import fingerprint


@dataclass(frozen=True, slots=True)
class Meaning:
    """The content of a statement. Two statements that mean the same share at least one of `keys`."""

    folded: str
    """Fingerprint of the wording."""
    asks: tuple[Ask, ...]
    changed: bool
    """It tells of a change of mind: `we moved to`, `no longer`."""
    language: str
    keys: tuple[str, ...]
    topics: tuple[str, ...]
    """Statements that contradict each other share at least one."""


LIMIT = 2000
"""Characters of a statement (the store takes no longer one); a longer text is compared by its wording only."""


@lru_cache(maxsize=4096)
def meaning(text: str, language: str | None = None) -> Meaning:
    """The meaning of a statement; `language` is a hint for texts that do not show theirs. Kept for a while."""
    return work_out(text, language)


def work_out(text: str, language: str | None = None) -> Meaning:
    """As `meaning`, for those who keep it themselves or need it once: thousands of meanings are a lot of memory."""
    if len(text) > LIMIT:
        wording = fingerprint(text)
        return Meaning(wording, (), changed=False, language=language or "en", keys=(wording,), topics=())
    folded = fold(text)
    found = guess_language(folded, language)
    lex = lexicon(found)
    asks, changed = Parser(lex).parse(tokens(folded, lex))
    wording = fingerprint(text)
    return Meaning(wording, asks, changed, found, (wording, *_keys(asks)), _topics(asks))


def _keys(asks: tuple[Ask, ...]) -> list[str]:
    """Words in any order and role: whoever agrees has the same ones, give or take a rejected alternative."""
    if not asks:
        return []
    full = frozenset[str]().union(*(ask.words | ask.before | ask.besides for ask in asks))
    whole = full.union(*(ask.over for ask in asks))
    numbers = frozenset(f"#{compare}{value}" for ask in asks for compare, value in ask.numbers)
    keys = {_key((words - OPTIONAL) | numbers or words) for words in {full, whole}}
    keys |= {_key(ask.over) for ask in asks if ask.over and len(asks) == 1}
    return sorted(key for key in keys if key)


OPTIONAL = frozenset({"code", "only", "direct"})
"""Words that two statements which mean the same may differ in."""


def _key(words: frozenset[str]) -> str:
    return " ".join(sorted({skeleton(word) for word in words}))


def skeleton(word: str) -> str:
    """A long word without what slips of the keyboard change most: doubled letters and order."""
    return word[0] + "".join(sorted(set(word))) if len(word) >= 6 and word.isalpha() else word


def _topics(asks: tuple[Ask, ...]) -> tuple[str, ...]:
    """What the asks are about, with everything levelled that two sides of a contradiction may differ in."""
    topics: set[str] = set()
    for ask in asks:
        gated = ask.words | ask.before
        topics.update(map(_level, {gated, gated - ask.every, gated | ask.over, ask.over}))
        if any(compare == "max" for compare, _ in ask.numbers) or "long" in ask.words:
            topics.add(_level(ask.words - LENGTH))
    return tuple(sorted(topics - {""}))


LENGTH = frozenset({"line", "character", "word", "sentence", "page", "long", "whole", "split"})
"""Words that a bound on length and a leave for length may differ in."""


LEVELLED = frozenset({"only", "edit", "direct", "sometimes"})
"""Words that do not tell what a statement is about."""


def _level(words: Words) -> str:
    return " ".join(sorted({_levelled(word) for word in words - LEVELLED}))


@lru_cache(maxsize=4096)
def _levelled(word: str) -> str:
    known = choices()
    word = word.removeprefix("without:")
    return known.family.get(word) or known.axis.get(word) or min(word, known.complement.get(word, word))
