"""Reading a growing file from where one stopped. Standard library only.

A file that shrank, was replaced, or changed before the point one had read to is told apart from one that only grew.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from store.errors import ReadFailed

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_GUARD = 96
"""Bytes kept from before the offset: when they changed, the file is not the one that was read."""


@dataclass(frozen=True, slots=True)
class Line:
    """One complete line: 1-based number, byte offset, bytes without the line end, and its size with it."""

    number: int
    offset: int
    raw: bytes
    size: int

    @property
    def returned(self) -> bool:
        """True when it ends as on Windows, which git does when nobody tells it not to."""
        return self.size > len(self.raw) + 1


class Rewritten(Exception):
    """The file is not a continuation of what was read."""


class Tail:
    """How far one file has been read."""

    __slots__ = ("_guard", "_seen", "_where", "line_no", "name", "offset", "path", "torn")

    def __init__(self, name: str, path: Path) -> None:
        self.name = name
        self.path = path
        self._where = str(path)
        self.offset = 0
        self.line_no = 0
        self.torn = b""
        """Bytes after the last newline: a write under way, or what a crash left."""
        self._guard = b""
        self._seen: tuple[int, int, int] | None = None

    @property
    def guard(self) -> bytes:
        """Bytes from before the offset: what must still be there when reading goes on."""
        return self._guard

    def resume(self, offset: int, line_no: int, guard: bytes) -> None:
        """Go on from where another reading stopped."""
        self.offset, self.line_no, self._guard = offset, line_no, guard

    def read(self) -> list[Line]:
        """The complete lines that were added since the last call. Raises `Rewritten` and `ReadFailed`."""
        try:
            stat = os.stat(self._where)  # noqa: PTH116 - a store has a file for each project, and each is asked
        except FileNotFoundError:
            if self.offset or self.torn:
                raise Rewritten from None
            return []
        except OSError as fault:
            raise ReadFailed(self.path, fault) from fault
        seen = (stat.st_ino, stat.st_size, stat.st_mtime_ns)
        if seen == self._seen:
            return []
        if stat.st_size < self.offset:
            raise Rewritten
        data = self._read_from(self.offset - len(self._guard))
        if not data.startswith(self._guard):
            raise Rewritten
        self._seen = seen if len(data) - len(self._guard) + self.offset == stat.st_size else None
        return self._take(data, len(self._guard))

    def grow(self, raws: Sequence[bytes]) -> int | None:
        """Count lines as read that this process has just appended under the lock; gives the number of the first.

        None when the file does not end with them; then it has to be read.
        """
        size = sum(map(len, raws)) + len(raws)
        try:
            stat = os.stat(self._where)  # noqa: PTH116 - as above
        except OSError:
            return None
        if self.torn or not raws or stat.st_size != self.offset + size:
            return None
        first = self.line_no + 1
        self.line_no += len(raws)
        self.offset += size
        self._guard = (self._guard + b"\n".join(raws[-_GUARD:]) + b"\n")[-_GUARD:]
        self._seen = (stat.st_ino, stat.st_size, stat.st_mtime_ns)
        return first

    def _read_from(self, start: int) -> bytes:
        try:
            with self.path.open("rb", buffering=0) as file:
                file.seek(start)
                return file.readall() or b""
        except FileNotFoundError:
            raise Rewritten from None
        except OSError as fault:
            raise ReadFailed(self.path, fault) from fault

    def _take(self, data: bytes, start: int) -> list[Line]:
        end = data.rfind(b"\n") + 1
        if end <= start:
            self.torn = data[start:]
            return []
        lines = []
        offset = self.offset
        for number, raw in enumerate(data[start : end - 1].split(b"\n"), self.line_no + 1):
            size = len(raw) + 1
            lines.append(Line(number, offset, raw[:-1] if raw.endswith(b"\r") else raw, size))
            offset += size
        self.line_no += len(lines)
        self.offset = offset
        self.torn = data[end:]
        self._guard = data[max(0, end - _GUARD) : end]
        return lines
