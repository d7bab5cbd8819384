"""What a purge does with what stands outside the logs: dossiers, managed blocks, notes in a vault."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tests.curate.command import curate
from tests.curate.vaults import SHOP, Memory, vault_at
from tests.store.repositories import git
from tests.sync.machines import isolate, objects

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

SAID = "The harbour gate opens with the blue lever."


def test_dossiers_and_blocks_lose_it_and_the_vault_is_named(tmp_path: Path):
    home, vault, file = tmp_path / "store", vault_at(tmp_path / "vault"), tmp_path / "AGENTS.md"
    memory = Memory(home)
    memory.learn("m1", SAID)
    memory.learn("m2", "Prices are in cents.")
    note = curate("vault", "promote", "m1", "--write", "--json", "--home", home, PI_VAULT_PATH=str(vault)).json["note"]
    curate("materialise", "--project", SHOP, "--into", file, "--home", home)
    assert SAID in file.read_text("utf-8")
    done = curate("purge", "m1", "--confirm", "purge", "--json", "--home", home)
    assert done.code == 0, done.err
    assert any(note["path"] in name for name in done.json["files"]["by_hand"])
    assert SAID not in file.read_text("utf-8")
    assert "Prices are in cents." in file.read_text("utf-8")
    for path in home.rglob("*"):
        assert "harbour" not in path.name
        assert not path.is_file() or b"harbour gate" not in path.read_bytes(), path


def test_a_patch_by_hand_purges_as_far_as_the_command_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    isolate(monkeypatch, tmp_path)
    home, vault, file = tmp_path / "store", vault_at(tmp_path / "vault"), tmp_path / "AGENTS.md"
    memory = Memory(home)
    memory.learn("m1", SAID)
    git(tmp_path, "init", "-q", "--bare", "remote.git")
    note = curate("vault", "promote", "m1", "--write", "--json", "--home", home, PI_VAULT_PATH=str(vault)).json["note"]
    curate("materialise", "--project", SHOP, "--into", file, "--home", home)
    curate("sync", "init", tmp_path / "remote.git", "--home", home)
    assert curate("sync", "--home", home).code == 0
    assert git(home, "grep", "-l", "harbour gate", "HEAD")
    op = {
        "op_id": "op_1",
        "op": "delete",
        "target_id": "m1",
        "updates": {"mode": "purge"},
        "reason": f"It said: {SAID}",
    }
    by_hand = json.dumps({"summary": "Clean up", "ops": [op]}).encode()
    done = curate("apply", "-", "--select", "op_1", "--confirm", "purge", "--json", "--home", home, stdin=by_hand)
    assert done.code == 0, done.err
    assert done.json["applied"] == ["op_1"]
    assert done.json["purge"]["history"] == {
        "changed": done.json["purge"]["history"]["changed"],
        "left": [],
        "waits": True,
    }
    assert SAID not in file.read_text("utf-8")
    assert note["path"] in done.err
    assert "curate sync --push" in done.err
    assert b"harbour gate" not in objects(home)
    assert all(b"harbour gate" not in path.read_bytes() for path in home.rglob("*") if path.is_file())


def test_a_block_that_cannot_be_written_is_named(tmp_path: Path):
    home, edited, broken = tmp_path / "store", tmp_path / "AGENTS.md", tmp_path / "CLAUDE.md"
    memory = Memory(home)
    memory.learn("m1", SAID)
    for file in (edited, broken):
        curate("materialise", "--project", SHOP, "--into", file, "--home", home)
    edited.write_text(edited.read_text("utf-8").replace(SAID, f"{SAID} Always."), "utf-8")
    broken.write_text(broken.read_text("utf-8").partition(SAID)[0] + SAID, "utf-8")
    done = curate("purge", "m1", "--confirm", "purge", "--json", "--home", home)
    assert done.code == 0, done.err
    assert set(done.json["files"]["by_hand"]) == {str(edited), str(broken)}
