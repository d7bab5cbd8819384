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
from typing import TYPE_CHECKING

from store import ids

OWN_HOME = str(Path.home())
KEYS = {"?": "question_mark", "/": "slash", "]": "right_square_bracket"}
MOMENT = datetime(2026, 11, 29, 18, 0, tzinfo=UTC)
_numbers = itertools.count(1)
ids.now = lambda: "2026-11-29T18:00:00.000Z"
ids.new_id = lambda prefix: f"{prefix}_01kb{next(_numbers):022}"
for name in ("NO_COLOR", "COLORTERM", "CURATE_THEME", "CURATE_HOME"):
    os.environ.pop(name, None)
os.environ["TEXTUAL_ANIMATIONS"] = "none"

from curate.capture.capture import scan  # noqa: E402
from curate.demo.build import make  # noqa: E402
from curate.demo.past import remember, tell  # noqa: E402
from curate.tui.app import CurateApp  # noqa: E402
from store.store import Store  # noqa: E402

if TYPE_CHECKING:
    from textual.pilot import Pilot

FOLDER = Path(__file__).parent.parent / "screenshots"
PREFIX = "curate-"
TEMPORARY = "/tmp" if Path("/tmp").is_dir() else None  # noqa: S108 - agents name folders after paths: one of a fixed length
WIDE, USUAL, NARROW = (200, 50), (120, 36), (80, 24)


@dataclass(frozen=True)
class Shot:
    """One picture: what is pressed before it is taken, at which size, in which theme."""

    name: str
    keys: tuple[str, ...] = ()
    size: tuple[int, int] = USUAL
    theme: str = "dark"
    on: str = ""
    """Words of the row that the cursor goes to at last."""


DECIDED = ("]", "a", "]", "a", "a", "x", "a", "s")
"""A group and some single rows decided on."""
STORY = "dont touch the generated files"
"""What the README's first picture is about."""

SHOTS = (
    Shot("review", DECIDED, on=STORY),
    Shot("review-80x24", ("]",), NARROW),
    Shot("review-200x50", DECIDED, WIDE, on=STORY),
    Shot("review-light", DECIDED, theme="light", on=STORY),
    Shot("review-ansi", DECIDED, theme="ansi", on=STORY),
    Shot("noise"),
    Shot("conflicts", ("]", "]", "]")),
    Shot("conflicts-80x24", ("]", "]", "]"), NARROW),
    Shot("filter", ("]", "]", "/", *"tests")),
    Shot("marks", ("]", "]", "space", "j", "space", "j", "j", "V", "j", "j")),
    Shot("edit", ("]", "]", "e")),
    Shot("evidence", ("]", "enter")),
    Shot("preview", (*DECIDED, "p")),
    Shot("preview-80x24", (*DECIDED, "p"), NARROW),
    Shot("told", (*DECIDED, "p", "t")),
    Shot("memory", (*DECIDED, "p", "w", "escape", *["]"] * 3)),
    Shot("record", (*DECIDED, "p", "w", "escape", *["]"] * 3, "enter")),
    Shot("history", (*DECIDED, "p", "w", "escape", "h")),
    Shot("explain", ("H", *["j"] * 6)),
    Shot("explain-funnel", ("H", *["j"] * 5)),
    Shot("explain-spend", ("H", "]", "]", "]")),
    Shot("explain-80x24", ("H",), NARROW),
    Shot("vault", ("O", "j")),
    Shot("audit", ("A",)),
    Shot("upkeep", ("M",)),
    Shot("help", ("?",)),
)

PER_KEY = 3.9
"""Seconds that a person takes for a row, as far as the picture goes."""
REST = 0.15
"""Seconds without a change after which the screen counts as settled."""
PATIENCE = 60.0
"""Seconds after which a picture is given up."""


async def picture(root: Path, shot: Shot) -> str:
    """The app as it looks after the keys of a shot."""
    seconds = 0.0
    app = CurateApp(root, demo=True, theme=shot.theme, watch=None, clock=lambda: seconds, today=lambda: MOMENT)
    async with app.run_test(size=shot.size) as pilot:
        await app.ready()
        await at_rest(pilot)
        for key in shot.keys:
            seconds += PER_KEY
            await pilot.press(KEYS.get(key, key))
            await pilot.pause()
            await app.workers.wait_for_complete()
        if shot.on:
            rows = app.session.queue.rows.values()
            app.review.action_go(next(row.key for row in rows if shot.on in row.statement))
        await at_rest(pilot)
        svg = app.export_screenshot(title="curate")
    app.close()
    return svg


async def at_rest(pilot: Pilot[int]) -> None:
    """Wait until nothing on the screen changes any more: cards and previews are made beside it."""
    before, now = "", pilot.app.export_screenshot()
    while before != now:
        await pilot.pause(REST)
        await pilot.app.workers.wait_for_complete()
        before, now = now, pilot.app.export_screenshot()


def settled(name: str, svg: str, folder: Path) -> str:
    """The picture without what differs from run to run, and with its blanks wherever it is viewed. A path of this
    machine in it is a fault.
    """
    random = folder.name.removeprefix(PREFIX)
    for trace in (random, random.replace("_", "-")):
        svg = svg.replace(trace, "0" * len(trace))
    svg = re.sub(r"terminal-\d+", f"terminal-{name}", svg).replace("<text ", '<text xml:space="preserve" ')
    for trace in (str(folder), os.path.realpath(folder), OWN_HOME):
        if trace in svg:
            sys.exit(f"{name} shows a path of this machine: {trace}")
    return "\n".join(line.rstrip() for line in svg.splitlines()) + "\n"


def draw(shot: Shot) -> str:
    """One picture, from a demo store of its own that was really scanned."""
    global _numbers  # noqa: PLW0603 - each picture counts its ids from one
    _numbers = itertools.count(1)
    with tempfile.TemporaryDirectory(prefix=PREFIX, dir=TEMPORARY) as name:
        folder = Path(name)
        # Paths below the home folder are shown from there.
        os.environ["HOME"] = os.environ["USERPROFILE"] = name
        made = make(folder / "demo")
        remember(made)
        scan(Store.open(made.home, create=True), [made.transcripts])
        tell(made)
        svg = asyncio.run(asyncio.wait_for(picture(made.home, shot), PATIENCE))
        return settled(shot.name, svg, folder)


def main() -> None:
    """Write the pictures, or with `--check` compare them."""
    drawn = {f"{shot.name}.svg": draw(shot) for shot in SHOTS}
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
