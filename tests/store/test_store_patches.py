"""Applying, applying again, undoing and looking back, on real files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from store.captures import CaptureBatch
from store.errors import BadPatch, UnknownId
from store.model import Op
from store.store import NothingToUndo
from tests.store.logkit import (
    SHOP,
    WEB,
    capture,
    everything,
    open_store,
    patch,
    picture,
    read,
    seeded,
    wide_patch,
)  # fmt: skip

if TYPE_CHECKING:
    from pathlib import Path


def files(root: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in root.rglob("*.jsonl")}


def contents(root: Path) -> dict[str, dict[str, Any]]:
    left_out = ("rev", "parent", "patch", "op", "at", "updated_at", "valid_to", "joins")
    state = read(root)
    return {
        ident: {key: value for key, value in versions.data.items() if key not in left_out}
        for folded in (state.records, state.candidates)
        for ident, versions in folded.items()
    }


def test_one_candidate_for_two_projects_becomes_two_records_in_their_own_files(tmp_path: Path) -> None:
    store = seeded(tmp_path)
    change = wide_patch()
    done = store.apply(change, select=everything(change))
    assert all(receipt.applied for receipt in done.receipts)
    assert done.projects_changed == [SHOP, WEB]
    changes = [change for change in done.receipts[0].changes if "memory/projects" in str(change["file"])]
    made = [store.state.records[str(change["id"])] for change in changes]
    assert {versions.data["scope"]["project"] for versions in made} == {SHOP, WEB}
    assert len({versions.data["group"] for versions in made}) == 1
    assert len({versions.head.file for versions in made}) == 2
    assert picture(read(tmp_path)) == picture(store.state)
    assert store.verify() == []


@pytest.mark.parametrize(("settings", "until"), [("", "2026-11-08"), ("review:\n  defer_days: 30\n", "2026-12-01")])
def test_what_is_put_off_comes_back_when_the_settings_say(tmp_path: Path, settings: str, until: str) -> None:
    (tmp_path / "config.yaml").write_text(settings)
    store = seeded(tmp_path)
    ident = next(iter(store.state.candidates))
    later = patch("pat_later", Op(op_id="op_1", op="defer_candidate", target_id=ident))
    foreseen = store.foresee(later)
    store.apply(later, foreseen=foreseen)
    put_off = store.state.candidates[ident].data
    assert put_off["defer_until"][:10] == until
    assert [line.data["defer_until"] for line in foreseen.plan.revisions] == [put_off["defer_until"]]


def test_the_same_patch_again_is_answered_and_writes_nothing(tmp_path: Path) -> None:
    store = seeded(tmp_path)
    change = wide_patch()
    store.apply(change, select=everything(change))
    before = files(tmp_path)
    for again in (store, open_store(tmp_path, start=700)):
        receipts = again.apply(change, select=everything(change)).receipts
        assert [(one.applied, one.reason) for one in receipts] == [(False, "already_applied")] * 4
    assert files(tmp_path) == before


def test_ops_left_out_at_first_can_be_applied_later_by_the_same_patch(tmp_path: Path) -> None:
    store = seeded(tmp_path)
    change = wide_patch()
    first = store.apply(change, select=["op_1", "op_3"])
    assert [one.reason for one in first.receipts] == [None, "not_selected", None, "not_selected"]
    second = open_store(tmp_path, start=700).apply(change, select=everything(change))
    assert [one.reason for one in second.receipts] == ["already_applied", None, "already_applied", None]
    store.refresh()
    (entry,) = [entry for entry in store.history() if entry["patch_id"] == "pat_wide"]
    assert all(receipt["applied"] for receipt in entry["receipts"])
    assert store.verify() == []
    before = contents(tmp_path)
    store.undo("pat_wide")
    assert contents(tmp_path)["mem_seed"] != before["mem_seed"]
    assert store.verify() == []


def test_a_patch_of_which_nothing_can_be_applied_leaves_every_file_as_it_was(tmp_path: Path) -> None:
    store = seeded(tmp_path)
    before = files(tmp_path)
    stale = patch("pat_stale", Op(op_id="op_1", op="pin", target_id="mem_seed", base="0" * 64))
    assert store.apply(stale, select=["op_1"]).receipts[0].reason == "stale"
    with pytest.raises(BadPatch):
        store.apply(wide_patch(), select=["op_9"])
    assert files(tmp_path) == before


def test_undo_gives_back_what_was_and_undo_of_the_undo_gives_the_change_again(tmp_path: Path) -> None:
    store = seeded(tmp_path)
    before = contents(tmp_path)
    change = wide_patch()
    store.apply(change, select=everything(change))
    after = contents(tmp_path)
    undone = store.undo()
    assert all(receipt.applied for receipt in undone.receipts)
    back = contents(tmp_path)
    assert {ident: back[ident] for ident in before} == before
    assert {back[ident]["status"] for ident in back.keys() - before.keys()} == {"deleted"}
    entry = next(entry for entry in store.history() if entry["patch_id"] == "pat_wide")
    assert entry["undone_by"] == undone.patch_id
    store.undo(undone.patch_id)
    assert contents(tmp_path) == after
    entry = next(entry for entry in store.history() if entry["patch_id"] == "pat_wide")
    assert entry["undone_by"] is None
    assert store.verify() == []


def test_undo_without_a_name_goes_back_patch_by_patch(tmp_path: Path) -> None:
    store = seeded(tmp_path)
    pin = patch("pat_pin", Op(op_id="op_1", op="pin", target_id="mem_seed"))
    store.apply(pin, select=["op_1"])
    store.undo()
    assert not store.state.record("mem_seed").pinned
    store.undo()
    assert store.state.record("mem_seed").status == "deleted"
    with pytest.raises(NothingToUndo, match="no patch to undo"):
        store.undo()
    with pytest.raises(UnknownId, match="no patch with id pat_none"):
        store.undo("pat_none")


def test_history_is_newest_first_and_names_what_was_done(tmp_path: Path) -> None:
    store = seeded(tmp_path)
    change = wide_patch()
    store.propose(change)
    store.propose(change)
    assert [entry["patch_id"] for entry in store.history()] == ["pat_seed"]
    store.apply(change, select=everything(change))
    newest, oldest = open_store(tmp_path).history()
    assert (newest["patch_id"], newest["summary"]) == ("pat_wide", "Everything at once")
    assert [op["op"] for op in newest["ops"]] == ["add", "reject_candidate", "pin", "add"]
    assert len(newest["receipts"]) == 4
    assert oldest["patch_id"] == "pat_seed"
    assert store.history(1) == [newest]
    assert [entry["patch_id"] for entry in store.patches_of("mem_seed")] == ["pat_seed", "pat_wide"]


def test_a_capture_between_proposal_and_apply_makes_the_op_stale(tmp_path: Path) -> None:
    store = seeded(tmp_path)
    candidate = next(store.state.waiting())
    base = candidate.head.hash
    change = patch("pat_late", Op(op_id="op_1", op="reject_candidate", target_id=candidate.id, base=base))
    other = open_store(tmp_path, start=300)
    other.capture(CaptureBatch([capture(candidate.data["statement"], turn="t6")]), lambda _one, _state: candidate.id)
    assert store.apply(change, select=["op_1"]).receipts[0].reason == "stale"
