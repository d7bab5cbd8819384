"""After a purge no file says it, the chain still holds, and everything else is as it was."""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING

import pytest

from store import layout
from store.errors import PurgeStays
from store.log.stub import GONE
from store.model import Op
from store.patch import purge_patch
from tests.store.logkit import open_store, patch, read
from tests.store.purging import EARLIER, LIVING, SECOND, SECRET, TELLING, furnished, holders

if TYPE_CHECKING:
    from pathlib import Path

    from store.store import Applied, Store


def purge(store: Store, *ids: str, confirm: str | None = "purge") -> Applied:
    document = purge_patch(ids, at="2026-11-20T00:00:00Z", new_id=store._new_id)
    return store.apply(document, select=[op.op_id for op in document.ops], confirm=confirm)


def test_the_search_finds_every_form(tmp_path: Path) -> None:
    for number, shift in enumerate(("", "x", "xx")):
        (tmp_path / f"b{number}").write_bytes(base64.b64encode(f"{shift}{SECRET} and more".encode()))
    (tmp_path / "escaped").write_text(json.dumps(SECRET))
    (tmp_path / "wide").write_bytes(SECRET.encode("utf-16"))
    assert holders(tmp_path, SECRET) == ["b0", "b1", "b2", "escaped", "wide"]


def test_before_the_purge_it_stands_in_every_kind_of_file(tmp_path: Path) -> None:
    furnished(tmp_path)
    found = holders(tmp_path, SECRET, EARLIER, SECOND, *TELLING)
    folders = {name.split("/")[0] for name in found}
    assert folders >= {"memory", "inbox", "patches", "rendered", "quarantine", "journal", "logs", "notes", "reports",
                       "index", "consolidation.jsonl"}  # fmt: skip


@pytest.mark.parametrize("ident", ["mem_secret"])
def test_no_file_says_it_afterwards(ident: str, tmp_path: Path) -> None:
    store = furnished(tmp_path)
    done = purge(store, ident)
    assert [receipt.applied for receipt in done.receipts] == [True]
    assert holders(tmp_path, SECRET, EARLIER, SECOND, *TELLING) == []
    assert done.purged is not None
    assert done.purged.ids == ["mem_secret", "cand_secret"]
    assert (done.purged.evidence, done.purged.shared) == (["ev_1", "ev_2"], ["ev_4"])
    assert (done.purged.remains, done.purged.by_hand) == ([], [])
    assert not list((tmp_path / "index").iterdir())
    assert not (tmp_path / layout.PURGING).exists()


def test_the_chain_holds_and_the_rest_is_as_it_was(tmp_path: Path) -> None:
    store = furnished(tmp_path)
    before = [(one.hash, one.rev, one.parent) for one in store.revisions("mem_secret").revisions]
    living = store.state.record("mem_living")
    aside = len(list((tmp_path / "quarantine/rendered").iterdir()))
    purge(store, "mem_secret")
    assert store.verify() == []
    after = [(one.hash, one.rev, one.parent) for one in store.revisions("mem_secret").revisions]
    assert after[: len(before)] == before
    assert after[-1][1:] == (4, before[-1][0])
    assert store.state.record("mem_secret").statement == GONE
    kept = store.state.record("mem_living")
    assert (kept.statement, kept.evidence, kept.status) == (LIVING, living.evidence, "contested")
    assert kept.contested_because == GONE
    assert [one.excerpt for one in store.evidence(["ev_3", "ev_4"])] == [
        f"Please: {LIVING}", "Both of these hold from now on."
    ]  # fmt: skip
    assert (tmp_path / "notes/daily/2026-11-01.md").read_text("utf-8") == "# Monday\n\n- bought tea\n"
    assert (tmp_path / "logs/hook.log").read_text("utf-8") == "one fine line\n"
    assert len(list((tmp_path / "quarantine/rendered").iterdir())) == aside
    assert "another line" in (tmp_path / layout.QUARANTINE).read_text("utf-8")
    journal = [json.loads(line) for line in (tmp_path / "journal/s1.jsonl").read_bytes().splitlines()]
    assert [entry["ids"] for entry in journal] == [["mem_secret"], ["mem_living"]]
    assert journal[1]["block"] == LIVING
    patches = {entry["patch_id"]: entry for entry in store.history()}
    assert set(patches) >= {"pat_add", "pat_change", "pat_back", "pat_dispute"}
    assert all(receipt["applied"] for receipt in patches["pat_add"]["receipts"])
    again = open_store(tmp_path, start=900)
    assert again.state.record("mem_secret").status == "deleted"
    assert open_store(tmp_path, start=901).verify() == []


def test_it_needs_the_word(tmp_path: Path) -> None:
    store = furnished(tmp_path)
    files = {path: path.read_bytes() for path in tmp_path.rglob("*.jsonl")}
    done = purge(store, "mem_secret", confirm="yes")
    assert [receipt.reason for receipt in done.receipts] == ["needs_confirmation"]
    assert done.purged is None
    assert {path: path.read_bytes() for path in tmp_path.rglob("*.jsonl")} == files


def test_a_preview_writes_nothing_and_foresees_it_all(tmp_path: Path) -> None:
    store = furnished(tmp_path)
    files = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    foreseen = store.preview_purge(["mem_secret"])
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == files
    done = purge(store, "mem_secret").purged
    assert done is not None
    assert (foreseen.ids, foreseen.evidence, foreseen.shared) == (done.ids, done.evidence, done.shared)
    assert {*done.rewritten, *done.removed} <= {*foreseen.rewritten, *foreseen.removed}


def test_a_waiting_candidate_is_purged_alone(tmp_path: Path) -> None:
    store = furnished(tmp_path)
    from store.captures import CaptureBatch
    from tests.store.logkit import capture

    store.capture(CaptureBatch([capture("Call the harbourmaster Oyelaran first.", ident="cand_new")]))
    purge(store, "cand_new")
    assert holders(tmp_path, "harbourmaster", "Oyelaran") == []
    assert store.state.candidate("cand_new").status == "rejected"
    assert store.state.record("mem_secret").statement == SECRET
    assert store.verify() == []


def test_a_sibling_that_says_the_same_is_named_and_can_be_purged_too(tmp_path: Path) -> None:
    store = furnished(tmp_path)
    twin = Op(
        op_id="op_1",
        op="add",
        record={"id": "mem_twin", "statement": f"{SECRET} Really."},
        targets=["github.com/acme/web"],
    )
    store.apply(patch("pat_twin", twin), select=["op_1"])
    done = purge(store, "mem_secret").purged
    assert done is not None
    assert done.remains == ["mem_twin"]
    assert store.state.record("mem_twin").statement == f"{SECRET} Really."
    assert store.verify() == []
    purge(store, "mem_twin")
    assert holders(tmp_path, SECRET, *TELLING) == []
    assert store.verify() == []


def test_two_purged_at_once_and_one_after_the_other(tmp_path: Path) -> None:
    store = furnished(tmp_path)
    purge(store, "mem_secret", "mem_living", "cand_secret")
    assert holders(tmp_path, SECRET, LIVING, *TELLING) == []
    assert store.verify() == []
    before = len(store.revisions("mem_secret").revisions)
    purge(store, "mem_secret")
    assert len(store.revisions("mem_secret").revisions) == before + 1
    assert store.verify() == []


def test_undo_of_a_purge_is_refused_and_undo_of_others_brings_nothing_back(tmp_path: Path) -> None:
    store = furnished(tmp_path)
    done = purge(store, "mem_secret")
    with pytest.raises(PurgeStays, match="mem_secret"):
        store.undo()
    with pytest.raises(PurgeStays):
        store.undo(done.patch_id)
    for older in ("pat_back", "pat_change", "pat_add"):
        undone = store.undo(older)
        reasons = {receipt.detail for receipt in undone.receipts if not receipt.applied}
        assert any("purged" in str(reason) for reason in reasons), older
    assert store.state.record("mem_secret").status == "deleted"
    assert holders(tmp_path, SECRET, EARLIER, *TELLING) == []
    assert store.verify() == []
    assert next(store.state.live_tombstones())["cause"] == "purged"


def test_the_tombstones_hold_no_words(tmp_path: Path) -> None:
    store = furnished(tmp_path)
    purge(store, "mem_secret")
    marks = [data for data in store.state.live_tombstones() if data["cause"] == "purged"]
    assert {mark["of"] for mark in marks} == {"mem_secret", "cand_secret"}
    allowed = {"schema", "id", "rev", "patch", "op", "at", "fingerprint", "scope", "targets", "cause", "of", "lifted",
               "created_at", "updated_at"}  # fmt: skip
    assert all(set(mark) <= allowed for mark in marks)


def test_git_is_reported(tmp_path: Path) -> None:
    root = tmp_path / "store"
    store = furnished(root)
    (root / ".git").mkdir()
    (root / ".git" / "packed").write_text(SECRET)
    done = purge(store, "mem_secret").purged
    assert done is not None
    assert done.git == str(root / ".git")
    assert (root / ".git" / "packed").read_text() == SECRET


def test_settings_are_left_to_a_person(tmp_path: Path) -> None:
    store = furnished(tmp_path)
    (tmp_path / layout.CONFIG).write_text(f"# {SECRET}\nreview: {{}}\n", "utf-8")
    done = purge(store, "mem_secret").purged
    assert done is not None
    assert done.by_hand == [layout.CONFIG]


def test_another_process_sees_it_go(tmp_path: Path) -> None:
    store = furnished(tmp_path)
    other = open_store(tmp_path, start=700)
    assert other.state.record("mem_secret").statement == SECRET
    purge(store, "mem_secret")
    other.refresh()
    assert other.state.record("mem_secret").statement == GONE
    assert other.history()[0]["summary"].startswith("Purge mem_secret")
    assert SECRET not in str(read(tmp_path).records["mem_secret"].data)
