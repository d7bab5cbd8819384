"""Lines of a file with their places, read as bytes in bounded memory, whatever their length."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LINE_LIMIT = 16 * 1024 * 1024
"""Bytes of a line that are read whole. Of longer ones only the beginning is kept."""

_HEAD = 64 * 1024
_CHUNK = 1024 * 1024
_BOM = b"\xef\xbb\xbf"


class Line(NamedTuple):
    """One line without its newline."""

    data: bytes
    number: int
    offset: int
    end: int
    """Offset behind its newline."""
    ended: bool
    """It has its newline; the last line of a file that is being written may not."""
    size: int
    """Its real length: more than `len(data)` when only its beginning was kept."""

    @property
    def cut(self) -> bool:
        """Only its beginning was kept."""
        return self.size > len(self.data)


def read_lines(path: Path, offset: int = 0, number: int = 0) -> Iterator[Line]:
    """The lines from `offset` on, where `number` lines lie before it."""
    with path.open("rb", buffering=_CHUNK) as file:
        if offset:
            file.seek(offset)
        while data := file.readline(LINE_LIMIT + 1):
            number += 1
            start = offset
            offset += len(data)
            if data.endswith(b"\n"):
                body = data[:-1]
                yield Line(body[3:] if start == 0 and body.startswith(_BOM) else body, number, start, offset, True, 0)
                continue
            if len(data) <= LINE_LIMIT:
                body = data[3:] if start == 0 and data.startswith(_BOM) else data
                yield Line(body, number, start, offset, False, 0)
                return
            head, ended = data[:_HEAD], False
            del data
            while rest := file.readline(_CHUNK):
                offset += len(rest)
                if ended := rest.endswith(b"\n"):
                    break
            yield Line(head, number, start, offset, ended, offset - start)


def line_at(path: Path, offset: int) -> bytes | None:
    """The line that starts at `offset`, None when it is longer than what is read whole or is not there."""
    try:
        with path.open("rb") as file:
            file.seek(offset)
            data = file.readline(LINE_LIMIT + 1)
    except OSError:
        return None
    return data.removesuffix(b"\n") if data and len(data) <= LINE_LIMIT else None
