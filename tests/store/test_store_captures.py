"""Captures become candidates, repetitions evidence; what was read, rejected or deleted before does not come again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from store import layout
from store.captures import CaptureBatch
from store.model import Op
from tests.store.logkit import BUN, PNPM, SHOP, WEB, capture, open_store, patch, project, read, seeded

if TYPE_CHECKING:
    from pathlib import Path

    from store.model import Candidate
    from store.state import State


def same_words(candidate: Candidate, state: State) -> str | None:
    return next((one.id for one in state.waiting() if one.data["statement"] == candidate.statement), None)


def test_a_repetition_adds_evidence_to_the_candidate_it_repeats(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    first = store.capture(CaptureBatch([capture(BUN, turn="t1")]), same_words)
    again = store.capture(CaptureBatch([capture(BUN, turn="t2", confidence=0.9)]), same_words)
    assert (first.created, first.reinforced, again.created, again.reinforced) == (1, 0, 0, 1)
    (versions,) = store.state.waiting()
    candidate = store.state.candidate(versions.id)
    assert len(candidate.evidence) == 2
    assert candidate.trust == "repeated_user_preference"
    assert candidate.confidence == 0.9
    assert [one.op for one in versions.revisions] == ["capture", "reinforce"]
    assert len(store.evidence(candidate.evidence)) == 2


def test_repetitions_within_one_batch_find_each_other(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    done = store.capture(CaptureBatch([capture(BUN, turn=f"t{n}") for n in range(3)]), same_words)
    assert (done.created, done.reinforced) == (1, 2)
    assert len(next(store.state.waiting()).data["evidence"]) == 3
    assert store.verify() == []


def test_a_turn_that_was_read_before_changes_nothing(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    batch = CaptureBatch([capture(BUN), capture(PNPM)], [project(SHOP, "/src/shop")])
    store.capture(batch, same_words)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*.jsonl")}
    done = store.capture(batch, same_words)
    assert (done.known, done.created, done.reinforced) == (2, 0, 0)
    assert {path: path.read_bytes() for path in before} == before


def test_a_turn_that_went_on_holds_in_every_project_it_changed(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    project_scope = {"type": "project"}
    store.capture(CaptureBatch([capture(BUN, scope=project_scope, targets=[])]), same_words)
    for targets in ([SHOP], [SHOP, WEB], [WEB], []):
        scope = {"type": "project", "project": targets[0]} if len(targets) == 1 else project_scope
        done = store.capture(CaptureBatch([capture(BUN, scope=scope, targets=targets)]), same_words)
        assert (done.known, done.created, done.reinforced) == (1, 0, 0)
    (versions,) = store.state.waiting()
    assert [(one.op, one.data.get("targets"), one.data["scope"].get("project")) for one in versions.revisions] == [
        ("capture", None, None),
        ("grow", [SHOP], SHOP),
        ("grow", [SHOP, WEB], None),
    ]
    assert store.verify() == []


def test_what_is_decided_or_holds_everywhere_grows_no_more(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    everywhere = {"type": "global"}
    store.capture(CaptureBatch([capture(BUN, scope={"type": "project"}), capture(PNPM, scope=everywhere)]))
    ident = next(one.id for one in store.state.waiting() if one.data["statement"] == BUN)
    store.apply(patch("pat_no", Op(op_id="op_1", op="reject_candidate", target_id=ident)), select=["op_1"])
    here = {"type": "project", "project": SHOP}
    store.capture(CaptureBatch([capture(text, scope=here, targets=[SHOP]) for text in (BUN, PNPM)]))
    assert [versions.data.get("targets") for versions in store.state.candidates.values()] == [None, None]


def test_evidence_without_its_candidate_does_not_count_as_known(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    store.capture(CaptureBatch([capture(BUN)]))
    (tmp_path / layout.CANDIDATES).write_bytes(b"")
    store = open_store(tmp_path, start=100)
    assert store.capture(CaptureBatch([capture(BUN)])).created == 1
    assert len((tmp_path / layout.EVIDENCE).read_bytes().splitlines()) == 1


def test_what_was_rejected_is_not_waiting_again_until_the_rejection_is_undone(tmp_path: Path) -> None:
    store = seeded(tmp_path)
    ident = next(one.id for one in store.state.waiting() if one.data["statement"] == PNPM)
    store.apply(patch("pat_no", Op(op_id="op_1", op="reject_candidate", target_id=ident)), select=["op_1"])
    waiting = {one.id for one in store.state.waiting()}
    again = store.capture(CaptureBatch([capture("never use PNPM", turn="t8")]), same_words)
    replayed = store.capture(CaptureBatch([capture(PNPM)]), same_words)
    assert (again.tombstoned, again.created) == (1, 0)
    assert (replayed.tombstoned, replayed.created) == (1, 0)
    assert {one.id for one in store.state.waiting()} == waiting
    elsewhere = store.capture(CaptureBatch([capture(PNPM, turn="t9", scope={"type": "project", "project": WEB})]))
    assert elsewhere.created == 1
    store.undo()
    assert store.capture(CaptureBatch([capture("never use PNPM", turn="t8")])).tombstoned == 0


def test_recurrence_never_raises_the_trust_of_what_no_person_said(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    for turn in ("t1", "t2"):
        store.capture(CaptureBatch([capture(BUN, turn=turn, trust="repository_text")]), same_words)
    assert next(store.state.waiting()).data["trust"] == "repository_text"


def test_projects_seen_are_registered_once_and_new_folders_are_added(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    for path in ("/src/shop", "/src/shop", "/work/shop"):
        store.capture(CaptureBatch([], [project(SHOP, path)]))
    assert store.state.project(SHOP).paths == ["/src/shop", "/work/shop"]
    assert len(store.state.projects[SHOP].revisions) == 2


def test_an_open_store_sees_what_another_one_captures(tmp_path: Path) -> None:
    watching = seeded(tmp_path)
    state = watching.state
    assert not watching.refresh()
    open_store(tmp_path, start=100).capture(CaptureBatch([capture("Seen live.", turn="t5")]))
    assert watching.refresh()
    assert not watching.refresh()
    assert "Seen live." in {one.data["statement"] for one in state.waiting()}
    assert watching.state is state


def test_a_store_rewritten_under_an_open_one_is_read_anew(tmp_path: Path) -> None:
    store = seeded(tmp_path)
    path = tmp_path / layout.CANDIDATES
    lines = path.read_bytes().splitlines(keepends=True)
    path.unlink()
    path.write_bytes(b"".join(lines[1:]))
    assert store.refresh()
    assert len(store.state.candidates) == len(lines) - 1
    assert set(store.state.candidates) == set(read(tmp_path).candidates)


def test_a_rehearsal_counts_like_a_capture_and_leaves_no_trace(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    batch = CaptureBatch([capture(BUN, turn="t1"), capture(BUN, turn="t2"), capture(PNPM)], [project(SHOP)])
    rehearsed = [store.rehearse(batch, same_words) for _ in range(2)]
    assert [(one.created, one.reinforced, one.known) for one in rehearsed] == [(2, 1, 0), (0, 0, 3)]
    assert list(tmp_path.rglob("*.jsonl")) == []
    done = store.capture(batch, same_words)
    assert (done.created, done.reinforced, done.known) == (2, 1, 0)
    assert store.verify() == []
