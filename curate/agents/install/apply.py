"""Writing what was decided: the receipt first, then each file at one stroke, all of them or none.

A link is written through, so that a dotfile kept elsewhere stays one; a file keeps its permissions.
"""

from __future__ import annotations

import contextlib
import os
import stat
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from curate.agents.install.faults import ChangedMeanwhile, NotAFile, ReadOnly, WriteRefused
from curate.agents.install.plan import Change
from curate.agents.install.receipt import Receipt, backup_path, digest, dump


def look(file: Path) -> bytes | None:
    """What stands in a file, through links; None where there is none. Raises `NotAFile` and `WriteRefused`."""
    try:
        return file.read_bytes()
    except FileNotFoundError:
        return None
    except (IsADirectoryError, NotADirectoryError):
        raise NotAFile(file) from None
    except OSError as fault:
        raise WriteRefused(file, fault) from None


def connect(changes: Sequence[Change], receipt: Receipt, path: Path) -> list[Change]:
    """Write the files and the receipt at `path`; gives the changes with the folders that were made.

    Raises `ReadOnly`, `ChangedMeanwhile` and `WriteRefused`; then nothing is changed.
    """
    _insist(changes)
    made = [replace(change, folders=(*change.folders, *_missing_folders(change.file))) if change.action == "created"
            else change for change in changes]  # fmt: skip
    files = tuple(written for change in made if (written := change.written) is not None)
    old = look(path)
    kept = [each.before for each in files if each.before is not None]
    try:
        for before in kept:
            _write(backup_path(path, before), before, private=True)
        _write(path, dump(replace(receipt, files=files)), private=True)
    except OSError as fault:
        raise WriteRefused(path, fault) from None
    try:
        _carry_out(made, path)
    except BaseException:
        if old is None:
            path.unlink(missing_ok=True)
        else:
            _write(path, old, private=True)
        raise
    _forget_backups(path, kept)
    return made


def disconnect(changes: Sequence[Change], path: Path) -> None:
    """Write the files back and remove the receipt at `path`.

    Raises `ReadOnly`, `ChangedMeanwhile` and `WriteRefused`; then nothing is changed.
    """
    _insist(changes)
    _carry_out(changes, path)
    _forget_backups(path, [])
    path.unlink(missing_ok=True)
    _remove_empty(path.with_suffix(""))
    _remove_empty(path.parent)


def set_aside(change: Change, path: Path) -> Path:
    """Where a file of ours goes that somebody had edited, when it is taken away."""
    return path.parent / "set-aside" / f"{digest(change.now or b'')[:12]}-{change.file.name}"


def _insist(changes: Sequence[Change]) -> None:
    """Raise what can be known to fail before anything is written."""
    for change in changes:
        if change.now == change.after:
            continue
        target = Path(os.path.realpath(change.file))
        if target.exists():
            if not target.is_file():
                raise NotAFile(change.file)
            # Root may write to anything; the person who took the right away meant something by it.
            if not target.stat().st_mode & (stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH) or not os.access(
                target, os.W_OK
            ):
                raise ReadOnly(change.file)
        folder = next(each for each in target.parents if each.exists())
        if not folder.is_dir():
            raise NotAFile(folder)
        if not os.access(folder, os.W_OK | os.X_OK):
            raise ReadOnly(folder)


def _carry_out(changes: Sequence[Change], path: Path) -> None:
    done: list[Change] = []
    try:
        for change in changes:
            if change.now == change.after:
                continue
            _insist_unchanged(change)
            done.append(change)
            if change.edited and change.now is not None:
                _write(set_aside(change, path), change.now, private=True)
            _put(change.file, change.after)
    except OSError as fault:
        _take_back(done)
        raise WriteRefused(done[-1].file, fault) from None
    except BaseException:
        _take_back(done)
        raise
    for change in changes:
        if change.after is None:
            for folder in reversed(change.folders):
                _remove_empty(Path(folder))


def _insist_unchanged(change: Change) -> None:
    if look(change.file) != change.now:
        raise ChangedMeanwhile(change.file)


def _take_back(done: Sequence[Change]) -> None:
    for change in reversed(done):
        try:
            if look(change.file) != change.now:
                _put(change.file, change.now)
        except (OSError, WriteRefused):
            continue  # the first fault is the one to tell
        if change.now is None:
            for folder in reversed(change.folders):
                _remove_empty(Path(folder))


def _put(file: Path, data: bytes | None) -> None:
    if data is None:
        Path(os.path.realpath(file)).unlink(missing_ok=True)
    else:
        _write(Path(os.path.realpath(file)), data)


def _write(target: Path, data: bytes, *, private: bool = False) -> None:
    """Put a whole file in place: a draft beside it, synced, renamed. Raises `OSError`."""
    target.parent.mkdir(parents=True, exist_ok=True, mode=0o700 if private else 0o777)
    try:
        mode = stat.S_IMODE(target.stat().st_mode)
    except FileNotFoundError:
        mode = 0o600 if private else 0o666 & ~_umask()
    descriptor, draft = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".draft", dir=target.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(descriptor)
        Path(draft).chmod(mode)
        Path(draft).replace(target)
    except BaseException:
        Path(draft).unlink(missing_ok=True)
        raise


def _umask() -> int:
    if sys.platform == "win32":
        return 0
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def _missing_folders(file: Path) -> list[str]:
    found = []
    for folder in Path(os.path.realpath(file)).parents:
        if folder.exists():
            break
        found.append(str(folder))
    return found[::-1]


def _forget_backups(path: Path, kept: Sequence[bytes]) -> None:
    folder = path.with_suffix("")
    names = {backup_path(path, before).name for before in kept}
    for each in folder.iterdir() if folder.is_dir() else ():
        if each.name not in names:
            each.unlink(missing_ok=True)


def _remove_empty(folder: Path) -> None:
    with contextlib.suppress(OSError):  # not empty, or gone
        folder.rmdir()
