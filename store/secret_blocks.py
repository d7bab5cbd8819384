"""Secrets of several lines, told by the marks around them: private keys, and what a person marked as private."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from store.secret_names import Found

_PEM_BEGIN = re.compile(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|PuTTY-User-Key-File-\d:")
_PEM_END = re.compile(r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|Private-MAC:[ ]*[0-9a-f]+")
_PEM_BODY = re.compile(r"[A-Za-z0-9+/=\s:,-]*")
_PEM_LINE = re.compile(r"[A-Za-z0-9+/=]*\s*$")
_PRIVATE_BEGIN = re.compile(r"(?<!`)<private(?:\s[^<>]{0,100})?>", re.IGNORECASE)
_PRIVATE_END = re.compile(r"</private\s{0,10}>", re.IGNORECASE)


def private(text: str) -> Iterator[Found]:
    """What a person marked as private; an end that is missing is the end of the text."""
    at = 0
    while opened := _PRIVATE_BEGIN.search(text, at):
        closed = _PRIVATE_END.search(text, opened.end())
        at = closed.end() if closed else len(text)
        yield opened.start(), at, "private text"


def pem(text: str) -> Iterator[Found]:
    """Private keys between their marks, also when one of the marks was cut off."""
    at = 0
    ended = _PEM_END.search(text)
    while begun := _PEM_BEGIN.search(text, at):
        if ended and ended.start() < begun.start():
            yield from _beheaded(text, at, ended)
            at = ended.end()
            ended = _PEM_END.search(text, at)
            continue
        body = _PEM_BODY.match(text, begun.end())
        at = ended.end() if ended else body.end() if body else begun.end()
        yield begun.start(), at, "private key"
        ended = _PEM_END.search(text, at) if ended else None
    if ended:
        yield from _beheaded(text, at, ended)


def _beheaded(text: str, at: int, ended: re.Match[str]) -> Iterator[Found]:
    """A key whose beginning was cut off: its lines right before the end mark."""
    start = ended.start()
    for line in reversed(text[at:start].splitlines(keepends=True)):
        if not _PEM_LINE.match(line):
            break
        start -= len(line)
    yield start, ended.end(), "private key"
