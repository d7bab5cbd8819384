"""300 active records and 2,000 bytes: whole records only, the correction in, what it corrects out, all of it traced."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.curate.recalling import add, planned, reasons

COUNT = 300
CONVENTION = {"rule_type": "convention", "confidence": 0.9}
ASKED = "keep the checkout totals right"


def records() -> list[dict[str, Any]]:
    rules: list[dict[str, Any]] = [
        {
            "id": f"r{n}",
            "statement": f"Convention {n}: keep module {n} {'of the totals exact' if n % 6 == 0 else 'small'}.",
        }
        for n in range(COUNT - 2)
    ]
    return [
        *(rule | CONVENTION for rule in rules),
        {"id": "old", "statement": "Convention of the checkout: keep totals as floats.", **CONVENTION},
        {"id": "new", "statement": "Convention of the checkout: keep totals as integers.", "rule_type": "correction",
         "confidence": 0.9, "supersedes": ["old"], "updated_at": "2026-11-28T00:00:00Z"},
    ]  # fmt: skip


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return add(tmp_path_factory.mktemp("full"), *records())


@pytest.mark.parametrize("layout", ["governed", "knowledge", "context"])
def test_whole_records_fit_and_the_correction_is_one_of_them(layout: str, store: Path):
    budget = 2000 if layout == "governed" else 500  # bytes, or as many tokens
    answer = planned(store, ASKED, layout=layout, budget=budget, transcript="")
    assert answer.total <= budget
    if layout == "governed":
        assert len(answer.block.encode()) <= 2000
    said = {each["id"]: each["statement"] for each in records()}
    told = [entry.id for entry in answer.entries]
    assert all(said[ident] in answer.block for ident in told)
    assert sum(statement in answer.block for statement in said.values()) == len(told)  # no other, and no half of one
    assert "new" in told
    assert "old" not in told
    assert "superseded: superseded_by:new" in reasons(answer)["old"]


def test_the_trace_lists_what_was_left_out(store: Path):
    answer = planned(store, ASKED, budget=2000)
    assert sum(stage.dropped_total for stage in answer.stages) + len(answer.entries) >= COUNT
    for stage in answer.document()["traces"]:
        assert stage["input_count"] - stage["output_count"] == stage["dropped_total"]
        assert len(stage["excluded_ids"]) == min(12, stage["dropped_total"])
        assert all(stage["exclusion_reasons"][ident] for ident in stage["excluded_ids"])
