"""A block is never more than its agent takes whole, in what that agent counts."""

from __future__ import annotations

from pathlib import Path

import pytest

from curate.recall.budget import characters
from tests.curate.recalling import add, planned


@pytest.mark.parametrize(
    ("agent", "measure"),
    [("claude-code", characters), ("codex", lambda text: len(text.encode())), ("nobody", characters)],
)
def test_a_block_is_never_more_than_its_agent_takes_whole(agent: str, measure, tmp_path: Path):
    words = " ".join(f"日本語{n}" for n in range(80))
    lints = ({"id": f"lint{n:02}", "statement": f"Script {n} lints {words}."} for n in range(20))
    others = ({"id": f"other{n:02}", "statement": f"Table{n} has column{n}."} for n in range(80))
    block = planned(add(tmp_path, *lints, *others), "Now add a script that lints.", agent=agent).block
    assert 5_000 < measure(block) < 10_000
