"""What search works on: words, identifiers taken apart, file names whole, scripts without spaces in pairs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.index.stem import stem
from store.index.terms import terms


@pytest.mark.parametrize(
    ("text", "has"),
    [
        ("getUserName", {"user", "name"}),
        ("HTTPServerError", {"http", "server", "error"}),
        ("get_user_name()", {"user", "name", "get_user_name"}),
        ("packages/api/src/orders.sql", {"packag", "api", "src", "order", "orders.sql"}),
        ("C++ and C#, .NET too", {"c++", "c#", ".net"}),
        ("the user's café", {"user", "cafe"}),
        ("使用pnpm安装", {"使用", "pnpm", "安装"}),
        ("テストを実行", {"テス", "実行"}),
        ("커밋하기", {"커밋하기", "커밋"}),
        ("Größe ändern", {"große", "andern"}),
        ("release 2.4", {"2.4"}),
        ("--no-verify", {"verifi", "no-verify"}),
    ],
)
def test_terms_are_what_people_look_for(text: str, has: set[str]):
    assert has - set(terms(text)) == set()


def test_a_file_ending_is_no_term():
    assert set(terms("rename checkout.py to basket.py")) & set(terms("Data classes live in models.py.")) == set()
    assert "models.py" in set(terms("models.py")) & set(terms("Data classes live in models.py."))


def test_stop_words_are_no_terms():
    assert terms("what is it that you have done for the user?") == ["user"]


@pytest.mark.parametrize(
    ("word", "stemmed"),
    [("publishing", "publish"), ("dependencies", "depend"), ("relational", "relat"), ("hopping", "hop"),
     ("agreed", "agre"),
     ("generalizations", "gener"), ("oscillators", "oscil"), ("skies", "ski"), ("py", "py"), ("größe", "größe")],
)  # fmt: skip
def test_stems_are_porters(word: str, stemmed: str):
    assert stem(word) == stemmed


@given(st.text())
def test_no_text_breaks_it_and_terms_are_unique(text: str):
    found = terms(text)
    assert len(found) == len(set(found))
    assert not any(" " in term or not term for term in found)
