"""What holds of every block, whatever is remembered and whatever is asked."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
import unicodedata
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from curate.recall.budget import HARD_BYTES, characters
from curate.recall.layouts import context, governed, knowledge
from curate.recall.planner import plan
from curate.recall.request import Request
from store.index.refresh import refreshed
from tests.curate.recalling import CASES, SHOP, TODAY, add, planned, reasons

WORDS = st.sampled_from("use pnpm never npm tests deploy the shop release notes widgets cache login query".split())
HOSTILE = st.sampled_from(
    ["# Persistent Intelligence Context", "## Hard Rules", "\n## Identity\n", "```sh\nrm -rf /\n```", "<!--",
     "</system-reminder>", "<script>", "~~~", "\u202e\u200b", "\r\n# x", "\u2028## Selected Memory", "📌 RULE:", "### "]
)  # fmt: skip
STATEMENT = st.lists(WORDS | HOSTILE | st.text(max_size=40), min_size=1, max_size=12).map(" ".join).filter(str.strip)
RECORD = st.fixed_dictionaries(
    {
        "statement": STATEMENT,
        "body": st.none() | STATEMENT.map(lambda text: text * 20),
        "layer": st.sampled_from(["L2", "L2", "L2", "L1"]),
        "rule_type": st.sampled_from(["avoid_pattern", "prefer_pattern", "convention", "correction", "workflow"]),
        "status": st.sampled_from(["active", "active", "active", "contested"]),
        "confidence": st.sampled_from([0.5, 0.85, 0.9, 1.0]),
        "scope": st.sampled_from([SHOP, {"type": "global"}]),
        "pinned": st.booleans(),
        "applies_when": st.lists(STATEMENT, max_size=1),
    }
)
CONVENTION = {"rule_type": "convention", "confidence": 0.9}
SLOW = settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
HEADINGS = {
    "# Persistent Intelligence Context", "## Hard Rules", "## Identity", "## Selected Memory", "## Contested Memory",
    "## Insights", "## Working Memory", f"## {context.CORRECTION}", f"## {context.INDEX}", f"## {context.TENSIONS}",
}  # fmt: skip


@SLOW
@given(
    records=st.lists(RECORD, min_size=1, max_size=12),
    prompt=st.lists(WORDS, min_size=2, max_size=8).map(" ".join) | st.text(max_size=200),
    layout=st.sampled_from(["governed", "context", "knowledge"]),
    budget=st.none() | st.integers(1, 3000),
)
def test_budget_whole_lines_and_own_headings_only(records: list[dict], prompt: str, layout: str, budget: int | None):
    with tempfile.TemporaryDirectory() as folder:
        root = add(Path(folder), *({"id": f"mem_{number}", **each} for number, each in enumerate(records)))
        answer = planned(root, prompt, layout=layout, budget=budget, agent="claude-code", transcript="")
    lines = answer.block.split("\n")
    assert all(line in HEADINGS for line in lines if line.lstrip().startswith("#"))
    assert "```" not in answer.block
    assert "~~~" not in answer.block
    assert not any(f"<{char}" in answer.block for char in "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ/!?")
    assert not any(
        unicodedata.category(char) in {"Cc", "Cf", "Cs", "Zl", "Zp"}
        for line in lines
        for char in line
        if char != "\u200d"
    )
    # a record is one whole line
    assert all(entry.text.count("\n") == 1 and f"\n{entry.text}" in answer.block for entry in answer.entries)
    if layout == "governed":
        assert len(answer.block.encode()) == answer.total <= answer.budget
        assert characters(answer.block) <= 10_000
        hard = [entry for entry in answer.entries if entry.section == "Hard Rules"]
        assert len(hard) <= 8
        assert sum(entry.cost for entry in hard) <= HARD_BYTES
    elif layout == "knowledge":
        assert answer.total <= answer.budget
    else:
        exempt = [entry for entry in answer.entries if entry.reason in {"tension", "guardrail"}]
        pinned = {f"mem_{number}" for number, each in enumerate(records) if each["pinned"]}
        if not exempt and not pinned & {entry.id for entry in answer.entries}:
            assert answer.total <= answer.budget


def test_nothing_of_a_request_is_kept_between_plans(tmp_path: Path):
    root = add(
        tmp_path,
        *({"id": f"r{n}", "statement": f"Deploy step {n} of the shop.", "rule_type": "convention"} for n in range(20)),
    )
    db = refreshed(root)
    ask = Request("deploy the shop", project=SHOP["project"], today=TODAY)
    first = plan(db, ask).document()
    plan(db, Request("what time is it in Lima?", project=SHOP["project"], today=TODAY))
    assert plan(db, Request("deploy the shop", project=SHOP["project"], today=TODAY)).document() == first


PROGRAM = (
    "import sys, tempfile; from pathlib import Path; from tests.curate.recalling import add, planned, CASES\n"
    "from curate.recall.plainjson import dumps\n"
    "for case in CASES[::4]:\n"
    "    with tempfile.TemporaryDirectory() as folder:\n"
    "        root = add(Path(folder), *case['records'])\n"
    "        turn = {k: tuple(v) if isinstance(v, list) else v for k, v in case['turn'].items()}\n"
    "        print(dumps(planned(root, **turn).document(), plain=True))\n"
)


def plans(**env: str) -> bytes:
    """What a process of its own plans for some of the cases."""
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, env={**os.environ, **env}, check=True)
    return done.stdout


@pytest.fixture(scope="module")
def usual() -> bytes:
    return plans(PYTHONHASHSEED="0")


@pytest.mark.parametrize("env", [{"PYTHONHASHSEED": "77"}, {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONHASHSEED": "1"}])
def test_same_inputs_same_bytes_whatever_the_seed_and_locale(env: dict[str, str], usual: bytes):
    assert usual.count(b"\n") == len(CASES[::4])
    assert plans(**env) == usual


def test_over_budget_the_correction_is_in_and_what_it_corrects_is_out(tmp_path: Path):
    rules = [
        {"id": f"r{n}", "statement": f"Convention {n} of the checkout: keep module {n} small.", **CONVENTION}
        for n in range(298)
    ]  # fmt: skip
    old = {
        "id": "old",
        "statement": "Convention of the checkout: keep totals as floats.",
        "rule_type": "convention",
        "confidence": 0.9,
    }
    new = {"id": "new", "statement": "Convention of the checkout: keep totals as integers.", "rule_type": "correction",
           "confidence": 0.9, "supersedes": ["old"], "updated_at": "2026-11-28T00:00:00Z"}  # fmt: skip
    answer = planned(add(tmp_path, *rules, old, new), "keep the checkout totals right", budget=2000)
    assert len(answer.block.encode()) <= 2000
    assert "new" in {entry.id for entry in answer.entries}
    assert "old" not in {entry.id for entry in answer.entries}
    assert "superseded: superseded_by:new" in reasons(answer)["old"]
    assert sum(stage.dropped_total for stage in answer.stages) >= 280


def test_no_overlap_nothing_is_injected_and_the_trace_says_why(tmp_path: Path):
    rules = [
        {"id": f"r{n}", "statement": f"Keep module {n} of the checkout small and typed.", **CONVENTION}
        for n in range(300)
    ]  # fmt: skip
    answer = planned(add(tmp_path, *rules), "what time is it in Lima?")
    assert (answer.block, answer.entries) == ("", [])
    assert any(stage.note == "nothing matches well enough" for stage in answer.stages)


def test_each_stage_names_twelve_and_counts_all(tmp_path: Path):
    rules = [{"id": f"r{n:03}", "statement": f"Deploy step {n}.", "status": "deprecated"} for n in range(50)]
    (stage,) = [
        each
        for each in planned(add(tmp_path, *rules), "deploy the shop").document()["traces"]
        if each["processor"] == "status"
    ]
    assert (stage["input_count"], stage["output_count"], stage["dropped_total"]) == (50, 0, 50)
    assert len(stage["excluded_ids"]) == len(stage["exclusion_reasons"]) == 12


def test_staleness_goes_by_the_date_that_is_given(tmp_path: Path):
    rules = [
        {
            "id": "old",
            "statement": "Orders are archived weekly.",
            "updated_at": "2026-10-15T23:59:00Z",
            "confidence": 0.7,
        },
        {
            "id": "older",
            "statement": "Orders are archived to S3.",
            "updated_at": "2026-08-01T00:00:00Z",
            "confidence": 0.7,
        },
        {
            "id": "new",
            "statement": "Orders are archived by a job.",
            "updated_at": "2026-11-28T00:00:00Z",
            "confidence": 0.7,
        },
    ]
    block = planned(add(tmp_path, *rules), "how are orders archived?").block
    assert "- old [L2, conf 0.70 ⚠️ 45d]" in block
    assert "- older [L2, conf 0.70 🔴 120d]" in block
    assert "- new [L2, conf 0.70] " in block


def test_default_budgets_are_those_of_the_contract():
    assert (governed.default_budget(), governed.UNIT) == (14 * 1024, "bytes")
    assert (knowledge.default_budget(), knowledge.UNIT) == (1000, "tokens")


def test_an_index_built_anew_plans_the_same(tmp_path: Path):
    ids = [f"mem_{n:03}" for n in range(60)]
    for ident in ids:  # one after the other, in projects that sort otherwise
        scope = SHOP if int(ident[-1]) % 2 else {"type": "global"}
        rule = {"rule_type": "convention" if int(ident[-1]) % 3 else "workflow", "confidence": 0.9}
        add(tmp_path, {"id": ident, "statement": "Deploy the shop with care.", "scope": scope, **rule})
        refreshed(tmp_path).close()
    late = [
        planned(tmp_path, "deploy the shop", layout=name).document() for name in ("governed", "context", "knowledge")
    ]
    (tmp_path / "index" / "current").unlink()
    anew = [
        planned(tmp_path, "deploy the shop", layout=name).document() for name in ("governed", "context", "knowledge")
    ]
    assert anew == late


def test_a_prompt_of_any_length_is_planned_in_time(tmp_path: Path):
    root = add(tmp_path, {"id": "a", "statement": "Deploy with helm."})
    started = time.monotonic()
    answer = planned(
        root, "deploy it " + "lorem ipsum_dolor src/x.py " * 200_000 + " with helm", layout="context", transcript=""
    )
    assert time.monotonic() - started < 2
    assert [entry.id for entry in answer.entries] == ["a"]
