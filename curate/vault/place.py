"""A dossier put into a file: a new one where there is none, else only our block and our keys of the one that is ours.

Nothing is written over a note that is not ours, over an edit inside our block, or over what changed meanwhile.
"""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from curate.vault.note import BrokenNote, Note, parse, with_keys
from store.log.disk import refused
from store.projection.markers import BadMarkers, find, render

if TYPE_CHECKING:
    from pathlib import Path

    from curate.vault.dossier import Dossier

Outcome = Literal["created", "updated", "unchanged", "filed", "taken_over", "edited", "broken"]

REFUSED: frozenset[Outcome] = frozenset({"edited", "broken"})
"""Outcomes that a person has to look at."""


@dataclass(frozen=True, slots=True)
class Placed:
    """What became of a dossier: the path of the note (relative to its folder's root), and why it was left alone."""

    path: str
    outcome: Outcome
    line: int | None = None
    why: str = ""


def renewed(data: bytes, dossier: Dossier) -> tuple[bytes, Placed]:
    """The bytes of our note with the newest dossier in it, and what that makes of it (its path is the caller's)."""
    try:
        note = parse(data)
        block = find(note.text)
    except (BrokenNote, BadMarkers) as fault:
        return data, Placed("", "broken", fault.line, fault.reason)
    if block is None:
        return data, Placed("", "taken_over", None, "our block was taken out, so the note is left to you")
    if block.owner != dossier.record:
        return data, Placed("", "broken", block.line, f"the block belongs to {block.owner}")
    if not block.intact:
        return data, Placed("", "edited", block.line, "the text between our markers was edited")
    try:
        changed = with_keys(note, dossier.keys)
        text = changed.text
        block = find(text)
        assert block is not None
        wanted = render(dossier.record, dossier.lines, newline=changed.newline)
        if block.inner != "".join(f"{line}\n" for line in dossier.lines):
            tail = wanted if text[block.start : block.end].endswith("\n") else wanted.removesuffix(changed.newline)
            text = text[: block.start] + tail + text[block.end :]
    except BrokenNote as fault:
        return data, Placed("", "broken", fault.line, fault.reason)
    made = Note(text, changed.bom).encode()
    return made, Placed("", "unchanged" if made == data else "updated")


def create(path: Path, data: bytes) -> bool:
    """Make a file that must not be there yet; False when it is. Raises `WriteFailed`."""
    temporary = _temporary(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _fill(temporary, data)
        try:
            os.link(temporary, path)
        except FileExistsError:
            return False
        except OSError:  # a file system without hard links
            return _create_plainly(path, data)
    except OSError as fault:
        raise refused(path, fault) from fault
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
    return True


def replace(path: Path, before: bytes, after: bytes) -> bool:
    """Put new bytes in place of those that were read; False when the file changed since. Raises `WriteFailed`."""
    temporary = _temporary(path)
    try:
        mode = path.stat().st_mode & 0o7777
        _fill(temporary, after)
        temporary.chmod(mode)
        if path.read_bytes() != before:
            return False
        temporary.replace(path)
    except OSError as fault:
        raise refused(path, fault) from fault
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
    return True


def _temporary(path: Path) -> Path:
    """Hidden, so that Obsidian does not show it."""
    return path.with_name(f".curate-{os.getpid()}.tmp")


def _fill(path: Path, data: bytes) -> None:
    path.unlink(missing_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _create_plainly(path: Path, data: bytes) -> bool:
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    except FileExistsError:
        return False
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
    return True
