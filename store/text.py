"""Captured text made harmless, and the shapes of it that others compare and show. Standard library only.

Text comes from transcripts, so it may hold anything: whatever is kept or shown has been through `clean`.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata

ELLIPSIS = "…"

_LINE_BREAKS = re.compile("\r\n?|[\x85\u2028\u2029]")
_HIDDEN = re.compile(
    "["
    "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"  # controls, all but tab and newline
    "\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\uffa0"  # invisible letters and marks
    "\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff"  # zero-width, bidi
    "\ufff0-\ufffb\ufffe\uffff"  # interlinear annotation, noncharacters
    "\ud800-\udfff"  # lone surrogates
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff"  # musical controls, tags, further variation selectors
    "]+"
)
_ESCAPES = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]{0,64}[ -/]{0,8}[@-~]|"  # colours, cursor movements
    r"(?:\x1b\]|\x9d)[^\x07\x1b\x9c\n]{0,2000}(?:\x07|\x1b\\|\x9c)|"  # titles, links
    r"\x1b[()#%*+][0-9A-Za-z]"  # character sets
)
"""What a terminal takes as one order; its printable rest means nothing to a reader."""
_LONG_MARKS = re.compile(r"[^\x00-\x7f\w]{31,}")
_BLANK = re.compile(r"\s+")
_MARKS_IN_A_ROW = 30
"""Unicode's stream-safe limit: normalising longer runs of combining marks takes quadratic time."""

_FOLDED = re.compile(r"""(?:[\s.,;:!?'"`´*_(){}\[\]¿¡…·«»“”„‘’‚‹›、。〈-】・～‐-―-]|(?<=\S)/(?=\s|$))+""")
_FOLDED_ASCII = {number: " " for number in range(128) if _FOLDED.fullmatch(chr(number))}


def clean(text: str) -> str:
    """Text in NFC without control, bidi, zero-width and other hidden characters; only newline and tab remain.

    Orders to a terminal go whole. Every kind of line break becomes a newline. Cleaning twice changes nothing more.
    """
    if text.isascii() and text.isprintable():
        return text
    if "\x1b" in text or "\x9b" in text or "\x9d" in text:
        text = _ESCAPES.sub("", text)
    text = _HIDDEN.sub("", _LINE_BREAKS.sub("\n", text))
    if text.isascii():
        return text
    return unicodedata.normalize("NFC", _LONG_MARKS.sub(_stream_safe, text))


def one_line(text: str) -> str:
    """Cleaned text as one line: every run of white space is one space, none at the ends."""
    if text.isascii() and text.isprintable() and "  " not in text:
        return text.strip(" ")
    return _BLANK.sub(" ", clean(text)).strip()


def shorten(text: str, limit: int) -> str:
    """At most `limit` characters (not cells): cut text ends in an ellipsis, at a word's end when one is near."""
    if len(text) <= limit:
        return text
    if limit <= 0:
        return ""
    head = text[: limit - 1]
    space = head.rfind(" ", len(head) - min(20, len(head) // 3))
    if space > 0 and not text[limit - 1].isspace():
        head = head[:space]
    return head.rstrip() + ELLIPSIS


def fingerprint(statement: str) -> str:
    """A hex digest that is the same for statements which differ in case, width, punctuation and spacing only.

    Symbols that carry meaning (`C++` and `C#`, `==`, `@types/x`) are kept apart.
    """
    text = one_line(statement)
    if text.isascii() and "/" not in text:  # the same in a fifth of the time
        words = " ".join(text.lower().translate(_FOLDED_ASCII).split()) or text.lower()
        return hashlib.sha256(words.encode("ascii")).hexdigest()
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    words = _FOLDED.sub(" ", folded).strip() or folded
    return hashlib.sha256(words.encode("utf-8")).hexdigest()


def _stream_safe(run: re.Match[str]) -> str:
    kept: list[str] = []
    marks = 0
    for char in run[0]:
        marks = marks + 1 if unicodedata.combining(char) else 0
        if marks <= _MARKS_IN_A_ROW:
            kept.append(char)
    return "".join(kept)
