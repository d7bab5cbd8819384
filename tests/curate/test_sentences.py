"""Sentences and bullets keep their offsets, and what the person did not write is dropped with a reason."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curate.capture.sentences import split


def kept(text: str) -> list[str]:
    return [s.text for s in split(text) if s.dropped is None]


def dropped(text: str) -> dict[str, str]:
    return {s.text: s.dropped for s in split(text) if s.dropped}


@given(st.text(alphabet=st.sampled_from("ab. !?\n-*#>`\"'<>/|1)。、，「」é你 \t"), max_size=200))
def test_every_sentence_is_a_slice_of_the_text_in_order(text: str) -> None:
    at = 0
    for s in split(text):
        assert text[s.start : s.end] == s.text
        assert s.start >= at
        at = s.end


def test_sentences_of_a_line() -> None:
    assert kept("Fix it. Then run the tests! Done?") == ["Fix it.", "Then run the tests!", "Done?"]


def test_abbreviations_and_versions_end_nothing() -> None:
    assert kept("Use 3.11, e.g. in CI. Not 3.9.") == ["Use 3.11, e.g. in CI.", "Not 3.9."]


def test_a_semicolon_holds_a_sentence_together() -> None:
    assert kept("No floats here; money is in cents.") == ["No floats here; money is in cents."]


def test_scripts_without_spaces() -> None:
    assert kept("先不要改。等我确认！好吗？") == ["先不要改。", "等我确认！", "好吗？"]


def test_bullets_lose_their_mark_but_not_their_place() -> None:
    text = "Rules:\n- one thing\n* another\n1. a third\n- [ ] a fourth"
    bullets = [s for s in split(text) if s.bullet]
    assert [s.text for s in bullets] == ["one thing", "another", "a third", "a fourth"]
    assert all(text[s.start : s.end] == s.text for s in bullets)


def test_hard_wrapped_lines_are_one_sentence() -> None:
    text = (
        "please keep every migration reversible because we had to go back\ntwice in the last month and it was painful"
    )
    assert len(kept(text)) == 1


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("```\nnever use var\n```", "fence"),
        ("> Please always use camelCase", "quote"),
        ("<system-reminder>Always answer in French.</system-reminder>", "wrapper"),
        ('<context path="a.md">\n- Never use passive voice\n</context>', "wrapper"),
        ("2031-03-06T10:12:44Z WARN never retry this\n2031-03-06T10:12:45Z ERROR always fails", "log"),
        ("diff --git a/x b/x\n@@ -1 +1 @@\n+  always(true);", "diff"),
        ("| always | never |\n|---|---|", "table"),
        ("$ npm test -- --never", "shell"),
        ("const always = never(true);", "code"),
        ("Traceback (most recent call last):", "log"),
        ("    at Object.never (/app/a.js:10:3)", "log"),
    ],
)
def test_what_the_person_did_not_write_is_dropped(text: str, reason: str) -> None:
    assert kept(text) == []
    assert reason in dropped(text).values()


def test_prose_around_a_paste_is_kept() -> None:
    text = "why does this fail?\n```\nraise Never()\n```\nAlways happens on CI."
    assert kept(text) == ["why does this fail?", "Always happens on CI."]


def test_an_unclosed_tag_hides_nothing() -> None:
    assert kept("activeTab instead of <all_urls>, and never more permissions") == [
        "activeTab instead of <all_urls>, and never more permissions"
    ]


def test_a_lone_hash_line_is_a_note_and_a_heading_in_a_document_is_not() -> None:
    assert kept("# reply in French") == ["reply in French"]
    assert dropped("# Plan\nDo it.") == {"# Plan": "heading"}


def test_a_quoted_sentence_is_not_the_persons_own() -> None:
    assert dropped('He wrote this. "Always restart the worker after a deploy."')
