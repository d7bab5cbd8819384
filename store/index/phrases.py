"""When a phrase of a record (`does_not_apply_when`, `applies_when`) matches what a turn is about: every content word
of it must, and `publish` matches `publishing`. Standard library only.
"""

from __future__ import annotations

from store.index.stem import stem
from store.index.terms import STOP, words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

KEY = 3
"""First characters that two forms of one word share, however short the word."""
_ENDINGS = frozenset(
    "s es ed d ing er ers or ors ion ions ation ations ment ments ly al ally able ible y ies ied e ance ence ant ent "
    "ive ize ise ized ised izing ising ness ful n en st ning ting ping ging bing ding ling ming ring ned ted ped ged "
    "bed ded led med red ry ries ory ories age ages tion tions".split()
)
_SHORTEST = 4
"""Characters of the shorter word from which on any ending may differ."""
_PLAIN_ENDINGS = frozenset({"s", "es", "ed", "ing", "er"})
"""What shorter words may end in, after a doubled letter too: `add`, `adding`; `log`, `logged`."""
_FILLERS = frozenset(
    "when while whenever during working work anything everything something case cases context task tasks".split()
)


def content_words(phrase: str) -> list[str]:
    """The words of a phrase that say something; an identifier counts by its parts."""
    found = [
        word
        for word in words(phrase)
        if word not in STOP and word not in _FILLERS and (word.isalnum() or not word.isascii())
    ]
    return list(dict.fromkeys(found))


def keys(found: Iterable[str]) -> list[str]:
    """What the phrases that could match these words are looked up by."""
    return list(dict.fromkeys(word[:KEY] for word in found))


def same_word(one: str, other: str) -> bool:
    """Whether two words are forms of one: equal, of one stem, or alike up to an ending."""
    if one == other:
        return True
    if not (one[:KEY] == other[:KEY] and one.isalpha() and other.isalpha()):
        return False
    if stem(one) == stem(other):
        return True
    shorter, longer = sorted((one, other), key=len)
    if len(shorter) < _SHORTEST:
        rest = longer.removeprefix(shorter)
        return len(shorter) == KEY and rest.removeprefix(shorter[-1]) in _PLAIN_ENDINGS or longer == shorter + "s"
    base = shorter[:-1] if shorter.endswith(("e", "y")) else shorter
    if not longer.startswith(base):
        return False
    return longer[len(base) :] in _ENDINGS


def matches(phrase: Collection[str], said: Iterable[str]) -> bool:
    """Whether each of the phrase's content words is among the words that were said; a phrase without any never is."""
    heard = list(said)
    return bool(phrase) and all(any(same_word(word, other) for other in heard) for word in phrase)
