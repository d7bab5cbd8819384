"""Draws screenshots/ from the real app on the demo store: `make screenshots`. `--check` says whether they are current.

Same program, same pictures: clock and ids are fixed here, before anything that uses them is loaded.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import re
import sys
import tempfile
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from store import ids

MOMENT = datetime(2026, 11, 29, 18, 0, tzinfo=UTC)
_numbers = itertools.count(1)
ids.now = lambda: "2026-11-29T18:00:00.000Z"
ids.new_id = lambda prefix: f"{prefix}_01kb{next(_numbers):022}"
for name in ("NO_COLOR", "COLORTERM", "CURATE_THEME", "CURATE_HOME"):
    os.environ.pop(name, None)
os.environ["TEXTUAL_ANIMATIONS"] = "none"

from curate.capture.capture import scan  # noqa: E402
from curate.demo.build import make  # noqa: E402
from curate.tui.app import CurateApp  # noqa: E402
from store.store import Store  # noqa: E402

FOLDER = Path(__file__).parent.parent / "screenshots"
WIDE, USUAL, NARROW = (200, 50), (120, 36), (80, 24)


@dataclass(frozen=True)
class Shot:
    """One picture: what is pressed before it is taken, at which size, in which theme."""

    name: str
    keys: tuple[str, ...] = ()
    size: tuple[int, int] = USUAL
    theme: str = "dark"


SHOTS = (
    Shot("review", ("2",)),
    Shot("review-80x24", size=NARROW),
    Shot("review-200x50", size=WIDE),
    Shot("review-light", theme="light"),
    Shot("review-ansi", theme="ansi"),
    Shot("help", ("question_mark",)),
)


async def picture(root: Path, shot: Shot) -> str:
    """The app as it looks after the keys of a shot."""
    app = CurateApp(root, demo=True, theme=shot.theme, watch=None, clock=lambda: 0.0, today=lambda: MOMENT)
    async with app.run_test(size=shot.size) as pilot:
        await app.ready()
        await pilot.pause()
        for key in shot.keys:
            await pilot.press(key)
            await pilot.pause()
        await app.workers.wait_for_complete()
        await pilot.pause()
        svg = app.export_screenshot(title="curate")
    app.close()
    return settled(svg, root)


def settled(svg: str, root: Path) -> str:
    """The picture without what differs from run to run. A path of this machine in it is a fault."""
    for trace in (str(root.parent), str(Path.home())):
        if len(trace) > 1 and trace in svg:
            sys.exit(f"a screenshot shows a path of this machine: {trace}")
    svg = re.sub(r"[ \t]+$", "", svg, flags=re.MULTILINE)
    return svg.rstrip("\n") + "\n"


def demo_store(folder: Path) -> Path:
    """A fresh demo store, really scanned."""
    made = make(folder)
    scan(Store.open(made.home, create=True), [made.transcripts])
    return made.home


def draw() -> dict[str, str]:
    """Every picture by file name."""
    drawn = {}
    for shot in SHOTS:
        with tempfile.TemporaryDirectory(prefix="curate-") as folder:
            drawn[f"{shot.name}.svg"] = asyncio.run(picture(demo_store(Path(folder) / "demo"), shot))
    return drawn


def main() -> None:
    """Write the pictures, or with `--check` compare them."""
    drawn = draw()
    there = {path.name: path.read_text("utf-8") for path in FOLDER.glob("*.svg")}
    if "--check" in sys.argv[1:]:
        stale = sorted(name for name in drawn.keys() | there.keys() if drawn.get(name) != there.get(name))
        if stale:
            sys.exit(f"screenshots are not current: {', '.join(stale)}; run `make screenshots` and look at them")
        return
    FOLDER.mkdir(exist_ok=True)
    for name in there.keys() - drawn.keys():
        (FOLDER / name).unlink()
    for name, svg in drawn.items():
        (FOLDER / name).write_text(svg, "utf-8", newline="\n")


if __name__ == "__main__":
    main()
