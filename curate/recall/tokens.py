"""How many tokens a text costs, without a vocabulary: no real tokenizer fits into the hook's time.

A text is cut where the tokenizers of common models cut it: at blanks, between words, digits and signs, before capitals.
What they leave whole is short, so longer pieces count by their length. Against cl100k and o200k the sums come out above
in prose, code, paths, logs, hashes and other scripts; single lines may be a tenth below.
"""

from __future__ import annotations

_WORD, _DIGITS = 6, 2
"""Letters and digits that count as one token at most."""
_ONE = "\x01"


def _kind(char: str) -> str:
    if char == "\n":
        return char
    if char.isspace():
        return " "
    if char.isdigit():
        return "0"
    return "." if not char.isalpha() else "a" if char.islower() else "A"


_KINDS = "".join(_kind(chr(code)) for code in range(128))
_CUTS = (
    (" 0", f"{_ONE}0"),  # a blank before a number stands alone
    ("Aa", "aa"),
    *(("a" * size, _ONE) for size in range(_WORD, 0, -1)),
    *(("0" * size, _ONE) for size in range(_DIGITS, 0, -1)),
    *((sign * size, _ONE) for sign in "A.\n" for size in (2, 1)),
)
"""Replaced one after the other, each piece is one sign in the end; in C, since a block is counted for every prompt."""


def tokens(text: str) -> int:
    """About as many tokens as common tokenizers make of a text, rather more than fewer. Lines add up: a text of several
    lines never costs more than they do alone.
    """
    pieces = text.translate(_KINDS)
    for piece, one in _CUTS:
        pieces = pieces.replace(piece, one)
    count = pieces.count(_ONE)
    if text.isascii():
        return max(count, (len(text) + 3) // 4)
    plain = sum(char < "\x80" for char in text)
    wide = sum(char > "\uffff" for char in text)
    return max(count, (plain + 3) // 4) + (3 * (len(text) - plain - wide) + 1) // 2 + 3 * wide
