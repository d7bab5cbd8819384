"""One form of writing for every statement, and the language it is in."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from curate.matching.words import LANGUAGES, lexicon

_KANA = re.compile(r"[\u3040-\u30ff]")
_HAN = re.compile(r"[\u3400-\u9fff]")
_HANGUL = re.compile(r"[\uac00-\ud7a3]")
_CYRILLIC = re.compile(r"[\u0400-\u04ff]")


def fold(text: str) -> str:
    """Text in one case, width and set of quotes and apostrophes."""
    text = unicodedata.normalize("NFKC", text).casefold() if not text.isascii() else text.lower()
    return text.translate(_QUOTES)


_QUOTES = str.maketrans({"’": "'", "‘": "'", "´": "'", "“": '"', "”": '"', "„": '"', "‑": "-", "‐": "-", "−": "-"})


def guess_language(folded: str, hint: str | None = None) -> str:
    """The language of a folded statement: by its script, else by its words; English when nothing tells."""
    if not folded.isascii():
        for script, language in ((_HANGUL, "ko"), (_KANA, "ja"), (_HAN, "zh"), (_CYRILLIC, "ru")):
            if script.search(folded):
                return language
    plain = folded.replace("n't", " not").replace("'", " ") if "'" in folded else folded
    scores = [0.0] * len(LATIN)
    for word in _PLAIN_WORD.findall(plain):
        for at, score in enumerate(_weights(word)):
            scores[at] += score
    if hint in LATIN:
        scores[LATIN.index(hint)] += 0.75
    scores[0] += 0.3 + _CONTRACTION.subn("", folded)[1]
    return LATIN[scores.index(max(scores))]


LATIN = tuple(language for language in LANGUAGES if language not in {"ru", "zh", "ja", "ko"})
_PLAIN_WORD = re.compile(r"(?<![\w./])[^\W\d_]++(?![\w./]\w)")
_CONTRACTION = re.compile(r"n't\b|\b(?:i'm|you're|we're|it's|let's|i'd|i'll)\b")


@lru_cache(maxsize=65536)
def _weights(word: str) -> tuple[float, ...]:
    """How much a word speaks for each of the languages in Latin script."""
    lexicons = [lexicon(language) for language in LATIN]
    return tuple(1.2 if word in lex.function else 0.7 if lex.knows(word) else 0.0 for lex in lexicons)
