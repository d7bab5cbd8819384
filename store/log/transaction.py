"""The one way lines get into the logs: all of a plan or nothing of it.

First the plan becomes durable in a journal (for a patch the patch log, for a capture a file of its own): from then on
it counts. Then its lines go to their files, then the journal says that it is done. A disk that refuses in the middle
leaves every file as it was; a crash leaves a plan that recovery completes.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from store.errors import WriteFailed
from store.log.disk import Disk, make_dirs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from store.layout import Layout
    from store.line import PlannedLine


def commit(
    disk: Disk,
    paths: Layout,
    *,
    journal: str,
    opening: bytes,
    planned: Sequence[PlannedLine],
    closing: bytes | None,
    follow: Callable[[], None] | None = None,
) -> None:
    """Write a plan. Without `closing` the journal is emptied at the end. Raises `WriteFailed`, then nothing changed.

    `follow` does what has to follow the lines (and may fail quietly); a crash in it is recovered like any other.
    """
    undo = _Undo(disk)
    try:
        path = _ready(disk, paths, journal, undo)
        append(disk, path, [opening])
        write_lines(disk, paths, planned, undo)
        if follow is not None:
            follow()
        if closing is None:
            disk.truncate(path, 0)
        else:
            append(disk, path, [closing])
    except WriteFailed:
        undo.run()
        raise


def write_lines(disk: Disk, paths: Layout, planned: Iterable[PlannedLine], undo: _Undo | None = None) -> None:
    """Append lines to their files, one write and one fsync for each file, in the order the files are first named."""
    by_file: dict[str, list[bytes]] = {}
    for line in planned:
        by_file.setdefault(line.file, []).append(line.raw)
    for name, raws in by_file.items():
        append(disk, _ready(disk, paths, name, undo), raws)


def append(disk: Disk, path: Path, raws: Iterable[bytes]) -> None:
    """Append lines to a log, durable on return; the name of a new file too."""
    fresh = not path.exists()
    disk.append(path, b"".join(raw + b"\n" for raw in raws))
    disk.fsync(path)
    if fresh:
        disk.fsync_dir(path.parent)


def append_alone(disk: Disk, paths: Layout, name: str, raw: bytes) -> None:
    """Append a line that needs no transaction. Raises `WriteFailed`, then nothing changed."""
    undo = _Undo(disk)
    try:
        append(disk, _ready(disk, paths, name, undo), [raw])
    except WriteFailed:
        undo.run()
        raise


def _ready(disk: Disk, paths: Layout, name: str, undo: _Undo | None) -> Path:
    """The path of a log whose folder is there and whose size is remembered."""
    path = paths.path(name)
    make_dirs(disk, path.parent)
    if undo is not None:
        undo.remember(path)
    return path


class _Undo:
    """Sizes of files before they were touched. The journal was first, so it is cut last: until then a crash during
    the undoing still finds the whole plan.
    """

    def __init__(self, disk: Disk) -> None:
        self._disk = disk
        self._sizes: dict[Path, int | None] = {}

    def remember(self, path: Path) -> None:
        self._sizes.setdefault(path, path.stat().st_size if path.exists() else None)

    def run(self) -> None:
        for path, size in reversed(self._sizes.items()):
            if not path.exists():
                continue
            with contextlib.suppress(WriteFailed):  # the first refusal is the one to report
                if size is None:
                    self._disk.remove(path)
                elif path.stat().st_size > size:
                    self._disk.truncate(path, size)
                    self._disk.fsync(path)
