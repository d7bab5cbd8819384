"""Evidence is kept with what it says, since transcripts vanish."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.curate.command import curate
from tests.curate.scanning import Session, evidence_of, open_store, scan, waiting
from tests.store.repositories import repository

RULE = "Never use npm in this repo, always use pnpm."


def test_evidence_is_readable_when_the_transcript_is_gone(tmp_path: Path):
    shop = repository(tmp_path / "shop", "git@github.com:acme/shop.git")
    home = tmp_path / "store"
    session = Session(tmp_path / "t" / "s1.jsonl", shop).says(f"It broke again. {RULE}", wrote=(shop / "a",))
    scan(open_store(home), session.save())
    shutil.rmtree(tmp_path / "t")
    shutil.rmtree(shop)
    store = open_store(home)
    (candidate,) = waiting(store)
    (evidence,) = evidence_of(store, candidate)
    assert evidence.excerpt == f"It broke again. {RULE}"
    assert evidence.time
    shown = curate("show", candidate.id, "--json", "--home", home).json
    assert RULE in shown["evidence"][0]["excerpt"]
