"""Stores of earlier versions, frozen when those were current, are still read whole and can still be worked on."""

from __future__ import annotations

import importlib.util
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from curate.review.inbox import inbox
from store.migration.run import migrate
from store.migration.version import CURRENT, version_of
from store.model import Op, Patch
from store.store import Store

ROOT = Path(__file__).resolve().parents[2]
FROZEN = sorted((ROOT / "tests/data/stores").iterdir(), key=lambda path: int(path.name))


def summary(store: Store) -> dict[str, Any]:
    spec = importlib.util.spec_from_file_location("freeze_store", ROOT / "scripts/freeze_store.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return dict(module.summary(store))


@pytest.fixture(params=FROZEN, ids=lambda path: f"version {path.name}")
def frozen(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, dict[str, Any]]:
    shutil.copytree(request.param / "store", tmp_path / "store")
    migrate(tmp_path / "store")
    return tmp_path / "store", json.loads((request.param / "expected.json").read_text("utf-8"))


def test_every_version_up_to_this_one_is_frozen():
    assert [int(path.name) for path in FROZEN] == list(range(1, CURRENT + 1))
    assert [version_of(path / "store") for path in FROZEN] == list(range(1, CURRENT + 1))


def test_nothing_in_it_is_lost_or_read_otherwise(frozen: tuple[Path, dict[str, Any]]):
    root, expected = frozen
    store = Store.open(root)
    assert store.verify() == []
    assert json.loads(json.dumps(summary(store))) == expected


def test_it_can_be_worked_on(frozen: tuple[Path, dict[str, Any]]):
    root, _ = frozen
    store = Store.open(root)
    assert [group.statement for group in inbox(store.state)] == ["Run the linter before every commit"]
    (waiting,) = [one.id for one in store.state.waiting()]
    op = Op(op_id="op_001", op="add", candidate_ids=[waiting], reason="yes")
    patch = Patch(
        patch_id="pat_now", created_at="2027-01-01T00:00:00.000Z", generated_by="manual", summary="x", ops=[op]
    )
    assert store.apply(patch, select=["op_001"]).receipts[0].applied
    store.undo()
    assert Store.open(root).verify() == []
