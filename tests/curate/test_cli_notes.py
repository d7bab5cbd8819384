"""Notes: a line a day's log or the scratchpad gains, listed again, ticked off, and never more than text."""

from __future__ import annotations

from pathlib import Path

import pytest

from curate.recall.notes import read_notes
from store import notes
from store.errors import ReadFailed, WriteFailed
from store.log.disk import Disk
from store.notes import EmptyNote, NoSuchItem
from store.store import Store
from tests.curate.command import curate, curate_process

AT = "2026-11-29T14:32:10.000Z"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return Store.open(tmp_path / "store", create=True).root


def test_decisions_are_the_marked_lines_of_recent_days_newest_first(root: Path):
    notes.add_daily(root, "#decision canonical JSONL, not Markdown", at="2026-11-28T09:00:00.000Z", project="acme/shop")
    notes.add_daily(root, "looked at #decisions of others", at=AT)
    notes.add_daily(root, "we go with SQLite #decision", at=AT)
    found = [one for one in notes.daily_notes(root) if one.decision]
    assert [(one.date, one.time, one.project, one.bare) for one in found] == [
        ("2026-11-28", "09:00", "acme/shop", "canonical JSONL, not Markdown"),
        ("2026-11-29", "14:32", None, "we go with SQLite"),
    ]
    assert [one.date for one in notes.daily_notes(root, since="2026-11-29")] == ["2026-11-29"] * 2


def test_a_note_is_one_clean_line_without_secrets(root: Path):
    path = notes.add_daily(root, "token ghp_16C7e42F292c6912E7710c838347Ae178B4a\n## Hard Rules\x1b[31m", at=AT)
    assert path.read_text("utf-8") == "- 14:32 token [masked api key] ## Hard Rules\n"
    with pytest.raises(EmptyNote):
        notes.add_daily(root, " \n\u200b", at=AT)


@pytest.mark.parametrize(
    ("given", "noted", "project"),
    [
        ("a]b\n## Hard Rules", "- 14:32 [a%5Db ## Hard Rules] hi\n", "a]b ## Hard Rules"),
        ("https://me:hunter2secret@github.com/acme/shop.git", "- 14:32 [github.com/acme/shop] hi\n",
         "github.com/acme/shop"),
        ("\ud800\x00\u202e", "- 14:32 hi\n", None),
        (None, "- 14:32 hi\n", None),
    ],
)  # fmt: skip
def test_a_project_cannot_open_a_line_nor_bring_a_secret(
    root: Path, given: str | None, noted: str, project: str | None
):
    assert notes.add_daily(root, "hi", at=AT, project=given).read_text("utf-8") == noted
    assert [one.project for one in notes.daily_notes(root)] == [project]


def test_words_in_brackets_are_no_project(root: Path):
    notes.add_daily(root, "[urgent] fix the build #decision", at=AT)
    (one,) = notes.daily_notes(root)
    assert (one.project, one.text) == (None, "[urgent] fix the build #decision")


def test_a_file_that_cannot_be_read_is_named(root: Path):
    (root / "notes" / "daily" / "2026-11-29.md").mkdir(parents=True)
    with pytest.raises(ReadFailed, match=r"2026-11-29\.md"):
        notes.daily_notes(root)


class Full(Disk):
    """Takes half of what is written."""

    def append(self, path: Path, data: bytes) -> None:
        super().append(path, data[: len(data) // 2])
        raise WriteFailed(path, OSError(28, "No space left on device"), "free some space")


def test_on_a_full_disk_no_half_note_is_left(root: Path):
    path = notes.add_daily(root, "the first", at=AT)
    with pytest.raises(WriteFailed):
        notes.add_daily(root, "the second", at=AT, disk=Full())
    assert path.read_text("utf-8") == "- 14:32 the first\n"


def test_of_a_long_day_the_last_decisions_are_told(root: Path):
    path = notes.add_daily(root, "the first #decision", at=AT)
    path.write_text(path.read_text() + "- 15:00 padding of the day\n" * 4000)
    notes.add_daily(root, "the last #decision", at=AT)
    assert [line[-18:] for line in read_notes(str(root), AT[:10]).daily] == ["the last #decision"]


def test_ticking_off_changes_one_mark_and_nothing_else(root: Path):
    path = root / "notes" / "scratchpad.md"
    path.parent.mkdir()
    path.write_bytes("# Mine\r\n\r\n- [x] old\r\n* [ ] écrire\r\n  - [ ] inner".encode())
    notes.add_item(root, "third")
    assert notes.open_items(root) == ["écrire", "inner", "third"]
    assert notes.finish_item(root, 2) == "inner"
    assert path.read_bytes() == "# Mine\r\n\r\n- [x] old\r\n* [ ] écrire\r\n  - [x] inner\n- [ ] third\n".encode()
    with pytest.raises(NoSuchItem, match="no open item 3; it has 2"):
        notes.finish_item(root, 3)


def test_the_commands(tmp_path: Path):
    home = str(tmp_path / "store")
    curate_process("note", "daily", "#decision", "use", "bun", "--project", "github.com/acme/shop", CURATE_HOME=home)
    listed = curate("decisions", "--json", CURATE_HOME=home).json["decisions"]
    assert [(one["project"], one["text"]) for one in listed] == [("github.com/acme/shop", "use bun")]
    curate("note", "scratchpad", "-", CURATE_HOME=home, stdin=b"mend the importer")
    assert curate("note", "scratchpad", "--json", CURATE_HOME=home).json == {"items": ["mend the importer"]}
    assert curate("note", "scratchpad", "--done", "1", "--json", CURATE_HOME=home).json == {"items": []}
    assert curate("note", "daily", "--done", "1", CURATE_HOME=home).fails(2, "--done belongs to the scratchpad")
    assert curate("note", "scratchpad", "x", "--done", "1", CURATE_HOME=home).fails(2, "--done")
    assert curate("decisions", "--days", "99999999", CURATE_HOME=home).fails(2, "--days")
