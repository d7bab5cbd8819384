"""One of several writers in `test_many_writers`: a process of its own that captures or applies and then ends."""

from __future__ import annotations

import sys
from pathlib import Path

from store.captures import CaptureBatch
from store.model import Op, Patch
from store.store import Store
from tests.store.logkit import SHOP, capture

if __name__ == "__main__":
    kind, root, name, count = sys.argv[1], Path(sys.argv[2]), sys.argv[3], int(sys.argv[4])
    store = Store.open(root, lock_wait=120)
    if kind == "capture":
        for number in range(count):
            store.capture(CaptureBatch([capture(f"Rule {number} of writer {name}.", turn=f"{name}-{number}")]))
    else:
        for number in range(count):
            scope = {"type": "project", "project": SHOP}
            ops = [
                Op(op_id=f"op_{n}", op="add", record={"statement": f"Batch {number}, rule {n}.", "scope": scope})
                for n in range(10)
            ]
            patch = Patch(patch_id=f"pat_{name}_{number:03}", created_at="2026-11-29T00:00:00Z", ops=ops)
            done = store.apply(patch, select=[op.op_id for op in ops])
            assert all(receipt.applied for receipt in done.receipts), done
