"""Names of files for notes: readable, legal on every system and in links, stable, and never shared by two records."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable

from store.text import one_line, shorten

TITLE_CHARACTERS = 100
NAME_BYTES = 180
"""UTF-8 bytes of a name: with the mark, the ending and a temporary file's name it stays below every limit."""

_FORBIDDEN = re.compile(r"[\\/:*?\"<>|#^\[\]%\x00-\x1f\x7f]+")
_RESERVED = re.compile(r"(?i)^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|clock\$|conin\$|conout\$)(?:$|[. ])")


def title_of(statement: str) -> str:
    """The title of a record's note: its statement on one line, without the full stop, cut at a word."""
    text = one_line(statement).rstrip(".。 ")
    return shorten(text or one_line(statement), TITLE_CHARACTERS)


def file_name(title: str, ident: str, others: Iterable[str]) -> str:
    """The name without its ending. It carries a mark of the record's id where the title alone would not do.

    `others` are the titles of all other records: whoever comes first, two that share a name both carry their mark, so
    names do not depend on the order of promotion.
    """
    plain = plain_name(title)
    if plain and plain == title and not any(folded(plain_name(other)) == folded(plain) for other in others):
        return plain
    return marked(plain, ident)


def marked(plain: str, ident: str) -> str:
    """The name with the mark of a record."""
    return f"{plain or 'Note'} ({hashlib.sha256(ident.encode('utf-8', 'surrogatepass')).hexdigest()[:6]})"


def plain_name(title: str) -> str:
    """The title with what no file name or link may hold left out; the same as the title when nothing had to go."""
    text = unicodedata.normalize("NFC", title)
    text = re.sub(r"\s{2,}", " ", _FORBIDDEN.sub(" ", text)).strip(". ")
    if _RESERVED.match(text):
        text = f"_{text}"
    raw = text.encode("utf-8", "ignore")
    return text if len(raw) <= NAME_BYTES else raw[:NAME_BYTES].decode("utf-8", "ignore").rstrip(". ")


def folded(name: str) -> str:
    """A name as file systems that know no case or composition see it."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFKD", name).casefold())
