"""A quote on a card shows the words that count, however much was said before them."""

from __future__ import annotations

from dataclasses import replace

from curate.review.card import Quote
from curate.tui.theme import inks
from curate.tui.widgets.card_text import Lines, quoted

RULE = "always write british english"
LONG = Quote(
    text=f"tidy up the page. style from now on:\n\n- headings in sentence case\n- no exclamation marks\n- {RULE}",
    cues=((91, 97),), span=(91, 91 + len(RULE)), context="", agent="claude-code", session="s", time="", path="",
    line=None, against=False, redacted=(), trust="direct_user_instruction",
)  # fmt: skip


def shown(quote: Quote, limit: int, width: int = 70) -> str:
    lines = Lines(inks("curate-dark"), width)
    quoted(lines, quote, limit=limit, known="something else")
    return "\n".join(str(line) for line in lines.out)


def test_a_long_quote_starts_with_the_line_that_counts():
    assert LONG.span is not None
    assert LONG.text[slice(*LONG.span)] == RULE
    assert f"… - {RULE}" in shown(LONG, 2)
    assert "tidy up" not in shown(LONG, 2)


def test_one_that_has_room_is_shown_from_its_start():
    assert "tidy up" in shown(LONG, 6)
    assert RULE in shown(LONG, 6)
    assert "tidy up" in shown(LONG, 0)


def test_within_a_long_line_some_words_ahead_are_kept():
    text = " ".join(f"word{number:03}" for number in range(60)) + f" {RULE}"
    at = text.index(RULE)
    one_line = replace(LONG, text=text, cues=((at, at + 6),), span=(at, at + len(RULE)))
    found = " ".join(shown(one_line, 2).split())
    assert RULE in found
    assert "word059 always" in found
    assert "word000" not in found
