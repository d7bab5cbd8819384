"""Which transcripts there are, in what was named or in the folders of every known agent, and who reads each."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from curate.capture import readers
from store.errors import InputError, PathMissing

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from curate.capture.turns import Reader


class NoTranscripts(InputError):
    """A folder that was named holds no transcript."""

    def __init__(self, path: Path) -> None:
        super().__init__(
            f"{path}: no transcripts of any known agent below this folder; name a transcript or another folder"
        )


class NotATranscript(InputError):
    """A file that was named cannot be read as a transcript."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"{path}: {reason}; known are {', '.join(readers.agents())}")


class UnknownAgent(InputError):
    """No reader has this name."""

    def __init__(self, agent: str) -> None:
        super().__init__(f"--agent {agent}: unknown; known are {', '.join(readers.agents())}")


class Unreadable(InputError):
    """A transcript that was named may not be read."""

    def __init__(self, path: Path, cause: OSError) -> None:
        super().__init__(f"{path}: {(cause.strerror or 'cannot be read').lower()}; check the file and its permissions")


def find_transcripts(
    paths: Sequence[Path], agent: str | None, home: Path, skipped: Counter[str]
) -> Iterator[tuple[Path, Reader, bool]]:
    """Transcripts with their readers, each once; True for a file that was named itself. What is left out is counted, by
    reason. Raises `PathMissing`, `NoTranscripts`, `NotATranscript`, `Unreadable`.
    """
    seen: set[str] = set()
    if not paths:
        places = [
            place for name in ([agent] if agent else readers.agents()) for place in readers.default_folders(name, home)
        ]
        for place in dict.fromkeys(places):
            yield from _once(_below(place, agent, skipped) if place.is_dir() else _one(place, agent, skipped), seen)
        return
    for path in paths:
        if not path.exists():
            raise PathMissing(path)
        if not path.is_dir():
            yield from _once(_named(path, agent, skipped), seen)
            continue
        inside = list(_below(path, agent, skipped))
        if not inside:
            raise NoTranscripts(path)
        yield from _once(inside, seen)


def _named(path: Path, agent: str | None, skipped: Counter[str]) -> Iterator[tuple[Path, Reader, bool]]:
    try:
        reader = readers.reader_for(path, agent)
    except OSError as fault:
        raise Unreadable(path, fault) from fault
    if not isinstance(reader, str):
        yield path, reader, True
    elif path.is_file() and path.stat().st_size == 0:
        skipped["empty file"] += 1
    else:
        raise NotATranscript(path, reader)


def _below(folder: Path, agent: str | None, skipped: Counter[str]) -> Iterator[tuple[Path, Reader, bool]]:
    for path in readers.find(folder):
        yield from _one(path, agent, skipped)


def _one(path: Path, agent: str | None, skipped: Counter[str]) -> Iterator[tuple[Path, Reader, bool]]:
    try:
        reader = readers.reader_for(path, agent)
    except OSError:
        skipped["unreadable file"] += 1
        return
    if isinstance(reader, str):
        skipped[reader] += 1
    else:
        yield path, reader, False


def _once(found: Iterable[tuple[Path, Reader, bool]], seen: set[str]) -> Iterator[tuple[Path, Reader, bool]]:
    for path, reader, named in found:
        real = os.path.realpath(path)
        if real not in seen:
            seen.add(real)
            yield path, reader, named
