"""Two sides that contradict each other: in two columns where there is room, one above the other where there is not."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING

from textual.content import Content

from curate.review.diff import by_word
from curate.tui.cells import day, safe, safe_line, spans
from curate.tui.widgets.card_text import Lines, key_rows, new_side, old_side

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from curate.review.choice import Choice
    from curate.review.rows import Row
    from curate.review.versus import Half, Versus
    from curate.tui.theme import Inks

TWO_COLUMNS = 100
"""Cells from which both sides have a column of their own."""

OFFERS = {
    "known": (("keep_left", "keep what is known"), ("keep_right", "keep what was said"),
              ("both", "both true, narrower"), ("exception", "add an exception"), ("contest", "contest")),
    "waiting": (("keep_left", "keep the first"), ("keep_right", "keep the later"), ("both", "both true, narrower")),
    "fork": (("keep_left", "keep version A"), ("keep_right", "keep version B")),
}  # fmt: skip

ALIKE = 0.35
"""Share of the shorter statement that both must have for their difference to be shown."""

_SHORT = {"known": ("known", "said"), "waiting": ("first", "later"), "fork": ("A", "B")}


def versus_lines(
    row: Row, found: Versus, choices: tuple[Choice | None, Choice | None], palette: Inks, width: int, height: int,
    shown: Callable[[str], str], *, replaced: bool = False,
) -> list[Content]:  # fmt: skip
    """The lines of the card, as many quotes as there is room for. `choices` are those of the left and the right side,
    or of the row alone; `replaced`: the left one only becomes history. `shown` names the key of an action.
    """
    lines = Lines(palette, width)
    if decided := _decided(found, choices, replaced=replaced):
        lines.text(f"decided: {decided}", "good")
    if row.reason and found.kind == "known":
        lines.text(safe_line(row.reason), "muted")
    keys = [(shown(action), word) for action, word in OFFERS[found.kind]]
    footer = Lines(palette, width)
    key_rows(footer, keys, label="")
    room = max(4, height - len(lines.out) - len(footer.out) - 1)
    if width >= TWO_COLUMNS:
        column = (width - 3) // 2
        all_ = shown("evidence")
        left, right = (_half(found, side, palette, column, room, all_) for side in ("left", "right"))
        bar = Content.styled(" │ ", palette["faint"])
        for one, other in zip_longest(left[:room], right[:room], fillvalue=Content("")):
            lines.out.append(Content.assemble(one, " " * max(0, column - one.cell_length), bar, other))
    else:
        each = max(3, room // 2)
        lines.out += _short_half(found, "left", palette, width, each)
        lines.out += _short_half(found, "right", palette, width, each)
    if width >= TWO_COLUMNS or height > len(lines.out) + len(footer.out):
        lines.gap()
    return [*lines.out, *footer.out]


def _decided(found: Versus, choices: tuple[Choice | None, Choice | None], *, replaced: bool) -> str:
    """What was decided, of two that wait for each by its name."""
    if found.kind != "waiting":
        return " · ".join(dict.fromkeys(choice.words() for choice in choices if choice and choice.verb))
    words = ["replaced" if replaced else _word(choices[0]), _word(choices[1])]
    return " · ".join(f"the {name} {word}" for name, word in zip(_SHORT["waiting"], words, strict=True) if word)


def _word(choice: Choice | None) -> str:
    return choice.words() if choice and choice.verb else ""


def _half(found: Versus, side: str, palette: Inks, width: int, room: int, all_: str) -> list[Content]:
    half: Half = found.left if side == "left" else found.right
    lines = Lines(palette, width)
    old, new = safe_line(found.left.statement), safe_line(found.right.statement)
    lines.text(half.title, "title")
    lines.text(_words(lines, old, new, side))
    for label, text in _facts(half):
        lines.row(label, safe_line(text), "scope" if label == "holds" else "text", limit=2)
    left = len(half.quotes)
    for quote in half.quotes:
        if len(lines.out) + 2 > room:
            break
        text = safe(quote.text).strip()
        cues = quote.cues if text == quote.text else ()
        limit = 1 if room < 14 else 2
        label = "against" if quote.against else "quote"
        lines.row(label, spans(text, cues, palette["cue"], palette["quote"]), limit=limit)
        where = (quote.agent, day(quote.time), quote.session)
        lines.row("", safe_line(" · ".join(part for part in where if part)), "muted", limit=1)
        left -= 1
    if left > 0 and len(lines.out) < room:
        more = f"{left} more" if left < len(half.quotes) else f"{left} quote{'s' if left != 1 else ''}"
        lines.row("", f"{more}: {all_} shows all", "muted")
    return lines.out


def _words(lines: Lines, old: str, new: str, side: str) -> Content:
    """What a side says, with what differs marked; two that share hardly a word are easier to read as they are."""
    same = sum(len(part.text) for part in by_word(old, new) if part.change == "same" and not part.text.isspace())
    if same < ALIKE * min(len(old), len(new)):
        return lines.plain(old if side == "left" else new)
    return old_side(lines, old, new) if side == "left" else new_side(lines, old, new)


def _short_half(found: Versus, side: str, palette: Inks, width: int, room: int) -> list[Content]:
    """One above the other there is less room: the words, one line of facts, and the quotes that fit."""
    half: Half = found.left if side == "left" else found.right
    lines = Lines(palette, width)
    old, new = safe_line(found.left.statement), safe_line(found.right.statement)
    label = _SHORT[found.kind][0 if side == "left" else 1]
    lines.row(label, _words(lines, old, new, side), limit=2)
    standing = [] if half.standing.startswith("waits") else [half.standing]
    facts = [half.scoped.in_words(), *standing, *(text for name, text in _facts(half) if name in {"said", "made"})]
    facts += [f"except {text}" for text in half.exceptions]
    lines.row("", safe_line(" · ".join(facts)), "muted", limit=2)
    for quote in half.quotes[: max(0, room - len(lines.out))]:
        text = safe(quote.text).strip()
        lines.row("", spans(text, quote.cues if text == quote.text else (), palette["cue"], palette["quote"]), limit=1)
    return lines.out


def _facts(half: Half) -> Sequence[tuple[str, str]]:
    count = len(half.quotes)
    said = f"{count} quote{'s' if count != 1 else ''}"
    if half.sessions > 1:
        said += f" in {half.sessions} sessions"
    if half.first[:10] != half.last[:10]:
        said += f", {half.first[:10]} to {half.last[:10]}"
    elif half.last:
        said += f", {day(half.last) if half.by else half.last[:10]}"
    facts = [("holds", half.scoped.in_words()), ("state", f"{half.standing} · confidence {half.confidence:.2f}"),
             ("said", said)]  # fmt: skip
    facts += [("except", text) for text in half.exceptions[:2]]
    if half.by:
        facts.append(("made", half.by))
    return facts
