"""Which part of a sentence is the statement: the sentence, or the clause of a long one that carries the rule."""

from __future__ import annotations

import re

from curate.capture.features import Features
from curate.capture.model import Model

_LEAD = re.compile(
    r"""(?:(?:ok(?:ay)?|and|also|but|so|oh|btw|by\ the\ way|please|pls|plz|hey|hi|no|yes|well|argh|ugh|omg|wtf|thanks|thank\ you|great|nice|cool|perfect|good
    |fyi|note|reminder|small\ thing|one\ more\ thing|and\ another\ thing|ps|p\.s\.|again|look|listen|bitte|por\ favor|s'il\ te\ pla[iî]t|merci)\b[\s,:;.!—–-]*)+""",
    re.VERBOSE | re.IGNORECASE,
)


def statement(text: str, f: Features, weights: Model) -> tuple[int, int]:
    """Start and end, in characters of the message, of what the sentence states."""
    start, end = f.sentence.start, f.sentence.end
    return trim(text, start, end)


def trim(text: str, start: int, end: int) -> tuple[int, int]:
    """Without leading greetings and fillers, and without white space at the ends."""
    m = _LEAD.match(text, start, end)
    if m and end - m.end() > 12:
        start = m.end()
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end
