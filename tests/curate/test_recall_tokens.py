"""Tokens are counted without a vocabulary, and near enough to what the vocabularies of common models make of a text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curate.recall.tokens import tokens

REAL = {
    "Use pnpm for installs, never npm; the lock file is checked in.\n": 16,
    "- mem_01JD2Q [L2, conf 0.94] Migrations of the database run in a job of their own, never at start.\n": 34,
    "def parse_invoice(raw: bytes, *, limit: int = 200) -> Invoice:\n    return Invoice.model_validate_json(raw)\n": 26,
    "packages/api/src/routes/parseInvoiceTotal.test.ts\n": 11,
    "HTTP_PROXY=http://127.0.0.1:8080 docker compose -f deploy/compose.yaml up --build\n": 26,
    "- Commit: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08\n": 48,
    "2026-11-30T04:29:01Z 412 ms 3/12 entries, 361 of 14336 bytes\n": 30,
    "## Memory index — established earlier in this project\n": 10,
    "⚠️ AVOID: [conf 0.92] Never log access tokens\n": 19,
    "在这个项目中始终使用 pnpm，而不是 npm。\n": 17,
    "Nutze für Übersetzungen größere Schriften.\n": 13,
}
"""The larger of what cl100k and o200k make of it."""


@pytest.mark.parametrize("text", REAL)
def test_it_is_not_below_what_models_count_and_not_far_above(text: str):
    assert REAL[text] <= tokens(text) <= 1.65 * REAL[text]


@given(lines=st.lists(st.text(max_size=60).map(lambda text: text + "\n"), max_size=8))
def test_lines_together_cost_no_more_than_alone(lines: list[str]):
    assert tokens("".join(lines)) <= sum(map(tokens, lines))


@given(text=st.text(min_size=1, max_size=200))
def test_nothing_is_free_but_blanks(text: str):
    assert tokens(text) > 0
    assert tokens("") == 0
