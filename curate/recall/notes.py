"""What people noted by hand, as a block shows it: open items of the scratchpad, and today's log with its decisions."""

from __future__ import annotations

from curate.recall.request import Notes

LINES = 20
LIMIT = 64 * 1024


def read_notes(root: str, today: str) -> Notes:
    """Notes of a store on a day; none where there are no files."""
    scratchpad = [line.strip() for line in _lines(f"{root}/notes/scratchpad.md")]
    daily = [line.strip() for line in _lines(f"{root}/notes/daily/{today}.md")] if today else []
    open_items = [f"- [ ] {_plain(line[5:])}" for line in scratchpad if line.startswith(("- [ ]", "* [ ]"))]
    decisions = [f"- {_plain(line.lstrip('-* '))}" for line in daily if "#decision" in line]
    return Notes(tuple(open_items[:LINES]), tuple(decisions[-LINES:]))


def _plain(text: str) -> str:
    """A person's line, unable to open a heading, a fence or a tag."""
    from store.index.shown import shown

    return shown(text)


def _lines(path: str) -> list[str]:
    try:
        with open(path, "rb") as file:
            return file.read(LIMIT).decode("utf-8", "replace").splitlines()
    except OSError:
        return []
