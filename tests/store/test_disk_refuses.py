"""A disk that refuses a write: the cause is named, every file is as it was, and reading goes on."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from store.captures import CaptureBatch
from store.errors import HomeIsNotAFolder, StoreLocked, WriteFailed
from store.log import lock
from tests.store.crashing import CrashingDisk
from tests.store.logkit import capture, everything, open_store, picture, read, seeded, wide_patch

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from store.store import Store


def apply(store: Store) -> None:
    patch = wide_patch()
    store.apply(patch, select=everything(patch))


def take_capture(store: Store) -> None:
    store.capture(CaptureBatch([capture("One more rule.", turn="t7")]))


CHANGES = {"patch": apply, "capture": take_capture}


def files(root: Path) -> dict[str, bytes]:
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*.jsonl")}


def mount(*arguments: str) -> None:
    if sys.platform != "linux" or os.geteuid() != 0:
        pytest.skip("only root may mount")
    done = subprocess.run(["mount", *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"mounting is not allowed here: {done.stderr.strip()}")


@contextmanager
def mounted(path: Path, *arguments: str) -> Iterator[Path]:
    mount(*arguments, str(path))
    try:
        yield path
    finally:
        subprocess.run(["umount", "-l", str(path)], check=True)


@pytest.mark.parametrize("name", CHANGES)
def test_a_read_only_disk_is_named_and_reading_works(name: str, tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    with mounted(tmp_path / "disk", "-t", "tmpfs", "-o", "size=4m", "tmpfs") as disk:
        root = disk / "store"
        seeded(root)
        before = files(root)
        mount("-o", "remount,ro", str(disk))
        store = open_store(root)
        assert len(list(store.state.waiting())) == 3
        assert store.verify() == []
        with pytest.raises(WriteFailed, match=r"read-only file system; the disk is mounted read-only"):
            CHANGES[name](store)
        assert files(root) == before


def test_what_a_crash_left_on_a_read_only_disk_is_read_as_if_it_were_finished(tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    with mounted(tmp_path / "disk", "-t", "tmpfs", "-o", "size=4m", "tmpfs") as disk:
        root = disk / "store"
        store = seeded(root)
        take_capture(store)
        log = root / "inbox/candidates.jsonl"
        log.write_bytes(log.read_bytes()[:-30])
        before = files(root)
        mount("-o", "remount,ro", str(disk))
        assert len(list(open_store(root).state.waiting())) == 3
        assert files(root) == before


@pytest.mark.parametrize("name", CHANGES)
def test_a_full_disk_is_named_and_nothing_half_written_stays(name: str, tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    with mounted(tmp_path / "disk", "-t", "tmpfs", "-o", "size=512k", "tmpfs") as disk:
        root = disk / "store"
        store = seeded(root)
        ballast = disk / "ballast"
        ballast.write_bytes(b"x" * (os.statvfs(disk).f_bavail * os.statvfs(disk).f_frsize))
        fill_pages(root)
        before, seen = files(root), picture(store.state)
        with pytest.raises(WriteFailed, match=r"no space left on device; the disk is full and nothing was changed"):
            CHANGES[name](store)
        assert files(root) == before
        assert picture(store.state) == seen
        ballast.unlink()
        CHANGES[name](store)
        assert picture(store.state) != seen
        assert open_store(root).verify() == []


def fill_pages(root: Path) -> None:
    """Blank lines up to the end of each file's last page, so that not one more byte has room."""
    for path in root.rglob("*.jsonl"):
        with path.open("ab") as file:
            file.write(b"\n" * (-path.stat().st_size % 4096))


@pytest.mark.parametrize("name", CHANGES)
def test_a_write_cut_off_at_any_size_is_taken_back(name: str, tmp_path: Path) -> None:
    """A limit on the size of files stops writes in their middle; each limit hits another file at another byte."""
    root = tmp_path / "store"
    store = seeded(root)
    before, seen = files(root), picture(store.state)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    refused = 0
    for limit in range(400, 60000, 157):
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hard))
        try:
            CHANGES[name](store)
        except WriteFailed as fault:
            refused += "nothing was changed" in str(fault)
        else:
            break
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        assert files(root) == before
        assert picture(store.state) == picture(read(root)) == seen
    assert refused > 5
    assert picture(read(root)) != seen
    assert open_store(root).verify() == []


def refusing(at: int) -> CrashingDisk:
    """A disk whose step `at` fails with an input/output error, half-way through a write."""

    class Refusing(CrashingDisk):
        def _step(self, name: str, path: Path, act: Callable[[], None], half: Any = None) -> None:
            if len(self.steps) == at:
                self.steps.append(name)
                (half or (lambda: None))()
                raise WriteFailed(path, OSError(5, "Input/output error"), "check the disk")
            super()._step(name, path, act, half)

    return Refusing()


@pytest.mark.parametrize("name", CHANGES)
def test_whichever_step_is_refused_the_files_are_as_they_were(name: str, tmp_path: Path) -> None:
    import shutil

    seeded(tmp_path / "template")
    refused = 0
    for at in range(100):
        root = tmp_path / "store"
        shutil.rmtree(root, ignore_errors=True)
        shutil.copytree(tmp_path / "template", root)
        before = {key: value for key, value in files(root).items() if value}
        store = open_store(root, start=500, disk=refusing(at))
        try:
            CHANGES[name](store)
        except WriteFailed:
            refused += 1
        else:
            break
        assert {key: value for key, value in files(root).items() if value} == before, at
        assert picture(store.state) == picture(read(root))
        assert store.verify() == []
    assert refused > 5


def test_a_held_lock_names_who_holds_it(tmp_path: Path) -> None:
    root = tmp_path / "store"
    store = seeded(root)
    impatient = open_store(root, lock_wait=0.05)
    with lock.writing(root, wait=1, clock=lambda: "2026-11-29T12:00:00Z"):
        caught = []

        def write() -> None:
            try:
                take_capture(impatient)
            except StoreLocked as fault:
                caught.append(str(fault))

        thread = threading.Thread(target=write)
        thread.start()
        thread.join()
        assert len(list(open_store(root).state.waiting())) == 3  # readers do not wait
    assert len(caught) == 1
    assert f"locked by process {os.getpid()} (" in caught[0]
    assert "since 2026-11-29T12:00:00Z; waited 0.05 s" in caught[0]
    take_capture(impatient)
    assert store.refresh()


def test_a_home_that_is_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("not a folder")
    with pytest.raises(HomeIsNotAFolder, match="is a file, not a folder"):
        open_store(tmp_path / "home")
    with pytest.raises(HomeIsNotAFolder):
        open_store(tmp_path / "home" / "deeper", create=True)


def test_a_store_that_does_not_exist_reads_as_empty_and_is_made_by_the_first_write(tmp_path: Path) -> None:
    root = tmp_path / "deep" / "store"
    store = open_store(root)
    assert not store.state.candidates
    assert store.verify() == []
    assert not root.exists()
    take_capture(store)
    assert len(read(root).candidates) == 1
