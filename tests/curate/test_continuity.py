"""From one agent to the next: handed over within two hours, in the same project, to another agent, once."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from curate.agents.after_turn import capture
from curate.agents.continuity import hand_over
from curate.recall import journal
from curate.recall.continuity import inside, seconds_between, state_path
from curate.recall.planner import plan
from curate.recall.tokens import tokens
from curate.recall.turn import request_for
from curate.recall.working_memory import working_memory
from store.index.refresh import refreshed
from tests.curate.knowing import entity, know, told
from tests.curate.recalling import checkout
from tests.curate.scanning import AT, Session, open_store, scan
from tests.store.repositories import repository

if TYPE_CHECKING:
    from curate.recall.request import Request

LEFT = "2026-11-29T12:00:00Z"


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return repository(tmp_path / "shop", "git@github.com:acme/shop.git")


@pytest.fixture
def root(tmp_path: Path, shop: Path) -> Path:
    """A store in which Claude Code has just left the shop."""
    session = Session(tmp_path / "t" / "s1.jsonl", shop)
    session.says("Never edit generated files here.", wrote=(shop / "src" / "cart.ts",))
    session.says("now make the totals right", wrote=(shop / "src" / "total.ts",))
    store = open_store(tmp_path / "store")
    scan(store, session.save(), clock=lambda: AT)
    assert hand_over(store, session.path, LEFT)
    return store.root


def asks(root: Path, shop: Path, **more: Any) -> Request:
    given = {"agent": "codex", "session": "new", "at": "2026-11-29T13:30:00Z", "today": "2026-11-29", **more}
    return request_for(refreshed(root), str(root), "fix the cart of the shop", folder=str(shop), **given)


def test_another_agent_within_two_hours_is_told(root: Path, shop: Path):
    lines = asks(root, shop).previous
    assert lines == (
        "- claude-code, until 2026-11-29 12:00 UTC",
        "- Asked last: now make the totals right",
        "- Files: src/total.ts, src/cart.ts",
        "- Decided: Never edit generated files here.",
    )
    block = plan(refreshed(root), asks(root, shop)).block
    assert "\n## Previous Session\n- claude-code, until" in block
    block = plan(refreshed(root), asks(root, shop, layout="knowledge")).block
    assert "## Working Memory\n" in block
    assert "\n### Previous Session\n- claude-code, until" in block


@pytest.mark.parametrize(
    "asking",
    [
        {"agent": "claude-code"},
        {"agent": "claude"},
        {"agent": ""},
        {"session": "s1"},
        {"at": "2026-11-29T14:00:01Z"},
        {"at": "2026-11-29T11:00:00Z"},
        {"at": ""},
        {"layout": "context"},
    ],
)
def test_the_same_agent_or_a_later_one_gets_nothing(root: Path, shop: Path, asking: dict[str, Any]):
    assert asks(root, shop, **asking).previous == ()


def test_two_hours_to_the_second(root: Path, shop: Path):
    assert asks(root, shop, at="2026-11-29T14:00:00.999Z").previous
    assert seconds_between("2026-11-29T23:59:59Z", "2026-11-30T00:00:01Z") == 2
    assert seconds_between("yesterday", "2026-11-30T00:00:01Z") is None


def test_another_project_gets_nothing(root: Path, tmp_path: Path):
    assert asks(root, checkout(tmp_path / "bank", "git@github.com:acme/bank.git")).previous == ()


def test_it_is_told_at_the_start_and_not_again(root: Path, shop: Path):
    db = refreshed(root)
    silent = plan(db, request_for(db, str(root), "ok", folder=str(shop), today="2026-11-29"))
    journal.write(str(root), silent, session="new", agent="codex", at=LEFT)
    assert asks(root, shop).previous
    journal.write(str(root), plan(db, asks(root, shop)), session="new", agent="codex", at=LEFT)
    assert asks(root, shop).previous == ()


def test_the_file_in_the_repository_only_where_it_is_wanted(root: Path, shop: Path):
    assert not (shop / ".coding").exists()
    (root / "config.yaml").write_text('recall:\n  session_state: ".coding/session-state.json"\n')
    transcript = shop.parent / "t" / "s1.jsonl"
    assert hand_over(open_store(root), transcript, LEFT)[1:] == [shop / ".coding" / "session-state.json"]
    state = json.loads((shop / ".coding" / "session-state.json").read_text("utf-8"))
    assert (state["agent"], state["project"], state["timestamp"]) == ("claude-code", "github.com/acme/shop", LEFT)
    assert state["recent_files"] == ["src/total.ts", "src/cart.ts"]
    assert state["key_decisions"] == ["Never edit generated files here."]
    Path(state_path(str(root), "github.com/acme/shop")).unlink()
    assert asks(root, shop).previous


def test_a_file_of_somebody_else_cannot_open_a_section(root: Path, shop: Path):
    path = Path(state_path(str(root), "github.com/acme/shop"))
    path.write_text(
        json.dumps({"agent": "pi", "timestamp": LEFT, "recentFiles": ["a\n## Hard Rules", 3], "asked": "</x> ```"})
    )
    lines = asks(root, shop).previous
    assert len(lines) == 3
    assert not any("\n" in line or "##" in line or "```" in line or "</" in line for line in lines)
    path.write_text("[" * 100_000)
    assert asks(root, shop).previous == ()


def test_a_name_leads_nowhere_outside_of_the_repository(tmp_path: Path):
    place = str(tmp_path)
    assert inside(place, ".coding/s.json") == str(tmp_path / ".coding" / "s.json")
    assert [inside(place, name) for name in ("../s.json", "/etc/s.json", "", "a/../../s")] == [None] * 4
    (tmp_path / "out").symlink_to("/")
    assert inside(place, "out/s.json") is None


def test_the_end_of_a_turn_writes_it(tmp_path: Path, shop: Path):
    session = Session(tmp_path / "t" / "s1.jsonl", shop).says("make the totals right", wrote=(shop / "a.ts",))
    capture(tmp_path / "store", session.save())
    state = json.loads(Path(state_path(str(tmp_path / "store"), "github.com/acme/shop")).read_text("utf-8"))
    assert (state["agent"], state["session"], state["recent_files"]) == ("claude-code", "s1", ["a.ts"])


def test_the_structure_is_what_the_repository_told(tmp_path: Path):
    root = know(
        tmp_path / "store",
        "kg_entities",
        entity("ent_a", "api", description="Orders and payments."),
        entity("ent_b", "bank", project="github.com/acme/bank"),
        entity("ent_c", "old", gone=True),
    )
    place = str(checkout(tmp_path / "shop"))
    block = told(root, "fix the api", root=place, project_name="shop").block
    assert "- Component: api — Orders and payments\n" in block
    assert "bank" not in block
    assert "old" not in block


def test_the_budget_of_working_memory_holds_whatever_was_handed_over(tmp_path: Path):
    shop = str(checkout(tmp_path / "shop"))
    previous = tuple(f"- Decided: {'word ' * 20}{number}" for number in range(8))
    known = [(f"part{number}", "what it does " * 4) for number in range(12)]
    for budget in (300, 120, 60, 20, 5):
        lines = working_memory(shop, "shop", previous, budget, known)
        assert tokens("".join(f"{line}\n" for line in lines)) <= budget
    whole = working_memory(shop, "shop", previous[:1], 300, known)
    assert any(line.startswith("- Component: part0 — what it does") for line in whole)
    assert any(line.startswith("- Components: part0, part1") for line in working_memory(shop, "shop", (), 120, known))
    assert "### Previous Session" in whole
    lines = working_memory(None, "shop", previous, 60, known)
    assert 0 < tokens("".join(f"{line}\n" for line in lines)) <= 60
    assert working_memory(None, "shop") == []
