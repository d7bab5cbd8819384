"""Porter's stemmer: `installing`, `installs` and `installed` are one term. Standard library only, no regular
expressions.

Follows M. F. Porter, An algorithm for suffix stripping (1980). Words of other alphabets pass unchanged.
"""

from __future__ import annotations

_SECOND = (
    ("ational", "ate"), ("tional", "tion"), ("enci", "ence"), ("anci", "ance"), ("izer", "ize"), ("bli", "ble"),
    ("alli", "al"), ("entli", "ent"), ("eli", "e"), ("ousli", "ous"), ("ization", "ize"), ("ation", "ate"),
    ("ator", "ate"), ("alism", "al"), ("iveness", "ive"), ("fulness", "ful"), ("ousness", "ous"), ("aliti", "al"),
    ("iviti", "ive"), ("biliti", "ble"), ("logi", "log"),
)  # fmt: skip
_THIRD = (
    ("icate", "ic"), ("ative", ""), ("alize", "al"), ("iciti", "ic"), ("ical", "ic"), ("ful", ""), ("ness", ""),
)  # fmt: skip
_FOURTH = (
    "ement", "ance", "ence", "able", "ible", "ment", "ant", "ent", "ion", "ism", "ate", "iti", "ous", "ive", "ize",
    "al", "er", "ic", "ou",
)  # fmt: skip
_LONGEST = 64
_KEPT = 50_000
_known: dict[str, str] = {}
"""Stems that were asked for: a store says the same words again and again."""


def stem(word: str) -> str:
    """The stem of a lower-case word; what is not plain ASCII letters, or is very long, is its own stem."""
    found = _known.get(word)
    if found is None:
        if len(word) < 3 or len(word) > _LONGEST or not word.isascii() or not word.isalpha():
            return word
        if len(_known) >= _KEPT:
            _known.clear()
        found = _known[word] = _stem(word)
    return found


def _stem(word: str) -> str:
    word = _plural(word)
    word = _past(word)
    if word.endswith("y") and _has_vowel(word[:-1]):
        word = word[:-1] + "i"
    word = _replaced(word, _SECOND)
    word = _replaced(word, _THIRD)
    word = _cut(word)
    if word.endswith("e"):
        measure = _measure(word[:-1])
        if measure > 1 or measure == 1 and not _ends_cvc(word[:-1]):
            word = word[:-1]
    if word.endswith("ll") and _measure(word) > 1:
        word = word[:-1]
    return word


def _plural(word: str) -> str:
    if word.endswith(("sses", "ies")):
        return word[:-2]
    if word.endswith("s") and not word.endswith("ss"):
        return word[:-1]
    return word


def _past(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    for ending in ("ed", "ing"):
        if word.endswith(ending) and _has_vowel(word[: -len(ending)]):
            word = word[: -len(ending)]
            if word.endswith(("at", "bl", "iz")):
                return word + "e"
            if len(word) > 1 and word[-1] == word[-2] and word[-1] not in "aeioulsz":
                return word[:-1]
            if _measure(word) == 1 and _ends_cvc(word):
                return word + "e"
            return word
    return word


def _replaced(word: str, endings: tuple[tuple[str, str], ...]) -> str:
    for ending, other in endings:
        if word.endswith(ending):
            head = word[: -len(ending)]
            return head + other if _measure(head) > 0 else word
    return word


def _cut(word: str) -> str:
    for ending in _FOURTH:
        if word.endswith(ending):
            head = word[: -len(ending)]
            if _measure(head) > 1 and (ending != "ion" or head.endswith(("s", "t"))):
                return head
            return word
    return word


def _shape(word: str) -> str:
    """A letter for each letter: `v` for a vowel, `c` for a consonant."""
    shape = ""
    for char in word:
        if char in "aeiou" or char == "y" and shape.endswith("c"):
            shape += "v"
        else:
            shape += "c"
    return shape


def _measure(word: str) -> int:
    """How often a consonant follows a vowel."""
    return _shape(word).count("vc")


def _has_vowel(word: str) -> bool:
    return "v" in _shape(word)


def _ends_cvc(word: str) -> bool:
    return len(word) > 2 and _shape(word).endswith("cvc") and word[-1] not in "wxy"
