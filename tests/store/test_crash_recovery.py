"""Stop the world at any step of a change: afterwards the store is as before it or as after it, never between."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from store.captures import CaptureBatch
from tests.store.crashing import Crash, CrashingDisk, points
from tests.store.logkit import (
    WEB,
    capture,
    everything,
    open_store,
    picture,
    project,
    read,
    seeded,
    wide_patch,
)  # fmt: skip

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from store.log.disk import Disk
    from store.store import Store


STRIDE = 9
"""Of all pairs of crash points every ninth is tried, another ninth for each first crash: all of them take a minute."""


def apply(store: Store) -> None:
    patch = wide_patch()
    store.apply(patch, select=everything(patch), confirm="yes")


def take_captures(store: Store) -> None:
    batch = [capture(f"Captured rule {n} — für Bücher 😀", turn=f"t{n}") for n in range(4)]
    store.capture(CaptureBatch(batch, [project(WEB, "/src/web")]))


def undo(store: Store) -> None:
    store.undo()


CHANGES: dict[str, Callable[[Store], None]] = {"patch": apply, "capture": take_captures, "undo": undo}


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("template") / "store"
    seeded(root)
    return root


def copied(template: Path, root: Path) -> Path:
    shutil.rmtree(root, ignore_errors=True)
    shutil.copytree(template, root)
    return root


def change_on(template: Path, root: Path, change: Callable[[Store], None], disk: Disk) -> Path:
    change(open_store(copied(template, root), start=500, disk=disk))
    return root


@pytest.mark.parametrize("name", CHANGES)
def test_every_crash_point_recovers_to_before_or_after(name: str, template: Path, tmp_path: Path) -> None:
    change = CHANGES[name]
    before = picture(read(template))
    after = picture(read(change_on(template, tmp_path / "clean", change, CrashingDisk())))
    assert before != after
    outcomes = set()
    places = points(lambda disk: change_on(template, tmp_path / "counted", change, disk))
    assert len(places) > 20
    for at, when, lossy in places:
        root = tmp_path / "crashed"
        with pytest.raises(Crash):
            change_on(template, root, change, CrashingDisk(at, when, lossy=lossy))
        place = f"step {at}, {when}, lossy {lossy}"
        seen = picture(read(root))
        assert seen in (before, after), f"a reader sees something between: {place}"
        store = open_store(root, start=900, disk=CrashingDisk())
        assert picture(store.state) == seen, f"recovery decides otherwise than the reader saw: {place}"
        assert picture(read(root)) == seen, place
        # pages are made from the records again and not forced to disk, so only a power cut may cost one
        assert [one for one in store.verify() if not (lossy and one.file.startswith("rendered/"))] == [], place
        outcomes.add(seen == after)
    assert outcomes == {True, False}


@pytest.mark.parametrize("name", CHANGES)
def test_after_recovery_the_change_can_be_made_or_is_known(name: str, template: Path, tmp_path: Path) -> None:
    change = CHANGES[name]
    after = read(change_on(template, tmp_path / "clean", change, CrashingDisk()))
    statuses = {ident: versions.data.get("status") for ident, versions in after.candidates.items()}
    for at, when, lossy in points(lambda disk: change_on(template, tmp_path / "counted", change, disk))[::3]:
        root = tmp_path / "crashed"
        with pytest.raises(Crash):
            change_on(template, root, change, CrashingDisk(at, when, lossy=lossy))
        store = open_store(root, start=500, disk=CrashingDisk())
        done = any(name == "undo" and entry["undoes"] for entry in store.history())
        if not done:
            change(store)
        again = {ident: versions.data.get("status") for ident, versions in store.state.candidates.items()}
        assert again == statuses
        assert len(store.state.evidence) == len(after.evidence)


@pytest.mark.parametrize("name", ["patch", "capture"])
def test_a_crash_during_recovery_is_recovered_too(name: str, template: Path, tmp_path: Path) -> None:
    change = CHANGES[name]
    before = picture(read(template))
    after = picture(read(change_on(template, tmp_path / "clean", change, CrashingDisk())))
    torn = [place for place in points(lambda disk: change_on(template, tmp_path / "counted", change, disk))
            if place[1] == "half" and not place[2]]  # fmt: skip
    crashed = tmp_path / "crashed"

    def recover(disk: CrashingDisk) -> None:
        open_store(copied(crashed, tmp_path / "again"), start=900, disk=disk)

    for number, (at, when, lossy) in enumerate(torn):
        with pytest.raises(Crash):
            change_on(template, crashed, change, CrashingDisk(at, when, lossy=lossy))
        seen = picture(read(crashed))
        places = points(recover)
        for second in places[number % STRIDE :: STRIDE]:
            root = copied(crashed, tmp_path / "twice")
            with pytest.raises(Crash):
                open_store(root, start=900, disk=CrashingDisk(second[0], second[1], lossy=second[2]))
            assert picture(read(root)) == seen
            assert picture(open_store(root, start=950, disk=CrashingDisk()).state) == seen
        assert seen in (before, after)


def test_recovery_writes_the_receipts_of_the_plan_it_completes(template: Path, tmp_path: Path) -> None:
    def steps(disk: CrashingDisk) -> None:
        change_on(template, tmp_path / "counted", apply, disk)

    last = max(at for at, when, _ in points(steps) if when == "half")  # the last write is that of `applied`
    root = tmp_path / "crashed"
    with pytest.raises(Crash):
        change_on(template, root, apply, CrashingDisk(last, "half"))
    store = open_store(root, start=900, disk=CrashingDisk())
    newest = store.history()[0]
    assert newest["patch_id"] == "pat_wide"
    assert all(receipt["applied"] for receipt in newest["receipts"])
    assert [receipt.reason for receipt in store.apply(wide_patch()).receipts] == ["already_applied"] * 4
