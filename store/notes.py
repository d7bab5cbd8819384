"""What is noted by hand, in Markdown that people edit too: one log a day, and a scratchpad of open items.

A note is one line, so that two machines' notes merge by lines. Notes are no memory: nothing here activates a record.
"""

from __future__ import annotations

import contextlib
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from store.errors import InputError, ReadFailed, WriteFailed
from store.layout import DAILY, SCRATCHPAD, Layout
from store.log import lock
from store.log.disk import Disk, make_dirs, write_whole
from store.project.named import named
from store.secrets import mask
from store.text import clean, one_line, shorten

if TYPE_CHECKING:
    from collections.abc import Iterator

DECISION = "#decision"
LIMIT = 2000
"""Characters kept of one note."""
_PATIENCE = 10.0
_BRACKET = "%5D"
"""How a closing bracket stands in the name of a project."""
_LINE = re.compile(r"[-*] (?:(?P<time>\d\d:\d\d) )?(?:\[(?P<project>[^\]]*)\] )?(?P<text>.*)")
_ITEM = re.compile(r"\s*[-*] \[(?P<mark>[ xX])\] (?P<text>.*)")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")


class EmptyNote(InputError):
    """Nothing was to be noted."""

    def __init__(self) -> None:
        super().__init__("the note is empty; give its text as an argument or on stdin")


class NoSuchItem(InputError):
    """The scratchpad has fewer open items."""

    def __init__(self, number: int, have: int) -> None:
        super().__init__(f"the scratchpad has no open item {number}; it has {have} (see `curate note scratchpad`)")


@dataclass(frozen=True, slots=True)
class DayNote:
    """One line of a day's log."""

    date: str
    time: str | None
    project: str | None
    text: str

    @property
    def decision(self) -> bool:
        """Whether it is marked as one."""
        return DECISION in self.text.split()

    @property
    def bare(self) -> str:
        """What it says without the mark."""
        return " ".join(word for word in self.text.split(" ") if word != DECISION).strip()


def add_daily(root: Path, text: str, *, at: str, project: str | None = None, disk: Disk | None = None) -> Path:
    """Add a line to the log of a day; gives its file. `at` is a moment in RFC 3339, UTC; `project` an id or address.

    Raises `EmptyNote`, `StoreUnusable`.
    """
    said = _plain(text)
    name = (named(project or "") or "").replace("]", _BRACKET)
    where = f"[{name}] " if name or said.startswith("[") else ""
    line = f"- {at[11:16]} {where}{said}"
    path = Layout(root).path(DAILY) / f"{at[:10]}.md"
    _append(root, path, line, disk or Disk())
    return path


def add_item(root: Path, text: str, *, disk: Disk | None = None) -> Path:
    """Add an open item to the scratchpad; gives its file. Raises `EmptyNote`, `StoreUnusable`."""
    path = Layout(root).path(SCRATCHPAD)
    _append(root, path, f"- [ ] {_plain(text)}", disk or Disk())
    return path


def open_items(root: Path) -> list[str]:
    """What the scratchpad holds that is not done, in its order."""
    return [text for _, text in _open(_read(Layout(root).path(SCRATCHPAD)).splitlines())]


def finish_item(root: Path, number: int, *, disk: Disk | None = None) -> str:
    """Mark the open item of that number (from 1) as done; gives its text. Every other byte of the file stays.

    Raises `NoSuchItem`, `StoreUnusable`.
    """
    path = Layout(root).path(SCRATCHPAD)
    with lock.writing(root, wait=_PATIENCE):
        lines = _read(path).splitlines(keepends=True)
        found = list(_open([line.rstrip("\r\n") for line in lines]))
        if not 1 <= number <= len(found):
            raise NoSuchItem(number, len(found))
        index, text = found[number - 1]
        lines[index] = lines[index].replace("[ ]", "[x]", 1)
        write_whole(disk or Disk(), path, "".join(lines).encode("utf-8", "surrogateescape"))
    return text


def daily_notes(root: Path, *, since: str = "", until: str = "9999") -> list[DayNote]:
    """Lines of the logs of days from `since` to `until` (dates, both included), oldest first. Raises `ReadFailed`."""
    folder = Layout(root).path(DAILY)
    days = sorted(path for path in folder.glob("*.md") if _DAY.fullmatch(path.stem)) if folder.is_dir() else []
    return [
        DayNote(path.stem, found["time"], _project(found["project"]), clean(found["text"]).strip())
        for path in days
        if since <= path.stem <= until
        for line in _read(path).splitlines()
        if (found := _LINE.fullmatch(line.strip()))
    ]


def _plain(text: str) -> str:
    """Cleaned, masked, on one line."""
    said = shorten(one_line(mask(clean(text)).text), LIMIT)
    if not said:
        raise EmptyNote
    return said


def _project(noted: str | None) -> str | None:
    """The project that a line names; empty brackets name none, and only keep the text from being taken for one."""
    return clean(noted).replace(_BRACKET, "]").strip() or None if noted else None


def _append(root: Path, path: Path, line: str, disk: Disk) -> None:
    with lock.writing(root, wait=_PATIENCE):
        make_dirs(disk, path.parent)
        before = _read(path)
        start = "\n" if before and not before.endswith("\n") else ""
        try:
            disk.append(path, f"{start}{line}\n".encode())
            disk.fsync(path)
        except WriteFailed:
            with contextlib.suppress(WriteFailed, OSError):  # half a note is worse than none
                disk.truncate(path, len(before.encode("utf-8", "surrogateescape")))
            raise


def _open(lines: list[str]) -> Iterator[tuple[int, str]]:
    for index, line in enumerate(lines):
        found = _ITEM.fullmatch(line)
        if found and found["mark"] == " ":
            yield index, clean(found["text"]).strip()


def _read(path: Path) -> str:
    """The file's text; bytes that are no UTF-8 survive a rewrite."""
    try:
        return path.read_bytes().decode("utf-8", "surrogateescape")
    except FileNotFoundError:
        return ""
    except OSError as fault:
        raise ReadFailed(path, fault) from fault
