"""A statement cut into words: plain ones as text, and as tokens what needs no context to be decided: back quotes,
flags, numbers, boundaries, and the words of scripts without spaces.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from curate.matching.words import END, Lexicon, Node

SOFT = ","
HARD = "."
COLON = ":"


@dataclass(frozen=True, slots=True)
class Token:
    """`kind`: `word`, `verb` (one that says little), `mark`, `number` or `stop` (a boundary)."""

    kind: str
    text: str
    bare: bool = False
    """A verb in its base form, as in an imperative."""


_WORD = re.compile(
    r"`(?P<code>[^`\n]{1,200})`"
    r'|"(?P<quoted>[^"\s]{1,40}(?: [^"\s]{1,40}){0,2})"'
    r"|(?P<flag>(?<![\w-])--?[a-z][\w-]*)"
    r"|(?P<word>(?:\.{1,2}/|[@#$~./\\](?=\w))?\w+(?:(?:[./:\\_@+'-]|\*\.)+\w+)*(?:\+\+|#|%|/(?=[\s.,;:!?)]|$)|\+)?)"
    r"|(?P<dash>[—–])"
    r"|(?P<stop>[.,;:!?()\[\]{}…\n。、，；：！？「」『』（）《》·])"
)
_CONTRACTED = (
    ("won't", "will not"), ("can't", "can not"), ("shan't", "shall not"), ("n't", " not"),
    ("let's", "let us"), ("'re", " are"), ("'ve", " have"), ("'ll", " will"), ("'m", " am"), ("'d", " would"),
    ("it's", "it is"), ("that's", "that is"), ("what's", "what is"), ("there's", "there is"), ("'s", ""),
)  # fmt: skip
_QUOTE = re.compile(r"(?<!\w)'")
"""An apostrophe at the head of a word quotes it."""
_NUMBER = re.compile(r"[v#]?\d+(?:[.,]\d+)*[%+]?")
_SPACED_PERCENT = re.compile(r"(\d) %")
_VERSIONED = re.compile(r"([a-z]{3,})-?(\d+(?:\.\d+)+)")
_SOFT_STOPS = frozenset(",()[]{}、，（）「」『』《》·")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff々〆ヶ]+")
_KANA = re.compile(r"[\u3040-\u30ff]")
NUMBER_WORDS = {
    "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9",
    "ten": "10", "twelve": "12", "fifteen": "15", "twenty": "20", "thirty": "30", "forty": "40", "fifty": "50",
    "hundred": "100", "single": "1",
    "zwei": "2", "drei": "3", "vier": "4", "deux": "2", "trois": "3", "quatre": "4", "dos": "2", "tres": "3",
    "cuatro": "4", "dois": "2", "duas": "2", "due": "2", "tre": "3", "quattro": "4", "twee": "2", "drie": "3",
    "два": "2", "две": "2", "три": "3", "четыре": "4", "両": "2", "二": "2", "三": "3", "四": "4",
}  # fmt: skip


def pieces(folded: str, lex: Lexicon) -> list[Token | str]:
    """Plain words as strings, everything already decided as tokens."""
    if lex.language == "en":
        if "cannot" in folded:
            folded = folded.replace("cannot", "can not")
        if "'" in folded:
            folded = _QUOTE.sub(" ", folded)
            for short, full in _CONTRACTED:
                folded = folded.replace(short, full)
    elif "'" in folded:
        folded = re.sub(r"\b(\w{1,2}|qu|jusqu|lorsqu|puisqu|dell|nell|all|sull|dall)'(?=\w)", r"\1 ", folded)
    folded = _SPACED_PERCENT.sub(r"\1%", folded)
    out: list[Token | str] = []
    for match in _WORD.finditer(folded):
        kind, value = match.lastgroup, match.group(match.lastgroup or 0)
        if kind in ("code", "quoted"):
            out += _code(value, lex)
        elif kind == "flag":
            out.append(Token("word", value))
        elif kind == "dash":
            out.append(Token("stop", SOFT))
        elif kind == "stop":
            out.append(Token("stop", COLON if value in ":：" else SOFT if value in _SOFT_STOPS else HARD))
        else:
            for word in _parts(value, lex):
                if isinstance(word, str) and word in lex.articles:
                    continue
                out.append(word)
    return out


def _code(value: str, lex: Lexicon) -> list[Token | str]:
    out: list[Token | str] = []
    if " " in value and (whole := _phrase(value.split(), lex)):
        return [Token("word", word) for word in whole]
    for piece in value.split():
        part = piece.strip(".,;:()") or piece
        if _NUMBER.fullmatch(part):
            out.append(_number(part))
            continue
        known = lex.single(part)
        plain = known and all(word.islower() and word[0] != "~" for word in known)
        out += [Token("word", word) for word in (known if plain and known else (part,))]
    return out


def _phrase(words: list[str], lex: Lexicon) -> tuple[str, ...]:
    """What some words stand for together, when they are content and nothing else."""
    stems = [lex.stem(word) for word in words]
    found, length = longest(stems, 0, lex)
    plain = found and length == len(words) and all(word.islower() and word[0] != "~" for word in found)
    return found if found and plain else ()


def _number(text: str) -> Token:
    value = text.strip("v#%+")
    if "," in value:
        value = value.replace(",", "") if re.fullmatch(r"\d{1,3}(?:,\d{3})+", value) else value.replace(",", ".")
    return Token("number", value)


def _parts(value: str, lex: Lexicon) -> list[Token | str]:
    """One run of word characters as the words it is made of."""
    if _CJK.search(value):
        out: list[Token | str] = []
        at = 0
        for run in _CJK.finditer(value):
            out += _parts(value[at : run.start()], lex) if run.start() > at else []
            out += _unspaced(run[0], lex)
            at = run.end()
        return out + (_parts(value[at:], lex) if at < len(value) else [])
    if lex.language == "ko" and (split := re.fullmatch(r"([!-~]+?)([\uac00-\ud7a3]+)", value)):
        return [*_parts(split[1], lex), split[2]]
    if _NUMBER.fullmatch(value):
        tail: list[Token | str] = [Token("word", "percent")] if value.endswith("%") else []
        return [*([Token("mark", "MIN")] if value.endswith("+") else []), _number(value), *tail]
    if (versioned := _VERSIONED.fullmatch(value)) is not None:
        return [versioned[1], _number(versioned[2])]
    value = value.rstrip("'")
    if value.isalpha():
        return [value]
    if "-" in value and not re.search(r"[./\\_@:]", value):
        if lex.phrases.get(value) is not None:
            return [value]
        words = value.split("-")
        if words[0] == "non" and len(words) == 2:
            return ["".join(words)]
        if all(piece.isalpha() for piece in words) or (words[0].isdigit() and len(words) > 1):
            return [_number(piece) if piece.isdigit() else piece for piece in words if piece]
        return [Token("word", value.replace("-", ""))]
    if "'" in value:
        return [piece for piece in value.split("'") if piece]
    if value.endswith("+") and not value.endswith("++"):
        return [*_parts(value[:-1], lex), Token("mark", "MIN")]
    if lex.phrases.get(value) is not None:
        return [value]
    return [Token("word", value.rstrip("/") if len(value) > 1 else value)]


def _unspaced(run: str, lex: Lexicon) -> list[Token | str]:
    """Words of a script without spaces: the longest that the lexicon knows; the rest by runs of one kind of letter."""
    out: list[Token | str] = []
    unknown = ""
    at = 0

    def flush() -> None:
        nonlocal unknown
        if unknown:
            out.extend(_runs(unknown, lex.language))
            unknown = ""

    while at < len(run):
        for size in range(min(lex.longest, len(run) - at), 0, -1):
            known = lex.strings.get(run[at : at + size])
            if known is not None:
                flush()
                out.extend(token(word) for word in known)
                at += size
                break
        else:
            unknown += run[at]
            at += 1
    flush()
    return out


def _runs(text: str, language: str) -> list[Token | str]:
    if language != "ja":
        return [_number(NUMBER_WORDS[text])] if text in NUMBER_WORDS else [Token("word", text)]
    out: list[Token | str] = []
    for piece in re.findall(r"[\u30a0-\u30ff]+|[\u3400-\u9fff々]+|[\u3040-\u309f]+", text):
        inflection = out and _KANA.match(piece) and "\u3040" <= piece[0] <= "\u309f" and len(piece) < 4
        if not inflection:
            out.append(Token("word", piece))
    return out


def token(word: str, *, bare: bool = False) -> Token:
    """What a word of the lexicon stands for: a marker in capitals, a verb that says little behind `~`, or a word."""
    if word.isupper():
        return Token("mark", word)
    if word.startswith("~"):
        return Token("verb", word[1:], bare)
    return Token("word", word, bare)


def longest(stems: list[str], at: int, lex: Lexicon) -> tuple[tuple[str, ...] | None, int]:
    """What the longest phrase from a place on stands for, and how many words it has; None and 1 where there is none."""
    node: Node = lex.phrases
    found: tuple[str, ...] | None = None
    length = 0
    for offset in range(at, len(stems)):
        word = stems[offset]
        if not word:
            break
        following = node.get(word)
        if not isinstance(following, dict):
            break
        node = following
        out = node.get(END)
        if isinstance(out, tuple):
            found, length = out, offset - at + 1
    return (found, length) if found is not None else (None, 1)
