"""A vault and a store to promote from, for the tests of the vault: real files, real patches."""

from __future__ import annotations

import itertools
import json
import shutil
from pathlib import Path
from typing import Any

from store.captures import Capture, CaptureBatch
from store.model import Candidate, Evidence, Op, Patch
from store.store import Store

DATA = Path(__file__).parent.parent / "data" / "vault"
OLD = "2026-08-01T10:00:00.000Z"
NOW = "2026-11-29T12:00:00.000Z"
SHOP = "github.com/acme/shop"
API = "github.com/acme/api"


def vault_at(path: Path) -> Path:
    """A copy of the invented vault."""
    shutil.copytree(DATA / "notes", path)
    return path


def cases() -> list[dict[str, Any]]:
    """Statements and the notes that must be suggested for them."""
    return [json.loads(line) for line in (DATA / "expected.jsonl").read_text("utf-8").splitlines()]


def bytes_below(root: Path) -> dict[str, bytes]:
    """Every file below a folder."""
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}


class Memory:
    """A store whose clock is set by the test."""

    def __init__(self, root: Path, at: str = OLD, first: int = 1) -> None:
        self.at = at
        numbers = itertools.count(first)
        self.store = Store.open(
            root, create=True, clock=lambda: self.at, new_id=lambda prefix: f"{prefix}_{next(numbers):04}"
        )

    def learn(self, ident: str, statement: str, *, project: str | None = SHOP, **fields: Any) -> str:
        """A record that was said once, in a project or everywhere."""
        evidence = Evidence(
            id=f"ev_{ident}", excerpt=statement[:1000], session=f"s_{ident}", time=self.at, agent="claude-code",
            path="/t/x.jsonl", line=1, projects=[project] if project else [],
        )  # fmt: skip
        scope = {"type": "project", "project": project} if project else {"type": "global"}
        candidate = Candidate(
            id=f"cand_{ident}", statement=statement, scope=scope, targets=[project] if project else [],
            evidence=[evidence.id], created_at=self.at, updated_at=self.at,
        )  # fmt: skip
        self.store.capture(CaptureBatch([Capture(candidate, [evidence])]))
        record = {"id": ident, "scope": scope, **fields}
        self.apply(op="add", candidate_ids=[f"cand_{ident}"], record=record)
        return ident

    def apply(self, **op: Any) -> None:
        """One op, applied."""
        patch = Patch(patch_id=self.store._new_id("pat"), created_at=self.at, ops=[Op(op_id="op_1", **op)])
        receipt = self.store.apply(patch, select=["op_1"]).receipts[0]
        assert receipt.applied, receipt
