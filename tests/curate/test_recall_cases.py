"""What a turn gets and what it does not, case by case, each exclusion with the reason that its stage gives."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.curate.recalling import CASES, add, planned, reasons


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_a_turn_gets_what_it_should(case: dict[str, Any], tmp_path: Path):
    turn, expected = dict(case["turn"]), case["expect"]
    turn["files"] = tuple(turn.get("files", ()))
    answer = planned(add(tmp_path, *case["records"]), **turn)
    entries = {entry.id: (entry.section, entry.reason) for entry in answer.entries}
    injected = {ident: place for ident, place in expected["injected"].items() if place in entries.get(ident, ())}
    assert injected == expected["injected"], (entries, answer.block)
    assert set(expected["absent"]) & set(entries) == set()
    assert bool(answer.skipped) == expected["skipped"]
    if not expected["skipped"]:
        found = reasons(answer)
        for ident, part in expected["absent"].items():
            assert any(part in reason for reason in found.get(ident, [])), (ident, part, found)
    assert all((entry.text in answer.block) for entry in answer.entries)
