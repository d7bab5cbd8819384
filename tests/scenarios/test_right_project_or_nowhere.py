"""A capture lands in the project it was said about, or waits unassigned; never by a directory's name."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from store.model import Candidate
from store.store import Store
from tests.curate.scanning import Session, open_store, scan, waiting
from tests.store.repositories import git, repository

RULE = "Never use npm in this repo, always use pnpm."
OTHER = "Always squash commits in this repo, never merge."


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return open_store(tmp_path / "store")


def said(store: Store, folder: Path, cwd: Path | str, words: str, *wrote: Path) -> Candidate:
    """Say something in a new session, and give the candidate that holds it."""
    number = len(list(folder.glob("t/*")))
    report = scan(store, Session(folder / "t" / f"s{number}.jsonl", cwd).says(words, wrote=wrote).save())
    assert report.created + report.reinforced == 1
    return next(one for one in waiting(store) if one.id == report.candidates[0])


def test_same_base_name_two_projects(store: Store, tmp_path: Path):
    for parent in ("a", "b"):
        src = repository(tmp_path / parent / "src", commit=False)
        git(src, "commit", "-q", "--allow-empty", "-m", f"start of {parent}")
        said(store, tmp_path, src, RULE, src / "x.ts")
    one, other = waiting(store)
    assert len(one.targets) == len(other.targets) == 1
    assert one.targets != other.targets
    assert len({store.state.project(found.targets[0]).file for found in (one, other)}) == 2


def test_what_is_said_in_a_worktree_is_there_after_it_is_removed(store: Store, tmp_path: Path):
    main = repository(tmp_path / "main")
    feat = tmp_path / "feat"
    git(main, "worktree", "add", "-q", str(feat))
    first = said(store, tmp_path, feat, RULE, feat / "x.ts")
    git(main, "worktree", "remove", "--force", str(feat))
    again = said(store, tmp_path, main, RULE, main / "x.ts")
    assert again.id == first.id
    assert len(again.evidence) == 2


def test_in_a_worktree_that_is_gone_by_the_time_of_the_scan(store: Store, tmp_path: Path):
    main = repository(tmp_path / "main", "git@github.com:acme/main.git")
    feat = tmp_path / "feat"
    git(main, "worktree", "add", "-q", str(feat))
    first = said(store, tmp_path, feat, RULE, feat / "x.ts")
    git(main, "worktree", "remove", "--force", str(feat))
    later = said(store, tmp_path, feat, OTHER, feat / "y.ts")
    assert later.targets == first.targets == ["github.com/acme/main"]


def test_memory_per_branch_is_absent_in_main_and_kept(store: Store, tmp_path: Path):
    main = repository(tmp_path / "main", "git@github.com:acme/main.git")
    (main / ".curate.yaml").write_text("branch_scope: true\n")
    git(main, "add", ".")
    git(main, "commit", "-qm", "per branch")
    git(main, "worktree", "add", "-q", "-b", "feat", str(tmp_path / "feat"))
    there = said(store, tmp_path, tmp_path / "feat", RULE, tmp_path / "feat" / "x.ts")
    here = said(store, tmp_path, main, RULE, main / "x.ts")
    assert there.targets == ["github.com/acme/main#feat"]
    assert here.targets == ["github.com/acme/main#main"]


def test_moved_renamed_cloned_and_with_a_new_origin_it_is_the_same_project(store: Store, tmp_path: Path):
    shop = repository(tmp_path / "shop", "git@github.com:acme/shop.git")
    first = said(store, tmp_path, shop, RULE, shop / "x.ts")
    moved = shop.rename(tmp_path / "elsewhere")
    said(store, tmp_path, moved, RULE, moved / "x.ts")
    git(tmp_path, "clone", "-q", str(moved), "second")
    git(tmp_path / "second", "remote", "set-url", "origin", "https://github.com/acme/shop")
    said(store, tmp_path, tmp_path / "second", RULE, tmp_path / "second" / "x.ts")
    git(moved, "remote", "set-url", "origin", "git@gitlab.com:acme/store.git")
    last = said(store, tmp_path, moved, RULE, moved / "x.ts")
    assert last.id == first.id
    assert len(last.evidence) == 4
    assert list(store.state.projects) == ["github.com/acme/shop"]


def test_without_origin_it_has_an_id_of_its_own_with_a_note(store: Store, tmp_path: Path):
    local = repository(tmp_path / "sketch")
    found = said(store, tmp_path, local, RULE, local / "x.ts")
    assert found.targets[0].startswith("local:sketch-")
    assert store.state.project(found.targets[0]).note


def test_a_submodule_is_its_own_project_with_the_parent_offered(store: Store, tmp_path: Path):
    shop = repository(tmp_path / "shop", "git@github.com:acme/shop.git")
    lib = repository(tmp_path / "lib")
    git(shop, "submodule", "--quiet", "add", str(lib), "libs/lib")
    git(shop / "libs/lib", "remote", "set-url", "origin", "https://github.com/acme/lib")
    found = said(store, tmp_path, shop / "libs/lib", RULE, shop / "libs/lib" / "x.ts")
    assert found.targets == ["github.com/acme/lib"]
    assert store.state.project("github.com/acme/lib").superproject == "github.com/acme/shop"


def test_a_rule_for_a_package_is_scoped_to_its_path(store: Store, tmp_path: Path):
    mono = repository(tmp_path / "mono", "git@github.com:acme/mono.git")
    (mono / "packages" / "api").mkdir(parents=True)
    words = "In packages/api use SQL files, not the ORM"
    found = said(store, tmp_path, mono, words, mono / "packages/api/q.sql")
    assert found.targets == ["github.com/acme/mono"]
    assert found.scope.paths == ["packages/api/**"]


@pytest.mark.parametrize("gone", [False, True], ids=["in the root", "in a deleted directory"])
def test_where_no_project_can_be_told_it_waits_unassigned(store: Store, tmp_path: Path, *, gone: bool):
    cwd = Path("/")
    if gone:
        cwd = tmp_path / "was"
        cwd.mkdir()
        shutil.rmtree(cwd)
    found = said(store, tmp_path, cwd, RULE)
    assert found.scope.type == "project"
    assert found.scope.unassigned
    assert found.targets == []
    assert found.scope_reason


def test_a_repository_that_was_only_read_is_no_target(store: Store, tmp_path: Path):
    shop = repository(tmp_path / "shop", "git@github.com:acme/shop.git")
    words = "Commit messages always start with the ticket number, never without one."
    found = said(store, tmp_path, shop, words)
    assert found.scope.unassigned
    assert found.targets == []
