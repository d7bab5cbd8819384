"""Looking back at one record with many revisions, and at a store of many records: milliseconds over opening the store.

    python -m tests.bench.bench_blame

Blame reads the patches that it names and no others; `at` and `diff` fold what was there at a moment.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from curate.review.blame import blame, patches_of
from curate.review.changes import between
from curate.review.contested import cases
from store import layout
from store.line import PlannedLine, canonical, digest
from store.log.patches import phase_line, with_plan
from store.moment import Cut, state_at
from store.store import Store
from tests.bench.records import AT, write_store

if TYPE_CHECKING:
    from collections.abc import Callable

REVISIONS = 1_000
RECORDS = 10_000
RUNS = 5
FIELDS = ("statement", "body", "confidence", "pinned", "tags")
"""What the revisions change, one after the other."""


def at(number: int) -> str:
    return f"2026-09-{2 + number // 1440:02}T{number // 60 % 24:02}:{number % 60:02}:00.000Z"


def lengthen(root: Path, ident: str) -> None:
    """A thousand revisions of one record, each made by a patch of its own."""
    store = Store.open(root)
    head = store.state.records[ident].head
    data, parent = dict(head.data), head.hash
    lines, log = [], []
    for number in range(1, REVISIONS):
        field = FIELDS[number % len(FIELDS)]
        value = {"statement": f"Rule {number}.", "body": f"Body {number}.", "confidence": number / REVISIONS,
                 "pinned": bool(number % 2), "tags": [f"t{number}"]}[field]  # fmt: skip
        patch = f"pat_{number:026}"
        data = {
            **data,
            "rev": number + 1,
            "parent": parent,
            "patch": patch,
            "op": "update",
            "at": at(number),
            field: value,
        }
        order = ("schema", "id", "rev", "parent", "patch", "op", "at")
        data = {key: data[key] for key in (*order, *(key for key in data if key not in order))}
        raw = canonical(data)
        parent = digest(raw)
        lines.append(raw)
        op = {
            "op_id": "op_001",
            "op": "update",
            "target_id": ident,
            "updates": {field: value},
            "reason": f"why {number}",
        }
        document = {"patch_id": patch, "created_at": at(number), "generated_by": "manual", "summary": "", "ops": [op]}
        planned = [PlannedLine(head.file, data, raw)]
        log.append(
            with_plan(canonical(phase_line(patch, "applying", at(number), patch=document, receipts=[])), planned)
        )
        log.append(canonical(phase_line(patch, "applied", at(number), receipts=[])))
    with (root / head.file).open("ab") as file:
        file.write(b"".join(line + b"\n" for line in lines))
    path = root / layout.PATCHES / f"{AT[:7]}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(line + b"\n" for line in log))


def milliseconds(work: Callable[[], object]) -> float:
    taken = []
    for _ in range(RUNS):
        start = time.perf_counter()
        work()
        taken.append((time.perf_counter() - start) * 1000)
    return statistics.median(taken)


def main() -> None:
    print(f"{'records':>9} {'revisions':>9} {'open':>8} {'blame':>8} {'at':>8} {'diff':>8} {'disputes':>9}  (ms)")
    for count in (1, RECORDS):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            write_store(root, count)
            ident = next(iter(Store.open(root).state.records))
            lengthen(root, ident)
            store = Store.open(root)
            versions = store.state.records[ident]
            middle = Cut(at(REVISIONS // 2))

            def blamed(store: Store = store, ident: str = ident) -> object:
                versions, past = store.revisions(ident), store.past
                patches = {one: past.entry(one) for one in patches_of(versions) if past.knows(one)}
                return blame(store.state, versions, patches)

            row = (
                milliseconds(lambda root=root: Store.open(root)),
                milliseconds(blamed),
                milliseconds(lambda store=store, cut=middle: state_at(store.state, cut)),
                milliseconds(lambda store=store, cut=middle: between(store.state, cut, Cut("2030-01-01T00:00:00Z"))),
                milliseconds(lambda store=store: cases(store.state, AT)),
            )
            known = len(versions.revisions)
            print(f"{count:>9,} {known:>9,} " + " ".join(f"{one:>8.1f}" for one in row), flush=True)


if __name__ == "__main__":
    main()
