"""Text for the terminal: measured and cut by cells, and safe to show whatever it holds."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from functools import lru_cache
from typing import TYPE_CHECKING

from rich.cells import cell_len, set_cell_size
from textual.content import Content, Span

from store.text import clean, one_line

if TYPE_CHECKING:
    from textual.style import Style

ELLIPSIS = "…"
_SELECTORS = str.maketrans("", "", "\ufe0e\ufe0f")
"""Variation selectors: terminals do not agree on the width of what carries one."""


@lru_cache(maxsize=20_000)
def safe_line(text: str) -> str:
    """Captured text as one line that a terminal shows and never obeys."""
    return one_line(text).translate(_SELECTORS)


def safe(text: str) -> str:
    """Captured text of several lines, likewise; tabs become spaces, since their width depends on where they stand."""
    return clean(text).translate(_SELECTORS).expandtabs(4)


def fit(text: str, width: int) -> str:
    """Exactly `width` cells: cut with an ellipsis, or padded with spaces."""
    return set_cell_size(cut(text, width), width) if width > 0 else ""


def cut(text: str, width: int) -> str:
    """At most `width` cells; what is cut ends in an ellipsis."""
    if width <= 0:
        return ""
    if text.isascii():
        return text if len(text) <= width else text[: width - 1] + ELLIPSIS
    if cell_len(text) <= width:
        return text
    return set_cell_size(text, width - 1).rstrip() + ELLIPSIS


def padded_left(text: str, width: int) -> str:
    """Flush right in `width` cells."""
    text = cut(text, width)
    return " " * (width - cell_len(text)) + text


def age(moment: str, now: datetime) -> str:
    """How long ago, in three cells or so: `now`, `5m`, `3h`, `2d`, `6w`, `3y`; empty when it cannot be told."""
    try:
        then = datetime.fromisoformat(moment)
    except ValueError:
        return ""
    if then.tzinfo is None:
        then = then.replace(tzinfo=UTC)
    minutes = (now - then).total_seconds() / 60
    if minutes < 1:
        return "now"
    for size, limit, unit in ((1, 60, "m"), (60, 24, "h"), (1440, 14, "d"), (10080, 52, "w")):
        if minutes / size < limit:
            return f"{int(minutes / size)}{unit}"
    return f"{max(1, int(minutes / 525_600))}y"


def day(moment: str) -> str:
    """The moment to the minute, as people write it: `2026-11-27 14:02`."""
    return moment[:16].replace("T", " ")


def spans(text: str, marks: Iterable[tuple[int, int]], ink: Style, plain: Style) -> Content:
    """Text in one ink, with stretches of it (by characters) in another. The text is never read as markup."""
    return Content(text, [Span(0, len(text), plain), *(Span(start, end, ink) for start, end in marks if start < end)])
