"""Somebody asks for the time in Lima among 300 rules on code that share no more with it than the ending of a file.
Nothing is injected, and the trace says why.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from curate.recall.silence import silence
from tests.curate.recalling import add, planned, reasons

RULES = [
    {"id": f"r{n}", "statement": f"Keep module_{n}.py of the checkout small and typed.",
     "rule_type": "convention" if n % 2 else "workflow", "confidence": 0.9}
    for n in range(300)
]  # fmt: skip


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return add(tmp_path_factory.mktemp("lima"), *RULES)


@pytest.mark.parametrize("layout", ["governed", "knowledge", "context"])
@pytest.mark.parametrize("prompt", ["what time is it in Lima?", "what time is it in Lima? I ask for lima.py"])
def test_nothing_is_injected_and_the_trace_says_why(prompt: str, layout: str, store: Path):
    answer = planned(store, prompt, layout=layout, transcript="")
    names_a_file = prompt.endswith(".py")
    on_the_prompt = [entry.id for entry in answer.entries if "words" in entry.reason or entry.reason == "trigger"]
    assert on_the_prompt == []
    if not names_a_file:
        assert (answer.block, answer.entries) == ("", [])
        assert "nothing matches" in silence(answer.document())
    found = reasons(answer)
    assert any("floor" in reason for each in found.values() for reason in each) or any(
        stage.note == "nothing matches well enough" for stage in answer.stages
    )


def test_an_ending_of_a_file_is_nothing_in_common(tmp_path: Path):
    only = {"id": "a", "statement": "Keep checkout.py small.", "rule_type": "workflow", "confidence": 0.9}
    answer = planned(add(tmp_path, only), "what does lima.py do?")
    assert answer.entries == []
