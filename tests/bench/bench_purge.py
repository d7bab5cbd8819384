"""Purging one record from stores of growing size, and verifying afterwards, as ratios to reading the same bytes.

    python -m tests.bench.bench_purge

Each store has its records, their evidence, and a patch log that holds every line once more. Reading is `json.loads` of
every line. Linear in the bytes means that the ratios stay as they are.
"""

from __future__ import annotations

import json
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from store import layout
from store.ids import new_id, now
from store.line import PlannedLine, canonical
from store.log.patches import phase_line, with_plan
from store.patch import purge_patch
from store.store import Store
from tests.bench.records import AT, write_store

if TYPE_CHECKING:
    from collections.abc import Callable

SIZES = (5_000, 20_000, 100_000)
OPS = 200


def write_patches(root: Path) -> None:
    """The patch log that would have made these records."""
    by_patch: dict[str, list[PlannedLine]] = {}
    for path in sorted((root / layout.PROJECT_MEMORY).iterdir()):
        name = path.relative_to(root).as_posix()
        for raw in path.read_bytes().splitlines():
            data = json.loads(raw)
            by_patch.setdefault(data["patch"], []).append(PlannedLine(name, data, raw))
    lines = []
    for ident, planned in by_patch.items():
        document = {"patch_id": ident, "created_at": AT, "generated_by": "manual", "summary": f"{OPS} rules", "ops": []}
        lines.append(with_plan(canonical(phase_line(ident, "applying", AT, patch=document)), planned))
        lines.append(canonical(phase_line(ident, "applied", AT, receipts=[])))
    path = root / layout.PATCHES / f"{AT[:7]}.jsonl"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"".join(line + b"\n" for line in lines))


def read_all(root: Path) -> int:
    """Parse every line; gives the bytes."""
    size = 0
    for path in root.rglob("*.jsonl"):
        raw = path.read_bytes()
        size += len(raw)
        for line in raw.splitlines():
            json.loads(line)
    return size


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def measure(count: int) -> str:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        write_store(root, count)
        write_patches(root)
        size = 0

        def read() -> None:
            nonlocal size
            size = read_all(root)

        least = min(seconds(read) for _ in range(3))
        store = Store.open(root)
        store.apply(purge_patch([f"mem_{1:026}"], at=now(), new_id=new_id), select=["op_001"], confirm="purge")
        patch = purge_patch([f"mem_{count // 2:026}"], at=now(), new_id=new_id)
        purge = seconds(lambda: store.apply(patch, select=["op_001"], confirm="purge"))
        verify = seconds(store.verify)
        return (
            f"{count:>9,} {size / 1e6:>8.1f} {least:>8.2f} {purge:>8.2f} {purge / least:>7.1f} {verify / least:>8.1f}"
        )


def main() -> None:
    print(f"{'records':>9} {'MB':>8} {'read s':>8} {'purge s':>8} {'purge':>7} {'verify':>8}  (ratios to reading)")
    for count in SIZES:
        print(measure(count), flush=True)


if __name__ == "__main__":
    main()
