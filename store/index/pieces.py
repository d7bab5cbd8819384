"""WordPiece pieces of a text, looked up one by one in a hash table on disk: nobody loads a vocabulary of 30,000.

The table (`table/`) is derived from all-MiniLM-L6-v2, see table/README.md. Standard library only.
"""

from __future__ import annotations

import os

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "table")
COUNT = 30522
SLOTS = 1 << 16
PRIME = 65521
"""A piece's first slot is its bytes, as a little-endian number, modulo this."""
UNKNOWN = 100
LONGEST = 18
"""Characters of the longest piece that is looked for; longer runs of letters are split anyhow."""
WORD_LIMIT = 100


class Pieces:
    """Splits words into pieces, greedily and longest first, as the model's own tokenizer does (uncased)."""

    def __init__(self, folder: str = FOLDER) -> None:
        self._slots = _read(folder, "slots.u16")
        self._offsets = _read(folder, "offsets.u32")
        self._vocabulary = _read(folder, "vocab.txt")
        self._words: dict[str, list[int]] = {}
        self._chars: dict[int, str] = {}

    def of(self, text: str) -> list[int]:
        """Ids of the pieces of a text, in order."""
        if not text.isascii():
            text = self._plain(text)
            words = text.translate(_ASCII).lower().split()
        else:
            words = text.translate(_ASCII).lower().split()
        out: list[int] = []
        known = self._words
        for word in words:
            found = known.get(word)
            if found is None:
                found = known[word] = self._split(word)
            out += found
        return out

    def _split(self, word: str) -> list[int]:
        if len(word) > WORD_LIMIT:
            return [UNKNOWN]
        out: list[int] = []
        start = 0
        while start < len(word):
            prefix = "##" if start else ""
            for end in range(min(len(word), start + LONGEST), start, -1):
                piece = self._look_up((prefix + word[start:end]).encode("utf-8", "replace"))
                if piece >= 0:
                    break
            else:
                return [UNKNOWN]
            out.append(piece)
            start = end
        return out

    def _look_up(self, piece: bytes) -> int:
        slots, offsets, vocabulary = self._slots, self._offsets, self._vocabulary
        slot = int.from_bytes(piece, "little") % PRIME
        while True:
            ident = slots[2 * slot] | slots[2 * slot + 1] << 8
            if ident >= COUNT:
                return -1
            at = 4 * ident
            start = int.from_bytes(offsets[at : at + 4], "little")
            if vocabulary.startswith(piece, start) and vocabulary[start + len(piece)] == 10:
                return ident
            slot = (slot + 1) % SLOTS

    def _plain(self, text: str) -> str:
        """Without accents and controls, and with spaces around punctuation and ideographs."""
        import unicodedata

        chars = self._chars
        out = []
        for char in unicodedata.normalize("NFD", text):
            code = ord(char)
            if code < 128:
                out.append(char)
                continue
            shown = chars.get(code)
            if shown is None:
                shown = chars[code] = _shown(char, unicodedata.category(char))
            out.append(shown)
        return "".join(out)


def _shown(char: str, category: str) -> str:
    if category == "Zs":
        return " "
    if category[0] == "C" or category == "Mn" or char == "\ufffd":
        return ""
    if category[0] == "P" or _ideograph(ord(char)):
        return f" {char} "
    return char


def _ideograph(code: int) -> bool:
    return (
        0x4E00 <= code <= 0x9FFF or 0x3400 <= code <= 0x4DBF or 0xF900 <= code <= 0xFAFF
        or 0x20000 <= code <= 0x2CEAF or 0x2F800 <= code <= 0x2FA1F
    )  # fmt: skip


def _ascii() -> dict[int, str]:
    table = {}
    for code in range(128):
        char = chr(code)
        if char in "\t\n\r ":
            table[code] = " "
        elif code < 32 or code == 127:
            table[code] = ""
        elif not char.isalnum():
            table[code] = f" {char} "
    return table


_ASCII = _ascii()


def _read(folder: str, name: str) -> bytes:
    with open(os.path.join(folder, name), "rb", buffering=0) as file:
        return file.read()
