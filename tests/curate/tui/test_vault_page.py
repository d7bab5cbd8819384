"""The vault on the screen: what is ripe and why, what is lost or broken, and the two steps that write."""

from __future__ import annotations

from pathlib import Path

import pytest

from store.store import Store
from tests.curate.tui.running import app_on, review, screen_text, until
from tests.curate.vaults import API, OLD, Memory, bytes_below, vault_at

RETRY = "Retry failed calls with exponential backoff and jitter"


@pytest.fixture(scope="module")
def _memory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("vault") / "store"
    memory = Memory(root, OLD)
    memory.learn("mem_retry", RETRY)
    memory.learn("mem_retry_api", RETRY, project=API)
    memory.learn("mem_lost", "Use circuit breakers for calls to other services", vault_ref="Concepts/Gone.md")
    memory.learn("mem_one", "キャッシュ無効化はイベントで行う 🚀")
    memory.apply(op="promote_to_vault_candidate", target_id="mem_one")
    return root


@pytest.fixture
def world(_memory: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """A store and a vault of its own."""
    import shutil

    vault = vault_at(tmp_path / "vault")
    monkeypatch.setenv("PI_VAULT_PATH", str(vault))
    return Path(shutil.copytree(_memory, tmp_path / "store")), vault


async def test_what_is_ripe_lost_or_broken_is_told_apart(world: tuple[Path, Path]) -> None:
    async with review(world[0], size=(120, 36)) as (app, pilot):
        await pilot.press("O")
        await until(app, pilot, lambda: "[Conditions 3/4]" in screen_text(app))
        text = screen_text(app)
        assert "Vault: 1 ripe, 1 lost, 3 unreadable" in text
        assert "× Concepts/Gone.md: no such note" in text
        assert "× not met  Seen in two or more independent projects" in text
        assert text.count(RETRY[:20]) == 1, "of several that say the same one stands for all"
        await pilot.press("j")
        await until(app, pilot, lambda: "[Conditions 4/4]" in screen_text(app))
        assert "All conditions are met." in screen_text(app)
        await pilot.press("]")
        assert "Concepts/Retry with Backoff.md" in screen_text(app)
        await pilot.press("]")
        assert "curate_status: active" in screen_text(app)
        await pilot.press("G")
        text = screen_text(app)
        assert "! line 2: the front matter is no valid YAML" in text
        assert ">    2" in text


async def test_the_dossier_is_the_first_step_and_the_note_another(world: tuple[Path, Path]) -> None:
    root, vault = world
    before = bytes_below(vault)
    async with review(root, size=(120, 36)) as (app, pilot):
        await pilot.press("O")
        await until(app, pilot, lambda: "[Conditions" in screen_text(app))
        await pilot.press("j")
        await until(app, pilot, lambda: "4/4" in screen_text(app))
        await pilot.press("w")
        assert "Write the note into the staging folder?" in screen_text(app)
        await pilot.press("n")
        assert bytes_below(vault) == before
        await pilot.press("v", "enter")
        assert "Write the dossier?" in screen_text(app), "Enter is no yes"
        await pilot.press("y")
        await until(app, pilot, lambda: "dossier reports/vault" in screen_text(app))
        assert bytes_below(vault) == before
        assert len(list((root / "reports/vault").glob("*.md"))) == 1
        await until(app, pilot, lambda: "4/4" in screen_text(app))
        await pilot.press("w", "y")
        await until(app, pilot, lambda: "note 00 Inbox/" in screen_text(app))
    (new,) = bytes_below(vault).keys() - before.keys()
    assert new.startswith("00 Inbox/Retry failed calls")
    assert {path: data for path, data in bytes_below(vault).items() if path != new} == before
    state = Store.open(root).state
    assert {one.data.get("vault_ref") for one in state.records.values()} >= {new}


async def test_a_lost_reference_is_mended(world: tuple[Path, Path]) -> None:
    async with review(world[0], size=(120, 36)) as (app, pilot):
        await pilot.press("O")
        await until(app, pilot, lambda: "Near it 1" in screen_text(app))
        await pilot.press("l", "enter")
        await until(app, pilot, lambda: "it refers to Concepts/Circuit Breaker.md" in screen_text(app))
        assert "In the vault" in screen_text(app)
    assert Store.open(world[0]).state.record("mem_lost").vault_ref == "Concepts/Circuit Breaker.md"


async def test_without_a_vault_the_dossier_can_be_written_all_the_same(
    world: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PI_VAULT_PATH")
    async with review(world[0], size=(200, 50)) as (app, pilot):
        await pilot.press("O")
        await until(app, pilot, lambda: "4/4" in screen_text(app))
        assert "no vault is named; set PI_VAULT_PATH" in screen_text(app)
        assert "write the note" not in screen_text(app)
        await pilot.press("v", "y")
        await until(app, pilot, lambda: "dossier reports/vault" in screen_text(app))


@pytest.mark.parametrize("size", [(200, 50)], ids=["200x50"])
def test_as_it_looks(
    world: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch, snap_compare, size: tuple[int, int]
) -> None:
    monkeypatch.chdir(world[1].parent)
    monkeypatch.setattr(Path, "home", lambda: world[1].parent)
    app = app_on(world[0])

    async def open_it(pilot) -> None:
        await until(app, pilot, app._filled.is_set)
        await pilot.press("O")
        await until(app, pilot, lambda: "[Conditions" in screen_text(app))
        await pilot.press(*("j]" if size[0] == 200 else "j"))
        await until(app, pilot, lambda: "4/4" in screen_text(app))

    try:
        assert snap_compare(app, terminal_size=size, run_before=open_it)
    finally:
        app.close()
