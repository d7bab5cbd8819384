"""A reader that comes at any moment of a change sees the store before it or after it."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Any

import pytest

from store.captures import CaptureBatch
from store.layout import Layout
from store.log.reader import Reader
from tests.store.crashing import CrashingDisk
from tests.store.logkit import capture, everything, open_store, picture, read, seeded, wide_patch

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from store.store import Store


def apply(store: Store) -> None:
    patch = wide_patch()
    store.apply(patch, select=everything(patch))


def take_captures(store: Store) -> None:
    store.capture(CaptureBatch([capture(f"Rule {n}.", turn=f"t{n}") for n in range(3)]))


CHANGES = {"patch": apply, "capture": take_captures}


class WatchedDisk(CrashingDisk):
    """Lets somebody look before, in the middle of and after every step."""

    def __init__(self, look: Callable[[], None]) -> None:
        super().__init__()
        self._look = look

    def _step(self, name: str, path: Path, act: Callable[[], None], half: Callable[[], None] | None = None) -> None:
        self._look()
        if half is None:
            super()._step(name, path, act, half)
        else:
            size = path.stat().st_size if path.exists() else None
            half()
            self._look()
            if size is None:
                path.unlink()
            else:
                with path.open("r+b") as file:
                    file.truncate(size)
            super()._step(name, path, act, half)
        self._look()


@pytest.mark.parametrize("name", CHANGES)
def test_between_any_two_steps_of_a_writer(name: str, tmp_path: Path) -> None:
    seeded(tmp_path / "store")
    shutil.copytree(tmp_path / "store", tmp_path / "done")
    CHANGES[name](open_store(tmp_path / "done", start=500))
    before, after = picture(read(tmp_path / "store")), picture(read(tmp_path / "done"))
    old_reader = Reader(Layout(tmp_path / "store"))
    old_reader.refresh()
    seen = []

    def look() -> None:
        old_reader.refresh()
        fresh = picture(read(tmp_path / "store"))
        assert fresh in (before, after)
        assert picture(old_reader.state) == fresh
        seen.append(fresh == after)

    CHANGES[name](open_store(tmp_path / "store", start=500, disk=WatchedDisk(look)))
    assert seen == sorted(seen), "once seen, a change stays"
    assert (seen[0], seen[-1]) == (False, True)


class InterruptedReader(Reader):
    """Stops after having read some files, while a writer does its whole work."""

    def __init__(self, paths: Layout, after: int, meanwhile: Callable[[], Any]) -> None:
        super().__init__(paths)
        self._left = after
        self._meanwhile = meanwhile

    def _tail(self, name: str) -> Any:
        if self._left == 0:
            self._meanwhile()
        self._left -= 1
        return super()._tail(name)


@pytest.mark.parametrize("old", [False, True])
def test_a_writer_that_does_all_its_work_while_files_are_read(old: bool, tmp_path: Path) -> None:
    seeded(tmp_path / "template")
    shutil.copytree(tmp_path / "template", tmp_path / "done")
    apply(open_store(tmp_path / "done", start=500))
    before, after = picture(read(tmp_path / "template")), picture(read(tmp_path / "done"))
    seen = []
    for number in range(30):
        root = tmp_path / "store"
        shutil.rmtree(root, ignore_errors=True)
        shutil.copytree(tmp_path / "template", root)
        reader = InterruptedReader(Layout(root), -1, lambda root=root: apply(open_store(root, start=500)))
        if old:
            reader.refresh()
        reader._left = number
        reader.refresh()
        if reader._left >= 0:
            break
        assert picture(reader.state) in (before, after), f"interrupted before file {number}"
        seen.append(picture(reader.state) == after)
        reader.refresh()
        assert picture(reader.state) == after
    assert len(seen) > 5
    assert any(seen)
