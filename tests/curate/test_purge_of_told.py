"""Purge finds what came in by other ways than capture: notes, outcomes, proposals of programs, turns of the service."""

from __future__ import annotations

from pathlib import Path

from starlette.testclient import TestClient

from curate.capture.told import Told, remember
from curate.recall.weak_domains import read_outcomes, weak_domains
from curate.service.app import make_app
from store import notes
from store.model import Op, Patch
from store.store import Store

AT = "2026-11-29T12:00:00.000Z"
SHOP = "github.com/acme/shop"
WORDS = "Never mention the zirconium merger in changelogs"


def holding(root: Path) -> set[str]:
    """Files with the telling word, in any of the ways that bytes may hold it."""
    forms = [form for word in ("zirconium", "Zirconium") for form in (word.encode(), word.encode("utf-16-le"))]
    files = [path for path in root.rglob("*") if path.is_file()]
    return {path.relative_to(root).parts[0] for path in files if any(form in path.read_bytes() for form in forms)}


def test_nothing_that_programs_and_people_told_of_it_is_left(tmp_path: Path):
    store = Store.open(tmp_path / "store", create=True, clock=lambda: AT)
    scope = {"type": "project", "project": SHOP}
    op = Op(op_id="op_1", op="add", record={"statement": WORDS, "rule_type": "convention", "scope": scope})
    patch = Patch(patch_id="pat_1", created_at=AT, generated_by="manual", summary="x", ops=[op])
    store.apply(patch, select=["op_1"])
    (ident,) = store.state.records
    http = TestClient(make_app(store.root, token=None, clock=lambda: AT))
    http.post("/api/retrieve", json={"query": "zirconium merger changelogs", "project": SHOP, "task_id": "t1"})
    http.post("/v1/context", json={"userMessage": "mend zirconium_merger.md", "project": SHOP, "sessionId": "t2"})
    for _ in range(3):
        http.post("/v1/outcomes", json={"domain": "zirconium merger", "ok": False, "pattern": WORDS, "project": SHOP})
    remember(store, Told(WORDS, project=SHOP, reason=WORDS, agent="x"))
    remember(store, Told("Deploys are made on Mondays", project=SHOP, reason=f"because {WORDS}", agent="x"))
    notes.add_daily(store.root, f"#decision {WORDS}", at=AT, project=SHOP)
    notes.add_daily(store.root, "looked at the logs", at=AT)
    notes.add_item(store.root, WORDS)
    assert holding(store.root) >= {"journal", "knowledge", "notes", "inbox", "index", "memory", "patches"}
    store.refresh()
    done = store.apply(Patch(patch_id="pat_2", created_at=AT, generated_by="manual", summary="x", ops=[
        Op(op_id="op_1", op="delete", target_id=ident, updates={"mode": "purge"}, reason="private")]),
        select=["op_1"], confirm="purge")  # fmt: skip
    assert done.receipts[0].applied, done.receipts
    assert holding(store.root) == set()
    assert [one.text for one in notes.daily_notes(store.root)] == ["looked at the logs"]
    assert notes.open_items(store.root) == []
    assert [one.data["statement"] for one in store.state.waiting(AT)] == ["Deploys are made on Mondays"]
    assert weak_domains(read_outcomes(str(store.root)), SHOP) == ()
    assert http.post("/api/retrieve", json={"query": "zirconium merger", "project": SHOP}).json()["items"] == []
