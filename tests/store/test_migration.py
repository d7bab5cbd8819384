"""Migration works on a copy, survives a crash anywhere, and leaves the store as it was beside the new one."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from store.errors import WriteFailed
from store.layout import VERSION
from store.log.disk import Disk
from store.migration.place import NOTE, MigrationInterrupted, copy_of
from store.migration.run import MigrationFailed, migrate
from store.migration.steps import Step
from store.migration.version import CURRENT, StoreTooNew, StoreTooOld, VersionUnknown, version_of
from store.store import Store
from tests.store.logkit import seeded


class Crash(Exception):
    """The machine went down."""


class Falling(Disk):
    """Goes down at the n-th change of the disk."""

    def __init__(self, after: int) -> None:
        super().__init__()
        self.left = after

    def _tick(self) -> None:
        if self.left == 0:
            raise Crash
        self.left -= 1

    def append(self, path: Path, data: bytes) -> None:
        self._tick()
        super().append(path, data)

    def replace(self, source: Path, target: Path) -> None:
        self._tick()
        super().replace(source, target)

    def remove(self, path: Path) -> None:
        self._tick()
        super().remove(path)


def add_motto(copy: Path, disk: Disk) -> None:
    path = copy / "motto.txt"
    if not path.exists():
        disk.append(path, b"onwards\n")


STEPS = (
    Step(1, "adds a motto", add_motto),
    Step(2, "makes it loud", lambda copy, _disk: (copy / "motto.txt").write_bytes(b"ONWARDS\n") and None),
)


def tree(root: Path) -> dict[str, bytes]:
    return {str(path.relative_to(root)): path.read_bytes() for path in sorted(root.rglob("*"))
            if path.is_file() and not path.name.startswith("store.lock")}  # fmt: skip


def test_a_new_store_says_its_version_and_one_without_is_the_first(tmp_path: Path):
    store = Store.open(tmp_path / "store", create=True)
    assert json.loads((store.root / VERSION).read_bytes()) == {"schema": CURRENT}
    (store.root / VERSION).unlink()
    assert version_of(store.root) == 1
    assert migrate(store.root).steps == []


def test_steps_run_in_order_on_a_copy_and_the_old_store_is_kept(tmp_path: Path):
    root = seeded(tmp_path / "store").root
    before = tree(root)
    told: list[str] = []
    done = migrate(root, steps=STEPS, target=3, progress=told.append)
    assert told == ["copying the store", "adds a motto", "makes it loud"]
    assert (done.before, done.after, done.kept) == (1, 3, tmp_path / "store.version-1")
    assert tree(tmp_path / "store.version-1") == before
    after = tree(root)
    assert (after.pop("motto.txt"), json.loads(after.pop(VERSION))) == (b"ONWARDS\n", {"schema": 3})
    assert after == {name: data for name, data in before.items() if name != VERSION}
    assert not copy_of(root).exists()


def test_a_rehearsal_writes_nothing(tmp_path: Path):
    root = seeded(tmp_path / "store").root
    before = tree(tmp_path)
    assert [step.says for step in migrate(root, steps=STEPS, target=3, dry_run=True).steps] == [
        "adds a motto", "makes it loud",
    ]  # fmt: skip
    assert tree(tmp_path) == before


@pytest.mark.parametrize("after", range(24))
def test_a_crash_anywhere_leaves_a_whole_store_and_the_next_run_ends_it(tmp_path: Path, after: int):
    root = seeded(tmp_path / "store").root
    before = tree(root)
    try:
        migrate(root, steps=STEPS, target=3, disk=Falling(after))
    except Crash:
        pass
    else:
        assert after > 8, "the crash came too late to test anything"
    if root.exists():
        assert tree(root) == before or version_of(root) == 3
    migrate(root, steps=STEPS, target=3)
    assert version_of(root) == 3
    assert tree(root)["motto.txt"] == b"ONWARDS\n"
    assert tree(tmp_path / "store.version-1") == before
    assert not copy_of(root).exists()


def test_what_was_written_meanwhile_is_not_lost(tmp_path: Path):
    root = seeded(tmp_path / "store").root
    with pytest.raises(Crash):
        migrate(root, steps=STEPS, target=3, disk=Falling(5))
    (root / "notes.md").write_text("since then\n")
    migrate(root, steps=STEPS, target=3)
    assert tree(root)["notes.md"] == b"since then\n"


def test_an_unsound_copy_never_takes_the_place_of_the_store(tmp_path: Path):
    root = seeded(tmp_path / "store").root
    before = tree(root)
    breaking = Step(1, "breaks it", lambda copy, _disk: (copy / "memory/global.jsonl").write_bytes(b"{") and None)
    with pytest.raises(MigrationFailed, match=r"stays as it is"):
        migrate(root, steps=[breaking], target=2)
    assert tree(root) == before


def test_a_full_disk_leaves_the_store_as_it_was(tmp_path: Path):
    class Full(Disk):
        def append(self, path: Path, data: bytes) -> None:
            raise WriteFailed(path, OSError(28, "No space left on device"), "make room")

    root = seeded(tmp_path / "store").root
    before = tree(root)
    with pytest.raises(WriteFailed):
        migrate(root, steps=STEPS, target=3, disk=Full())
    assert tree(root) == before


@pytest.mark.parametrize(
    ("says", "fault", "words"),
    [
        (b'{"schema": 99}', StoreTooNew, "the store has version 99"),
        (b'{"schema": 0}', VersionUnknown, "says no version"),
        (b"{", VersionUnknown, "says no version"),
        (b"[]", VersionUnknown, "says no version"),
    ],
)
def test_a_store_that_cannot_be_read_says_so(tmp_path: Path, says: bytes, fault: type[Exception], words: str):
    root = seeded(tmp_path / "store").root
    (root / VERSION).write_bytes(says)
    with pytest.raises(fault, match=words):
        Store.open(root)


def test_an_older_store_names_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    root = seeded(tmp_path / "store").root
    monkeypatch.setattr("store.migration.version.CURRENT", 2)
    with pytest.raises(StoreTooOld, match="run `curate migrate`"):
        Store.open(root)


def test_a_link_to_a_store_stays_one_and_the_store_stays_where_it_is(tmp_path: Path):
    root = seeded(tmp_path / "disk" / "store").root
    (tmp_path / "link").symlink_to(root)
    done = migrate(tmp_path / "link", steps=STEPS, target=3)
    assert done.kept == root.with_name("store.version-1")
    assert (tmp_path / "link").is_symlink()
    assert version_of(root) == version_of(tmp_path / "link") == 3


@pytest.mark.parametrize("given", ["store", "store/.", "store/../store"])
def test_a_relative_name_will_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: str):
    seeded(tmp_path / "store")
    monkeypatch.chdir(tmp_path)
    assert migrate(Path(given), steps=STEPS, target=3).kept == tmp_path / "store.version-1"
    monkeypatch.chdir(tmp_path / "store")
    assert version_of(Path()) == 3
    assert Store.open(Path("/"), create=False).root == Path("/")


class Between(Disk):
    """Somebody writes where the store was, in the moment when it stands aside."""

    def replace(self, source: Path, target: Path) -> None:
        super().replace(source, target)
        if ".version-" in target.name:
            (source / "journal").mkdir(parents=True)
            (source / "journal" / "s.jsonl").write_bytes(b"{}\n")


def test_what_is_written_while_the_store_stands_aside_goes_aside(tmp_path: Path):
    root = seeded(tmp_path / "store").root
    migrate(root, steps=STEPS, target=3, disk=Between())
    assert version_of(root) == 3
    assert (root / "memory").is_dir()
    assert tree(tmp_path / "store.between") == {"journal/s.jsonl": b"{}\n"}


class Dying(Between):
    """And then the machine goes down."""

    def replace(self, source: Path, target: Path) -> None:
        super().replace(source, target)
        if ".version-" in target.name:
            raise Crash


def test_a_store_is_never_taken_for_an_empty_one_after_that(tmp_path: Path):
    root = seeded(tmp_path / "store").root
    with pytest.raises(Crash):
        migrate(root, steps=STEPS, target=3, disk=Dying())
    with pytest.raises(MigrationInterrupted, match="run `curate migrate`"):
        Store.open(root, create=True)
    migrate(root, steps=STEPS, target=3)
    assert version_of(root) == 3
    assert (root / "memory").is_dir()


def test_a_finished_copy_beside_a_store_that_was_deleted_on_purpose_does_not_come_back(tmp_path: Path):
    root = tmp_path / "store"
    copy = copy_of(seeded(root).root)
    shutil.copytree(root, copy)
    (copy / NOTE).write_text('{"finished": true, "kept": "store.version-1"}')
    shutil.rmtree(root)
    assert Store.open(root).state.records == {}
    assert not root.exists()


def test_links_that_lead_nowhere_are_copied_as_they_are(tmp_path: Path):
    root = seeded(tmp_path / "store").root
    (root / "reports").mkdir()
    (root / "reports" / "lost").symlink_to("nowhere")
    migrate(root, steps=STEPS, target=3)
    assert (root / "reports" / "lost").is_symlink()
