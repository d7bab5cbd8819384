"""A log may end anywhere in its last two lines: everything whole is read, the rest is kept aside, writing goes on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from store import layout
from store.captures import CaptureBatch
from store.layout import Layout
from store.log import quarantine
from tests.store.crashing import CrashingDisk
from tests.store.logkit import capture, open_store, read, seeded

if TYPE_CHECKING:
    from pathlib import Path

    from store.store import Store


@pytest.fixture
def inbox(tmp_path: Path) -> tuple[Path, Path]:
    root = tmp_path / "store"
    store = open_store(root)
    store.capture(CaptureBatch([capture("First rule.")]))
    store.capture(CaptureBatch([capture("Zweite Regel: höflich, 😀 日本.", turn="t2")]))
    store.capture(CaptureBatch([capture("Third — the last 👩‍💻.", turn="t3")]))
    return root, root / layout.CANDIDATES


def reopened(root: Path) -> Store:
    return open_store(root, start=900, disk=CrashingDisk())


def offsets_of_the_last_two_lines(data: bytes) -> range:
    end = data.rstrip(b"\n").rfind(b"\n")
    return range(data[:end].rfind(b"\n") + 1, len(data))


def test_a_tail_torn_at_any_byte_loses_only_the_torn_line(inbox: tuple[Path, Path]) -> None:
    root, path = inbox
    whole = path.read_bytes()
    lines = whole.split(b"\n")[:-1]
    ids = list(read(root).candidates)
    evidence = (root / layout.EVIDENCE).read_bytes()
    for offset in offsets_of_the_last_two_lines(whole):
        (root / layout.QUARANTINE).unlink(missing_ok=True)
        (root / layout.EVIDENCE).write_bytes(evidence)
        path.write_bytes(whole[:offset])
        left = whole[:offset].split(b"\n")
        complete = [line for line in lines if line in left]
        assert list(read(root).candidates) == ids[: len(complete)], offset
        store = reopened(root)
        assert list(store.state.candidates) == ids[: len(complete)], offset
        store.capture(CaptureBatch([capture(f"After the tear at {offset}.", turn="t9")]))
        assert len(read(root).candidates) == len(complete) + 1
        assert path.read_bytes().split(b"\n")[: len(complete)] == complete
        torn = left[-1] if left[-1] not in complete else b""
        assert [quarantine.content(entry) for entry in quarantine.entries(Layout(root))] == ([torn] if torn else [])


def test_a_torn_tail_is_reported_until_it_is_moved_to_quarantine(inbox: tuple[Path, Path]) -> None:
    root, path = inbox
    whole = path.read_bytes()
    path.write_bytes(whole[:-20])
    problem = read(root).problems[0]
    assert (problem.file, problem.line) == (layout.CANDIDATES, 3)
    assert problem.offset == whole[:-1].rfind(b"\n") + 1
    entry = quarantine.entries(reopened(root)._reader.paths)[0]
    assert (entry["file"], entry["line"], entry["offset"]) == (layout.CANDIDATES, 3, problem.offset)
    assert entry["reason"] == "torn by a crash"
    assert read(root).problems == []


def test_a_last_line_that_only_lacks_its_newline_is_kept(inbox: tuple[Path, Path]) -> None:
    root, path = inbox
    whole = path.read_bytes()
    path.write_bytes(whole[:-1])
    assert len(read(root).candidates) == 3
    assert read(root).problems == []
    reopened(root)
    assert path.read_bytes() == whole
    assert quarantine.entries(Layout(root)) == []


def test_a_bad_line_in_the_middle_is_copied_once_and_all_others_are_read(inbox: tuple[Path, Path]) -> None:
    root, path = inbox
    lines = path.read_bytes().split(b"\n")
    lines[1:1] = [b'{"schema":"1.0","id":"cand_x", oops', b"\xff\xfe not text", b"[1,2]", b'{"schema":"1.0","id":"y"}']
    path.write_bytes(b"\n".join(lines))
    for _ in range(3):
        store = reopened(root)
        assert len(store.state.candidates) == 3
        assert [problem.line for problem in store.state.problems] == [2, 3, 4, 5]
    entries = quarantine.entries(Layout(root))
    assert [quarantine.content(entry) for entry in entries] == lines[1:5]
    assert [entry["reason"] for entry in entries] == [
        "not valid JSON", "not valid UTF-8 at byte 0", "not a JSON object", "a revision needs `id` and `rev`",
    ]  # fmt: skip


def test_repair_takes_bad_lines_out_of_the_file_and_keeps_them(tmp_path: Path) -> None:
    root = tmp_path / "store"
    seeded(root)
    path = root / layout.CANDIDATES
    good = path.read_bytes()
    path.write_bytes(good.replace(b"\n", b"\nbroken \xff\n", 1))
    store = open_store(root)
    assert [problem.line for problem in store.verify()] == [2]
    assert store.repair() == []
    assert path.read_bytes() == good
    assert [quarantine.content(entry) for entry in quarantine.entries(Layout(root))] == [b"broken \xff"]


def test_a_torn_patch_log_is_cut_and_the_next_patch_stands_on_its_own_line(tmp_path: Path) -> None:
    root = tmp_path / "store"
    seeded(root)
    log = next((root / layout.PATCHES).iterdir())
    whole = log.read_bytes()
    log.write_bytes(whole + whole[: len(whole) // 3])
    store = open_store(root, start=900)
    assert log.read_bytes() == whole
    store.undo()
    assert log.read_bytes().startswith(whole + b'{"schema":"1.0","patch_id":')
    assert open_store(root).verify() == []


@pytest.mark.parametrize("name", [layout.CANDIDATES, layout.EVIDENCE])
def test_a_whole_last_line_that_says_nothing_is_reported_like_any_bad_line(name: str, inbox: tuple[Path, Path]) -> None:
    root, _ = inbox
    with (root / name).open("ab") as file:
        file.write(b'{"schema":"1.0"}')
    assert len(read(root).candidates) == 3
    assert [problem.line for problem in reopened(root).state.problems] == [4]
    assert len(quarantine.entries(Layout(root))) <= 1
    assert [entry["line"] for entry in quarantine.entries(reopened(root)._reader.paths)] == [4]
