"""Commits written through `git fast-import`: one process for any number of them, and no index or hook in between."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from curate.sync.faults import GitFailed
from curate.sync.repository import MAIN

if TYPE_CHECKING:
    from curate.sync.repository import Repository
    from curate.sync.units import Files, Unit


@dataclass(frozen=True, slots=True)
class Merge:
    """The message and files of a commit with two parents."""

    message: str
    at: str
    files: Files
    other: str


def write(repo: Repository, parent: str | None, units: Sequence[Unit | Merge], *, force: bool = False) -> str:
    """Put commits on top of a parent and move the branch to the last one, which is given.

    The branch only moves forward, unless with `force`: a commit that somebody makes meanwhile is not lost. Raises
    `GitFailed`.
    """
    who = "{} <{}>".format(*repo.person()).encode()
    with repo.started("fast-import", "--quiet", *(["--force"] if force else []), "--date-format=raw") as process:
        assert process.stdin is not None
        try:
            for part in _stream(parent, units, who):
                process.stdin.write(part)
            process.stdin.close()
        except BrokenPipeError:
            pass  # it has ended, and says why
        err = process.stderr.read() if process.stderr else b""
        process.wait()
    if process.returncode:
        raise GitFailed("fast-import", next(iter(err.decode("utf-8", "replace").splitlines()), "it gave no reason"))
    made = repo.ref(MAIN)
    assert made is not None
    return made


def _stream(parent: str | None, units: Sequence[Unit | Merge], who: bytes) -> Iterator[bytes]:
    marks: dict[tuple[int, str], int] = {}
    # All forms of one file after each other: git then keeps each as a difference to the one before.
    for name in dict.fromkeys(name for unit in units for name in unit.files):
        for number, unit in enumerate(units):
            data = unit.files.get(name)
            if data is not None:
                marks[number, name] = len(marks) + 1
                yield b"blob\nmark :%d\ndata %d\n" % (len(marks), len(data))
                yield data
                yield b"\n"
    yield b"reset %s\n" % MAIN.encode()
    if parent is not None:
        yield b"from %s\n\n" % parent.encode()
    for number, unit in enumerate(units):
        said = unit.message.encode("utf-8", "replace")
        yield b"commit %s\n" % MAIN.encode()
        yield b"author %s %d +0000\n" % (who, _seconds(unit.at))
        yield b"committer %s %d +0000\ndata %d\n" % (who, _seconds(unit.at), len(said))
        yield said + b"\n"
        if isinstance(unit, Merge):
            yield b"merge %s\n" % unit.other.encode()
        yield from _changes(unit.files, marks, number)
        yield b"\n"


def _changes(files: Mapping[str, bytes | None], marks: Mapping[tuple[int, str], int], number: int) -> Iterator[bytes]:
    for name, data in files.items():
        path = quoted(os.fsencode(name))
        yield b"D %s\n" % path if data is None else b"M 100644 :%d %s\n" % (marks[number, name], path)


def quoted(path: bytes) -> bytes:
    """A path as fast-import takes it."""
    if path.startswith((b'"', b" ")) or b"\n" in path or b"\r" in path:
        return b'"%s"' % path.replace(b"\\", b"\\\\").replace(b'"', b'\\"').replace(b"\n", b"\\n").replace(
            b"\r", b"\\r"
        )
    return path


def _seconds(at: str) -> int:
    try:
        return max(int(datetime.fromisoformat(at).astimezone(UTC).timestamp()), 0)
    except ValueError:
        return 0
