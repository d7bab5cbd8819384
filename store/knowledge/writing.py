"""Writes knowledge down: what is known already is not written again, and what is too old, or outrun, goes.

Losing a line costs a second reading of the transcript, so nothing is synced; a torn line is closed by the next write.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from store.knowledge.lines import ENTITIES, FILES, OBSERVATIONS, fold, parse, rank
from store.line import canonical
from store.log import lock
from store.log.disk import Disk, make_dirs, write_whole
from store.log.stub import GONE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from store.knowledge.lines import Item

_PATIENCE = 10.0
_SLACK = 400
"""Outrun lines that a log may hold before it is written anew."""
_FEW = 8
"""Lines up to which looking for each in the log is quicker than taking the log apart."""
_GONE = GONE.encode()
_HEAD = re.compile(rb'^\{"schema":"[\d.]+","id":"([^"\\]+)"', re.MULTILINE)


def add(root: Path, news: Mapping[str, Sequence[Item]], *, disk: Disk | None = None) -> dict[str, list[Item]]:
    """Append to each tier the items that say something new; gives those. Raises `StoreUnusable`."""
    disk = disk or Disk()
    added: dict[str, list[Item]] = {}
    if not any(news.values()):
        return added
    make_dirs(disk, root)
    with lock.writing(root, wait=_PATIENCE):
        for tier, items in news.items():
            path = root / FILES[tier]
            raw = _read(path)
            fresh = _new(tier, items, raw)
            if not fresh:
                continue
            make_dirs(disk, path.parent)
            torn = bool(raw) and not raw.endswith(b"\n")
            disk.append(path, (b"\n" if torn else b"") + b"\n".join(fresh) + b"\n")
            added[tier] = list(fresh.values())
    return added


def sweep(root: Path, oldest: str, *, disk: Disk | None = None) -> int:
    """Drop observations from before a day, and lines that others have outrun when there are many; gives how many went.

    A day without any to drop costs one look at each file. Raises `StoreUnusable`.
    """
    gone = 0
    for tier, name in FILES.items():
        path = root / name
        due = _begins_before(path, oldest) if tier == OBSERVATIONS else False
        if not due and _outrun(_read(path)) <= _SLACK:
            continue
        with lock.writing(root, wait=_PATIENCE):
            lines = _read(path).splitlines()
            kept = _kept(tier, lines, oldest)
            if len(kept) < len(lines):
                write_whole(disk or Disk(), path, b"".join(line + b"\n" for line in kept))
                gone += len(lines) - len(kept)
    return gone


def _new(tier: str, items: Sequence[Item], raw: bytes) -> dict[bytes, Item]:
    """Items that the log has no line of, by their lines, with ids that nothing was purged from."""
    lines = set(raw.splitlines()) if len(items) > _FEW else None
    purged = _purged(tier, raw) if _GONE in raw else set()
    current = fold(tier, raw.splitlines()) if tier == ENTITIES else {}
    fresh: dict[bytes, Item] = {}
    for item in items:
        line = canonical(item)
        if item["id"] in purged or line in fresh:
            continue
        if tier == ENTITIES and _same(current.get(item["id"]), item):
            continue
        known = line in lines if lines is not None else (b"\n" + line + b"\n" in raw or raw.startswith(line + b"\n"))
        if not known:
            fresh[line] = item
    return fresh


def _purged(tier: str, raw: bytes) -> set[str]:
    """Ids of observations that words were purged from: reading the turn again must not bring them back."""
    if tier != OBSERVATIONS:
        return set()
    return {str(data["id"]) for line in raw.splitlines() if _GONE in line and (data := parse(line)) is not None}


def _same(known: Item | None, item: Item) -> bool:
    def content(one: Item) -> str:
        return json.dumps({key: value for key, value in one.items() if key != "at"}, sort_keys=True)

    return known is not None and content(known) == content(item)


def _kept(tier: str, lines: list[bytes], oldest: str) -> list[bytes]:
    best: dict[str, tuple[str, bytes]] = {}
    for line in lines:
        data = parse(line)
        if data is None or tier == OBSERVATIONS and _is_old(line, oldest):
            continue
        own = rank(tier, data, line)
        if own > best.get(data["id"], ("",))[0]:
            best[data["id"]] = (own, line)
    counting = {line for _, line in best.values()}
    return [line for line in dict.fromkeys(lines) if line in counting]


def _is_old(line: bytes, oldest: str) -> bool:
    at = line.find(b'"day":"')
    return at >= 0 and line[at + 7 : at + 17].decode("ascii", "replace") < oldest


def _begins_before(path: Path, oldest: str) -> bool:
    """Whether any of the first lines is too old; old ones stand at the beginning, but for late scans."""
    try:
        with path.open("rb") as file:
            return any(_is_old(line, oldest) for line in file.readlines(64 * 1024))
    except OSError:
        return False


def _outrun(raw: bytes) -> int:
    """How many lines are of an id that another line has too."""
    heads = _HEAD.findall(raw)
    return len(heads) - len(set(heads))


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""
