"""Looking after ten thousand records: seconds, and against working out what each of them means, which it cannot avoid.

python -m tests.bench.bench_upkeep
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from curate.matching.normal import work_out
from curate.upkeep.maintain import maintain
from curate.upkeep.turns import Sent
from store.store import Store
from tests.bench.records import project_id, write_store

RECORDS = 10_000
TURNS = 2_000
LIMIT = 4.0
"""Times the meanings alone."""
LATER = "2027-03-01T12:00:00.000Z"


def main() -> None:
    """Print the figures."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder, "store")
        write_store(root, RECORDS)
        state = Store.open(root).state
        began = time.perf_counter()
        for versions in state.live_records():
            work_out(versions.data["statement"])
        meanings = time.perf_counter() - began
        turns = [
            Sent(f"2027-02-2{n % 9}T10:00:00.000Z", f"s{n % 50}", project_id(n % 40), frozenset(_ids(n)))
            for n in range(TURNS)
        ]
        began = time.perf_counter()
        found = maintain(state, turns, at=LATER)
        took = time.perf_counter() - began
    print(f"{RECORDS} records, {TURNS} turns: {took:.1f} s, {len(found.findings)} findings")
    print(f"against their meanings alone ({meanings:.1f} s): {took / meanings:.1f} x (limit {LIMIT:g} x)")


def _ids(turn: int) -> list[str]:
    return [f"mem_{(turn * 7 + step) % RECORDS:026}" for step in range(8)]


if __name__ == "__main__":
    main()
