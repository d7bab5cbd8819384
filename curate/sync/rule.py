"""What every file of every commit looks like without what was purged. Each line is looked at once, however many
commits hold it.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from curate.sync.carried import kind_of
from store import layout
from store.log import leftovers, purge
from store.log.stub import GONE

if TYPE_CHECKING:
    from store.gathering import Gathered

_TRAILER = "Curate-"


class Rule:
    """The purge as a function of a file's name and bytes. Pure; it remembers what it has seen."""

    def __init__(self, gathered: Gathered) -> None:
        self._erasing = gathered.erasing
        self.said = gathered.said
        self._clean: dict[str, set[bytes]] = {}
        self._dirty: dict[str, dict[bytes, bytes]] = {}

    def file(self, name: str, raw: bytes) -> bytes | None:
        """What the file holds afterwards; None when nothing of it can stay."""
        if kind_of(name, journal=True) != "log" or name.startswith(("journal/", "knowledge/")):
            return leftovers.cleaned(name, raw, self._erasing.traces, self._erasing.ids)
        if name == layout.TOMBSTONES:
            return raw
        lines = raw.split(b"\n")
        clean, dirty = self._clean.setdefault(name, set()), self._dirty.setdefault(name, {})
        fresh = [line for line in dict.fromkeys(lines) if line and line not in clean and line not in dirty]
        if fresh:
            whole = b"".join(line + b"\n" for line in fresh)
            if self._log(name, whole) == whole:
                clean.update(fresh)
            else:
                self._look(name, fresh, clean, dirty)
        if not dirty or dirty.keys().isdisjoint(lines):
            return raw
        kept = dict.fromkeys(done for line in lines if line and (done := dirty.get(line, line)))
        return b"".join(line + b"\n" for line in kept)

    def message(self, text: str) -> str:
        """A commit's message; its trailers hold ids only and stay."""
        traces = self._erasing.traces
        if not traces.hints(text):
            return text
        lines = text.split("\n")
        if len(lines) > 1 and not any(map(traces.hints, lines)):
            return GONE + "".join(f"\n{line}" for line in lines if line.startswith(_TRAILER)) + "\n"
        return "\n".join(GONE if traces.hints(line) and not line.startswith(_TRAILER) else line for line in lines)

    def _look(self, name: str, fresh: list[bytes], clean: set[bytes], dirty: dict[bytes, bytes]) -> None:
        for line in fresh:
            done = self._log(name, line + b"\n")
            if done == line + b"\n":
                clean.add(line)
            else:
                dirty[line] = done.rstrip(b"\n")

    def _log(self, name: str, raw: bytes) -> bytes:
        path = Path(name)
        if name.startswith(f"{layout.PATCHES}/"):
            return purge.patches(self._erasing, raw, path)
        if name == layout.EVIDENCE:
            return purge.evidence(self._erasing, raw, path)[0]
        return purge.revisions(self._erasing, name, raw, path)
