"""What was rejected or deleted does not come back with an import, in whatever format it is brought in."""

from __future__ import annotations

import json
from pathlib import Path

from curate.matching.recurrence import find, find_rejected
from store.exchange.agents_md import read_text
from store.exchange.jsonl import export, plan_import
from store.exchange.proposals import plan_proposals
from store.ids import new_id
from store.line import canonical
from store.projection import render
from tests.curate.vaults import NOW, SHOP, Memory

DELETED = "Commit on Fridays."
REJECTED = "Never write tests."


def test_an_export_that_holds_them_brings_back_neither(tmp_path: Path):
    memory = Memory(tmp_path / "store")
    state = memory.store.state
    memory.learn("m_kept", "Prices are in cents.")
    memory.learn("m_dead", DELETED)
    theirs = [canonical(record) for record in export(state)]
    theirs.append(canonical({"id": "m_other", "statement": REJECTED, "scope": {"type": "project", "project": SHOP}}))
    memory.apply(op="delete", target_id="m_dead")
    repository = tmp_path / "shop"
    repository.mkdir()
    (repository / ".curate.yaml").write_text(f"project: {SHOP}\n")
    file = repository / "AGENTS.md"
    file.write_text(f"- {REJECTED}\n- {DELETED}\n- Prices are in cents.\n")

    read = read_text(state, b"- " + REJECTED.encode(), NOW, path=file)
    first = plan_proposals(state, read, patch_id="pat_x", at=NOW, new_id=new_id, summary="")
    from store.captures import CaptureBatch

    done = memory.store.capture(CaptureBatch([capture for _, capture in first.captures], read.projects), find)
    memory.apply(op="reject_candidate", target_id=done.ids[0])

    found = plan_import(state, theirs, patch_id="pat_y", at=NOW)
    assert [one["line"] for one in found.rejected] == [2, 3]
    assert all("deleted" in one["reason"] or "rejected" in one["reason"] for one in found.rejected)
    assert (found.created, found.unchanged) == ([], ["m_kept"])

    again = plan_proposals(
        state, read_text(state, file.read_bytes(), NOW, path=file), patch_id="pat_z", at=NOW, new_id=new_id, summary=""
    )
    assert again.captures == []
    assert [one["line"] for one in again.rejected] == [1, 2]
    assert again.unchanged == ["m_kept"]

    reworded = read_text(state, b"- never write any tests", NOW, path=file)
    for _, capture in plan_proposals(state, reworded, patch_id="p", at=NOW, new_id=new_id, summary="").captures:
        assert find_rejected(capture.candidate, state) == done.ids[0]

    render(memory.store.root, state)
    pages = "".join(path.read_text("utf-8") for path in (memory.store.root / "rendered").rglob("*.md"))
    assert DELETED not in pages
    assert REJECTED not in pages
    assert [each["statement"] for each in map(json.loads, (canonical(one) for one in export(state)))] == [
        "Prices are in cents."
    ]
