"""Lines that could not be read, kept with file, place and reason, so that nothing is lost and nothing is in the way."""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING, Any

from store import layout
from store.line import SCHEMA, canonical, digest
from store.log.disk import Disk, make_dirs

if TYPE_CHECKING:
    from collections.abc import Iterable

    from store.layout import Layout
    from store.log.reader import BadLine


def keep(disk: Disk, paths: Layout, lines: Iterable[BadLine], at: str) -> int:
    """Copy lines to quarantine, each once however often it is met; gives how many were new. Durable on return."""
    lines = list(lines)
    if not lines:
        return 0
    path = paths.path(layout.QUARANTINE)
    known = {(entry.get("file"), entry.get("sha256")) for entry in entries(paths)}
    new = []
    for line in lines:
        key = (line.file, digest(line.raw))
        if key not in known:
            known.add(key)
            new.append(canonical(_entry(line, at)) + b"\n")
    if not new:
        return 0
    fresh = not path.exists()
    make_dirs(disk, path.parent)
    torn = not fresh and not path.read_bytes().endswith(b"\n")
    disk.append(path, (b"\n" if torn else b"") + b"".join(new))
    disk.fsync(path)
    if fresh:
        disk.fsync_dir(path.parent)
    return len(new)


def entries(paths: Layout) -> list[dict[str, Any]]:
    """What is in quarantine, oldest first."""
    try:
        raw = paths.path(layout.QUARANTINE).read_bytes()
    except FileNotFoundError:
        return []
    found = []
    for line in raw.split(b"\n"):
        try:
            data = json.loads(line)
        except ValueError:  # blank, or torn by a crash: its line is still in its own file and comes again
            continue
        if isinstance(data, dict):
            found.append(data)
    return found


def content(entry: dict[str, Any]) -> bytes:
    """The bytes of a quarantined line, as they were."""
    if "base64" in entry:
        return base64.b64decode(entry["base64"])
    return str(entry["text"]).encode("utf-8")


def _entry(line: BadLine, at: str) -> dict[str, Any]:
    head = {"schema": SCHEMA, "at": at, "file": line.file, "line": line.line, "offset": line.offset}
    head |= {"reason": line.reason, "sha256": digest(line.raw)}
    try:
        return {**head, "text": line.raw.decode("utf-8")}
    except UnicodeDecodeError:
        return {**head, "base64": base64.b64encode(line.raw).decode("ascii")}
