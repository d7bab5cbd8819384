"""Nothing leaves the machine: while a turn is read, looked at and the next one answered, no connection is opened."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.curate.recalling import checkout
from tests.curate.scanning import Session


def heard(folder: Path) -> str:
    """What was heard of the network in a day of a store."""
    shop = checkout(folder / "shop")
    transcript = Session(folder / "a.jsonl", shop).says("Always use pnpm in this repo.", wrote=(shop / "x.ts",)).save()
    surroundings = {key: value for key, value in os.environ.items() if not key.startswith(("CURATE_", "XDG_"))}
    done = subprocess.run(
        [sys.executable, "-m", "tests.agents.listening", folder / "store", transcript, shop], check=True, text=True,
        capture_output=True, env={**surroundings, "HOME": str(folder)},
    )  # fmt: skip
    lines = (folder / "store" / "inbox" / "candidates.jsonl").read_text("utf-8").splitlines()
    assert "pnpm" in json.loads(lines[0])["statement"]
    return done.stdout


def test_no_connection_is_opened(tmp_path: Path):
    assert heard(tmp_path) == ""


def test_one_that_somebody_turned_on_is_heard(tmp_path: Path):
    (tmp_path / "store").mkdir()
    (tmp_path / "store" / "config.yaml").write_text(
        "recall:\n  semantic: qdrant\n  qdrant:\n    url: http://127.0.0.1:9\n"
    )
    assert "socket.connect" in heard(tmp_path)
