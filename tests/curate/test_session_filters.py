"""The filter: words, fields, negation, and honest words about what it does not know."""

from __future__ import annotations

from dataclasses import replace

import pytest

from curate.review.filters import FIELDS, Standing, parse
from curate.review.rows import Row, Scoped

ROW = Row(
    key="k", tab="singles", statement="Use pnpm",
    scoped=Scoped("path", ("github.com/acme/shop-api",), ("api/**",)),
    rule="prefer_pattern", flags=("redacted",), agents=("claude-code",), quotes=3,
    haystack="use pnpm\nno, use pnpm here",
    match="new", risk="low", tags=("tooling",), intent="project_convention",
)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ("", True), ("pnpm", True), ("PNPM here", True), ("npm yarn", False), ("-yarn", True), ("-pnpm", False),
        ("scope:path", True), ("scope:global", False), ("-scope:global", True), ("project:shop", True),
        ("path:api", True),
        ("rule:prefer", True), ("flag:redacted", True), ("agent:claude", True), ("agent:codex", False),
        ("tag:tool", True),
        ("quotes:3", True), ("quotes:4", False), ("quotes:many", True), ("op:add pnpm", True), ("is:open", True),
        ("is:decided", False), ("is:marked", True), ("match:new risk:low layer:l2", True), ("scope:", True),
        ("-", False), ("is:forked", False), ("is:overdue", False),
    ],
)  # fmt: skip
def test_terms(text: str, fits: bool) -> None:
    assert parse(text).accepts(ROW, Standing(decided=(), marked=("k",))) is fits


def test_memories_that_ask_for_a_look_are_found() -> None:
    record = replace(ROW, kind="record", status="contested", heads=("one", "two"), overdue=True)
    assert parse("is:forked is:overdue is:contested").accepts(record, Standing())


def test_an_unknown_field_is_said_and_taken_as_text() -> None:
    found = parse("colour:red")
    assert found.problem is not None
    assert "no field `colour`" in found.problem
    assert not found.accepts(ROW, Standing())
    assert parse("https://x.y").problem is None


def test_every_field_is_understood() -> None:
    for field in FIELDS:
        assert parse(f"{field}:x").problem is None


def test_terms_that_decisions_change_are_known() -> None:
    assert parse("is:open").moving
    assert not parse("is:pinned scope:global").moving
