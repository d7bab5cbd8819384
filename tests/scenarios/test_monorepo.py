"""A rule for one package of a repository is told where one works in that package, and nowhere else."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tests.curate.shell import curate
from tests.store.repositories import repository

if TYPE_CHECKING:
    from pathlib import Path

RULE = "In packages/api use SQL files, not the ORM."


def test_it_is_told_in_its_package_only(tmp_path: Path) -> None:
    home, mono = tmp_path / "store", repository(tmp_path / "mono", "git@github.com:acme/mono.git")
    scope = {"type": "project", "project": "github.com/acme/mono", "paths": ["packages/api/**"]}
    line = json.dumps(
        {"id": "mem_sql", "statement": RULE, "scope": scope, "rule_type": "convention", "confidence": 0.9}
    )
    assert curate("--home", home, "import", "jsonl", "-", "--apply", stdin=line).code == 0
    told = {}
    for package in ("packages/api", "packages/api/src", "packages/web", "packages/apix"):
        (mono / package).mkdir(parents=True, exist_ok=True)
        asked = ("context", "--prompt", "add a query for open orders", "--cwd", mono / package, "--json")
        found = curate("--home", home, *asked).json
        told[package] = RULE in found["block"]
        assert told[package] == ([entry["id"] for entry in found["entries"]] == ["mem_sql"])
    assert told == {"packages/api": True, "packages/api/src": True, "packages/web": False, "packages/apix": False}
