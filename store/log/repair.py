"""Mends what needs no decision: unreadable lines leave their file for the quarantine, where nothing of them is lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from store.log.disk import write_whole
from store.log.quarantine import keep
from store.log.verify import read_book

if TYPE_CHECKING:
    from store.layout import Layout
    from store.log.disk import Disk
    from store.log.reader import BadLine


def repair(paths: Layout, disk: Disk, at: str) -> int:
    """Move every unreadable line to quarantine; gives how many. The caller holds the lock. Raises `WriteFailed`.

    The copy is durable before the file is replaced as a whole, so a crash leaves the old file or the new one.
    """
    bad = read_book(paths).bad
    keep(disk, paths, bad, at)
    by_file: dict[str, list[BadLine]] = {}
    for line in bad:
        by_file.setdefault(line.file, []).append(line)
    for name, lines in by_file.items():
        path = paths.path(name)
        data = path.read_bytes()
        for line in sorted(lines, key=lambda one: one.offset, reverse=True):
            data = data[: line.offset] + data[line.offset :].partition(b"\n")[2]
        write_whole(disk, path, data)
    return len(bad)
