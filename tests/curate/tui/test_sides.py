"""Contradictions: both sides stand on the screen, and one key keeps one of them, or both where each holds for less."""

from __future__ import annotations

from pathlib import Path

import pytest

from curate.capture.capture import scan
from curate.demo.build import make
from curate.tui.app import CurateApp
from store.store import Store
from tests.curate.tui.running import go_to, review, screen_text, until
from tests.curate.tui.stores import SHOP, WEB


async def written(app: CurateApp, pilot) -> None:
    await pilot.press("p")
    preview = app.screen
    await until(app, pilot, lambda: getattr(preview, "preview", None) is not None)
    await pilot.press("w")
    await until(app, pilot, lambda: preview.written is not None)  # type: ignore[attr-defined]
    await pilot.pause()
    assert not preview.written.skipped, preview.written.skipped  # type: ignore[attr-defined]
    await pilot.press("escape")


def statuses(root: Path) -> dict[str, str]:
    state = Store.open(root).state
    return {versions.data["statement"]: versions.data["status"] for versions in state.records.values()}


@pytest.mark.parametrize("size", [(80, 24), (120, 36), (200, 50)])
async def test_both_sides_are_shown_with_dates_counts_scopes_and_evidence(disputed: Path, size) -> None:
    async with review(disputed, size=size) as (app, pilot):
        await go_to(app, pilot, "MySQL")
        shown = screen_text(app)
        for words in ("Use Postgres for the orders", "2 quotes in 2 sessions", "2026-11-27 to 2026-11-28", "shop-api",
                      "active since 2026-11-01", "keep what is known", "keep what was said"):  # fmt: skip
            assert words in shown
        in_columns = any("Use Postgres" in line and "MySQL" in line for line in shown.splitlines())
        assert in_columns == (size[0] >= 120)


async def test_what_was_said_takes_the_place_of_what_is_known(disputed: Path) -> None:
    async with review(disputed) as (app, pilot):
        row = await go_to(app, pilot, "MySQL")
        await pilot.press(">")
        assert app.session.pending()[row.key].verb == "supersede"
        await written(app, pilot)
    found = statuses(disputed)
    assert found["Use Postgres for the orders database"] == "superseded"
    assert found["we moved from Postgres to MySQL for the orders database"] == "active"


async def test_what_is_known_stays(disputed: Path) -> None:
    async with review(disputed) as (app, pilot):
        row = await go_to(app, pilot, "MySQL")
        await pilot.press("<")
        assert app.session.pending()[row.key].verb == "reject"
        await pilot.press("u")
        assert not app.session.pending()


async def test_both_are_true_each_for_less(disputed: Path) -> None:
    async with review(disputed) as (app, pilot):
        await go_to(app, pilot, "MySQL")
        await pilot.press("=", "enter", "enter")
        assert "would still contradict" in screen_text(app)
        assert not app.session.pending()
        await pilot.press("=", "down", "enter", *"orders/**", "enter", "enter")
        assert next(iter(app.session.pending().values())).verb == "both"
        await written(app, pilot)
    state = Store.open(disputed).state
    scopes = {versions.data["statement"]: versions.data["scope"] for versions in state.records.values()}
    new = scopes["we moved from Postgres to MySQL for the orders database"]
    assert new == {"type": "project", "project": SHOP, "paths": ["orders/**"]}
    assert scopes["Use Postgres for the orders database"] == {"type": "project", "project": SHOP}


async def test_the_memory_can_be_the_one_that_holds_for_less(disputed: Path) -> None:
    async with review(disputed) as (app, pilot):
        await go_to(app, pilot, "MySQL")
        await pilot.press("=", "enter", "down", "enter", *"legacy/**", "enter")
        await written(app, pilot)
    state = Store.open(disputed).state
    scopes = {versions.data["statement"]: versions.data["scope"] for versions in state.records.values()}
    assert scopes["Use Postgres for the orders database"]["paths"] == ["legacy/**"]
    evidence = [len(v.data.get("evidence") or ()) for v in state.records.values() if "Postgres" in v.data["statement"]]
    assert sorted(evidence) == [0, 2], "the evidence belongs to the side that was said"


async def test_of_two_that_wait_the_later_is_kept_and_the_first_is_history(disputed: Path) -> None:
    async with review(disputed, size=(120, 36)) as (app, pilot):
        first = await go_to(app, pilot, "always use yarn")
        shown = screen_text(app)
        assert "Said first" in shown
        assert "never use yarn" in shown
        await pilot.press(">")
        assert len(app.session.pending()) == 2
        assert len(app.session.ledger.done) == 1, "one step, one undo"
        await pilot.press("u")
        assert not app.session.pending()
        assert app.session.queue.cursor == first.key
        await pilot.press(">")
        await written(app, pilot)
    found = statuses(disputed)
    assert found["never use yarn for the web client"] == "active"
    assert found["always use yarn for the web client"] == "superseded"


async def test_of_two_that_wait_the_first_is_kept_and_the_later_turned_away(disputed: Path) -> None:
    async with review(disputed) as (app, pilot):
        await go_to(app, pilot, "never use yarn")
        await pilot.press("<")
        await written(app, pilot)
    assert statuses(disputed)["always use yarn for the web client"] == "active"
    state = Store.open(disputed).state
    (later,) = (v.data for v in state.candidates.values() if "never use yarn" in v.data["statement"])
    assert later["status"] == "rejected"


async def test_of_two_that_wait_both_are_true(disputed: Path) -> None:
    async with review(disputed) as (app, pilot):
        await go_to(app, pilot, "always use yarn")
        await pilot.press("=", "enter", *"paths", "enter", *"legacy/**", "enter")
        assert [choice.verb for choice in app.session.pending().values()] == ["both", "both"]
        await written(app, pilot)
    state = Store.open(disputed).state
    found = {v.data["statement"]: (v.data["status"], v.data["scope"]) for v in state.records.values()}
    assert found["always use yarn for the web client"] == ("active", {"type": "project", "project": WEB})
    assert found["never use yarn for the web client"][0] == "active"
    assert found["never use yarn for the web client"][1]["paths"] == ["legacy/**"]


@pytest.mark.parametrize(
    ("keys", "kept"), [(["<"], "2 spaces"), ([">"], "4 spaces"), (["r", "down", "enter"], "4 spaces")]
)
async def test_of_a_fork_either_version_can_be_kept(disputed: Path, keys: list[str], kept: str) -> None:
    async with review(disputed) as (app, pilot):
        row = await go_to(app, pilot, "Indent with")
        assert app.session.queue.tab == "contested"
        shown = screen_text(app)
        assert "Indent with 2 spaces" in shown
        assert "Indent with 4 spaces" in shown
        await pilot.press(*keys)
        assert app.session.pending()[row.key].verb == "resolve"
        await written(app, pilot)
        assert app.session.queue.tab_of(row.key) == "memory"
    assert statuses(disputed)[f"Indent with {kept}"] == "active"


NO_SIDES = (
    ("linter", "<", "no two sides"),
    ("linter", "=", "1 2 3 change where"),
    ("Document each", ">", "C settles"),
    ("review code", "=", "contradicts nothing"),
)


async def test_a_key_for_sides_says_why_there_are_none(disputed: Path) -> None:
    async with review(disputed) as (app, pilot):
        for where, key, why in NO_SIDES:
            await go_to(app, pilot, where)
            await pilot.press(key)
            assert why in screen_text(app)
            assert not app.session.pending()


async def test_of_two_that_wait_the_screen_says_which_one_was_kept(tmp_path: Path) -> None:
    demo = make(tmp_path / "demo")
    scan(Store.open(demo.home, create=True), [demo.transcripts])
    async with review(demo.home) as (app, pilot):
        await go_to(app, pilot, "we use MySQL")
        await pilot.press(">")
        shown = screen_text(app)
        assert "the later kept, the first becomes history" in shown
        assert "decided: the first replaced · the later accepted" in shown
        assert next(line for line in shown.splitlines() if "» past" in line).count("Postgres")
        await pilot.press("u")
        assert "undone: kept a side" in screen_text(app)
        assert not app.session.pending()
        await pilot.press("<")
        assert "the later is turned away" in screen_text(app)
        await pilot.press("u", ">", "p")
        await until(app, pilot, lambda: getattr(app.screen, "preview", None) is not None)
        assert "» replaced" in screen_text(app)
