"""Time grows with the text only: a megabyte of any one thing takes well below two seconds, and nothing crashes."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curate.capture import lexicon
from curate.capture.intent import classify

PIECES = [
    *"a \n\t.!?…,;:-*#>|`\"'<>/\\()[]{}=_$@+~0é你。、「」あ한",
    "never ", "from now on ", "don't ", "<a>", "</a>", "<a b='", "a.", "a/", "- ", "1. ", "```\n", "> ", "“", "”",
    "add to CLAUDE.md: ", "不要", "必ず", "항상", "никогда ", "you added ", ", ", "; ", " - ", "(", "e.g. ", "ok ",
    "and ", "\u200b", "\ud800",
]  # fmt: skip


@pytest.mark.parametrize("piece", PIECES, ids=ascii)
def test_a_megabyte_of_one_thing(piece: str) -> None:
    text = piece * (1_000_000 // len(piece))
    start = time.process_time()
    classify(text)
    assert time.process_time() - start < 2.0


def test_a_megabyte_of_each_kind_of_cue() -> None:
    for name, entries in lexicon.default()._data["en"]["classes"].items():
        cue = str(entries[0]) + " "
        start = time.process_time()
        classify(cue * (200_000 // len(cue)))
        assert time.process_time() - start < 1.0, name


@given(st.lists(st.sampled_from(PIECES), max_size=60).map("".join))
@settings(max_examples=300, deadline=None)
def test_any_mixture_gives_slices(text: str) -> None:
    verdict = classify(text)
    assert 0.0 <= verdict.confidence <= 1.0
    for item in verdict.items:
        assert text[item.start : item.end] == item.statement
        assert all(0 <= c.start <= c.end <= len(text) for c in item.cues)


@given(st.text(max_size=300))
@settings(max_examples=200, deadline=None)
def test_any_text_is_survived(text: str) -> None:
    classify(text, previous=text)
