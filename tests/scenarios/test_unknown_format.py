"""A transcript whose records nobody knows is never silently empty: the scan says so, and the store remembers it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from curate.capture.capture import scan
from curate.capture.checkpoint import Checkpoints
from store.store import Store
from tests.curate.tui.running import review, screen_text

if TYPE_CHECKING:
    from pathlib import Path


def strange(path: Path, records: int) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [json.dumps({"type": "utterance-v9", "uuid": str(n), "sessionId": path.stem}) for n in range(records)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def test_what_was_hardly_understood_is_told_and_kept_for_the_review(tmp_path: Path) -> None:
    folder = tmp_path / "projects" / "shop"
    for name in ("a", "b", "c"):
        strange(folder / f"{name}.jsonl", 80)
    store = Store.open(tmp_path / "home", create=True)
    report = scan(store, [folder], agent="claude-code")
    assert len(report.unknown_formats) == 3
    assert (report.created, report.understood, report.records) == (0, 0, 240)
    assert Checkpoints(store.root).misread() == "0 of 240 records understood in 3 sessions"
    scan(store, [folder], agent="claude-code")
    assert Checkpoints(store.root).misread() == "0 of 240 records understood in 3 sessions"


def test_a_store_whose_transcripts_are_understood_has_no_warning(tmp_path: Path) -> None:
    path = tmp_path / "projects" / "shop" / "d.jsonl"
    path.parent.mkdir(parents=True)
    said = {"type": "user", "uuid": "u1", "sessionId": "d", "message": {"role": "user", "content": "fix the import"}}
    path.write_text(json.dumps(said) + "\n", encoding="utf-8")
    store = Store.open(tmp_path / "home", create=True)
    scan(store, [path], agent="claude-code")
    assert Checkpoints(store.root).misread() is None


async def test_the_review_says_it_on_the_screen(tmp_path: Path) -> None:
    for name in ("a", "b", "c"):
        strange(tmp_path / "projects" / "shop" / f"{name}.jsonl", 80)
    store = Store.open(tmp_path / "home", create=True)
    scan(store, [tmp_path / "projects"], agent="claude-code")
    async with review(store.root) as (app, _):
        assert "! 0 of 240 records understood in 3 sessions" in screen_text(app)
