"""The capture that a hook starts: one process at a time for a store, and no turn is missed.

Each leaves a note of what is to be read before it asks for the turn. Whoever has the turn reads until no note is
left, and looks once more after giving the turn back; so whoever finds the turn taken may leave. A note is kept until
what it names has been read: after a crash, a full disk or a broken setting the next turn's end reads that too.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import os
import time
from collections.abc import Callable
from pathlib import Path

from filelock import FileLock, Timeout

from curate.agents.copilot_turn import MARKS
from curate.logfile import FOLDER, append, describe
from store.errors import CurateError
from store.layout import find_root

LEFT = 60.0
"""Seconds after which whoever was leaving a note must have died of it."""
UNTOLD_FOR = 86_400.0
"""Seconds after which a turn will not be told any more."""
PENDING = "pending"
"""Folder of the notes, under the logs: one file for each transcript, holding its path."""
DRAFT = ".draft"
"""Ends the name of a note that is being written."""
BEGUN = ".begun"
"""Ends the name of a note whose transcript is being read, or whose reading came to nothing."""


def main() -> None:
    """Capture one transcript; what goes wrong is a line in the log."""
    parser = argparse.ArgumentParser()
    parser.add_argument("transcript", type=Path)
    parser.add_argument("--home", default=None)
    args = parser.parse_args()
    root = find_root(args.home)
    leave_note(root, args.transcript)
    adopt_left(root, time.time())
    take_turns(root, lambda path: capture(root, path))


def leave_note(root: Path, transcript: Path) -> None:
    """Note that the transcript holds something new."""
    folder = root / FOLDER / PENDING
    folder.mkdir(parents=True, exist_ok=True)
    raw = os.fsencode(transcript)
    name = _named(raw)
    draft = folder / f"{name}.{os.getpid()}{DRAFT}"
    draft.write_bytes(raw)
    draft.replace(folder / name)


def adopt_left(root: Path, now: float) -> None:
    """Make notes of the whole drafts that killed processes left, and remove the others. `now` is in seconds."""
    for draft in _in(root):
        with contextlib.suppress(FileNotFoundError):  # another process was quicker
            if draft.suffix == DRAFT and now - draft.stat().st_mtime > LEFT:
                name = _named(draft.read_bytes())
                if draft.name.startswith(f"{name}."):
                    draft.replace(draft.with_name(name))
                else:
                    draft.unlink()


def take_turns(root: Path, read: Callable[[Path], bool | None]) -> None:
    """Read what the notes name until there are none; leave at once when another process is doing so.

    `read` gives True for a transcript that has to be read again: not now, but when the next turn ends.
    """
    turn = FileLock(root / FOLDER / "capture.lock")
    tried: set[Path] = set()
    while _notes(root):
        try:
            turn.acquire(timeout=0)
        except Timeout:
            return
        try:
            for note in _notes(root):
                # Before reading: what is written from now on leaves a new note.
                begun = note.with_suffix(BEGUN)
                note.replace(begun)
                _read(begun, read)
                tried.add(begun)
            for begun in _begun(root):
                if begun not in tried:
                    tried.add(begun)
                    _read(begun, read)
        finally:
            turn.release()


def capture(root: Path, transcript: Path) -> bool:
    """Scan one transcript into the store; gives whether that has to be tried again.

    Raises nothing: the next transcript has its turn whatever became of this.
    """
    from curate.agents.continuity import hand_over
    from curate.capture.capture import scan
    from curate.recall.building import bring_up_to_date
    from curate.review.by_itself import apply_by_itself
    from store.ids import now
    from store.store import Store

    try:
        store = Store.open(root, create=True)
        apply_by_itself(store, scan(store, [transcript]).candidates)
        hand_over(store, transcript, now())
        bring_up_to_date(root)  # so that the next prompt finds the index as it wants it
        forget_untold(root, time.time())
    except CurateError as fault:
        append(root / FOLDER / "hook.log", f"capture: {fault}")
        return transcript.exists()
    except Exception as fault:  # noqa: BLE001 - nobody watches this process; the log tells
        append(root / FOLDER / "hook.log", f"capture: {describe(fault)}")
    return False


def forget_untold(root: Path, now: float) -> None:
    """Remove marks of turns that were never told: their session ended with no tool call. `now` is in seconds."""
    folder = root / MARKS
    for mark in folder.iterdir() if folder.is_dir() else ():
        if now - mark.stat().st_mtime > UNTOLD_FOR:
            mark.unlink(missing_ok=True)


def _read(begun: Path, read: Callable[[Path], bool | None]) -> None:
    if not read(Path(os.fsdecode(begun.read_bytes()))):
        begun.unlink()


def _named(raw: bytes) -> str:
    """The name of the note about a transcript."""
    return hashlib.sha256(raw).hexdigest()[:16]


def _notes(root: Path) -> list[Path]:
    return [path for path in _in(root) if path.suffix not in {DRAFT, BEGUN}]


def _begun(root: Path) -> list[Path]:
    return [path for path in _in(root) if path.suffix == BEGUN]


def _in(root: Path) -> list[Path]:
    folder = root / FOLDER / PENDING
    return sorted(folder.iterdir()) if folder.is_dir() else []


if __name__ == "__main__":
    main()
