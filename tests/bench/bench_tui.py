"""The review app: first frame, first rows, all rows, key to screen, memory, at 1,000 and 20,000 waiting candidates.

    python -m tests.bench.bench_tui [--rows 1000 20000] [--keys 200]

Key to screen runs from the key's arrival in the app to the moment the changed screen has been handed to the terminal.
The first frame is compared with that of an empty Textual app that imports the same packages.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

START = """
import json, sys, time
started = time.perf_counter()
from pathlib import Path
import asyncio, resource
from textual.app import App
from curate.tui.app import CurateApp
import curate.review.inbox, curate.review.propose, store.patch
imported = time.perf_counter()

def timed(app, filled):
    at = {}
    show = app._display
    def display(screen, renderable):
        show(screen, renderable)
        at.setdefault("frame", time.perf_counter())
        if filled is not None and app.session.queue.visible:
            at.setdefault("rows", time.perf_counter())
        if filled is not None and filled(app):
            at.setdefault("all", time.perf_counter())
    app._display = display
    async def run():
        async with app.run_test(size=(120, 36)) as pilot:
            for _ in range(3000):
                await pilot.pause(0.01)
                if "frame" in at and (filled is None or "all" in at):
                    break
    asyncio.run(run())
    return at

if sys.argv[1] == "empty":
    at = timed(App(), None)
else:
    app = CurateApp(Path(sys.argv[1]), watch=None)
    at = timed(app, lambda app: app._filled.is_set())
    app.close()
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024 if sys.platform != "darwin" else 1024 * 1024)
told = {name: at.get(name, at["frame"]) - started for name in ("frame", "rows", "all")}
print(json.dumps({**told, "import": imported - started, "peak": peak}))
"""


def started(what: str, runs: int = 3) -> dict[str, float]:
    """The medians of a few cold starts."""
    found = []
    for _ in range(runs):
        done = subprocess.run([sys.executable, "-c", START, what], capture_output=True, text=True, check=True)
        found.append(json.loads(done.stdout.splitlines()[-1]))
    return {key: statistics.median(each[key] for each in found) for key in found[0]}


async def keys(root: Path, count: int) -> dict[str, list[float]]:
    """Seconds from key to screen, by kind of key."""
    from textual import events

    from curate.tui.app import CurateApp

    app = CurateApp(root, watch=None)
    drawn = asyncio.Event()
    taken: dict[str, list[float]] = {"move": [], "decide": [], "undo": [], "filter": []}

    def displayed(*args: object, **kwargs: object) -> None:
        show(*args, **kwargs)
        drawn.set()

    async def press(kind: str, key: str, character: str | None) -> None:
        drawn.clear()
        began = time.perf_counter()
        app.post_message(events.Key(key, character))
        await asyncio.wait_for(drawn.wait(), 5)
        taken[kind].append(time.perf_counter() - began)
        await asyncio.sleep(0.06)  # the card follows after a rest; its drawing is not this key's

    async with app.run_test(size=(120, 36)) as pilot:
        await app.ready()
        await pilot.pause(0.3)
        show = app._display
        app._display = displayed  # type: ignore[method-assign]
        for _ in range(count):
            await press("move", "j", "j")
        for _ in range(count):
            await press("decide", "x", "x")
        for _ in range(count // 2):
            await press("undo", "u", "u")
        await press("filter", "slash", "/")
        taken["filter"].clear()
        for letter in "parser1":
            await press("filter", letter, letter)
        app.session.queue.set_filter("")
    app.close()
    return taken


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, nargs="*", default=[1000, 20000])
    parser.add_argument("--keys", type=int, default=200)
    chosen = parser.parse_args()
    from tests.curate.tui.stores import many

    empty = started("empty")
    print(
        f"empty app            first frame {empty['frame'] * 1000:6.0f} ms"
        f"   of which imports {empty['import'] * 1000:.0f} ms"
    )
    with tempfile.TemporaryDirectory() as folder:
        for rows in chosen.rows:
            root = Path(folder, str(rows))
            many(root, rows)
            start = started(str(root))
            print(
                f"{rows:6} candidates    first frame {start['frame'] * 1000:6.0f} ms"
                f" ({start['frame'] / empty['frame']:.2f} x empty)"
                f"   first rows {(start['rows'] - start['frame']) * 1000:.0f} ms, all of them"
                f" {start['all'] - start['frame']:.1f} s after it   peak {start['peak']:.0f} MB"
            )
            for kind, found in asyncio.run(keys(root, chosen.keys)).items():
                ordered = sorted(found)
                print(
                    f"       {kind:8} key to screen   median {statistics.median(ordered) * 1000:5.1f} ms"
                    f"   95th {ordered[int(len(ordered) * 0.95)] * 1000:5.1f} ms   n {len(ordered)}"
                )


if __name__ == "__main__":
    main()
