"""Whether text still says something that was purged, however it is spelled, cased, spaced or encoded."""

from __future__ import annotations

import base64
import binascii
import re
import unicodedata
from typing import TYPE_CHECKING

from store.log.stub import GONE

if TYPE_CHECKING:
    from collections.abc import Iterable

_WORD = re.compile(r"[^\W_\u0e00-\U0010ffff]+|[\u0e00-\U0010ffff]")
"""A word; in scripts without spaces each sign by itself."""
_TOKEN = re.compile(r"\w(?:[\w./@:+#-]*\w)?")
"""A word with what names of files, packages and flags have inside."""
_ESCAPED = re.compile(r"\\u([0-9a-fA-F]{4})")
_BASE64 = re.compile(rb"[A-Za-z0-9+/_-]{16,}={0,2}")
_RUNS = ((5, 16), (12, 12))
"""Words in a row, and the least characters they have, that nobody writes twice by chance."""
_LONG = 6
"""Letters from which a word that nothing else in the store holds gives its source away."""
_COMMON = frozenset(
    "please always never instead before should without because commit commits branch project projects repository "
    "rather message messages change changes another folder prefer anything everything nothing something again "
    "session history statement evidence candidate record records review update version default during already "
    "python function functions package packages command commands comment comments document english".split()
)


def words(text: str) -> list[str]:
    """The words of a text, folded so that case, width, punctuation and spacing make no difference."""
    return [word for word in _WORD.findall(unicodedata.normalize("NFKC", text).casefold()) if word.isalnum()]


def tokens(text: str) -> set[str]:
    """Names and words of a text as they stand, in small letters, with the parts of names too."""
    found = set(_TOKEN.findall(text.casefold()))
    return found | {part for token in found if not token.isalnum() for part in words(token)}


def readings(raw: bytes) -> list[str]:
    """The texts that bytes may be: UTF-8, UTF-16, with JSON's escapes undone, and what base64 in them holds."""
    found = _plain(raw)
    for match in _BASE64.finditer(raw):
        piece = match[0].rstrip(b"=").replace(b"-", b"+").replace(b"_", b"/")
        piece = piece[: len(piece) - (len(piece) % 4 == 1)]
        try:
            found += _plain(base64.b64decode(piece + b"=" * (-len(piece) % 4)))
        except binascii.Error:
            continue
    return found


class Traces:
    """What was purged: whole statements, everything else that was said with them, and words found nowhere else."""

    def __init__(self, statements: Iterable[str], texts: Iterable[str]) -> None:
        self._statements = {" ".join(found) for text in statements if text != GONE and (found := words(text))}
        # The longest words and numbers first: what is looked for is mostly not there, and the first miss tells.
        self._needs = [sorted(filter(str.isascii, set(one.split())), key=_plainness) for one in self._statements]
        self._needed_bytes = [[word.encode() for word in needs] for needs in self._needs]
        self._runs: set[tuple[str, ...]] = set()
        self.rare: set[str] = set()
        for text in (*self._statements, *texts):
            if text != GONE:
                self._runs |= _runs(words(text))
                self.rare |= {token for token in tokens(text) if _telling(token)}
        self._in_runs = {word for run in self._runs for word in run}

    def __bool__(self) -> bool:
        return bool(self._statements or self._runs or self.rare)

    def spare(self, texts: list[str]) -> None:
        """Words that something living uses too give nothing away; a quotation of a statement is no use of its own."""
        low = "\n".join(texts).casefold()
        if any(word in low for word in self.rare):
            own = "\n".join(text for text in texts if not self.states(text)).casefold()
            self.rare = {word for word in self.rare if word not in own}

    def may_state(self, raw: bytes) -> bool:
        """Quick look: False when bytes of UTF-8 can hold none of the statements."""
        low = raw.lower()
        return any(all(word in low for word in needs) for needs in self._needed_bytes)

    def states(self, text: str) -> bool:
        """The text holds a whole statement."""
        if text.isascii():  # then folding it changes only the case
            low = text.lower()
            if not any(all(word in low for word in needs) for needs in self._needs):
                return False
        folded = f" {' '.join(words(text))} "
        return any(f" {one} " in folded for one in self._statements)

    def echoes(self, text: str) -> bool:
        """The text holds a statement, or several words in a row of what was said."""
        return self.states(text) or self._repeats(words(text))

    def hints(self, text: str) -> bool:
        """The text holds any of it, a single word too if nothing living uses it."""
        return self.echoes(text) or not self.rare.isdisjoint(tokens(text))

    def _repeats(self, found: list[str]) -> bool:
        """Some of the words stand in a row as they did in what was said."""
        streak, shortest = 0, _RUNS[0][0]
        for at, word in enumerate(found, 1):
            streak = streak + 1 if word in self._in_runs else 0
            if streak >= shortest and any(tuple(found[max(0, at - size) : at]) in self._runs for size, _ in _RUNS):
                return True
        return False


def _plain(raw: bytes) -> list[str]:
    text = raw.decode("utf-8", "replace")
    found = [text]
    for _ in range(3):  # a line kept within a line is escaped twice
        if "\\" not in text:
            break
        text = _ESCAPED.sub(lambda match: chr(int(match[1], 16)), text.replace("\\\\", "\\"))
        text = re.sub(r"\\[nrt]", " ", text).replace('\\"', '"')
        found.append(text.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))
    if b"\0" in raw:
        found += [part.decode(code, "replace") for code in ("utf-16-le", "utf-16-be") for part in (raw, raw[1:])]
    return found


def _runs(found: list[str]) -> set[tuple[str, ...]]:
    made = set()
    for size, least in _RUNS:
        for start in range(len(found) - size + 1):
            run = tuple(found[start : start + size])
            if sum(map(len, run)) >= least:
                made.add(run)
    return made


def _plainness(word: str) -> tuple[bool, int]:
    return not word.isdecimal(), -len(word)


def _telling(token: str) -> bool:
    if token in _COMMON or token.isdecimal():
        return False
    named = not token.isalpha() or not token.isascii()
    return len(token) >= (4 if named else _LONG)
