"""Which line of a block stands for which of its entries: the journal keeps both, and not the one in the other. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

SENT_FIRST = ("- ", "⚠️", "✓", "📌")
"""How a line of a block begins that stands for a record."""


def annotated(block: str, entries: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, Mapping[str, Any] | None]]:
    """The lines of a block, each with the entry that it begins. In a section whose lines do not add up to its entries
    none is named.
    """
    section, left = "", []
    parts = block.splitlines()
    for at, text in enumerate(parts):
        if text.startswith("## "):
            section = text[3:].strip()
            own = [entry for entry in entries if entry.get("section") == section]
            until = next((n for n in range(at + 1, len(parts)) if parts[n].startswith("## ")), len(parts))
            begun = sum(line.startswith(SENT_FIRST) for line in parts[at + 1 : until])
            left = own if begun == len(own) else []
            yield text, None
        elif left and text.startswith(SENT_FIRST):
            yield text, left[0]
            left = left[1:]
        else:
            yield text, None
