"""Every other file of a store without what was purged: what was made from the logs, kept aside, sent, or noted down.

Decides only: bytes in, bytes out (or nothing, when the file has to go).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from store import layout
from store.line import canonical
from store.log.stub import GONE
from store.log.traces import Traces, readings

if TYPE_CHECKING:
    from pathlib import Path

INDEX = "index"
"""Folder of what is derived and can be made again."""
GIT = ".git"
REPORTS = "reports/"
"""Folder of dossiers, which are named after what they are about."""
_BY_HAND = frozenset({layout.CONFIG})
"""Files that only a person may change."""
_DRAFTS = (".tmp", ".draft")
_LOCKS = (layout.LOCK, layout.HOLDER)
_MACHINE = (
    "quarantine/",
    "journal/",
    "logs/",
    "inbox/",
    "rendered/",
    "knowledge/",
    layout.CHECKPOINTS,
    "consolidation",
)
"""Files that nobody writes by hand: there a single telling word is enough, since too much gone does no harm."""

Says = Callable[[str], bool]


def names(paths: layout.Layout) -> Iterator[str]:
    """Every file under the root that is neither a log of the store, nor derived, nor git's, in a fixed order."""
    logs = {layout.EVIDENCE, layout.TOMBSTONES, layout.CANDIDATES, layout.PROJECTS, layout.PURGING, *_LOCKS}
    logs |= {*paths.record_files(), *paths.patch_files()}
    for path in sorted(_files(paths.root)):
        name = paths.name(path)
        if name not in logs and path.suffix != ".lock":
            yield name


def cleaned(name: str, raw: bytes, traces: Traces, ids: frozenset[str]) -> bytes | None:
    """What the file is to hold from now on; None when nothing of it can stay."""
    machine = name.startswith(_MACHINE) or name.endswith(_DRAFTS)
    says = traces.hints if machine else traces.echoes
    quarantined = name == layout.QUARANTINE
    if not _in(raw, says) and not (quarantined and any(ident.encode() in raw for ident in ids)):
        return raw
    # A page with a line left out would pass for somebody's edit and be kept aside; it is made again from the records.
    made_again = name.startswith((f"{layout.RENDERED}/", REPORTS))
    if made_again or name.endswith(_DRAFTS) or b"\0" in raw or not _is_text(raw):
        return None
    lines = [_line(line, says, ids if quarantined else frozenset()) for line in raw.splitlines(keepends=True)]
    left = b"".join(line for line in lines if line is not None)
    # What is still found runs over several lines: such a file cannot be mended by leaving lines out.
    return None if _in(left, says) else left


def by_hand(name: str, raw: bytes, traces: Traces) -> bool:
    """Whether a file that is left to a person holds any of it."""
    return name in _BY_HAND and _in(raw, traces.echoes)


def is_by_hand(name: str) -> bool:
    """Whether the file is left to a person."""
    return name in _BY_HAND


def _files(folder: Path) -> Iterator[Path]:
    for path in folder.iterdir():
        if path.is_symlink() or path.name == GIT:
            continue
        if path.is_dir():
            if path.name != INDEX or path.parent != folder:
                yield from _files(path)
        elif path.is_file():
            yield path


def _in(raw: bytes, says: Says) -> bool:
    return any(map(says, readings(raw)))


def _is_text(raw: bytes) -> bool:
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _line(line: bytes, says: Says, ids: frozenset[str]) -> bytes | None:
    """A line as it is, without its words when it is an object, or None when it is a line of text."""
    if not _in(line, says) and not any(ident.encode() in line for ident in ids):
        return line
    try:
        data = json.loads(line)
    except ValueError:
        return None
    if not isinstance(data, dict):
        return None
    if "sha256" in data and "reason" in data:  # quarantine: that it was there stays on record
        data = {key: value for key, value in data.items() if key != "base64"} | {"text": ""}
    fresh = canonical(_silent(data, says)) + b"\n"
    return None if _in(fresh, says) else fresh


def _silent(value: Any, says: Says) -> Any:
    if isinstance(value, str):
        return GONE if _in(value.encode("utf-8", "replace"), says) else value
    if isinstance(value, list):
        return [_silent(item, says) for item in value]
    if isinstance(value, Mapping):
        return {key: _silent(item, says) for key, item in value.items()}
    return value
