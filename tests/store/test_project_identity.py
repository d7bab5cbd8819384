"""Identity of directories, shown on real git repositories."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from store.project import identity as module
from store.project.identity import resolve, with_root_commit
from tests.store.repositories import git, repository


@pytest.fixture
def no_git(monkeypatch):
    """Running git fails the test."""

    def refuse(*_args, **_kwargs):
        raise AssertionError("git was run")

    monkeypatch.setattr(module.subprocess, "run", refuse)


@pytest.fixture
def no_git_later(monkeypatch):
    """Called, it makes running git from then on fail the test."""

    def forbid():
        def refuse(*_args, **_kwargs):
            raise AssertionError("git was run")

        monkeypatch.setattr(module.subprocess, "run", refuse)

    return forbid


def test_a_remote_names_the_project_from_any_directory_in_it(tmp_path, no_git_later):
    shop = repository(tmp_path / "whatever", "git@github.com:acme/Shop.git")
    (shop / "src" / "deep").mkdir(parents=True)
    (shop / "src" / "a.py").write_text("")
    no_git_later()
    for path in (shop, shop / "src" / "deep", shop / "src" / "a.py", shop / ".git" / "refs"):
        found = resolve(path)
        assert (found.project_id, found.root, found.kind) == ("github.com/acme/Shop", shop, "remote"), path
    assert resolve(shop).name == "Shop"
    assert resolve(shop).branch == "main"


def test_same_base_name_in_two_places_is_two_projects(tmp_path):
    for name in ("a", "b"):
        (tmp_path / name / "src").mkdir(parents=True)
    first, second = resolve(tmp_path / "a" / "src"), resolve(tmp_path / "b" / "src")
    assert first.kind == second.kind == "path"
    assert first.project_id != second.project_id
    repository(tmp_path / "c" / "src")
    repository(tmp_path / "d" / "src")
    git(tmp_path / "d" / "src", "commit", "-q", "--allow-empty", "-m", "another start", "--amend")
    assert resolve(tmp_path / "c" / "src").project_id != resolve(tmp_path / "d" / "src").project_id


def test_a_directory_without_git_never_runs_git(tmp_path, no_git):
    found = resolve(tmp_path)
    assert found.project_id == f"path:{tmp_path.as_posix()}"
    assert found.note


def test_a_linked_worktree_shares_its_repositorys_project(tmp_path, no_git_later):
    shop = repository(tmp_path / "shop", "https://github.com/acme/shop")
    git(shop, "worktree", "add", "-q", "../feat", "-b", "feat")
    no_git_later()
    found = resolve(tmp_path / "feat")
    assert found.project_id == "github.com/acme/shop"
    assert found.worktree_of == shop
    assert found.branch == "feat"
    assert resolve(shop).worktree_of is None


def test_a_worktree_without_remote_has_the_root_commit_of_its_repository(tmp_path):
    shop = repository(tmp_path / "shop")
    git(shop, "worktree", "add", "-q", "../elsewhere/feat", "-b", "feat")
    commit = git(shop, "rev-list", "--max-parents=0", "HEAD")
    expected = f"local:shop-{commit[:8]}"
    assert resolve(shop).project_id == expected
    assert resolve(tmp_path / "elsewhere" / "feat").project_id == expected
    assert resolve(shop).note


def test_worktrees_of_a_bare_repository_share_it(tmp_path):
    seed = repository(tmp_path / "seed")
    (tmp_path / "shop").mkdir()
    git(tmp_path, "clone", "-q", "--bare", str(seed), "shop/.bare")
    git(tmp_path / "shop" / ".bare", "remote", "remove", "origin")
    (tmp_path / "shop" / ".git").write_text("gitdir: ./.bare\n")
    git(tmp_path / "shop", "worktree", "add", "-q", "main-tree", "main")
    found = resolve(tmp_path / "shop" / "main-tree")
    assert found.project_id == resolve(tmp_path / "shop").project_id
    assert found.project_id is not None
    assert found.project_id.startswith("local:shop-")


def test_a_moved_clone_and_a_second_clone_are_the_same_project(tmp_path):
    bare = tmp_path / "hub.git"
    git(tmp_path, "clone", "-q", "--bare", str(repository(tmp_path / "seed")), str(bare))
    for name in ("one", "two"):
        git(tmp_path, "clone", "-q", str(bare), name)
    before = resolve(tmp_path / "one").project_id
    assert before == resolve(tmp_path / "two").project_id
    shutil.move(tmp_path / "one", tmp_path / "renamed")
    assert resolve(tmp_path / "renamed").project_id == before


def test_packed_refs_and_a_detached_head_are_read(tmp_path):
    shop = repository(tmp_path / "shop")
    git(shop, "pack-refs", "--all")
    assert resolve(shop).kind == "root_commit"
    git(shop, "checkout", "-q", "--detach")
    assert resolve(shop).kind == "root_commit"
    assert resolve(shop).branch is None


def test_a_repository_without_commit_or_remote_is_known_by_path_and_says_so(tmp_path, no_git_later):
    shop = repository(tmp_path / "shop", commit=False)
    no_git_later()
    found = resolve(shop)
    assert (found.kind, found.project_id) == ("path", f"path:{shop.as_posix()}")
    assert "no commit" in (found.note or "")


def test_a_shallow_history_does_not_pretend_to_know_its_first_commit(tmp_path):
    seed = repository(tmp_path / "seed")
    git(seed, "commit", "-q", "--allow-empty", "-m", "second")
    git(tmp_path, "clone", "-q", "--depth=1", seed.as_uri(), "shallow")
    git(tmp_path / "shallow", "remote", "remove", "origin")
    assert resolve(tmp_path / "shallow").kind == "path"


def test_a_submodule_is_its_own_project_with_its_parent_offered(tmp_path):
    lib = repository(tmp_path / "lib")
    shop = repository(tmp_path / "shop", "https://github.com/acme/shop")
    git(shop, "submodule", "add", "-q", str(lib), "libs/lib")
    git(shop / "libs" / "lib", "remote", "set-url", "origin", "https://github.com/acme/lib.git")
    found = resolve(shop / "libs" / "lib")
    assert (found.project_id, found.parent) == ("github.com/acme/lib", "github.com/acme/shop")
    assert found.worktree_of is None
    assert resolve(shop).parent is None


def test_a_repository_inside_another_is_not_its_submodule(tmp_path):
    outer = repository(tmp_path / "outer", "https://github.com/acme/outer")
    inner = repository(outer / "vendor" / "inner", "https://github.com/other/inner")
    assert (resolve(inner).project_id, resolve(inner).parent) == ("github.com/other/inner", None)


def test_a_file_in_the_repository_can_name_the_project(tmp_path, no_git_later):
    shop = repository(tmp_path / "shop", "https://github.com/acme/shop")
    (shop / ".curate.yaml").write_text(
        "# ours\nproject: acme shop   # a name\nprofile: work\naliases:\n  - github.com/acme/store\n  - 'old name'\n"
    )
    no_git_later()
    found = resolve(shop)
    assert (found.project_id, found.kind, found.profile) == ("acme shop", "config", "work")
    assert found.aliases == ("github.com/acme/store", "old name")


def test_a_file_without_project_keeps_the_repositorys_identity(tmp_path):
    shop = repository(tmp_path / "shop", "https://github.com/acme/shop")
    (shop / ".curate.yaml").write_text('aliases: [a, "b"]\nprofile: work\n')
    (shop / "src").mkdir()
    found = resolve(shop / "src")
    assert (found.project_id, found.profile, found.aliases) == ("github.com/acme/shop", "work", ("a", "b"))


@pytest.mark.parametrize("text", ["- just\n- a list\n", "project: [unclosed\n", "{", "\x00\x01", "project: {a: b}\n"])
def test_a_file_that_cannot_be_understood_is_named_and_left_out(tmp_path, text):
    shop = repository(tmp_path / "shop", "https://github.com/acme/shop")
    (shop / ".curate.yaml").write_text(text)
    found = resolve(shop)
    assert found.project_id == "github.com/acme/shop"


def test_yaml_beyond_the_usual_is_read_too(tmp_path):
    shop = repository(tmp_path / "shop")
    (shop / ".curate.yaml").write_text('"project": &name |-\n  two\n  words\nbranch_scope: on\n')
    assert resolve(shop).project_id == "two words#main"


def test_per_branch_scope_gives_each_branch_its_own_id(tmp_path):
    shop = repository(tmp_path / "shop", "https://github.com/acme/shop")
    (shop / ".curate.yaml").write_text("branch_scope: true\n")
    git(shop, "add", ".")
    git(shop, "commit", "-q", "-m", "per branch")
    git(shop, "worktree", "add", "-q", "../feat", "-b", "feat/x")
    assert resolve(shop).project_id == "github.com/acme/shop#main"
    assert resolve(tmp_path / "feat").project_id == "github.com/acme/shop#feat/x"
    assert resolve(shop).base_id == resolve(tmp_path / "feat").base_id == "github.com/acme/shop"


def test_where_no_project_can_be_told_it_is_unknown_and_says_why(tmp_path, no_git):
    gone = tmp_path / "gone"
    for path in (Path("/"), gone, Path.home()):
        found = resolve(path)
        assert found.project_id is None, path
        assert found.kind == "unknown"
        assert found.note


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_an_unreadable_directory_is_unknown(tmp_path, no_git):
    closed = tmp_path / "closed"
    closed.mkdir(mode=0)
    try:
        assert resolve(closed).kind == "unknown"
        assert resolve(closed / "inner").kind == "unknown"
    finally:
        closed.chmod(0o700)


def test_a_worktree_whose_repository_is_gone_is_unknown_rather_than_a_path(tmp_path):
    shop = repository(tmp_path / "shop", "https://github.com/acme/shop")
    git(shop, "worktree", "add", "-q", "../feat")
    shutil.rmtree(shop)
    found = resolve(tmp_path / "feat")
    assert found.kind == "unknown"
    assert "worktree" in (found.note or "")


def test_a_deleted_file_of_a_turn_still_belongs_to_its_repository(tmp_path):
    shop = repository(tmp_path / "shop", "https://github.com/acme/shop")
    assert resolve(shop / "old" / "gone.py", missing_ok=True).project_id == "github.com/acme/shop"
    assert resolve(tmp_path / "nowhere" / "gone.py", missing_ok=True).kind == "unknown"


def test_a_symlink_to_a_repository_is_the_repository(tmp_path):
    shop = repository(tmp_path / "shop", "https://github.com/acme/shop")
    (tmp_path / "link").symlink_to(shop)
    assert resolve(tmp_path / "link").root == shop


def test_the_environment_of_a_git_hook_does_not_mislead(tmp_path, monkeypatch):
    shop, other = repository(tmp_path / "shop"), repository(tmp_path / "other")
    git(other, "commit", "-q", "--allow-empty", "--amend", "-m", "other start")
    expected = resolve(shop).project_id
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    assert resolve(shop).project_id == expected


def test_includes_in_a_configuration_are_not_followed(tmp_path):
    shop = repository(tmp_path / "shop")
    (tmp_path / "evil").write_text('[remote "origin"]\n\turl = https://github.com/evil/evil\n')
    config = shop / ".git" / "config"
    config.write_text(config.read_text() + f"[include]\n\tpath = {tmp_path / 'evil'}\n")
    assert resolve(shop).kind == "root_commit"


def test_the_first_commit_is_looked_up_on_request_only(tmp_path):
    shop = repository(tmp_path / "shop", "https://github.com/acme/shop")
    assert resolve(shop).root_commit is None
    assert with_root_commit(resolve(shop)).root_commit == git(shop, "rev-parse", "HEAD")
    assert with_root_commit(resolve(tmp_path)).root_commit is None
