"""The only place where the store changes files: single steps, so that a test can stop the world between any two.

Faults of the disk become `WriteFailed` with the cause; nobody above needs to know an errno.
"""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from typing import TYPE_CHECKING

from store.errors import WriteFailed

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_ADVICE = {
    errno.EROFS: "the disk is mounted read-only; nothing was changed",
    errno.ENOSPC: "the disk is full and nothing was changed; free some space and run again",
    errno.EDQUOT: "your quota is used up and nothing was changed; free some space and run again",
    errno.EFBIG: "the file may not grow (a size limit) and nothing was changed; raise the limit and run again",
    errno.EACCES: "you may not write there and nothing was changed; check the permissions of the store",
    errno.EPERM: "you may not write there and nothing was changed; check the permissions of the store",
}


def refused(path: Path, cause: OSError) -> WriteFailed:
    """The fault of a write that the disk refused, with what a person can do about it."""
    return WriteFailed(path, cause, _ADVICE.get(cause.errno or 0, "nothing was changed; check the disk and run again"))


class Disk:
    """Steps of writing, each durable only after its `fsync`. Raises `WriteFailed`."""

    def append(self, path: Path, data: bytes) -> None:
        """Add bytes at the end of a file, which is made when missing. May stop half-way when the disk refuses."""
        with _reported(path):
            descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | _BINARY, 0o600)
            try:
                view = memoryview(data)
                while view:
                    view = view[os.write(descriptor, view) :]
            finally:
                os.close(descriptor)

    def fsync(self, path: Path) -> None:
        """Make what a file holds durable."""
        with _reported(path):
            try:
                descriptor = os.open(path, os.O_RDWR | _BINARY)
            except PermissionError:  # one that nobody may write, as git's objects
                descriptor = os.open(path, os.O_RDONLY | _BINARY)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)

    def fsync_dir(self, path: Path) -> None:
        """Make the names in a folder durable. Systems that cannot open a folder do it by themselves."""
        if sys.platform == "win32":
            return
        with _reported(path):
            descriptor = os.open(path, os.O_RDONLY)
            try:
                os.fsync(descriptor)
            except OSError as fault:
                if fault.errno not in (errno.EINVAL, errno.ENOTSUP):  # file systems without it
                    raise
            finally:
                os.close(descriptor)

    def truncate(self, path: Path, size: int) -> None:
        """Cut a file to `size` bytes."""
        with _reported(path):
            os.truncate(path, size)

    def remove(self, path: Path) -> None:
        """Delete a file that this very transaction made."""
        with _reported(path):
            path.unlink(missing_ok=True)

    def replace(self, source: Path, target: Path) -> None:
        """Rename a file over another."""
        with _reported(target):
            source.replace(target)

    def make_dir(self, path: Path) -> None:
        """Make one folder; fine when it is there."""
        with _reported(path):
            path.mkdir(mode=0o700, exist_ok=True)


def make_dirs(disk: Disk, path: Path) -> None:
    """Make a folder and those above it, each name durable."""
    missing = []
    while not path.is_dir():
        missing.append(path)
        path = path.parent
    for folder in reversed(missing):
        disk.make_dir(folder)
        disk.fsync_dir(folder.parent)


def draft_of(path: Path) -> Path:
    """Where a file is written before it takes its place: of this process alone, since not all writing is locked."""
    return path.with_name(f"{path.name}.{os.getpid()}.tmp")


def write_whole(disk: Disk, path: Path, data: bytes) -> None:
    """Put a whole file in place of another: temporary file, fsync, rename, fsync of the folder."""
    temporary = draft_of(path)
    make_dirs(disk, path.parent)
    disk.remove(temporary)
    try:
        disk.append(temporary, data)
        disk.fsync(temporary)
        disk.replace(temporary, path)
    except WriteFailed:
        with contextlib.suppress(WriteFailed):
            disk.remove(temporary)
        raise
    disk.fsync_dir(path.parent)


_BINARY: int = getattr(os, "O_BINARY", 0)


@contextlib.contextmanager
def _reported(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as fault:
        raise refused(path, fault) from fault
