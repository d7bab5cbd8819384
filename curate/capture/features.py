"""What can be said about each sentence of a message without deciding anything: its language, cues and structure.

The features are named strings, so that the weights of the model can be read and a decision explained.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain, islice

from curate.capture.context import add_context, message_flags
from curate.capture.language import detect, of_sentence
from curate.capture.lexicon import WORD, Hit, Language, Lexicon
from curate.capture.sentences import Sentence, quotations, split

_FILLERS = frozenset(
    "please pls plz also and ok okay so but btw now then just oh well yes no yeah hey hi hmm great thanks nice "
    "perfect good cool sorry again kindly still really actually for to".split()
)
_OPENERS = frozenset(("task", "habit", "forbid", "never", "always", "stop", "we", "agent", "whenever", "quantity"))
_JOINTS = frozenset(
    (",", ";", ":", "—", "–", "and", "so", "then", "but", "please", "pls", "also", "und", "et", "y", "e", "en", "и")
)
_SUBJECTS = frozenset(("product", "dev", "agent", "me", "we", "tool", "reply", "othersystem"))
_LAW = frozenset(("must", "never", "always", "should", "forbid"))
_EMPTY = frozenset(("record", "rulesfile", "here", "please", "definite", "approve", "me", "we", "agent", "task"))
_MARKS = frozenset('?!:;,…—–"`')


MAX_DESCRIBED = 2000
"""Characters of one sentence that are looked at; no statement is that long."""


MOST_WORDS = 40
"""Words by which the language of a message is told."""


class _Prefixed(dict[str, str]):
    """Names with a prefix, joined once."""

    def __init__(self, prefix: str) -> None:
        super().__init__()
        self._prefix = prefix

    def __missing__(self, name: str) -> str:
        self[name] = found = self._prefix + name
        return found


_START = _Prefixed("start:")
_SUBJ = _Prefixed("subj:")
_THEN = {name: "then:" + name for name in _OPENERS}


@dataclass(slots=True)
class Features:
    """One sentence with what was found in it.

    `low` and `words` are lower-case; `flags` and `shaped` are what the model weighs: no flag twice, and the words with
    numbers, paths and identifiers by their kind, or, of a language that puts no spaces between words (`spaced` is
    false), the pairs of characters.
    """

    sentence: Sentence
    low: str
    words: list[str]
    language: str = ""
    hits: Sequence[Hit] = ()
    flags: list[str] = field(default_factory=list)
    own: int = 0  # so many flags are its own; the rest it has from what stands around it
    shaped: list[str] = field(default_factory=list)
    spaced: bool = True
    spots: Sequence[tuple[str, int, int, float]] = ()  # cues by characters, without spaces between words


@dataclass(slots=True)
class Message:
    """The sentences of a message that are kept, with their features, and what holds for the message as a whole."""

    kept: list[Features]
    language: str
    flags: list[str]


def analyse(text: str, lexicon: Lexicon) -> Message:
    """Split a message and describe each kept sentence."""
    sentences = split(text)
    kept = [s for s in sentences if s.dropped is None]
    if len(kept) < len(sentences) and len(kept) <= 4 and any(s.dropped == "quote" for s in sentences) and _adopts(kept):
        kept = [_unquoted(s) if s.dropped == "quote" else s for s in sentences if s.dropped in (None, "quote")]
    if not kept:
        return Message([], "en", message_flags(text, sentences, kept))
    plain = text.isascii()
    found = [Features(s, low := readable(s.text[:MAX_DESCRIBED]), WORD.findall(low)) for s in kept]
    language = detect(
        text if len(sentences) == len(kept) else " ".join(s.text for s in kept),
        found[0].words if len(found) == 1 else list(islice(chain.from_iterable(f.words for f in found), MOST_WORDS)),
        lexicon,
    )
    for f in found:
        ascii_ = plain or f.sentence.text.isascii()
        code = f.language = language if plain or language == "en" and ascii_ else of_sentence(f.sentence.text, language)
        if code in lexicon.codes:
            _describe(f, lexicon.language(code))
    flags = message_flags(text, sentences, kept)
    add_context(found, flags)
    return Message(found, language, flags)


_ADOPT = re.compile(
    r"\b(?:(?:keep|save|remember|record) (?:it|this|that)|(?:add (?:it|this|that) to|make (?:it|this|that) a"
    r"|as a (?:global )?rule"
    r"|put (?:it|this|that) in|write (?:it|this|that) down|from now on|merk dir|retiens|recuerda|запомни))\b"
    r"|记住|写进|写入|覚えて|ルールに|기억",
    re.IGNORECASE,
)


def _adopts(kept: list[Sentence]) -> bool:
    """The person asks to keep what they quote."""
    return any(_ADOPT.search(s.text) and not s.text.endswith("?") for s in kept)


def _unquoted(s: Sentence) -> Sentence:
    """A quoted line or sentence as a statement of its own."""
    shift = len(s.text) - len(s.text.lstrip("> \"“«「'"))
    text = s.text[shift:].rstrip("\"”»」' ")
    return Sentence(text, s.start + shift, s.start + shift + len(text), s.bullet, None) if text else s


def _describe(f: Features, language: Language) -> None:
    """One sentence by itself, given its language."""
    low, words = f.low, f.words
    if not language.spelling.keys().isdisjoint(words):
        fixed = language.spelling
        words = f.words = [fixed.get(w, w) for w in words]
    flags: dict[str, None] = {}
    if not language.spaced:
        f.spots = language.find_inside(low)
        _unspaced(f, flags)
    f.hits = language.find(words)
    _mark_hits(f, flags)
    if language.spaced:
        _mark_words(f, flags)
    if "record" in flags or "rulesfile" in flags:
        _mark_hollow(f, flags)
    count = len(words) if language.spaced else len(low) * 2 // 3
    _mark_shape(f.sentence, count, flags)
    f.flags = list(flags)


def _unspaced(f: Features, flags: dict[str, None]) -> None:
    """Cues and pairs of characters of a language that puts no spaces between words."""
    subject = ""
    for name, start, _end, _weight in f.spots:
        flags[name] = None
        if start < _NEAR_START:
            flags[_START[name]] = None
        if not subject and name in _SUBJECTS:
            subject = name
            flags[_SUBJ[name]] = None
    f.spaced = False
    f.shaped = [run[i : i + 2] for run in _CJK_RUN.findall(f.low) for i in range(len(run) - 1)]


def _mark_hits(f: Features, flags: dict[str, None]) -> None:
    """The classes of the cues, those that open the sentence or a clause of it, and what it is about first."""
    words = f.words
    first = 0
    for w in words[:4]:
        if w not in _FILLERS and w not in _MARKS:
            break
        first += 1
    subject = ""
    law = work = -9
    for name, a, b, _w in f.hits:
        if name == "dev":
            work = max(work, b)
        elif name == "product" and a < work:
            continue  # the messages of "commit messages" are no product
        flags[name] = None
        if a <= first:
            flags[_START[name]] = None
        elif name in _THEN and words[a - 1] in _JOINTS:
            flags[_THEN[name]] = None
        if not subject and name in _SUBJECTS:
            subject = name
            flags[_SUBJ[name]] = None
            if a <= first + 1 and "start:definite" not in flags and "start:here" not in flags:
                law = b
        elif a <= law + 2 and name in _LAW:
            flags["law:" + subject] = None


def _mark_words(f: Features, flags: dict[str, None]) -> None:
    """The words by their shape, and whether the sentence names one known thing or speaks in general."""
    odd = _ODD.search(f.low, 0, len(f.low) - 1) is not None or f.low[-1].isdigit()
    shaped = f.shaped = [w if w.isalpha() else _shape(w) for w in f.words] if odd else f.words
    if "here" in flags or "thistask" in flags or "definite" in flags or odd and not _SPECIFIC.isdisjoint(shaped):
        flags["specific"] = None
    else:
        flags["generic"] = None


def _mark_hollow(f: Features, flags: dict[str, None]) -> None:
    """It asks to write something down, and says nothing to write down."""
    covered = {i for name, a, b, _w in f.hits if name in _EMPTY for i in range(a, b)}
    rest = len(f.words) - len(covered) - sum(w in _FILLERS or w in _MARKS for w in f.words)
    if rest <= 2 and not f.spots:
        flags["hollow"] = None


def _mark_shape(s: Sentence, count: int, flags: dict[str, None]) -> None:
    """Its last mark, its length in words, and whether it is a bullet or holds code."""
    mark = _ENDS.get(s.text[-1])
    if mark:
        flags[mark] = None
    if "`" in s.text:
        flags["code"] = None
    if s.bullet:
        flags["bullet"] = None
    flags[f"len{(count > 3) + (count > 7) + (count > 14) + (count > 25) + (count > 40)}"] = None


_ENDS = {"?": "q", "？": "q", ":": "colon", "：": "colon", "!": "bang", "！": "bang"}
_NEAR_START = 3
_ODD = re.compile(r"[\d/_’.]")
_SPECIFIC = frozenset(("<file>", "<id>", "<n>", "<path>"))
_CODE = re.compile(r"`[^`\n]{1,200}`")
_KEPT_QUOTE = re.compile(
    r"\b(?:add|put|write|record|save|note|document|rules?|remember|claude\.md|agents\.md|memory|say(?:ing)?)\b[^\"“«]{0,80}[\"“«]"
    r"|[写记加].{0,30}[「“]",
    re.IGNORECASE,
)


def readable(text: str) -> str:
    """The sentence in lower case and as long as before; the words of others, long quotations and code, are blanked."""
    low = text.lower()
    if len(low) != len(text):
        low = text
    if "`" in low:
        low = _CODE.sub(_blank_code, low)
    if ('"' in low or "'" in low or not low.isascii()) and (spans := quotations(low, 0, len(low))):
        whole = spans[0][0] <= 1 and spans[0][1] >= len(low) - 2
        if not whole and not (_KEPT_QUOTE.search(low) and "says" not in low):
            for a, b in spans:
                low = low[: a + 1] + " " * (b - a - 2) + low[b - 1 :]
    return low


def _blank_code(m: re.Match[str]) -> str:
    inner = m.group()[1:-1]
    if inner.isalnum() or " " in inner and inner.replace(" ", "").isalpha():
        return m.group()
    return "`" + " " * len(inner) + "`"


_CJK_RUN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]+")
_NUMBER = re.compile(r"\d[\d.,]*\w{0,3}$")


def _shape(word: str) -> str:
    """Numbers, paths and identifiers by their kind; contractions as they are."""
    if "'" in word or "’" in word:
        return word.replace("’", "'")
    if word in _MARKS:
        return word
    if _NUMBER.match(word):
        return "<n>"
    if "/" in word:
        return "<path>"
    if "." in word:
        return "<file>"
    if "_" in word:
        return "<id>"
    return word
