"""A long transcript is read in small memory, and only once."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from tests.bench.bench_scan import SCAN
from tests.bench.sessions import RULES, write_session
from tests.curate.scanning import open_store, waiting
from tests.store.repositories import repository

SIZE = 30_000_000
"""The size of the promise, 600 MB, is measured by the benchmark; memory does not depend on it."""


def scan(store: Path, file: Path) -> dict[str, float]:
    done = subprocess.run([sys.executable, "-c", SCAN, str(store), str(file)], capture_output=True, check=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def test_both_corrections_are_found_in_bounded_memory_and_read_once(tmp_path: Path):
    shop = repository(tmp_path / "shop", "git@github.com:acme/shop.git")
    file = tmp_path / "session.jsonl"
    write_session(file, SIZE, str(shop))
    first = scan(tmp_path / "store", file)
    assert first["created"] == 2
    assert first["peak"] < 200
    second = scan(tmp_path / "store", file)
    assert (second["created"], second["reinforced"], second["bytes"]) == (0, 0, 0)
    assert [candidate.statement for candidate in waiting(open_store(tmp_path / "store"))] == list(RULES)
