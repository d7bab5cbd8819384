"""Upkeep on the screen: what was found, what is chosen, and the preview that everything goes through."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from curate.tui.screens.carry import CarryScreen
from store.captures import Capture, CaptureBatch
from store.model import Candidate, Evidence, Op, Patch, Scope
from store.store import Store
from tests.curate.tui.running import app_on, review, screen_text, until
from tests.curate.vaults import OLD, Memory

if TYPE_CHECKING:
    from textual.pilot import Pilot

DUE = {"cadence_days": 30, "next_review": "2026-09-01T10:00:00.000Z"}


@pytest.fixture(scope="module")
def _aged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("aged") / "store"
    memory = Memory(root, OLD)
    memory.learn("mem_lint", "Run the linter before a commit", review=DUE, stability="semi-stable", confidence=0.9)
    memory.learn("mem_lint2", "Run the linter before every commit", review=DUE, stability="stable")
    memory.learn("mem_cjk", "数据库迁移必须先在测试环境运行 🚀", review=DUE)
    return root


@pytest.fixture
def aged(_aged: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(_aged, tmp_path / "store"))


async def test_what_is_chosen_is_previewed_and_written_and_nothing_else(aged: Path) -> None:
    before = {ident: one.head.hash for ident, one in Store.open(aged).state.records.items()}
    async with review(aged, size=(120, 36)) as (app, pilot):
        await pilot.press("M")
        await until(app, pilot, lambda: "ops chosen" in screen_text(app))
        text = screen_text(app)
        assert "Reviews missed  3" in text
        assert "[x] decay  Run the linter before a commit" in text
        assert "[ ] deprecate" in text, "what ends a memory is never chosen beforehand"
        assert "would fall to" in text
        await pilot.press("]")
        assert "+ 2026-08-01 · direct user instruction" in screen_text(app)
        await pilot.press("~", "g", "space")
        assert "1 of" in screen_text(app)
        await pilot.press("p")
        await until(app, pilot, lambda: "w write it" in screen_text(app))
        assert "1 change in 1 file of memory" in screen_text(app)
        assert {ident: one.head.hash for ident, one in Store.open(aged).state.records.items()} == before
        await pilot.press("w")
        await until(app, pilot, lambda: "written: 1 of 1" in screen_text(app))
        await pilot.press("escape")
        await until(app, pilot, lambda: "written as pat_" in screen_text(app))
        assert "Reviews missed  2" in screen_text(app)
    after = {ident: one.head.hash for ident, one in Store.open(aged).state.records.items()}
    assert {ident for ident in after if after[ident] != before[ident]} == {"mem_cjk"}


async def test_identity_is_written_only_after_the_word_and_another_look(aged: Path) -> None:
    store = Store.open(aged, clock=lambda: OLD)
    said = [
        Evidence(id=f"ev_{n}", excerpt="I review in the morning", session=f"s{n}", time=OLD, path="/t/x.jsonl", line=n)
        for n in (1, 2, 3)
    ]
    candidate = Candidate(
        id="cand_me", statement="I review in the morning", scope=Scope(type="global"), layer="L1",
        trust="repeated_user_preference", evidence=[one.id for one in said], created_at=OLD, updated_at=OLD,
    )  # fmt: skip
    store.capture(CaptureBatch([Capture(candidate, said)]))
    review_ = {**DUE, "change_condition": "another job"}
    op = Op(op_id="op_1", op="add", candidate_ids=["cand_me"], record={"id": "me", "layer": "L1", "review": review_})
    done = store.apply(Patch(patch_id="pat_me", created_at=OLD, ops=[op]), select=["op_1"], confirm="identity")
    assert done.receipts[0].applied, done.receipts[0]
    change = Op(op_id="op_1", op="update", target_id="me", updates={"statement": "I review at noon"})
    async with review(aged, size=(120, 36)) as (app, pilot):
        app.push_screen(CarryScreen(Patch(patch_id="pat_noon", created_at=OLD, ops=[change]), ["op_1"]))
        await until(app, pilot, lambda: "a word has to be typed" in screen_text(app))
        await pilot.press("w", *"no", "enter")
        assert "not written: the word is identity" in screen_text(app)
        await pilot.press("w", *"identity", "enter")
        await until(app, pilot, lambda: "1 change in 1 file of memory" in screen_text(app))
        assert len(Store.open(aged).state.records["me"].revisions) == 1
        await pilot.press("w")
        await until(app, pilot, lambda: "written: 1 of 1" in screen_text(app))
    assert len(Store.open(aged).state.records["me"].revisions) == 2


async def test_all_of_a_kind_is_only_that_kind(aged: Path) -> None:
    async with review(aged, size=(120, 36)) as (app, pilot):
        await pilot.press("M")
        await until(app, pilot, lambda: "ops chosen" in screen_text(app))
        await pilot.press("~", "*")
        text = screen_text(app)
        assert text.count("[x] decay") == 3
        assert "[ ] deprecate" in text


@pytest.mark.parametrize("size", [(80, 24), (120, 36)], ids=["80x24", "120x36"])
def test_as_it_looks(aged: Path, snap_compare, size: tuple[int, int]) -> None:
    app = app_on(aged)

    async def open_it(pilot: Pilot[int]) -> None:
        await until(app, pilot, app._filled.is_set)
        await pilot.press("M")
        await until(app, pilot, lambda: "ops chosen" in screen_text(app))

    try:
        assert snap_compare(app, terminal_size=size, run_before=open_it)
    finally:
        app.close()
