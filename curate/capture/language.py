"""Tell the language of a text by its script and its function words: enough to choose a lexicon, no more."""

from __future__ import annotations

import re

from curate.capture.lexicon import Lexicon

_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")
_KANA = re.compile(r"[\u3040-\u30ff]")
_HANGUL = re.compile(r"[\uac00-\ud7a3]")
_CYRILLIC = re.compile(r"[\u0400-\u04ff]")
_UKRAINIAN = re.compile(r"[іїєґІЇЄҐ]")
_SERBIAN = re.compile(r"[ђјљњћџЂЈЉЊЋЏ]")
_OTHER_SCRIPT = re.compile(r"[\u0590-\u08ff\u0900-\u0dff\u0e00-\u0eff\u10a0-\u10ff\u0530-\u058f\u0370-\u03ff]")
_CYRILLIC_ONES = frozenset(("ru", "uk", "sr"))
_SCRIPTED = frozenset(("zh", "ja", "ko", "ru", "uk", "sr"))
UNKNOWN = "und"


def detect(text: str, words: list[str], lexicon: Lexicon) -> str:
    """The language of a text by script and function words, maybe one without cues; UNKNOWN when nothing tells it.

    `words` are those of its first sentences, in lower case.
    """
    by_script = None if text.isascii() else _by_script(text)
    if by_script is not None:
        return by_script
    if sum(map(lexicon.english.__contains__, words)) > 2 * sum(map(lexicon.foreign.__contains__, words)):
        return "en"
    votes: dict[str, int] = {}
    owners = lexicon.function_words
    for word in words:
        for code in owners.get(word, ()):
            votes[code] = votes.get(code, 0) + 1
    if not votes:
        known = sum(map(lexicon.language("en").single.__contains__, words))
        return "en" if len(words) < 5 or known * 4 >= len(words) else UNKNOWN
    best = max(votes.values())
    if votes.get("en", 0) >= best * 0.8:
        return "en"
    return min((code for code, n in votes.items() if n == best), key=lambda code: (code not in lexicon.codes, code))


def _by_script(text: str) -> str | None:
    cjk = len(_CJK.findall(text))
    if cjk:
        latin = len(re.findall(r"[A-Za-z]{2,}", text)) if cjk < 40 else 0
        if cjk >= 2 and cjk >= latin * 0.7:
            if _HANGUL.search(text):
                return "ko"
            return "ja" if _KANA.search(text) else "zh"
    cyrillic = len(_CYRILLIC.findall(text))
    if cyrillic * 3 > len(text) or cyrillic > 20:
        return "uk" if _UKRAINIAN.search(text) else "sr" if _SERBIAN.search(text) else "ru"
    if len(_OTHER_SCRIPT.findall(text)) * 3 > len(text):
        return UNKNOWN
    return None


def of_sentence(text: str, whole: str) -> str:
    """The language of one sentence of a message that is in `whole` as a whole."""
    if text.isascii():
        return "en" if whole in _SCRIPTED or whole == UNKNOWN else whole
    if _CJK.search(text):
        if _HANGUL.search(text):
            return "ko"
        return "ja" if _KANA.search(text) or whole == "ja" else "zh"
    if _CYRILLIC.search(text):
        return whole if whole in _CYRILLIC_ONES else "ru"
    return whole if whole not in _SCRIPTED else "en"
