"""What can be said about each sentence of a message without deciding anything: its language, cues and structure.

The features are named strings, so that the weights of the model can be read and a decision explained.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from curate.capture.lexicon import WORD, Hit, Language, Lexicon
from curate.capture.sentences import Sentence, quotations, split

_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")
_KANA = re.compile(r"[\u3040-\u30ff]")
_HANGUL = re.compile(r"[\uac00-\ud7a3]")
_CYRILLIC = re.compile(r"[\u0400-\u04ff]")
_OTHER_SCRIPT = re.compile(r"[\u0590-\u08ff\u0900-\u0dff\u0e00-\u0eff\u10a0-\u10ff\u0530-\u058f\u0370-\u03ff]")
_MACHINE = re.compile(
    r"""\s*(?:base\ directory\ for\ this\ skill|caveat:\ the\ messages\ below|this\ session\ is\ being\ continued|\[request\ interrupted
    |continuation\ of\ an?\ |you\ are\ (?:an?|the|now)\s|you're\ an?\s|your\ (?:task|job|role|assignment)\ is|act\ as\ |\#\ ide\ context|\#+\s*context\ from
    |run\ the\ skill|the\ user\ (?:is\ viewing|opened|selected|wants)|automated\ message|\w+\ hook\b|\[?system\b|@agent\b|[\w-]*bot\ left
    |<[a-z][\w-]+[ >]|contents\ of\ /|\[image|goal:|\#+\s|---\n|\*\*\w|(?:before|when)\ \w+ing\ you\ must)""",
    re.VERBOSE | re.IGNORECASE,
)
_FILLERS = frozenset("please pls plz also and ok okay so but btw now then just oh well yes no yeah hey hi hmm great thanks nice perfect good cool sorry again and, kindly still really actually for to".split())
_OPENERS = frozenset(("task", "habit", "forbid", "never", "always", "stop", "we", "agent", "whenever", "quantity"))
_JOINTS = frozenset((",", ";", ":", "—", "–", "and", "so", "then", "but", "please", "pls", "also", "und", "et", "y", "e", "en", "и"))
_SUBJECTS = frozenset(("product", "dev", "agent", "me", "we", "tool", "reply", "othersystem"))
_NEAR = ("rulesfile", "quoted", "youdid", "again", "othersystem", "question", "temp", "convention", "record", "joke", "task")
_HEADS = ("rulesfile", "record", "convention", "project", "standing", "stop", "never", "whenever", "whenagent", "quoted", "othersystem", "product", "task", "thistask", "bug", "question", "me", "agent", "tool")
_WHOLE = ("othersystem", "quoted", "rulesfile", "record", "youdid", "again", "narrate")
_EMPTY = frozenset(("record", "rulesfile", "here", "please", "definite", "approve", "me", "we", "agent", "task"))
_MARKS = frozenset("?!:;,…—–\"`")


MAX_DESCRIBED = 2000
"""Characters of one sentence that are looked at; no statement is that long."""


class _Prefixed(dict[str, str]):
    """Names with a prefix, joined once."""

    def __init__(self, prefix: str) -> None:
        super().__init__()
        self._prefix = prefix

    def __missing__(self, name: str) -> str:
        self[name] = found = self._prefix + name
        return found


_START = _Prefixed("start:")
_THEN = {name: "then:" + name for name in _OPENERS}


@dataclass(slots=True)
class Features:
    """One sentence with what was found in it. `words` are lower-case; `flags` and `grams` are what the model weighs."""

    sentence: Sentence
    language: str
    words: list[str]
    hits: list[Hit]
    flags: list[str] = field(default_factory=list)
    grams: list[str] = field(default_factory=list)
    spots: list[tuple[str, int, int, float]] = field(default_factory=list)  # cues by characters, without spaces between words


@dataclass(slots=True)
class Message:
    """All sentences of a message, those kept with their features, and what holds for the message as a whole."""

    sentences: list[Sentence]
    kept: list[Features]
    language: str
    flags: list[str]


def detect(text: str, lexicon: Lexicon) -> str:
    """The language of a text by script and function words; "und" when the script is one without cues."""
    if not text.isascii():
        cjk = len(_CJK.findall(text))
        if cjk:
            latin = len(re.findall(r"[A-Za-z]{2,}", text)) if cjk < 40 else 0
            if cjk >= 2 and cjk >= latin * 0.7:
                if _HANGUL.search(text):
                    return "ko"
                return "ja" if _KANA.search(text) else "zh"
        cyrillic = len(_CYRILLIC.findall(text))
        if cyrillic * 3 > len(text) or cyrillic > 20:
            return "ru"
        if len(_OTHER_SCRIPT.findall(text)) * 3 > len(text):
            return "und"
    votes: dict[str, int] = {}
    owners = lexicon.function_words
    words = WORD.findall(text[:1000].lower())
    for word in words:
        for code in owners.get(word, ()):
            votes[code] = votes.get(code, 0) + 1
    if not votes:
        english = lexicon.language("en").single
        return "en" if len(words) < 5 or any(word in english for word in words) else "und"
    best = max(votes.values())
    if votes.get("en", 0) >= best * 0.8:
        return "en"
    return min(code for code, n in votes.items() if n == best)


def analyse(text: str, lexicon: Lexicon) -> Message:
    """Split a message and describe each kept sentence."""
    sentences = split(text)
    kept = [s for s in sentences if s.dropped is None]
    if len(kept) < len(sentences) and len(kept) <= 4 and any(s.dropped == "quote" for s in sentences) and _adopts(kept):
        kept = [_unquoted(s) if s.dropped == "quote" else s for s in sentences if s.dropped in (None, "quote")]
    plain = text.isascii()
    language = detect(text if len(sentences) == len(kept) else " ".join(s.text for s in kept), lexicon) if kept else "en"
    found: list[Features] = []
    for s in kept:
        code = language if plain or language == "en" and s.text.isascii() else _own_language(s.text, language)
        found.append(_describe(s, lexicon.language(code) if code in lexicon.codes else None, code))
    flags = _message_flags(text, sentences, kept)
    _add_context(found, flags)
    return Message(sentences, found, language, flags)


_ADOPT = re.compile(
    r"\b(?:keep (?:it|this|that)|save (?:it|this|that)|remember (?:it|this|that)|record (?:it|this|that)|add (?:it|this|that) to|make (?:it|this|that) a|as a (?:global )?rule"
    r"|put (?:it|this|that) in|write (?:it|this|that) down|from now on|merk dir|retiens|recuerda|запомни)\b|记住|写进|写入|覚えて|ルールに|기억",
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


def _own_language(text: str, whole: str) -> str:
    if text.isascii():
        return whole if whole in ("de", "fr", "es", "pt", "it", "nl") else "en"
    if _CJK.search(text):
        if _HANGUL.search(text):
            return "ko"
        return "ja" if _KANA.search(text) or whole == "ja" else "zh"
    if _CYRILLIC.search(text):
        return "ru"
    return whole if whole not in ("zh", "ja", "ko", "ru") else "en"


def _describe(s: Sentence, language: Language | None, code: str) -> Features:
    low = readable(s.text if len(s.text) <= MAX_DESCRIBED else s.text[:MAX_DESCRIBED])
    words = WORD.findall(low)
    if language is not None and language.spelling:
        fixed = language.spelling
        words = [fixed.get(w, w) for w in words]
    f = Features(s, code, words, [])
    if language is None:
        return f
    flags: dict[str, None] = {}
    if language.substrings is not None:
        f.spots = language.find_inside(low)
        for name, start, _end, _weight in f.spots:
            flags[name] = None
            if start < 3:
                flags["start:" + name] = None
        subject = next((name for name, *_ in f.spots if name in _SUBJECTS), None)
        if subject:
            flags["subj:" + subject] = None
        squeezed = _CJK_RUN.findall(low)
        f.grams = [run[i : i + 2] for run in squeezed for i in range(len(run) - 1)]
        count = len(low) * 2 // 3
    else:
        count = len(words)
    hits = f.hits = language.find(words)
    first = 0
    for w in words[:4]:
        if w in _FILLERS or w in _MARKS:
            first += 1
        else:
            break
    subject = ""
    for name, a, _b, _w in hits:
        flags[name] = None
        if a <= first:
            flags[_START[name]] = None
        elif name in _THEN and words[a - 1] in _JOINTS:
            flags[_THEN[name]] = None
        if not subject and name in _SUBJECTS:
            subject = name
            flags["subj:" + name] = None
    if language.substrings is None:
        shaped = [w if w.isalpha() else _shape(w) for w in words]
        if "here" in flags or "thistask" in flags or "definite" in flags or not _SPECIFIC.isdisjoint(shaped):
            flags["specific"] = None
        else:
            flags["generic"] = None
        f.grams = shaped + [a + " " + b for a, b in zip(["^", *shaped], shaped)]
    if "record" in flags or "rulesfile" in flags:
        covered = {i for name, a, b, _w in hits if name in _EMPTY for i in range(a, b)}
        if len(words) - len(covered) - sum(w in _FILLERS or w in _MARKS for w in words) <= 2 and not f.spots:
            flags["hollow"] = None
    last = s.text[-1]
    if last in "?？":
        flags["q"] = None
    elif last in ":：":
        flags["colon"] = None
    elif last in "!！":
        flags["bang"] = None
    if "`" in s.text:
        flags["code"] = None
    if s.bullet:
        flags["bullet"] = None
    flags["len%d" % ((count > 3) + (count > 7) + (count > 14) + (count > 25) + (count > 40))] = None
    f.flags = list(flags)
    return f


_SPECIFIC = frozenset(("<file>", "<id>", "<n>", "<path>"))
_CODE = re.compile(r"`[^`\n]{1,200}`")
_KEPT_QUOTE = re.compile(
    r"\b(?:add|put|write|record|save|note|document|rule|remember|claude\.md|agents\.md|memory|rules?|say(?:ing)?)\b[^\"“«]{0,80}[:：]?\s*[\"“«]|[写记加].{0,30}[「“]",
    re.IGNORECASE,
)


def readable(text: str) -> str:
    """The sentence in lower case, as long as before, without the words of others: long quotations and code are blanked."""
    low = text.lower()
    if len(low) != len(text):
        low = text
    if "`" in low:
        low = _CODE.sub(_blank_code, low)
    if ('"' in low or not low.isascii() or "'" in low) and (spans := quotations(low, 0, len(low))):
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


def _message_flags(text: str, sentences: list[Sentence], kept: list[Sentence]) -> list[str]:
    size = sum(s.end - s.start for s in kept)
    n = len(kept)
    flags = [
        "m.size%d" % ((size > 60) + (size > 150) + (size > 400) + (size > 1200)),
        "m.n%d" % ((n > 1) + (n > 2) + (n > 5) + (n > 12)),
    ]
    if _MACHINE.match(text):
        flags.append("m.machine")
    if len(kept) != len(sentences):
        reasons = {s.dropped for s in sentences if s.dropped}
        flags += ["m." + r for r in sorted(reasons) if r != "ruler"]
        if size * 2 < sum(s.end - s.start for s in sentences):
            flags.append("m.mostly")
    if sum(s.bullet for s in kept) > 3:
        flags.append("m.list")
    return flags


def _add_context(found: list[Features], flags: list[str]) -> None:
    """Flags that a sentence has from its neighbours, the head of its list and its message."""
    n = len(found)
    classes = [set(f.flags) for f in found]
    whole: dict[str, int] = {}
    for c in classes:
        for name in _WHOLE:
            if name in c:
                whole[name] = whole.get(name, 0) + 1
    shared = [k for k in flags if not k.startswith(("m.size", "m.n"))]
    head: set[str] = set()
    for i, f in enumerate(found):
        extra = f.flags
        extra += shared
        if n == 1:
            extra.append("only")
        elif i == 0:
            extra.append("first")
        elif i == n - 1:
            extra.append("last")
        if i:
            before = classes[i - 1]
            extra += ["prev:" + name for name in _NEAR if name in before]
            if "colon" in before:
                extra.append("prev:colon")
        if i + 1 < n:
            after = classes[i + 1]
            extra += ["next:" + name for name in _NEAR if name in after]
        for name, count in whole.items():
            if count > (name in classes[i]):
                extra.append("m:" + name)
        if "bullet" not in classes[i]:
            head = classes[i] if "colon" in classes[i] else set()
        elif head:
            extra.append("head")
            extra += ["head:" + name for name in _HEADS if name in head]
