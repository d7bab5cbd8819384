"""A disk that stops the world at a chosen step, and can lose what was not yet durable."""

from __future__ import annotations

from typing import TYPE_CHECKING

from store.log.disk import Disk

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


class Crash(BaseException):
    """The power went off: nothing in the process runs on, no handler, no clean-up."""


class CrashingDisk(Disk):
    """Counts its steps. At step `at` it stops `when` = before, half-way through (of a write) or after it.

    What is durable is kept in mind here, so the real fsync is left out: it would only cost time.
    """

    def __init__(self, at: int = -1, when: str = "before", *, lossy: bool = False) -> None:
        self.at, self.when, self.lossy = at, when, lossy
        self.steps: list[str] = []
        self._durable: dict[Path, bytes | None] = {}
        self._unnamed: set[Path] = set()

    def append(self, path: Path, data: bytes) -> None:
        half = data[: len(data) // 2]
        self._step("append", path, lambda: super(CrashingDisk, self).append(path, data),
                   lambda: super(CrashingDisk, self).append(path, half))  # fmt: skip

    def fsync(self, path: Path) -> None:
        self._step("fsync", path, lambda: None)
        self._durable[path] = path.read_bytes()

    def fsync_dir(self, path: Path) -> None:
        self._step("fsync_dir", path, lambda: None)
        self._unnamed = {one for one in self._unnamed if one.parent != path}

    def truncate(self, path: Path, size: int) -> None:
        self._step("truncate", path, lambda: super(CrashingDisk, self).truncate(path, size))

    def remove(self, path: Path) -> None:
        self._step("remove", path, lambda: super(CrashingDisk, self).remove(path))

    def replace(self, source: Path, target: Path) -> None:
        self._touch(source)
        self._step("replace", target, lambda: super(CrashingDisk, self).replace(source, target))

    def make_dir(self, path: Path) -> None:
        self._step("make_dir", path, lambda: super(CrashingDisk, self).make_dir(path))

    def _step(self, name: str, path: Path, act: Callable[[], None], half: Callable[[], None] | None = None) -> None:
        here = len(self.steps) == self.at
        self.steps.append(name)
        if name not in ("fsync_dir", "make_dir"):
            self._touch(path)
        if here and self.when == "before":
            self._crash()
        if here and self.when == "half":
            (half or act)()
            self._crash()
        act()
        if here and self.when == "after":
            if name == "fsync":
                self._durable[path] = path.read_bytes()
            self._crash()

    def _touch(self, path: Path) -> None:
        if path not in self._durable:
            self._durable[path] = path.read_bytes() if path.exists() else None
            if not path.exists():
                self._unnamed.add(path)

    def _crash(self) -> None:
        if self.lossy:
            for path, content in self._durable.items():
                if content is None or path in self._unnamed:
                    path.unlink(missing_ok=True)
                else:
                    path.write_bytes(content)
        raise Crash


def points(run: Callable[[CrashingDisk], None]) -> list[tuple[int, str, bool]]:
    """Every place where the steps that `run` takes can be stopped: before, inside and after each; lossy or not."""
    disk = CrashingDisk()
    run(disk)
    found = []
    for number, name in enumerate(disk.steps):
        for when in ("before", "half", "after") if name == "append" else ("before", "after"):
            found += [(number, when, False), (number, when, True)]
    return found
