"""The part of a message that is kept as evidence: the statement with what stands around it, within a limit. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from store.model.evidence import EXCERPT_LIMIT

_CUT = "…"


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Text of at most 1,000 characters, and where it starts in the message."""

    text: str
    start: int
    shift: int
    """Characters before the message's own: 1 when the beginning was cut off and an ellipsis stands for it."""

    def span(self, start: int, end: int) -> tuple[int, int] | None:
        """A span of the message as a span of the excerpt, None when nothing of it is inside."""
        first = max(0, start - self.start) + self.shift
        last = min(len(self.text), end - self.start + self.shift)
        return (first, last) if first < last else None

    def spans(self, given: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
        """Those of the spans that are inside, sorted, each once."""
        return sorted({found for start, end in given if (found := self.span(start, end))})


def excerpt(text: str, start: int, end: int, limit: int = EXCERPT_LIMIT) -> Excerpt:
    """The statement at `start` to `end` with as much around it as fits; of a longer one its beginning."""
    if len(text) <= limit:
        return Excerpt(text, 0, 0)
    room = limit - 2 * len(_CUT)
    end = min(end, start + room)
    spare = room - (end - start)
    first = max(0, start - spare // 2)
    last = min(len(text), first + room)
    first = max(0, last - room)
    first, last = _to_words(text, first, last, start, end)
    before, after = (_CUT if first else ""), (_CUT if last < len(text) else "")
    return Excerpt(before + text[first:last] + after, first, len(before))


def _to_words(text: str, first: int, last: int, start: int, end: int) -> tuple[int, int]:
    """Move the edges to the ends of words where one is near, never into the statement."""
    if first:
        space = text.find(" ", first, min(start, first + 30))
        first = space + 1 if space >= 0 else first
    if last < len(text):
        space = text.rfind(" ", max(end, last - 30), last)
        last = space if space >= 0 else last
    return first, last
