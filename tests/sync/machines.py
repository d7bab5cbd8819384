"""Machines with a store each, and a bare remote between them: real git, in this process."""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import TYPE_CHECKING, Any

from curate.sync.start import start
from curate.sync.sync import sync
from store.captures import CaptureBatch
from store.model import Op
from store.patch import purge_patch
from tests.store.logkit import SHOP, capture, everything, open_store, patch, project
from tests.store.repositories import git

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from curate.sync.outcome import Synced
    from store.model import Candidate
    from store.state import State
    from store.store import Store


def isolate(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No configuration of whoever runs the tests; any repository may be fetched from."""
    for name in list(os.environ):
        if name.startswith("GIT_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("GIT_CONFIG_SYSTEM", os.devnull)


class Machine:
    """One machine: its store opened anew at each step, with a clock and ids of its own."""

    def __init__(self, folder: Path, name: str, number: int) -> None:
        self.root = folder / name
        self.name = name
        self._next = number * 10_000

    @property
    def store(self) -> Store:
        """The store, with times and ids that nobody else gives."""
        self._next += 100
        return open_store(self.root, start=self._next)

    def init(self, remote: Path | None = None, **how: Any) -> None:
        start(self.store, None if remote is None else str(remote), **how)

    def sync(self, **how: Any) -> Synced:
        store = self.store
        return sync(store, wait=0, clock=store._clock, ids=store._new_id, **how)

    def add(self, statement: str, ident: str | None = None) -> str:
        """A new record, by a patch of its own."""
        record: dict[str, Any] = {"statement": statement, "scope": {"type": "global"}}
        if ident:
            record["id"] = ident
        store = self.store
        change = patch(store._new_id(f"pat_{self.name}"), Op(op_id="op_1", op="add", record=record))
        receipt = store.apply(change, select=everything(change)).receipts[0]
        assert receipt.applied, receipt
        return str(receipt.changes[0]["id"])

    def update(self, ident: str, **updates: Any) -> bool:
        store = self.store
        change = patch(store._new_id(f"pat_{self.name}"), Op(op_id="op_1", op="update", target_id=ident,
                                                              updates=updates))  # fmt: skip
        return store.apply(change, select=everything(change)).receipts[0].applied

    def capture(self, statement: str, **fields: Any) -> None:
        said = capture(statement, turn=f"{self.name}{self._next}", **fields)
        seen = project(SHOP, f"/home/{self.name}/shop")
        store = self.store
        store.capture(CaptureBatch([said], [seen]), same=_same)

    def purge(self, *ids: str) -> None:
        store = self.store
        change = purge_patch(ids, at=store._clock(), new_id=store._new_id)
        assert store.apply(change, select=everything(change), confirm="purge").purged is not None

    def bytes(self) -> dict[str, bytes]:
        """Everything that travels."""
        names = git(self.root, "ls-files", "-z").split("\0")
        return {name: (self.root / name).read_bytes() for name in names if name}

    def git(self, *words: str) -> str:
        return git(self.root, *words)

    def sound(self) -> None:
        """The store is, and git has nothing left to commit."""
        assert self.store.verify() == []
        assert self.git("status", "--porcelain") == ""


def _same(candidate: Candidate, state: State) -> str | None:
    """Whatever waits with the very same words is said again."""
    found = (one.id for one in state.waiting() if one.data["statement"] == candidate.statement)
    return next(found, None)


def objects(root: Path) -> bytes:
    """Every object of git below a folder, reached or not."""
    folder = root if root.name.endswith(".git") else root / ".git"
    listing = ["git", "--git-dir", folder, "cat-file", "--batch-all-objects", "--batch"]
    return subprocess.run(listing, capture_output=True, check=True).stdout


def copied(template: Path, folder: Path) -> None:
    """Machines and their remote as they were prepared, in a folder of their own."""
    shutil.copytree(template, folder, dirs_exist_ok=True)
    for path in folder.glob("*/.git/config"):
        path.write_text(path.read_text().replace(f"{template}/", f"{folder}/"))


def bare(folder: Path) -> Path:
    git(folder, "init", "-q", "--bare", "remote.git")
    return folder / "remote.git"


def converged(*machines: Machine) -> None:
    """All machines are on the same commit, hold what is in it, and are sound."""
    for one in (*machines, *machines[:-1]):
        one.sync()
    heads = {(one.root / ".git/refs/heads/main").read_text() for one in machines}
    assert len(heads) == 1, [one.name for one in machines]
    machines[0].sound()
    for one in machines[1:]:
        assert one.git("status", "--porcelain") == "", one.name
