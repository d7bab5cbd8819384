"""Stop a purge at any step: once it is decided, the next open finishes it; before that nothing has happened."""

from __future__ import annotations

import errno
import shutil
from pathlib import Path

import pytest

from store import layout
from store.errors import WriteFailed
from store.log.disk import Disk
from store.log.stub import GONE
from store.patch import purge_patch
from tests.store.crashing import Crash, CrashingDisk, points
from tests.store.logkit import counting_ids, open_store, picture, read
from tests.store.purging import EARLIER, SECOND, SECRET, TELLING, furnished, holders

FIRST, SECOND_STRIDE = 17, 29
"""Of the crashes every 17th is crashed again while it is finished, at every 29th place, others for each first crash."""


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("template") / "store"
    furnished(root)
    return root


def copied(template: Path, root: Path) -> Path:
    shutil.rmtree(root, ignore_errors=True)
    shutil.copytree(template, root)
    return root


def purge_on(template: Path, root: Path, disk: Disk) -> Path:
    store = open_store(copied(template, root), start=500, disk=disk)
    document = purge_patch(["mem_secret"], at="2026-11-20T00:00:00Z", new_id=counting_ids(800))
    store.apply(document, select=["op_001"], confirm="purge")
    return root


def decided(root: Path) -> bool:
    """Whether a reader who may write nothing sees it as purged."""
    state = read(root)
    seen = state.records["mem_secret"].data["statement"]
    assert seen in (GONE, SECRET)
    hidden = seen == GONE
    assert all((one.data["statement"] == GONE) == hidden for one in state.records["mem_secret"].revisions)
    return hidden


def left(root: Path) -> list[str]:
    return holders(root, SECRET, EARLIER, SECOND, *TELLING)


def test_every_crash_point_ends_purged_or_as_before(template: Path, tmp_path: Path) -> None:
    before = picture(read(template))
    every = points(lambda disk: purge_on(template, tmp_path / "counted", disk))
    # The end of a step is the beginning of the next; what is not durable is lost at every third place.
    places = (
        [one for one in every[:-2] if one[1:] in {("before", False), ("half", False)}] + every[1::3][::2] + every[-2:]
    )
    assert len({at for at, _, _ in places}) > 80
    outcomes = {True: 0, False: 0}
    for at, when, lossy in places:
        root, place = tmp_path / "crashed", f"step {at}, {when}, lossy {lossy}"
        with pytest.raises(Crash):
            purge_on(template, root, CrashingDisk(at, when, lossy=lossy))
        was = decided(root)
        store = open_store(root, start=900, disk=CrashingDisk())
        assert decided(root) == was, place
        outcomes[was] += 1
        if was:
            assert left(root) == [], place
            assert not (root / layout.PURGING).exists(), place
            assert [one for one in store.verify() if not (lossy and one.file.startswith("rendered/"))] == [], place
        else:
            assert picture(store.state) == before, place
    # Only the steps before the plan of the patch is durable leave it undecided.
    assert 0 < outcomes[False] < 10
    assert outcomes[True] > 150


def test_a_crash_while_a_purge_is_finished_is_finished_too(template: Path, tmp_path: Path) -> None:
    def finish(disk: CrashingDisk) -> None:
        open_store(copied(tmp_path / "crashed", tmp_path / "counted"), start=900, disk=disk)

    places = [one for one in points(lambda disk: purge_on(template, tmp_path / "counted", disk)) if one[1] == "after"]
    for number, (at, when, lossy) in enumerate(places[::FIRST]):
        with pytest.raises(Crash):
            purge_on(template, tmp_path / "crashed", CrashingDisk(at, when, lossy=lossy))
        if not decided(tmp_path / "crashed"):
            continue
        for second in points(finish)[number::SECOND_STRIDE]:
            root = copied(tmp_path / "crashed", tmp_path / "twice")
            with pytest.raises(Crash):
                open_store(root, start=900, disk=CrashingDisk(second[0], second[1], lossy=second[2]))
            open_store(root, start=950, disk=CrashingDisk())
            assert left(root) == [], f"step {at}, then {second}"


class FullDisk(Disk):
    """Refuses to rename one file over another, as a folder without permission does."""

    def __init__(self, name: str) -> None:
        self.name = name

    def replace(self, source: Path, target: Path) -> None:
        if target.name == self.name:
            raise WriteFailed(target, OSError(errno.EACCES, "Permission denied"), "nothing was changed")
        super().replace(source, target)


def test_a_disk_that_refuses_leaves_a_purge_that_goes_on_later(template: Path, tmp_path: Path) -> None:
    root = tmp_path / "store"
    with pytest.raises(WriteFailed, match="not finished"):
        purge_on(template, root, FullDisk("evidence.jsonl"))
    store = open_store(root, start=900, disk=FullDisk("evidence.jsonl"))  # still refused: the store opens all the same
    assert store.state.record("mem_secret").statement == GONE
    assert any(one.file == layout.PURGING for one in store.verify())
    store = open_store(root, start=950)
    assert store.verify() == []
    assert left(root) == []


def test_a_note_without_its_patch_purges_nothing(template: Path, tmp_path: Path) -> None:
    root = copied(template, tmp_path / "store")
    (root / layout.PURGING).write_text(
        '{"schema":"1.0","patch":"pat_x","at":"2026-11-20T00:00:00Z","ids":["mem_secret"]}'
    )
    store = open_store(root, start=900)
    assert store.state.record("mem_secret").statement == SECRET
    assert not (root / layout.PURGING).exists()
