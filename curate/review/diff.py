"""What differs between two statements by word, for cards and previews. Widths and colours are the screen's affair."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from typing import Literal, NamedTuple

Change = Literal["same", "old", "new"]

_PIECES = re.compile(r"\s+|[\w'\u2019-]+|[^\w\s]")
_WORD_LIMIT = 400
"""Beyond this many pieces on a side, comparing takes longer than a key press may: all of it is shown as replaced."""


class Part(NamedTuple):
    """A run of text that both sides share (`same`), or that only the old or the new one has."""

    change: Change
    text: str


def by_word(old: str, new: str) -> list[Part]:
    """Runs in reading order, what goes before what comes. `same` and `old` joined give the old text, likewise new."""
    if old == new:
        return [Part("same", old)] if old else []
    before, after = _PIECES.findall(old), _PIECES.findall(new)
    if max(len(before), len(after)) > _WORD_LIMIT:
        return [part for part in (Part("old", old), Part("new", new)) if part.text]
    parts: list[Part] = []
    matcher = SequenceMatcher(a=before, b=after, autojunk=False)
    for tag, old_from, old_to, new_from, new_to in matcher.get_opcodes():
        if tag == "equal":
            parts.append(Part("same", "".join(before[old_from:old_to])))
            continue
        parts.append(Part("old", "".join(before[old_from:old_to])))
        parts.append(Part("new", "".join(after[new_from:new_to])))
    return _joined([part for part in parts if part.text])


def _joined(parts: list[Part]) -> list[Part]:
    """Changes that only a space separates read as one, so that a rewritten phrase is not a ladder of single words."""
    out: list[Part] = []
    pending_old = pending_new = ""
    for index, part in enumerate(parts):
        between = (
            part.change == "same"
            and part.text.isspace()
            and 0 < index < len(parts) - 1
            and bool(pending_old or pending_new)
            and parts[index + 1].change != "same"
        )
        if between:
            pending_old += part.text if pending_old else ""
            pending_new += part.text if pending_new else ""
            if not pending_old or not pending_new:
                # One side has nothing here: the space is shared and stays so.
                out.extend(_changed(pending_old.removesuffix(part.text), pending_new.removesuffix(part.text)))
                out.append(part)
                pending_old = pending_new = ""
        elif part.change == "same":
            out.extend(_changed(pending_old, pending_new))
            out.append(part)
            pending_old = pending_new = ""
        elif part.change == "old":
            pending_old += part.text
        else:
            pending_new += part.text
    return [*out, *_changed(pending_old, pending_new)]


def _changed(old: str, new: str) -> list[Part]:
    return [part for part in (Part("old", old), Part("new", new)) if part.text]


def by_line(old: str, new: str, context: int = 2) -> list[tuple[Literal[" ", "-", "+", "@"], str]]:
    """Lines of a unified difference without file heads; `@` lines say how many lines in between are the same."""
    before, after = old.splitlines(), new.splitlines()
    out: list[tuple[Literal[" ", "-", "+", "@"], str]] = []
    shown = 0
    for group in SequenceMatcher(a=before, b=after, autojunk=False).get_grouped_opcodes(context):
        hidden = group[0][3] - shown
        if hidden > 0:
            out.append(("@", f"{hidden} line{'s' if hidden != 1 else ''} the same"))
        for tag, old_from, old_to, new_from, new_to in group:
            if tag == "equal":
                out.extend((" ", line) for line in after[new_from:new_to])
                continue
            out.extend(("-", line) for line in before[old_from:old_to])
            out.extend(("+", line) for line in after[new_from:new_to])
        shown = group[-1][4]
    return out
