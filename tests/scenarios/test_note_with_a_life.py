"""A promoted note that a person lives in: every byte outside our block and our keys is theirs, however they write."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from curate.vault.folder import Vault
from curate.vault.promote import case, stage
from tests.curate.vaults import NOW, Memory, vault_at

BLOCK = re.compile(r"<!-- curate:begin .*?<!-- curate:end -->", re.DOTALL)
OURS = re.compile(r"^curate_\w+:.*?$", re.MULTILINE)


def outside(text: str) -> str:
    return OURS.sub("OURS", BLOCK.sub("BLOCK", text))


LIVES = {
    "comments, a flow list, dates, quoted links, another order": lambda text: text.replace(
        "---\n", "---\n# my own order\ncssclass: wide\nsource: '[[Sources/Release It]]'   # a link\n", 1
    ).replace("tags: [queue]", "tags: [queue,   'at least once'] # flow\nreviewed: 2026-11-01"),
    "windows line ends": lambda text: text.replace("\n", "\r\n"),
    "a byte order mark": lambda text: "\ufeff" + text,
    "prose around the block": lambda text: (
        text.replace("# Hand", "Before.\n\n# Hand") + "\nAfter it, *mine*.\n\n---\n\nMore."
    ),
    "no newline at the end": lambda text: text.rstrip("\n"),
    "no front matter": lambda text: text[text.index("# Hand") :],
    "our key with a comment": lambda text: text.replace("curate_status: active", "curate_status:  active   # theirs"),
}


@pytest.mark.parametrize("live", LIVES)
def test_promoted_again_only_our_block_and_our_keys_change(live: str, tmp_path: Path):
    memory = Memory(tmp_path / "store")
    memory.learn("m1", "Handlers of a queue are idempotent.", tags=["queue"])
    vault = Vault(vault_at(tmp_path / "vault"))

    def promote() -> str:
        vault.refresh()
        return stage(vault, case(memory.store.state, "m1", vault, NOW)).outcome

    assert promote() == "created"
    path = next((vault.root / "00 Inbox").glob("Handlers*.md"))
    lived_in = LIVES[live](path.read_bytes().decode("utf-8"))
    path.write_bytes(lived_in.encode("utf-8"))
    assert promote() == ("updated" if live == "no front matter" else "unchanged")
    if live != "no front matter":
        assert path.read_bytes() == lived_in.encode("utf-8")

    memory.at = "2026-11-20T00:00:00.000Z"
    memory.apply(op="add_exception", target_id="m1", updates={"known_exceptions": ["the audit log"]})
    before = path.read_bytes().decode("utf-8")
    assert promote() == "updated"
    after = path.read_bytes().decode("utf-8")
    assert "the audit log" in after
    assert "curate_since: 2026-11-20" in after
    assert outside(after) == outside(before)
    if live == "windows line ends":
        assert "\n" not in after.replace("\r\n", "")

    settled = path.read_bytes()
    assert promote() == "unchanged"
    assert path.read_bytes() == settled
    front = settled.decode("utf-8").removeprefix("\ufeff").replace("\r\n", "\n").split("---\n")[1]
    assert YAML(typ="safe", pure=True).load(front)["curate_id"] == "m1"
