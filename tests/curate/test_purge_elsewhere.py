"""What a purge does with what stands outside the logs: dossiers, managed blocks, notes in a vault."""

from __future__ import annotations

from pathlib import Path

from tests.curate.command import curate
from tests.curate.vaults import SHOP, Memory, vault_at

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
