"""Captured text is made harmless once, and comparing and shortening keep to that."""

from __future__ import annotations

import subprocess
import sys
import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.text import clean, fingerprint, one_line, shorten

ANY_TEXT = st.text(st.characters(codec=None), max_size=200)  # lone surrogates too


@pytest.mark.parametrize(
    ("raw", "harmless"),
    [
        ("plain text", "plain text"),
        ("a\r\nb\rc\u2028d\x85e", "a\nb\nc\nd\ne"),
        ("tab\tstays\nnewline stays", "tab\tstays\nnewline stays"),
        ("\x1b[31mred\x1b[0m\x07", "red"),
        ("\x1b]0;a title\x07and \x1b]8;;http://x\x1b\\a link\x1b]8;;\x1b\\, \x1b(Bdone", "and a link, done"),
        ("a lone \x1b and a \x1b[", "a lone  and a ["),
        ("user\u202egnp.exe\u202c", "usergnp.exe"),
        ("in\u200bvis\u2060ible\ufeff", "invisible"),
        ("half \ud83d pair", "half  pair"),
        ("smuggled\U000e0041\U000e0042", "smuggled"),
        ("e\u0301", "é"),
        ("今後はpnpmを使って", "今後はpnpmを使って"),
        ("heart ❤\ufe0f", "heart ❤\ufe0f"),
        ("[red]markup[/] stays text", "[red]markup[/] stays text"),
    ],
)
def test_clean(raw: str, harmless: str) -> None:
    assert clean(raw) == harmless


@given(ANY_TEXT)
def test_cleaned_text_holds_nothing_hidden_and_can_be_written(text: str) -> None:
    cleaned = clean(text)
    cleaned.encode("utf-8")
    assert unicodedata.is_normalized("NFC", cleaned)
    assert not [c for c in cleaned if unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp") and c not in "\n\t"]
    assert not [c for c in cleaned if unicodedata.bidirectional(c) in ("LRE", "RLE", "PDF", "LRI", "RLI", "PDI", "FSI")]


@given(ANY_TEXT)
def test_cleaning_twice_changes_nothing_more(text: str) -> None:
    assert clean(clean(text)) == clean(text)
    assert one_line(one_line(text)) == one_line(text)


@given(ANY_TEXT)
def test_one_line_has_single_spaces_and_no_ends(text: str) -> None:
    line = one_line(text)
    assert not [mark for mark in ("\n", "\t", "  ") if mark in line]
    assert line == line.strip()


@given(ANY_TEXT, st.integers(min_value=0, max_value=60))
def test_shortened_text_fits_and_short_text_is_untouched(text: str, limit: int) -> None:
    short = shorten(text, limit)
    assert len(short) <= limit
    if len(text) <= limit:
        assert short == text
    elif limit:
        assert short.endswith("…")
        assert text.startswith(short[:-1])


def test_shortening_ends_at_a_word() -> None:
    assert shorten("always run the whole test suite", 20) == "always run the…"
    assert shorten("x" * 50, 10) == "x" * 9 + "…"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Use tabs.", "use tabs"),
        ("Use `pnpm`, not npm!", "use pnpm not npm"),
        ("Always   run\nmake check", "always run make check"),
        ("Ｕｓｅ　ｐｎｐｍ", "use pnpm"),
        ("use snake_case", "use snake case"),
        ("Café rules", "Cafe\u0301 rules"),
        ("No em dashes — ever", "no em dashes - ever"),
        ("STRASSE", "straße"),
    ],
)
def test_same_fingerprint(one: str, other: str) -> None:
    assert fingerprint(one) == fingerprint(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Use npm", "Use pnpm"),
        ("Use C++", "Use C#"),
        ("Use C", "Use C++"),
        ("use == here", "use === here"),
        ("at most 20 lines", "at most 200 lines"),
        ("never use tabs", "always use tabs"),
        ("!!!", "???"),
        ("以后用pnpm", "以后用npm"),
    ],
)
def test_different_fingerprint(one: str, other: str) -> None:
    assert fingerprint(one) != fingerprint(other)


@given(ANY_TEXT)
def test_fingerprint_ignores_case_and_outer_marks(text: str) -> None:
    assert len(fingerprint(text)) == 64
    assert fingerprint(text) == fingerprint(f"  {text}  ")


@pytest.mark.parametrize("unit", ["a", " ", ".", "\u0301", "\u0301\u0316", "\ud800", "\u202e", "漢", "-", "\r"])
def test_a_megabyte_of_one_thing_takes_no_time(unit: str) -> None:
    text = unit * (1_000_000 // len(unit))
    started = time.perf_counter()
    clean(text)
    one_line(text)
    fingerprint(text)
    assert time.perf_counter() - started < 2


def test_imports_the_standard_library_only() -> None:
    code = "import sys, store.text; print([m for m in sys.modules if m.split('.')[0] in ('pydantic', 'git', 'rich')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@given(st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E), max_size=60))
def test_plain_and_wide_letters_have_one_fingerprint_whatever_the_punctuation(plain: str) -> None:
    wide = "".join("\u3000" if char == " " else chr(ord(char) + 0xFEE0) for char in plain)
    assert fingerprint(plain) == fingerprint(wide)
