"""What reaches the terminal: data on stdout, words for people on stderr, captured text never raw."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterable, Sequence
from typing import Any

from store.text import one_line

GAP = "  "


def emit(document: Any) -> None:
    """Write one JSON document to stdout, on one line."""
    sys.stdout.write(json.dumps(document, ensure_ascii=False, allow_nan=False) + "\n")


def tell(text: str = "") -> None:
    """Write a line for people to stdout; control characters and line breaks in it do no harm."""
    sys.stdout.write(text[: len(text) - len(text.lstrip(" "))] + one_line(text) + "\n")


def say(text: str) -> None:
    """Write a message to stderr as one line."""
    try:
        sys.stderr.write(one_line(text) + "\n")
        sys.stderr.flush()
    except OSError:  # nobody listens; the exit code still tells
        return


def table(rows: Iterable[Sequence[object]], *, indent: int = 0) -> None:
    """Write rows in aligned columns; on a terminal the last column is cut to what fits."""
    from rich.cells import cell_len, set_cell_size

    cells = [[one_line(str(value)) for value in row] for row in rows]
    if not cells:
        return
    columns = max(len(row) for row in cells)
    widths = [max(cell_len(row[at]) for row in cells if at < len(row)) for at in range(columns)]
    room = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
    for row in cells:
        start = " " * indent + "".join(
            set_cell_size(cell, width) + GAP for cell, width in zip(row[:-1], widths, strict=False)
        )
        last = row[-1]
        left = None if room is None else room - cell_len(start)
        if left is not None and 10 < left < cell_len(last):
            last = set_cell_size(last, left - 1).rstrip() + "…"
        sys.stdout.write((start + last).rstrip() + "\n")


def count(number: int, one: str, many: str | None = None) -> str:
    """`1 file`, `2 files`, `1,204 files`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
