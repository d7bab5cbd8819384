"""What reaches the terminal: data on stdout, words for people on stderr, captured text never raw."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterable, Sequence
from typing import Any

from store.text import one_line

GAP = "  "
LEAST = 32
"""Columns that the last cell of a row gets at least."""
MANY = 2000
"""Memories from which it takes so long to look through all that it is announced."""
TALLEST = 4
"""Lines of a cell on a terminal; `--json` has all of it."""


def emit(document: Any) -> None:
    """Write one JSON document to stdout, on one line."""
    sys.stdout.write(json.dumps(document, ensure_ascii=False, allow_nan=False) + "\n")


def tell(text: str = "") -> None:
    """Write a line for people to stdout; control characters and line breaks in it do no harm. A terminal gets it broken
    between words.
    """
    lead, text = len(text) - len(text.lstrip(" ")), one_line(text)
    lines = [text]
    if (room := _room()) is not None and room - lead > LEAST:
        first, *rest = wrapped(text, room - lead)
        lines = [first, *(f"  {line}" for line in wrapped(" ".join(rest), room - lead - 2) if rest)]
    sys.stdout.write("".join(f"{' ' * lead}{line}\n" for line in lines))


def say(text: str) -> None:
    """Write a message to stderr as one line."""
    try:
        sys.stderr.write(one_line(text) + "\n")
        sys.stderr.flush()
    except OSError:  # nobody listens; the exit code still tells
        return


def announce(number: int) -> None:
    """Tell somebody at a terminal what takes seconds when there are many memories."""
    if number > MANY and sys.stderr.isatty():
        say(f"curate: looking through {number:,} memories ...")


def table(rows: Iterable[Sequence[object]], *, indent: int = 0) -> None:
    """Write rows in aligned columns. On a terminal the last column is broken between words, and stands below the others
    where they leave too little room.
    """
    from rich.cells import cell_len, set_cell_size

    cells = [[one_line(str(value)) for value in row] for row in rows]
    if not cells:
        return
    columns = max(len(row) for row in cells)
    widths = [max(cell_len(row[at]) for row in cells if at < len(row)) for at in range(columns)]
    starts = [
        " " * indent + "".join(set_cell_size(cell, width) + GAP for cell, width in zip(row[:-1], widths, strict=False))
        for row in cells
    ]
    room = _room()
    left = None if room is None else room - max(map(cell_len, starts))
    if left is None or room is None or all(cell_len(row[-1]) <= left for row in cells):
        lines = [start + row[-1] for start, row in zip(starts, cells, strict=True)]
    elif left >= LEAST:
        lines = [
            line
            for start, row in zip(starts, cells, strict=True)
            for line in _hanging(start, " " * cell_len(start), _cut(wrapped(row[-1], room - cell_len(start))))
        ]
    else:
        below = " " * (indent + 4)
        lines = [
            line
            for start, row in zip(starts, cells, strict=True)
            for line in (
                *_hanging(" " * indent, " " * (indent + 2), _whole(start, room, indent)),
                *(below + one for one in _cut(wrapped(row[-1], max(LEAST, room - len(below))))),
            )
            if line.strip()
        ]
    sys.stdout.write("".join(f"{line.rstrip()}\n" for line in lines))


def moment(at: str) -> str:
    """A time for people, to the minute, in UTC like all of them: `2026-11-20 18:30`."""
    return f"{at[:10]} {at[11:16]}" if len(at) > 16 and at[10] == "T" else at


def wrapped(text: str, width: int) -> list[str]:
    """Lines of at most so many cells, broken between words where that can be."""
    from rich.cells import cell_len, chop_cells

    lines = [""]
    for word in one_line(text).split(" "):
        joined = f"{lines[-1]} {word}".strip()
        if cell_len(joined) <= width:
            lines[-1] = joined
            continue
        pieces = chop_cells(word, width)
        lines = [*lines, *pieces] if lines[-1] else pieces
    return lines


def _room() -> int | None:
    """Columns of the terminal, None where a program reads."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def _whole(start: str, room: int, indent: int) -> list[str]:
    """The cells before the last one: as they stand while they fit."""
    from rich.cells import cell_len

    bare = start.strip()
    return [bare] if cell_len(bare) + indent <= room else wrapped(bare, max(LEAST, room - indent - 2))


def _hanging(start: str, below: str, lines: list[str]) -> list[str]:
    return [start + lines[0], *(below + line for line in lines[1:])]


def _cut(lines: list[str]) -> list[str]:
    """The first few lines of a cell."""
    return lines if len(lines) <= TALLEST else [*lines[: TALLEST - 1], f"{lines[TALLEST - 1]} …"]


def count(number: int, one: str, many: str | None = None) -> str:
    """`1 file`, `2 files`, `1,204 files`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
