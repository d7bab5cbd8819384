"""Disputes on the screen: both claims, who was told, and every way to settle them, each through a preview."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from store.model import Op, Patch
from store.store import Store
from tests.curate.tui.running import app_on, review, screen_text, until
from tests.curate.tui.stores import AT, SHOP, sides
from tests.curate.tui.told import record, tell

if TYPE_CHECKING:
    from textual.pilot import Pilot

    from curate.tui.app import CurateApp

FORK, DOCUMENT, YARN = "Indent with", "Document each", "Always use yarn"


@pytest.fixture(scope="module")
def _world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("disputes") / "store"
    sides(root)
    scope = {"type": "project", "project": SHOP}
    for n, text in enumerate(("Always use yarn for the web client", "Never use yarn for the web client"), 3):
        store = Store.open(
            root, clock=lambda n=n: f"2026-11-{n:02}T09:00:00.000Z", new_id=lambda kind, n=n: f"{kind}_y{n}"
        )
        add = Op(op_id="op_0", op="add", targets=[SHOP], record={"statement": text, "scope": scope})
        store.apply(Patch(patch_id=f"pat_yarn{n}", created_at=AT, ops=[add]), select=["op_0"])
    tell(root, "document the endpoint in openapi.yaml")
    return root


@pytest.fixture
def world(_world: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(_world, tmp_path / "store"))


async def to(app: CurateApp, pilot: Pilot[int], words: str) -> None:
    """Open the page, and go to a dispute."""
    await pilot.press("A")
    await until(app, pilot, lambda: "Disputes: 3" in screen_text(app))
    ident = next(one for one, case in app.screen.cases.items() if case.statement.startswith(words))  # type: ignore[attr-defined]
    app.screen.go_to(ident)  # type: ignore[attr-defined]
    await until(app, pilot, lambda: app.screen.audit is not None)  # type: ignore[attr-defined]


async def settle(app: CurateApp, pilot: Pilot[int], *keys: str) -> None:
    """Press the keys, look at the preview, and write."""
    await pilot.press(*keys)
    await until(app, pilot, lambda: "w write it" in screen_text(app))
    await pilot.press("w")
    await until(app, pilot, lambda: "written: " in screen_text(app))
    await pilot.press("escape")
    await until(app, pilot, lambda: "settled as pat_" in screen_text(app))


async def settle_at(app: CurateApp, pilot: Pilot[int], ident: str, *keys: str) -> None:
    """The same, at another dispute of the open page."""
    app.screen.go_to(ident)  # type: ignore[attr-defined]
    await until(app, pilot, lambda: app.screen.audit is not None)  # type: ignore[attr-defined]
    await settle(app, pilot, *keys)


async def test_both_sides_of_each_dispute_are_shown(world: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSH_TTY", "/dev/pts/0")  # what is copied goes to the terminal, not to this machine's clipboard
    async with review(world, size=(120, 36)) as (app, pilot):
        await to(app, pilot, FORK)
        text = screen_text(app)
        assert "two versions follow the same one" in text
        assert "Indent with 2 spaces            │ Indent with 4 spaces" in text
        await to_other(app, pilot, "Never use yarn")
        text = screen_text(app)
        assert "one asks for what the other rules out" in text
        assert "Always use yarn" in text
        await to_other(app, pilot, DOCUMENT)
        await pilot.press("]", "]")
        assert "claude-code: told in 1 turn" in screen_text(app)
        assert "s1, turn 1 · Contested Memory" in screen_text(app)
        await pilot.press("]")
        assert "? " in screen_text(app)
        assert "--markdown" in screen_text(app)
        await pilot.press("y")
        assert app.clipboard.startswith("# Audit: Document each endpoint")


async def to_other(app: CurateApp, pilot: Pilot[int], words: str) -> None:
    await pilot.press("escape")
    await to(app, pilot, words)


async def test_each_kind_of_dispute_is_settled_for_one_side(world: Path) -> None:
    fork, document, never = (record(world, words) for words in (FORK, DOCUMENT, "Never use yarn"))
    async with review(world, size=(120, 36)) as (app, pilot):
        await to(app, pilot, FORK)
        await settle(app, pilot, ">")
        await settle_at(app, pilot, never, ">")
        await settle_at(app, pilot, document, "<")
        assert "Nothing is in dispute." in screen_text(app)
    state = Store.open(world).state
    assert not state.records[fork].forked
    assert state.records[fork].data["statement"] == "Indent with 4 spaces"
    assert state.records[never].data["status"] == "superseded"
    assert state.records[document].data["status"] == "active"


async def test_both_sides_hold_for_less_or_another_one_takes_the_place(world: Path) -> None:
    document, never, always = (record(world, words) for words in (DOCUMENT, "Never use yarn", YARN))
    async with review(world, size=(120, 36)) as (app, pilot):
        await to(app, pilot, "Never use yarn")
        await settle(app, pilot, "=", *"old", "enter", *"new", "enter")
        await settle_at(app, pilot, document, "E", *"x1", "enter")
    state = Store.open(world).state
    assert (state.records[never].data["applies_when"], state.records[always].data["applies_when"]) == (["old"], ["new"])
    assert state.records[document].data["known_exceptions"] == ["x1"]


async def test_it_is_left_contested_until_a_day_and_nothing_is_written_without_a_look(world: Path) -> None:
    ident = record(world, DOCUMENT)
    async with review(world, size=(120, 36)) as (app, pilot):
        await to(app, pilot, DOCUMENT)
        await pilot.press("c", *"soon", "enter")
        assert "neither a day" in screen_text(app)
        await pilot.press("c", *"400d", "enter", *"Ana?", "enter")
        await until(app, pilot, lambda: "w write it" in screen_text(app))
        assert "Ana?" in screen_text(app)
        before = Store.open(world).state.records[ident].head.hash
        await pilot.press("escape")
        await until(app, pilot, lambda: app.screen.HEADING == "Disputes")
        assert Store.open(world).state.records[ident].head.hash == before
        await settle(app, pilot, "c", *"400d", "enter", *"hm", "enter")
    assert Store.open(world).state.records[ident].data["review"]["next_review"] > "2027-12"


@pytest.mark.parametrize("size", [(80, 24), (120, 36)], ids=["80x24", "120x36"])
def test_as_it_looks(world: Path, snap_compare, size: tuple[int, int]) -> None:
    app = app_on(world)

    async def open_it(pilot: Pilot[int]) -> None:
        await until(app, pilot, app._filled.is_set)
        await to(app, pilot, "Never use yarn" if size[0] == 120 else FORK)

    try:
        assert snap_compare(app, terminal_size=size, run_before=open_it)
    finally:
        app.close()
