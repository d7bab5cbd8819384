"""One line of the queue as runs of text and ink, exactly as wide as asked. Pure, so that columns can be tested."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.cells import cell_len

from curate.tui.cells import age, cut, fit, padded_left, safe_line

if TYPE_CHECKING:
    from datetime import datetime

    from curate.review.choice import Choice, Verb
    from curate.review.rows import Row
    from curate.tui.theme import InkName

Runs = list[tuple[str, "InkName"]]

SIGNS = {
    "add": "+", "update": "~", "supersede": "»", "add_exception": "±", "contest": "!",
}  # fmt: skip
OP_WORDS = {
    "add": "add", "update": "merge", "supersede": "sup", "add_exception": "exc", "contest": "con",
}  # fmt: skip
DONE: dict[Verb, tuple[str, str, InkName]] = {
    "accept": ("✓", "add", "good"), "reject": ("✗", "rej", "bad"), "later": ("…", "later", "warn"),
    "merge": ("✓", "merge", "good"), "supersede": ("✓", "sup", "good"), "exception": ("✓", "exc", "good"),
    "contest": ("!", "con", "warn"), "uncontest": ("✓", "unc", "good"), "deprecate": ("✗", "depr", "bad"),
    "delete": ("✗", "del", "bad"), "pin": ("✓", "pin", "good"), "unpin": ("✓", "unpin", "good"),
    "flag": ("✓", "flag", "good"), "vault": ("✓", "vault", "good"), "update": ("✓", "edit", "good"),
    "resolve": ("✓", "fork", "good"), "both": ("✓", "both", "good"), "stability": ("✓", "stab", "good"),
    "decay": ("✓", "decay", "good"), "restore": ("✓", "back", "good"),
}  # fmt: skip
"""Sign, short word and ink of each decision."""

REPLACED: tuple[str, str, InkName] = ("»", "past", "warn")

WIDE, MIDDLE = 76, 50
"""Widths from which there is room for the op in words and the sessions, and for the age."""


@dataclass(frozen=True, slots=True)
class Face:
    """How a row looks just now."""

    cursor: bool = False
    marked: bool = False
    premarked: bool = False
    choice: Choice | None = None
    statement: str = ""
    where: str = ""
    refused: bool = False
    note: bool = False
    replaced: bool = False
    """Accepted only to be remembered as what held before."""


def line(row: Row, face: Face, width: int, now: datetime) -> Runs:
    """The runs of a line, `width` cells in all."""
    decided = face.choice is not None and face.choice.verb is not None
    runs: Runs = [
        ("▌" if face.cursor else " ", "key"),
        ("■ " if face.marked else "□ " if face.premarked else "  ", "mark"),
    ]
    used = 3
    wide, middle = width >= WIDE, width >= MIDDLE
    if row.tab not in {"noise", "singles"}:
        runs.append((padded_left(f"{row.quotes}×" if row.quotes > 1 else "", 3) + " ", "muted"))
        used += 4
    sign, word, ink = _standing(row, face, decided)
    op = fit(f"{sign} {word}", 7) if wide and (row.tab != "noise" or decided) else sign
    runs.append((op + " ", ink))
    used += cell_len(op) + 1
    scope_width = 16 if width >= 110 else 12 if wide else 10
    where = safe_line(face.where or row.scoped.in_words())
    unsure = row.scoped.reach == "unassigned" and not (face.choice and face.choice.scoped)
    runs.append((fit(where, scope_width) + " ", "warn" if unsure else "muted" if decided else "scope"))
    used += scope_width + 1
    tail = _tail(row, wide, middle, now)
    room = width - used - cell_len(tail)
    plain: InkName = "faint" if decided or face.refused else "text"
    text = safe_line(face.statement or row.statement)
    if face.note:
        runs.append(("! ", "warn"))
        room -= 2
    if row.pinned:
        runs.append(("pin ", "mark"))
        room -= 4
    runs += _statement(text, row.cues if text == row.statement and not decided else (), room, plain)
    runs.append((tail, "muted"))
    return runs


def _standing(row: Row, face: Face, decided: bool) -> tuple[str, str, InkName]:
    if decided:
        assert face.choice is not None
        assert face.choice.verb is not None
        if face.replaced:
            return REPLACED
        sign, word, ink = DONE[face.choice.verb]
        return sign, OP_WORDS.get(row.takes, row.takes) if face.choice.verb == "accept" else word, ink
    if face.refused:
        return "=", "taken", "muted"
    if row.kind == "record":
        words = {
            "active": ("·", ""),
            "contested": ("!", "cont"),
            "deprecated": ("✗", "depr"),
            "superseded": ("»", "supd"),
        }
        sign, word = words.get(row.status, ("·", row.status))
        return (
            ("‡", "fork", "warn")
            if row.match == "fork"
            else (sign, word, "warn" if row.status == "contested" else "muted")
        )
    if row.tab == "noise":
        return "-", "", "muted"
    weighty = row.tab == "conflicts" or row.takes == "supersede"
    return SIGNS.get(row.takes, "~"), OP_WORDS.get(row.takes, row.takes), "warn" if weighty else "good"


def _tail(row: Row, wide: bool, middle: bool, now: datetime) -> str:
    aged = padded_left(age(row.newest, now), 4) + " " if middle else ""
    if row.tab == "noise":
        room = 22 if wide else 16 if middle else 0
        return (" " + padded_left(safe_line(row.bundle), room) if room else "") + aged
    if row.tab != "groups" or not wide:
        return aged
    return padded_left(f"{row.sessions} sessions" if row.sessions > 1 else "", 13) + aged


def _statement(text: str, cues: Sequence[tuple[int, int]], room: int, plain: InkName) -> Runs:
    """The statement in `room` cells, the cues of it in their own ink."""
    shown = fit(text, room)
    kept = len(cut(text, room))
    runs: Runs = []
    at = 0
    for start, end in cues:
        stop = min(end, kept)
        if start >= stop or start < at:
            continue
        if start > at:
            runs.append((shown[at:start], plain))
        runs.append((shown[start:stop], "cue"))
        at = stop
    runs.append((shown[at:], plain))
    return [run for run in runs if run[0]]
