"""What memory cost, and which of the two opposite remedies would help."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curate.recall.silence import silence
from curate.recall.sound import sound
from curate.recall.spend import kind_of, spending
from curate.tui.theme import inks
from curate.tui.widgets.card_text import Lines
from curate.tui.widgets.spend_text import write_spending
from curate.tui.widgets.turn_text import write_block, write_funnel, write_head, write_sent
from store.state import State


def turn(*entries: tuple[str, str, int], day: int = 1, budget: int = 100, **more: Any) -> dict[str, Any]:
    listed = [{"id": "m", "section": section, "reason": reason, "cost": cost} for section, reason, cost in entries]
    total = sum(cost for *_, cost in entries) + (5 if entries else 0)
    return {
        "at": f"2026-11-{day:02}T10:00:00Z", "unit": "tokens", "budget": budget, "total": total, "entries": listed,
        "block": "x" if entries else "", **more,
    }  # fmt: skip


KEYS = (
    "turn", "at", "agent", "session", "project", "layout", "unit", "total", "budget", "truncated", "skipped", "block",
    "identifiers", "entries", "traces", "id", "rev", "section", "reason", "cost", "score", "processor", "note",
    "input_count", "output_count", "dropped_total", "exclusion_reasons",
)  # fmt: skip
CUT = {"truncated": True, "traces": [{"processor": "budget", "dropped_total": 7}]}
INDEX, BODY = ("Memory index", "index", 90), ("Memory index", "trigger", 90)


@pytest.mark.parametrize(
    ("turns", "advice"),
    [
        ([turn(BODY)] * 4, "few"),
        ([turn(BODY, **CUT)] * 6, "raise"),
        ([turn(INDEX, **CUT)] * 6, "promote"),
        ([turn(BODY)] * 2 + [turn()] * 4, "promote"),
        ([turn(BODY)] * 6 + [turn(skipped="acknowledgement")] * 20, "fine"),
    ],
)
def test_a_low_ceiling_and_a_store_with_little_to_say_are_told_apart(turns: list[dict[str, Any]], advice: str):
    (found,) = spending(turns)
    assert found.advice == advice


def test_every_byte_is_booked_under_one_reason_and_one_day():
    (found,) = spending([turn(INDEX, day=2), turn(BODY, ("Identity", "identity", 3), day=1), turn(day=1)])
    assert [(day.date, day.turns, day.silent, day.total) for day in found.days] == [
        ("2026-11-01", 2, 1, 98), ("2026-11-02", 1, 0, 95),
    ]  # fmt: skip
    assert found.cost == {"identity": 3, "trigger": 90, "index": 90, "rest": 10}
    assert (found.fullest, found.budget, found.spoken, found.silent) == (98, 100, 2, 1)


def test_bytes_and_tokens_are_not_added_up():
    found = spending([turn(BODY), turn(BODY), turn(BODY) | {"unit": "bytes"}])
    assert [(one.unit, one.turns) for one in found] == [("tokens", 2), ("bytes", 1)]


def test_what_is_not_as_it_should_be_costs_nothing():
    (found,) = spending([{"unit": None, "entries": ["x", {"cost": "7"}], "traces": [3], "total": "9", "at": None}])
    assert (found.total, found.turns) == (0, 1)


@pytest.mark.parametrize(
    ("section", "reason", "kind"),
    [
        ("Hard Rules", "holds for all work here", "standing"),
        ("Hard Rules", "words: npm", "asked"),
        ("Selected Memory", "pinned", "pinned"),
        ("Contested Memory", "words: npm", "disputed"),
        ("Unresolved Contradictions", "tension", "disputed"),
    ],
)
def test_kinds_of_reasons(section: str, reason: str, kind: str):
    assert kind_of({"section": section, "reason": reason}) == kind


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(st.sampled_from(KEYS), anything))
@settings(max_examples=80, deadline=None)
def test_a_line_of_any_shape_can_be_added_up_and_shown(line: dict[str, Any]):
    turn = sound(line)
    assert sound(turn) == turn
    assert silence(turn) or turn["block"]
    lines = Lines(inks("curate-dark"), 60)
    spent = spending([turn])
    write_spending(lines, spent)
    for write in (write_head, write_block):
        write(lines, turn)
    for show in (write_sent, write_funnel):
        show(lines, turn, State())
    assert all(line.cell_length <= 60 for line in lines.out)


def test_silence_names_the_stage_that_held_all_back():
    stages = [
        {"processor": "status", "input_count": 3, "output_count": 3},
        {"processor": "scope", "input_count": 3, "output_count": 0},
    ]
    assert silence({"block": "", "traces": stages}) == "all 3 that came to the stage “scope” were left out there"
    assert silence({"block": "", "traces": [{"processor": "status", "input_count": 0}]}) == "the store holds no record"
    assert silence({"block": "x"}) == ""
