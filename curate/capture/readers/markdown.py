"""What the readers of Markdown transcripts share: lines as text, and the last item."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from curate.capture.readers.lines import read_lines
from curate.capture.turns import Bad, Position

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class TextLine(NamedTuple):
    """One line as text, without its newline."""

    text: str
    number: int
    offset: int
    end: int


def text_lines(path: Path, start: Position) -> Iterator[TextLine | Bad]:
    """The lines behind `start`; one that is no UTF-8, or longer than any prose, is bad."""
    for line in read_lines(path, start.offset, start.line):
        if line.cut:
            yield Bad(line.number, line.offset, f"a line of {line.size // 1_000_000} MB")
            continue
        try:
            text = line.data.decode("utf-8")
        except UnicodeDecodeError:
            yield Bad(line.number, line.offset, "not UTF-8")
            continue
        yield TextLine(text.rstrip("\r"), line.number, line.offset, line.end)
