"""Bars of block characters: how full, how much of it, and of what. Each part has a filling of its own, so that none is
told by colour alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from curate.tui.theme import InkName

FILLINGS = "█▓▒░▞▚"
"""One for each part of a stacked bar; what comes after the last is drawn as `MORE`."""
MORE = "·"
EMPTY = "·"


def gauge(share: float, width: int) -> str:
    """A bar that is filled to a share (0 to 1); what is more than nothing shows at least one block."""
    filled = round(min(max(share, 0.0), 1.0) * width)
    filled = max(filled, 1) if share > 0 else 0
    return "█" * filled + EMPTY * (width - filled)


def stage_bar(came: int, went: int, most: int, width: int) -> tuple[str, str, str]:
    """A stage of a funnel: what went on, what was left out, and the room that is left, drawn to one scale."""
    whole = _cells(came, most, width)
    kept = min(_cells(went, most, width), whole)
    if went < came and kept == whole and whole:
        # Something was left out: it shows, however little it is.
        kept, whole = (kept - 1, whole) if whole > 1 else (kept, min(whole + 1, width))
    return "█" * kept, "░" * (whole - kept), " " * (width - whole)


def stacked(parts: Sequence[tuple[str, int]], most: int, width: int) -> list[tuple[str, str]]:
    """The parts of a bar as `(name, blocks)`, to the scale of the longest bar; each keeps its order and its place."""
    out: list[tuple[str, str]] = []
    told = total = 0
    for number, (name, amount) in enumerate(parts):
        total += amount
        until = _cells(total, most, width)
        blocks = until - told
        if blocks > 0:
            out.append((name, filling(number) * blocks))
            told = until
    return out


def filling(number: int) -> str:
    """What the part of that number is drawn with."""
    return FILLINGS[number] if number < len(FILLINGS) else MORE


def part_ink(number: int) -> InkName:
    """The ink of the part of that number."""
    inks: tuple[InkName, ...] = ("key", "good", "warn", "text", "cue", "bad")
    return inks[number] if number < len(inks) else "muted"


def _cells(amount: int, most: int, width: int) -> int:
    if amount <= 0 or most <= 0:
        return 0
    return min(width, max(1, round(amount / most * width)))
