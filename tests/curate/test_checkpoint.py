"""A transcript is read on from where reading stopped, and from its start when it is no longer the same."""

from __future__ import annotations

from pathlib import Path

from curate.capture.checkpoint import Checkpoints
from curate.capture.turns import START, Position
from store.layout import CHECKPOINTS

AGENT = "claude-code"


def file(folder: Path, lines: int, name: str = "s.jsonl", word: str = "line") -> Path:
    path = folder / name
    path.write_bytes(b"".join(f"{word} {n}\n".encode() for n in range(lines)))
    return path


def note(root: Path, path: Path, offset: int | None = None, **touched: list[str]) -> Checkpoints:
    points = Checkpoints(root)
    status = path.stat()
    position = Position(status.st_size if offset is None else offset, 3, {"session": "s"})
    at_end = status if offset is None else None
    points.save([points.make(path, AGENT, position, turn="t1", touched=touched, at_end=at_end)])
    return Checkpoints(root)


def test_a_new_transcript_is_read_from_its_start(tmp_path: Path):
    assert Checkpoints(tmp_path / "store").start(file(tmp_path, 3), AGENT, "append") == ("new", START, None)


def test_what_was_read_is_remembered_with_all_it_needs(tmp_path: Path):
    path = file(tmp_path, 3)
    points = note(tmp_path / "store", path, a=["a/b"])
    fresh, position, known = points.start(path, AGENT, "append")
    assert (fresh, position) == ("unchanged", Position(path.stat().st_size, 3, {"session": "s"}))
    assert known is not None
    assert (known.turn, known.touched) == ("t1", {"a": ["a/b"]})


def test_a_grown_transcript_is_read_on(tmp_path: Path):
    path = file(tmp_path, 3)
    size = path.stat().st_size
    points = note(tmp_path / "store", path)
    with path.open("ab") as more:
        more.write(b"line 3\n")
    assert points.start(path, AGENT, "append")[:2] == ("grown", Position(size, 3, {"session": "s"}))


def test_reading_that_stopped_on_the_way_goes_on_there_though_the_file_did_not_change(tmp_path: Path):
    path = file(tmp_path, 5)
    assert note(tmp_path / "store", path, offset=14).start(path, AGENT, "append")[0] == "grown"


def test_a_rewritten_a_cut_and_a_replaced_transcript_are_read_from_their_start(tmp_path: Path):
    path = file(tmp_path, 30)
    points = note(tmp_path / "store", path)
    data = path.read_bytes()
    for other in (data.replace(b"line 29", b"LINE 29") + b"x\n", data[:40], b"X" + data[1:] + b"x\n", b""):
        path.write_bytes(other)
        assert points.start(path, AGENT, "append")[:2] == ("rewritten", START)


def test_a_change_in_the_middle_of_a_long_file_is_trusted_only_as_far_as_is_compared(tmp_path: Path):
    path = file(tmp_path, 400)
    points = note(tmp_path / "store", path)
    data = path.read_bytes()
    path.write_bytes(data[: len(data) - 50] + b"#" * 50 + b"more\n")
    assert points.start(path, AGENT, "append")[0] == "rewritten"


def test_a_moved_transcript_is_known_by_its_file(tmp_path: Path):
    path = file(tmp_path, 3)
    root = tmp_path / "store"
    points = note(root, path)
    moved = path.rename(tmp_path / "archive.jsonl")
    assert points.start(moved, AGENT, "append")[0] == "unchanged"
    status = moved.stat()
    points.save([points.make(moved, AGENT, Position(status.st_size), turn=None, touched={}, at_end=status)])
    again = file(tmp_path, 2, word="other")
    assert Checkpoints(root).start(again, AGENT, "append")[1] == START
    assert Checkpoints(root).start(moved, AGENT, "append")[0] == "unchanged"


def test_rotation_gives_the_old_name_to_a_new_file(tmp_path: Path):
    path = file(tmp_path, 40)
    points = note(tmp_path / "store", path)
    path.rename(tmp_path / "s.1.jsonl")
    fresh = file(tmp_path, 90, word="fresh")
    assert points.start(fresh, AGENT, "append")[:2] == ("rewritten", START)


def test_a_document_is_read_whole_when_it_changed(tmp_path: Path):
    path = file(tmp_path, 3)
    points = note(tmp_path / "store", path)
    assert points.start(path, AGENT, "rewrite")[0] == "unchanged"
    with path.open("ab") as more:
        more.write(b"line\n")
    assert points.start(path, AGENT, "rewrite")[:2] == ("rewritten", START)


def test_a_database_is_always_asked_again(tmp_path: Path):
    path = file(tmp_path, 3)
    assert note(tmp_path / "store", path).start(path, AGENT, "database")[0] == "grown"


def test_another_reader_starts_anew(tmp_path: Path):
    path = file(tmp_path, 3)
    assert note(tmp_path / "store", path).start(path, "plain", "append")[0] == "new"


def test_a_torn_or_strange_line_costs_only_itself(tmp_path: Path):
    root = tmp_path / "store"
    one, two = file(tmp_path, 3, "one.jsonl"), file(tmp_path, 4, "two.jsonl")
    note(root, one)
    log = root / CHECKPOINTS
    log.write_bytes(log.read_bytes() + b'[]\n{"schema":"9.0"}\n\xff\xfe\n{"path":"/x","agent":"cl')
    note(root, two)
    points = Checkpoints(root)
    assert [points.start(path, AGENT, "append")[0] for path in (one, two)] == ["unchanged", "unchanged"]


def test_the_file_stays_small_however_often_a_transcript_grows(tmp_path: Path):
    root = tmp_path / "store"
    path = file(tmp_path, 1)
    points = Checkpoints(root)
    for number in range(500):
        with path.open("ab") as more:
            more.write(b"x\n")
        status = path.stat()
        position = Position(status.st_size, number)
        points.save([points.make(path, AGENT, position, turn=None, touched={}, at_end=status)])
    assert len((root / CHECKPOINTS).read_bytes().splitlines()) < 250
    assert Checkpoints(root).start(path, AGENT, "append")[0] == "unchanged"


def test_saying_the_same_again_writes_nothing(tmp_path: Path):
    root = tmp_path / "store"
    path = file(tmp_path, 3)
    note(root, path)
    before = (root / CHECKPOINTS).stat().st_mtime_ns, (root / CHECKPOINTS).read_bytes()
    note(root, path)
    assert ((root / CHECKPOINTS).stat().st_mtime_ns, (root / CHECKPOINTS).read_bytes()) == before


def test_writing_anew_keeps_what_another_process_added(tmp_path: Path):
    root = tmp_path / "store"
    one, two = file(tmp_path, 1, "one.jsonl"), file(tmp_path, 4, "two.jsonl")
    points = Checkpoints(root)
    note(root, two)
    for number in range(400):
        with one.open("ab") as more:
            more.write(b"x\n")
        status = one.stat()
        position = Position(status.st_size, number)
        points.save([points.make(one, AGENT, position, turn=None, touched={}, at_end=status)])
    assert len((root / CHECKPOINTS).read_bytes().splitlines()) < 250
    assert Checkpoints(root).start(two, AGENT, "append")[0] == "unchanged"


def test_transcripts_in_a_folder_that_holds_a_secret_are_told_apart_and_the_secret_is_not_kept(tmp_path: Path):
    secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
    (tmp_path / secret).mkdir()
    first, second = (file(tmp_path / secret, lines, name) for lines, name in ((3, "a.jsonl"), (9, "b.jsonl")))
    root = tmp_path / "store"
    for path in (first, second):
        note(root, path, **{str(tmp_path / secret): [str(path)]})
    points = Checkpoints(root)
    for path in (first, second):
        path.rename(path.with_suffix(".moved"))  # no longer known by its file alone
        path.write_bytes(path.with_suffix(".moved").read_bytes())
        assert points.start(path, AGENT, "append")[0] == "grown"
    assert secret not in (root / CHECKPOINTS).read_text("utf-8")
