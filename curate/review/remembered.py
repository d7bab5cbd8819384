"""Contradictions that were found before, so that an audit compares only where something has changed.

Statements of different places never meet, so what was found in a place stands as long as it holds the same statements.
The file is derived and holds ids and hashes only; a purge removes it with the rest of the index.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from curate.matching.clash import CLASHES
from curate.review.contested import Case, Clashing, cases, clashing, current_by_place
from store.errors import WriteFailed
from store.log.disk import Disk, make_dirs, write_whole

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from importlib.resources.abc import Traversable
    from pathlib import Path

    from curate.matching.pool import Said
    from store.store import Store

FILE = "index/contradictions.json"
MANY = 2000
"""Records of which comparing all takes long enough to be announced."""


def cases_in(store: Store, at: str, tell: Callable[[int], None] = lambda _: None) -> list[Case]:
    """All that is in dispute in a store. `tell` hears how many records are compared, when they are many."""
    path = store.root / FILE
    known, found = _read(path), {}
    by_place = current_by_place(store.state)
    keys = {place: _key(held) for place, held in by_place.items()}
    fresh = [place for place, key in keys.items() if key not in known]
    if (number := sum(len(by_place[place]) for place in fresh)) > MANY:
        tell(number)
    for place, key in keys.items():
        found[key] = known[key] if key in known else clashing(by_place[place])
    if found.keys() != known.keys():
        _write(path, found)
    return cases(store.state, at, [pair for pairs in found.values() for pair in pairs])


def _key(held: Mapping[str, Said]) -> str:
    told = [(ident, said.at, said.text) for ident, said in sorted(held.items())]
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()


@cache
def _version() -> str:
    """A hash of all that decides what contradicts what: code and word lists."""
    seen = hashlib.sha256()
    waiting: list[Traversable] = [files("curate.matching")]
    while waiting:
        for entry in sorted(waiting.pop().iterdir(), key=lambda one: one.name):
            if entry.is_dir():
                waiting += [] if entry.name == "__pycache__" else [entry]
            else:
                seen.update(entry.name.encode() + b"\0" + entry.read_bytes())
    return seen.hexdigest()


def _read(path: Path) -> dict[str, list[Clashing]]:
    """What was found by places; nothing when it cannot be read or was found by other rules."""
    try:
        data: Any = json.loads(path.read_bytes())
        if data["version"] != _version():
            return {}
        return {
            str(key): [(str(one), str(other), str(kind)) for one, other, kind in pairs if kind in CLASHES]
            for key, pairs in data["places"].items()
        }
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return {}


def _write(path: Path, found: Mapping[str, list[Clashing]]) -> None:
    """Keep it for the next time; a disk that takes nothing costs only that."""
    disk, document = Disk(), {"version": _version(), "places": found}
    with contextlib.suppress(WriteFailed):
        make_dirs(disk, path.parent)
        write_whole(disk, path, json.dumps(document).encode() + b"\n")
