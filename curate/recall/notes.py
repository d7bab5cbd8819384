"""What people noted by hand, as a block shows it: open items of the scratchpad, and today's log with its decisions."""

from __future__ import annotations

import os

from curate.recall.request import Notes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

LINES = 20
LIMIT = 64 * 1024
"""Bytes of a file that are looked at: of a long day the last."""


def read_notes(root: str, today: str, is_other: Callable[[str], bool] = lambda _: False) -> Notes:
    """Notes of a store on a day; none where there are no files. What was decided in another project stays there:
    `is_other` says it of a project's name.
    """
    scratchpad = [line.strip() for line in _lines(f"{root}/notes/scratchpad.md")]
    daily = [line.strip() for line in _lines(f"{root}/notes/daily/{today}.md", end=True)] if today else []
    daily = [line for line in daily if "#decision" in line and not is_other(_project(line))]
    open_items = [f"- [ ] {_plain(line[5:])}" for line in scratchpad if line.startswith(("- [ ]", "* [ ]"))]
    decisions = [f"- {_plain(line.lstrip('-* '))}" for line in daily]
    return Notes(tuple(open_items[:LINES]), tuple(decisions[-LINES:]))


def _plain(text: str) -> str:
    """A person's line, unable to open a heading, a fence or a tag."""
    from store.index.shown import shown

    return shown(text)


def _project(line: str) -> str:
    """What a line of a day's log names as its project, as `store.notes` writes it; empty where it names none."""
    told = line.lstrip("-* ")
    told = told[6:] if told[2:3] == ":" and told[:2].isdigit() else told
    return told[1:].partition("] ")[0].replace("%5D", "]") if told.startswith("[") and "] " in told else ""


def _lines(path: str, *, end: bool = False) -> list[str]:
    try:
        with open(path, "rb") as file:
            if end:
                file.seek(max(0, file.seek(0, os.SEEK_END) - LIMIT))
            return file.read(LIMIT).decode("utf-8", "replace").splitlines()
    except OSError:
        return []
