"""The rules in a Markdown text: list items, and sentences that tell somebody to do or leave something. Pure.

Code, comments, tables, quotes and our own managed block hold no rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from store.projection.markers import BadMarkers, find

LINE_LIMIT = 20_000
"""Characters of a line that is read as text of a person."""

_BULLET = re.compile(r"^(?P<indent>[ \t]*)(?:[-*+•]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?(?P<text>\S.*)$")
_HEADING = re.compile(r"^[ ]{0,3}#{1,6}[ \t]+(?P<text>.+?)[ \t]*#*$")
_FENCE = re.compile(r"^[ \t]*(?:[-*+][ \t]+)?(?P<mark>`{3,}|~{3,})")
_NO_TEXT = re.compile(r"^[ \t]*(?:\||>|<!--|@\S+$|\[[^\]]+\]:|[-=*_]{3,}[ \t]*$|!?\[[^\]]*\]\([^)]*\)[ \t]*$)")
_TELLS = re.compile(
    r"\b(?:must|shall|should|always|never|don't|do\s+not|avoid|prefer|ensure|only|please|required?|forbidden|make\s+sure|"
    r"instead\s+of|no\s+\w+|not\s+allowed)\b"
    r"|^(?:use|keep|run|write|add|follow|put|name|call|check|test|commit|return|import|format|document|validate|start|"
    r"update|remove|read|ask|stick|treat|leave|wrap|pin|log|mock|handle|store|create|define|place|limit)\b"
    r"|\b(?:immer|nie|niemals|nicht|muss|sollte|toujours|jamais|doit|siempre|nunca|debe|sempre|mai|nooit|altijd)\b"
    r"|必须|不要|禁止|总是|始终|避免|してください|しない|必ず|항상|하지|нельзя|всегда|никогда|должен",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z\"'`*_])|(?<=[。！？])")
_MARKUP = re.compile(r"(\*\*|__)(?=\S)(.+?)(?<=\S)\1")
_LINK = re.compile(r"\[([^\]]+)\]\([^)\s]*\)")


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule as it is written: its words, its line, the lines it stands in, and the headings above it."""

    text: str
    line: int
    excerpt: str
    heading: str | None = None


def rules(text: str, first_line: int = 1) -> Iterator[Rule | tuple[int, str]]:
    """Every rule of a text in order; lines that cannot be read come as line and reason."""
    heading: str | None = None
    block: list[str] = []
    start = 0
    parents: list[tuple[int, str]] = []
    for number, line in _readable(text, first_line):
        if isinstance(line, Skipped):
            yield from _told(block, start, heading, parents)
            block = []
            if line.reason:
                yield number, line.reason
            continue
        head = _HEADING.match(line)
        bullet = _BULLET.match(line)
        if head or bullet or not line.strip():
            yield from _told(block, start, heading, parents)
            block = []
        if head:
            heading, parents = _plain(head["text"]), []
        elif bullet:
            block, start = [line], number
        elif line.strip():
            if not block:
                start = number
                parents = parents if line[:1].isspace() else []
            block.append(line)
    yield from _told(block, start, heading, parents)


@dataclass(frozen=True, slots=True)
class Skipped:
    """A line that holds no rule, and why when that is a fault."""

    reason: str = ""


def _readable(text: str, first_line: int) -> Iterator[tuple[int, str | Skipped]]:
    """Lines with their numbers; what is code, comment, table, quote or ours is skipped."""
    ours = range(0)
    try:
        if block := find(text):
            ours = range(block.line, block.line + len(text[block.start : block.end].splitlines()))
    except BadMarkers as fault:
        yield first_line + fault.line - 1, Skipped(fault.reason)
    fence = ""
    comment = False
    for offset, raw in enumerate(text.split("\n")):
        number, line = first_line + offset, raw.rstrip("\r")
        mark = _FENCE.match(line)
        if fence:
            closes = mark and mark["mark"].startswith(fence) and not line.strip().strip(fence[0])
            fence = "" if closes else fence
            yield number, Skipped()
        elif comment or line.lstrip().startswith("<!--"):
            comment = "-->" not in line.partition("<!--")[2] if not comment else "-->" not in line
            yield number, Skipped()
        elif mark:
            fence = mark["mark"]
            yield number, Skipped()
        elif offset + 1 in ours or _NO_TEXT.match(line):
            yield number, Skipped()
        elif len(line) > LINE_LIMIT:
            yield number, Skipped(f"longer than {LINE_LIMIT:,} characters")
        elif "\ufffd" in line or "\x00" in line:
            yield number, Skipped("not UTF-8")
        else:
            yield number, line


def _told(block: list[str], start: int, heading: str | None, parents: list[tuple[int, str]]) -> Iterator[Rule]:
    """The rules of a block: one of a list item, one for each telling sentence of a paragraph."""
    if not block:
        return
    excerpt = "\n".join(line.strip() for line in block)
    bullet = _BULLET.match(block[0])
    if bullet is None:
        for sentence in _SENTENCE.split(" ".join(line.strip() for line in block)):
            plain = _plain(sentence)
            if _TELLS.search(plain) and len(plain.split()) > 1 and not plain.endswith((":", "?")):
                yield Rule(plain, start, excerpt, heading)
        return
    indent = len(bullet["indent"].expandtabs(4))
    while parents and parents[-1][0] >= indent:
        parents.pop()
    plain = _plain(" ".join([bullet["text"], *(line.strip() for line in block[1:])]))
    above = parents[-1][1] if parents else ""
    parents.append((indent, plain.rstrip(":") if plain.endswith(":") else ""))
    if plain.endswith((":", "?")) or not _is_rule(plain):
        return
    yield Rule(f"{above}: {plain}" if above else plain, start, excerpt, heading)


def _is_rule(text: str) -> bool:
    """A list item says something: more than one word, or writing without spaces; not a bare path or command."""
    words = text.split()
    return (len(words) > 1 or (not text.isascii() and len(text) > 4)) and any(char.isalpha() for char in text)


def _plain(text: str) -> str:
    """Text without emphasis, with links by their words. Code marks stay."""
    return _LINK.sub(r"\1", _MARKUP.sub(r"\2", text)).strip()
