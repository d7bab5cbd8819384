"""Sentences name an action; whoever knows the reader's keys puts the key of it in its place.

The marks around a name are control characters, which captured text never holds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_MARK = "\x1f"


def key_of(action: str) -> str:
    """Stands in a sentence for the key of an action, by its id in the table of actions."""
    return f"{_MARK}{action}{_MARK}"


def spelled(text: str, shown: Callable[[str], str]) -> str:
    """The sentence with `shown` for each action that it names."""
    return "".join(shown(part) if at % 2 else part for at, part in enumerate(text.split(_MARK)))
