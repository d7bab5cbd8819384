"""Sync of two machines that worked apart, and a purge with its git history, as ratios to reading the same bytes.

    python -m tests.bench.bench_sync [--small]

Reading is `json.loads` of every line of the store; for the purge also of every object of git, by `cat-file --batch`.
Linear in the bytes means that the ratios stay as they are while the store grows.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from curate.sync.start import start
from curate.sync.sync import finish_purge, sync
from store.ids import new_id, now
from store.model import Op, Patch
from store.patch import purge_patch
from store.store import Store
from tests.bench.bench_purge import read_all, write_patches
from tests.bench.records import project_id, write_store

if TYPE_CHECKING:
    from collections.abc import Callable

SIZES = ((1_000, 2_500, 10_000), (5_000, 20_000, 100_000))
SMALL = ((500, 1_000, 2_000), (1_000, 2_000, 4_000))
PATCHES = 100


def seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def store_under_git(root: Path, count: int, remote: Path | None) -> Store:
    """A store of that many records, with the patch log that would have made them, in its first commit."""
    write_store(root, count)
    write_patches(root)
    store = Store.open(root)
    start(store, None if remote is None else str(remote))
    return store


def work(store: Store, count: int, number: int, name: str) -> None:
    """Patches of one new record each, spread over the projects."""
    for at in range(number):
        scope = {"type": "project", "project": project_id(at % max(1, count // 250))}
        record = {"statement": f"Rule {at} of the {name} holds here.", "scope": scope}
        op = Op(op_id="op_001", op="add", record=record)
        patch = Patch(patch_id=new_id("pat"), created_at=now(), ops=[op], summary=f"Rule {at}")
        store.apply(patch, select=["op_001"])


def measure_sync(count: int) -> str:
    """Two machines with the same store, each with new patches; both commit, one merges, both end alike."""
    with tempfile.TemporaryDirectory() as folder:
        one, other, remote = (Path(folder) / name for name in ("one", "other", "remote.git"))
        subprocess.run(["git", "init", "-q", "--bare", remote], check=True)
        sync(store_under_git(one, count, remote))
        shutil.copytree(one, other)
        for root in (one, other):
            work(Store.open(root), count, PATCHES, root.name)
        size = read_all(one)
        least = min(seconds(lambda: read_all(one)) for _ in range(3))
        first = seconds(lambda: sync(Store.open(one)))
        second = seconds(lambda: sync(Store.open(other)))
        third = seconds(lambda: sync(Store.open(one)))
        assert Store.open(one).verify() == Store.open(other).verify() == []
        return (
            f"{count:>9,} {size / 1e6:>8.1f} {least:>8.2f} {first:>9.2f} {second:>9.2f} {third:>8.2f} "
            f"{(first + second + third) / least:>8.1f}"
        )


def measure_purge(count: int) -> str:
    """A purge of one record from files and history, and the search that shows that it is gone."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "one"
        store = store_under_git(root, count, None)
        for _ in range(4):
            work(store, count, 5, "one")
            sync(store)
        words = ["git", "-C", str(root), "cat-file", "--batch-all-objects", "--batch"]
        size = len(subprocess.run(words, check=True, capture_output=True).stdout)
        least = min(seconds(lambda: read_all(root)) for _ in range(3))
        least += seconds(lambda: subprocess.run(words, check=True, capture_output=True))
        patch = purge_patch([f"mem_{count // 2:026}"], at=now(), new_id=new_id)
        files = seconds(lambda: store.apply(patch, select=["op_001"], confirm="purge"))
        history = seconds(lambda: finish_purge(store, store.state.purged))
        verify = seconds(store.verify)
        return (
            f"{count:>9,} {size / 1e6:>8.1f} {least:>8.2f} {files:>9.2f} {history:>9.2f} {files / least:>7.1f} "
            f"{history / least:>8.1f} {verify / least:>7.1f}"
        )


def main() -> None:
    os.environ["GIT_CONFIG_GLOBAL"] = os.environ["GIT_CONFIG_SYSTEM"] = os.devnull
    syncs, purges = SMALL if "--small" in sys.argv[1:] else SIZES
    print(f"{PATCHES} patches on each side: one commits and pushes, the other merges and pushes, the first follows")
    print(
        f"{'records':>9} {'MB':>8} {'read s':>8} {'first s':>9} {'second s':>9} {'third s':>8} {'all':>8}  (x reading)"
    )
    for count in syncs:
        print(measure_sync(count), flush=True)
    print("\npurge of one record under git, twenty commits")
    print(
        f"{'records':>9} {'git MB':>8} {'read s':>8} {'files s':>9} {'history s':>9} {'files':>7} {'history':>8} "
        f"{'verify':>7}  (x reading)"
    )
    for count in purges:
        print(measure_purge(count), flush=True)


if __name__ == "__main__":
    main()
