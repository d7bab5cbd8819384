"""Two copies of a log made one: every line of both once, the same bytes whichever side does it.

What both begin with stays as it is; the rest follows by time. What it folds to does not depend on the order.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from store.line import digest
from store.log.parse import MARKERS
from store.log.patches import PREFIX

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_AT = re.compile(rb'"(?:at|time)":"([^"\\]*)"')
_REV = re.compile(rb'^\{"schema":"[\d.]+","id":"[^"\\]+","rev":(\d+)')
_PHASES = {b"proposed": 0, b"applying": 1}
_MARK = re.compile(rb'[{,]"purged":"([0-9a-f]{64})"')
_GONE = b'"(purged)"'


def merge(ours: Iterable[bytes], theirs: Iterable[bytes]) -> list[bytes]:
    """The union of two lists of lines without their newlines. Of a line and what stands for it after a purge, the
    purged one stays. Blank lines, conflict markers and carriage returns are left out.
    """
    sides = [list(dict.fromkeys(_lines(side))) for side in (ours, theirs)]
    shared = 0
    for one, other in zip(*sides, strict=False):
        if one != other:
            break
        shared += 1
    rest = sorted({line for side in sides for line in side[shared:]}, key=_age)
    return _without_words(list(dict.fromkeys([*sides[0][:shared], *rest])))


def settled(raw: bytes) -> bytes:
    """A log as it would come out of a merge with itself: what git or an editor put into it is gone."""
    if b"\r" not in raw and b"\n\n" not in raw and not any(mark in raw for mark in MARKERS) and raw.endswith(b"\n"):
        return raw
    return joined(list(_lines(raw.split(b"\n"))))


def joined(lines: Iterable[bytes]) -> bytes:
    """The bytes of a log with these lines."""
    return b"".join(line + b"\n" for line in lines)


def _lines(raws: Iterable[bytes]) -> Iterator[bytes]:
    for raw in raws:
        line = raw.removesuffix(b"\r")
        if line.strip() and not line.startswith(MARKERS) and line != b"=======":
            yield line


def _age(line: bytes) -> tuple[bytes, int, int, bytes]:
    at, rev, head = _AT.search(line), _REV.match(line), PREFIX.match(line)
    phase = _PHASES.get(head[2], 2) if head else 0
    return (at[1] if at else b"", int(rev[1]) if rev else 0, phase, line)


def _without_words(lines: list[bytes]) -> list[bytes]:
    """Of lines that are the same but for what a purge took, the one that says least."""
    if not any(b'"purged"' in line or b'"patch_id"' in line for line in lines):
        return lines
    chosen: dict[object, bytes] = {}
    for line in lines:
        known = chosen.setdefault(key := _identity(line), line)
        if known != line:
            chosen[key] = max(known, line, key=_silence)
    return list(dict.fromkeys(chosen.values()))


def _identity(line: bytes) -> object:
    """What two forms of one line share: the hash that it answers to, or the head of a line of a patch log."""
    head = PREFIX.match(line)
    if head:
        return head.groups()
    mark = _MARK.search(line)
    return mark[1].decode() if mark else digest(line)


def _silence(line: bytes) -> tuple[int, int, bytes]:
    return (line.count(b'"purged":"') + line.count(_GONE), -len(line), line)
