"""What was purged does not come back: not from another machine, not by capture, import, a patch or its undo."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import pytest

from store import layout
from store.captures import Capture, CaptureBatch
from store.exchange.jsonl import plan_import
from store.index.refresh import refreshed
from store.log.stub import GONE
from store.model import Evidence, Op, Scope
from store.patch import purge_patch
from tests.store.logkit import SHOP, capture, open_store, patch, picture, read
from tests.store.purging import EARLIER, SECOND, SECRET, TELLING, furnished, holders

if TYPE_CHECKING:
    from pathlib import Path

    from store.store import Store

LOGS = ("memory", "inbox", "patches", "projects.jsonl")


@pytest.fixture
def purged(tmp_path: Path) -> Store:
    """A purged store in `ours`, beside a copy from before in `theirs`."""
    store = furnished(tmp_path / "ours")
    shutil.copytree(tmp_path / "ours", tmp_path / "theirs")
    purge(store, "mem_secret")
    return store


def purge(store: Store, *ids: str) -> None:
    document = purge_patch(ids, at="2026-11-20T00:00:00Z", new_id=store._new_id)
    store.apply(document, select=[op.op_id for op in document.ops], confirm="purge")


def merged(root: Path, other: Path, *, ours_first: bool) -> None:
    """Every log as git's union makes it."""
    for name in LOGS:
        there = other / name
        for path in sorted(there.rglob("*.jsonl")) if there.is_dir() else [there]:
            ours = root / path.relative_to(other)
            lines = [one.read_bytes().split(b"\n") if one.exists() else [] for one in (ours, path)]
            united = dict.fromkeys(line for side in (lines if ours_first else reversed(lines)) for line in side if line)
            ours.write_bytes(b"".join(line + b"\n" for line in united))


@pytest.mark.parametrize("ours_first", [True, False])
def test_a_merge_that_brings_it_back_is_seen_by_nobody_and_named(
    purged: Store, tmp_path: Path, *, ours_first: bool
) -> None:
    theirs = open_store(tmp_path / "theirs", start=700)
    later = Op(op_id="op_1", op="update", target_id="mem_secret", updates={"statement": "Zanzibar is fine again."})
    theirs.apply(patch("pat_theirs", later), select=["op_1"])
    merged(tmp_path / "ours", tmp_path / "theirs", ours_first=ours_first)
    state = read(tmp_path / "ours")
    assert {one.data["statement"] for one in state.records["mem_secret"].revisions} == {GONE}
    assert {one.data["statement"] for one in state.candidates["cand_secret"].revisions} == {GONE}
    assert (state.evidence["ev_1"]["excerpt"], state.evidence["ev_2"]["excerpt"]) == ("", "")
    assert state.records["mem_living"].data["contested_because"] == GONE
    store = open_store(tmp_path / "ours", start=900)
    problems = [one for one in store.verify() if one.file.endswith(".jsonl")]
    assert {"run `curate purge mem_secret` again", "run `curate purge cand_secret` again"} <= {
        one.mend for one in problems
    }
    assert any(one.file == layout.EVIDENCE for one in problems)
    assert not any(telling in str(problems) for telling in TELLING)
    assert holders(tmp_path / "ours", SECRET)
    purge(store, "mem_secret")
    assert holders(tmp_path / "ours", SECRET, EARLIER, SECOND, "Zanzibar", *TELLING) == []
    assert store.verify() == []
    assert not store.state.records["mem_secret"].forked


def test_two_machines_that_purge_converge(purged: Store, tmp_path: Path) -> None:
    theirs = open_store(tmp_path / "theirs", start=700)
    purge(theirs, "mem_secret")
    for one, other in (("ours", "theirs"), ("theirs", "ours")):
        shutil.copytree(tmp_path / one, tmp_path / f"{one}2")
        merged(tmp_path / f"{one}2", tmp_path / other, ours_first=True)
    first, second = picture(read(tmp_path / "ours2")), picture(read(tmp_path / "theirs2"))
    assert first == second
    assert holders(tmp_path / "ours2", SECRET, *TELLING) == []


def test_capture_does_not_bring_it_back(purged: Store, tmp_path: Path) -> None:
    again = capture(SECRET.upper(), turn="t9", targets=[SHOP])
    old = Capture(again.candidate.model_copy(update={"id": "cand_2", "statement": "Call me about the harbour.",
                                                     "evidence": ["ev_1"]}),
                  [Evidence(id="ev_1", excerpt=f"{SECRET} Call me.", turn="t1")])  # fmt: skip
    beside = capture("Keep the harbour log.", turn="t10")
    neighbour = Capture(beside.candidate, [beside.evidence[0].model_copy(
        update={"excerpt": f"Well. {SECRET} Keep the harbour log."})])  # fmt: skip
    done = purged.capture(CaptureBatch([again, old, neighbour]))
    assert (done.tombstoned, done.known, done.created) == (1, 1, 1)
    assert holders(tmp_path / "ours", SECRET, SECRET.upper(), *TELLING) == []
    assert purged.verify() == []


def test_patches_and_imports_do_not_bring_it_back(purged: Store, tmp_path: Path) -> None:
    place = {"type": "project", "project": SHOP}
    ops = [
        Op(op_id="op_1", op="add", record={"statement": SECRET, "scope": place}),
        Op(op_id="op_2", op="update", target_id="mem_living", updates={"statement": SECRET}),
        Op(op_id="op_3", op="add", candidate_ids=["cand_secret"], updates={"lift_tombstone": True}),
        Op(op_id="op_4", op="resolve_fork", target_id="mem_secret", record={"statement": "else"}),
        Op(op_id="op_5", op="pin", target_id="mem_secret"),
    ]
    done = purged.apply(patch("pat_again", *ops), select=[op.op_id for op in ops])
    assert [receipt.applied for receipt in done.receipts] == [False] * 5
    lines = [
        json.dumps({"id": ident, "statement": SECRET, "scope": place}).encode() for ident in ("mem_secret", "mem_new")
    ]
    found = plan_import(purged.state, lines, patch_id="pat_import", at="2026-11-20T00:00:00Z")
    assert found.updated == []
    purged.apply(found.patch, select=[op.op_id for op in found.patch.ops])
    assert "mem_new" not in purged.state.records
    ops.append(Op(op_id="op_6", op="unpin", target_id="mem_living"))
    ops.append(Op(op_id="op_7", op="add", record={"id": "mem_fine", "statement": "Rest on Sunday.", "scope": place}))
    purged.propose(patch("pat_proposed", *ops))
    done = purged.apply(patch("pat_some", *ops), select=[op.op_id for op in ops])
    assert done.receipts[-1].applied
    assert purged.state.record("mem_living").statement != SECRET
    assert holders(tmp_path / "ours", SECRET, *TELLING) == []
    assert purged.verify() == []


def test_an_undo_that_would_say_it_in_another_record_is_skipped(tmp_path: Path) -> None:
    store = furnished(tmp_path)
    purge_later = "Feed the Quokkas at Marrakesh by noon."
    add = Op(op_id="op_1", op="add", record={"id": "mem_other", "statement": purge_later, "scope": {"type": "global"}})
    store.apply(patch("pat_other", add), select=["op_1"])
    change = Op(op_id="op_1", op="update", target_id="mem_other", updates={"statement": "Feed nobody."})
    store.apply(patch("pat_else", change), select=["op_1"])
    twin = Op(op_id="op_1", op="add", record={"id": "mem_twin", "statement": purge_later, "scope": {"type": "global"}})
    store.apply(patch("pat_twin", twin), select=["op_1"])
    purge(store, "mem_twin")
    assert holders(tmp_path, purge_later, "Quokkas") == []
    undone = store.undo("pat_else")
    assert [receipt.reason for receipt in undone.receipts] == ["tombstoned"]
    assert store.state.record("mem_other").statement == "Feed nobody."
    assert store.verify() == []


def test_a_person_may_say_it_anew(purged: Store) -> None:
    place = {"type": "project", "project": SHOP}
    lift = Op(op_id="op_1", op="add", record={"id": "mem_anew", "statement": SECRET, "scope": place},
              updates={"lift_tombstone": True})  # fmt: skip
    done = purged.apply(patch("pat_anew", lift), select=["op_1"])
    assert [receipt.applied for receipt in done.receipts] == [True]
    assert purged.verify() == []
    purged.undo("pat_anew")
    assert purged.state.record("mem_anew").status == "deleted"
    assert all(not data.get("lifted") for data in purged.state.live_tombstones())
    assert Scope(**place).project == SHOP


def test_the_index_takes_in_nothing_of_what_a_merge_brings_back(purged: Store, tmp_path: Path) -> None:
    theirs = open_store(tmp_path / "theirs", start=700)
    later = Op(op_id="op_1", op="update", target_id="mem_secret", updates={"statement": "Zanzibar is fine again."})
    theirs.apply(patch("pat_theirs", later), select=["op_1"])
    merged(tmp_path / "ours", tmp_path / "theirs", ours_first=True)
    db = refreshed(tmp_path / "ours")
    shown = db.execute("SELECT r.id, b.status FROM record r JOIN bucket b USING (bucket)").fetchall()
    db.close()
    assert dict(shown)["mem_living"] == "contested"
    assert dict(shown).get("mem_secret", "deleted") == "deleted"
    raw = b"".join(path.read_bytes() for path in (tmp_path / "ours" / "index").iterdir())
    assert b"fine again" not in raw.lower()
    assert b"zanzibar" not in raw.lower()
