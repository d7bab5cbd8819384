"""What is highlighted are the words that make a rule of a statement, never what it is about."""

from __future__ import annotations

import itertools

import pytest

from curate.capture.intent import classify
from curate.capture.telling import telling
from curate.review.assemble import cues_in

SHOWN = [
    ("From now on always run the tests before you push.", ["From now on", "always"]),
    ("stop using npm, this repo is on pnpm", ["stop"]),
    ("merged migrations are never edited, write a new one instead", ["never"]),
    ("we use uv in this repo, never call pip directly", ["we use", "never"]),
    ("commit messages in the imperative please, always, and at most 72 characters", ["always"]),
    ("indentation: four spaces in python files, always", ["always"]),
    ("I prefer short answers, skip the summary at the end", ["I prefer", "skip the"]),
    ("don't use npm in this repo", ["don't"]),
    ("dont use npm in this repo", ["dont"]),
    ("please dont amend commits", ["dont"]),
    ("wont accept mocks in this repo, cant use them", ["cant"]),
    ("ab jetzt bitte keine Emojis in Commit-Nachrichten", ["ab jetzt", "keine"]),
]


@pytest.mark.parametrize(("text", "words"), SHOWN)
def test_generality_and_prohibition_are_shown(text: str, words: list[str]) -> None:
    (item, *_) = classify(text).items
    assert [text[start:end] for start, end in telling(item.cues, item.start, item.end)] == words


def test_where_nothing_strong_is_said_one_weak_word_is_shown() -> None:
    text = "Keep the answers short in this repo please."
    (item, *_) = classify(text).items
    assert [text[start:end] for start, end in telling(item.cues, item.start, item.end)] == ["Keep"]


def test_at_most_three_and_none_over_another() -> None:
    text = "From now on, in all my repos, never ever commit without asking, always ask, and don't push, no exceptions."
    (item, *_) = classify(text).items
    spans = telling(item.cues, item.start, item.end)
    assert 1 <= len(spans) <= 3
    assert all(end <= start for (_, end), (start, _) in itertools.pairwise(spans))


def test_the_place_in_the_quote_is_the_place_in_the_statement() -> None:
    excerpt = "I said it: I always run it."
    piece = {"excerpt": excerpt, "cues": [(13, 19)], "statement_span": (11, 27)}
    assert cues_in("I always run it.", [piece]) == ((2, 8),)


def test_a_word_is_never_found_inside_another() -> None:
    piece = {"excerpt": "say it, no i mean any time", "cues": [(11, 12), (18, 21)]}
    assert cues_in("many things, any time, this way", [piece]) == ((13, 16),)
    piece = {"excerpt": "请必须", "cues": [(1, 3)]}
    assert cues_in("数据库迁移必须先在测试环境运行", [piece]) == ((5, 7),)
