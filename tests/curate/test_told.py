"""What programs tell: another project's is another proposal, and whatever they call the project does no harm."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from curate.capture.told import Told, remember
from curate.recall.outcomes import add_outcome
from store.project.named import LIMIT, named
from store.store import Store

TOKEN = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store.open(tmp_path / "store", create=True)


def test_the_same_words_for_another_project_are_another_proposal(store: Store):
    for project in ("github.com/acme/shop", "github.com/acme/site"):
        done = remember(store, Told("Use pnpm, not npm", project=project, agent="x"))
        assert store.state.candidate(done.ids[0]).scope.project == project
        assert remember(store, Told("Use pnpm, not npm", project=project, agent="x")).known == 1
    assert remember(store, Told("Use pnpm, not npm", scope="global", agent="x")).created == 1


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("github.com/acme/shop", "github.com/acme/shop"),
        ("local:shop-1a2b3c4d#main", "local:shop-1a2b3c4d#main"),
        ("git@github.com:acme/shop.git", "github.com/acme/shop"),
        (f"https://{TOKEN}@GitHub.com/acme/shop.git", "github.com/acme/shop"),
        (f"acme/{TOKEN}", "acme/[masked api key]"),
        ("a\nb\x00\u202ec", "a bc"),
        (" \ud800 ", None),
        ("", None),
    ],
)
def test_a_project_is_named_by_id_or_address_and_by_nothing_else(given: str, meant: str | None):
    assert named(given) == meant


def test_a_name_of_any_length_is_bounded(store: Store):
    assert len(named("x" * 1_000_000) or "") == LIMIT


@pytest.mark.parametrize("project", [TOKEN, "\ud800", "a\nb", "../../x", "x" * 100_000])
def test_no_name_of_a_project_breaks_the_store(store: Store, project: str):
    remember(store, Told("Use pnpm, not npm", project=project, tags=("\ud800", TOKEN), reason="\ud800", agent=TOKEN))
    add_outcome(store.root, "builds", ok=False, at="2026-11-29T12:00:00Z", project=project, pattern=TOKEN)
    for path in store.root.rglob("*.jsonl"):
        assert TOKEN.encode() not in path.read_bytes()
        for line in path.read_text("utf-8").splitlines():
            json.loads(line)
    assert len(Store.open(store.root).state.candidates) == 1
