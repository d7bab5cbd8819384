"""Word and line differences give both sides back; pace counts decisions and not pauses."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from curate.review.diff import by_line, by_word
from curate.review.pace import PAUSE, Pace, in_words

TEXT = st.text(st.sampled_from("ab c,.\n'é数"), max_size=30)


@given(TEXT, TEXT)
def test_both_sides_of_a_word_diff_come_back(old: str, new: str) -> None:
    parts = by_word(old, new)
    assert "".join(part.text for part in parts if part.change in {"same", "old"}) == old
    assert "".join(part.text for part in parts if part.change in {"same", "new"}) == new
    assert all(part.text for part in parts)


def test_a_word_diff_marks_whole_phrases() -> None:
    parts = by_word("Use npm in this repository", "Use pnpm in this repository")
    assert [(part.change, part.text) for part in parts] == [
        ("same", "Use "), ("old", "npm"), ("new", "pnpm"), ("same", " in this repository"),
    ]  # fmt: skip
    parts = by_word("we deploy on Friday", "we never ever ship on Friday")
    assert [(part.change, part.text) for part in parts][1:3] == [("old", "deploy"), ("new", "never ever ship")]


def test_a_very_long_text_is_shown_as_replaced() -> None:
    old, new = "a " * 3000, "b " * 3000
    assert [part.change for part in by_word(old, new)] == ["old", "new"]


def test_a_line_diff_says_what_it_leaves_out() -> None:
    old = "\n".join(f"line {number}" for number in range(20))
    shown = by_line(old, old.replace("line 15", "other"), context=1)
    assert shown == [("@", "14 lines the same"), (" ", "line 14"), ("-", "line 15"), ("+", "other"), (" ", "line 16")]


def test_pace_is_seconds_per_row_without_pauses() -> None:
    pace = Pace()
    pace.start(0.0)
    for moment, rows in ((4.0, 1), (8.0, 1), (8.0 + PAUSE + 1, 1), (112.0, 8)):
        pace.decided(moment, rows)
    assert pace.each is not None
    assert round(pace.each, 2) == round((4 + 4 + 13) / 10, 2)
    assert pace.left(20) == pace.each * 20


def test_no_pace_before_three_decisions() -> None:
    pace = Pace()
    pace.start(0.0)
    pace.decided(1.0, 1)
    assert pace.each is None
    assert pace.left(10) is None


def test_durations_in_words() -> None:
    assert [in_words(seconds) for seconds in (20, 60, 550, 3600, 7500)] == [
        "under a minute", "1 min", "9 min", "1 h", "2 h 5 min",
    ]  # fmt: skip
