"""What the registry makes of the projects that are seen: memory stays where it is and is found under new names."""

from __future__ import annotations

import shutil
from pathlib import Path

from store.model import Project, dump
from store.project.identity import Identity, resolve, with_root_commit
from store.project.registry import canonical_id, recognise, rivals, seen
from tests.store.patching import AT, World
from tests.store.repositories import git, repository

LATER = "2026-12-01T00:00:00Z"


def see(world: World, identity: Identity) -> Project | None:
    """What capture does with a project on its way."""
    project = seen(world.state, identity, world.at)
    if project is not None:
        known = world.state.projects.get(project.id)
        parent = {"rev": known.head.rev + 1, "parent": known.head.hash} if known else {}
        world.put("projects.jsonl", project.id, dump(project), **parent)
    return project


def look(world: World, path: Path) -> Project | None:
    return see(world, with_root_commit(resolve(path)))


def here(world: World, path: Path) -> str | None:
    return recognise(world.state, resolve(path)).project_id


def test_a_project_is_registered_once_and_then_is_no_news(tmp_path):
    world = World()
    shop = repository(tmp_path / "shop", "https://github.com/acme/shop")
    project = look(world, shop)
    assert project is not None
    assert (project.id, project.name, project.paths) == ("github.com/acme/shop", "shop", [shop.as_posix()])
    assert look(world, shop) is None
    assert seen(world.state, resolve(shop), LATER) is None


def test_an_unknown_directory_is_never_registered(tmp_path):
    assert seen(World().state, resolve(tmp_path / "gone"), AT) is None


def test_a_renamed_remote_finds_the_memory_under_the_old_name(tmp_path):
    world = World()
    shop = repository(tmp_path / "shop", "https://github.com/acme/shop")
    look(world, shop)
    git(shop, "remote", "set-url", "origin", "https://gitlab.com/acme/store")
    project = look(world, shop)
    assert project is not None
    assert project.id == "github.com/acme/shop"
    assert "gitlab.com/acme/store" in project.aliases
    assert canonical_id(world.state, "gitlab.com/acme/store") == "github.com/acme/shop"
    git(tmp_path, "clone", "-q", str(shop), "again")
    git(tmp_path / "again", "remote", "set-url", "origin", "https://gitlab.com/acme/store.git")
    assert here(world, tmp_path / "again") == "github.com/acme/shop"


def test_another_repository_in_the_same_directory_is_another_project(tmp_path):
    world = World()
    shop = repository(tmp_path / "play", "https://github.com/acme/shop")
    look(world, shop)
    shutil.rmtree(shop)
    repository(tmp_path / "play", "https://github.com/acme/other")
    git(shop, "commit", "-q", "--allow-empty", "--amend", "-m", "other start")
    identity = with_root_commit(resolve(shop))
    assert rivals(world.state, identity) == ["github.com/acme/shop"]
    project = see(world, identity)
    assert project is not None
    assert project.id == "github.com/acme/other"
    assert here(world, shop) == "github.com/acme/other"


def test_a_fork_with_the_same_history_is_another_project(tmp_path):
    world = World()
    shop = repository(tmp_path / "shop", "https://github.com/acme/shop")
    git(tmp_path, "clone", "-q", str(shop), "fork")
    git(tmp_path / "fork", "remote", "set-url", "origin", "https://github.com/me/shop")
    look(world, shop)
    look(world, tmp_path / "fork")
    assert set(world.state.projects) == {"github.com/acme/shop", "github.com/me/shop"}
    assert here(world, shop) == "github.com/acme/shop"
    assert here(world, tmp_path / "fork") == "github.com/me/shop"


def test_a_repository_keeps_its_memory_through_first_commit_remote_and_loss_of_remote(tmp_path):
    world = World()
    shop = repository(tmp_path / "shop", commit=False)
    look(world, shop)
    first = here(world, shop)
    assert first is not None
    assert first.startswith("path:")
    git(shop, "commit", "-q", "--allow-empty", "-m", "start")
    look(world, shop)
    assert here(world, shop) == first
    git(shop, "remote", "add", "origin", "https://github.com/acme/shop")
    look(world, shop)
    assert here(world, shop) == first
    git(shop, "remote", "remove", "origin")
    assert here(world, shop) == first


def test_a_repository_without_remote_is_found_again_after_a_move_and_a_clone(tmp_path):
    world = World()
    shop = repository(tmp_path / "shop")
    look(world, shop)
    known = here(world, shop)
    git(tmp_path, "clone", "-q", str(shop), "second")
    assert here(world, tmp_path / "second") == known
    shutil.move(shop, tmp_path / "renamed")
    assert resolve(tmp_path / "renamed").project_id != known
    assert here(world, tmp_path / "renamed") == known
    look(world, tmp_path / "renamed")
    assert len(world.state.projects) == 1


def test_a_worktree_that_was_seen_and_removed_is_still_known(tmp_path):
    world = World()
    shop = repository(tmp_path / "shop", "https://github.com/acme/shop")
    git(shop, "worktree", "add", "-q", "../feat")
    look(world, tmp_path / "feat")
    git(shop, "worktree", "remove", "../feat")
    assert resolve(tmp_path / "feat").project_id is None
    assert here(world, tmp_path / "feat") == "github.com/acme/shop"
    assert here(world, tmp_path / "feat" / "src") == "github.com/acme/shop"
    assert here(world, shop) == "github.com/acme/shop"
    assert here(world, tmp_path / "never-seen") is None


def test_aliases_from_the_repositorys_file_lead_to_the_old_memory(tmp_path):
    world = World()
    old = repository(tmp_path / "old", "https://github.com/acme/old")
    look(world, old)
    new = repository(tmp_path / "new", "https://github.com/acme/new")
    (new / ".curate.yaml").write_text("aliases: [github.com/acme/old]\n")
    look(world, new)
    assert here(world, new) == "github.com/acme/old"
    assert set(world.state.projects) == {"github.com/acme/old"}


def test_a_project_set_per_branch_in_the_registry_parts_its_branches(tmp_path):
    world = World()
    shop = repository(tmp_path / "shop", "https://github.com/acme/shop")
    git(shop, "worktree", "add", "-q", "../feat", "-b", "feat")
    project = look(world, shop)
    assert project is not None
    assert here(world, shop) == here(world, tmp_path / "feat")
    head = world.state.projects[project.id].head
    per_branch = dump(project.model_copy(update={"branch_scope": True}))
    world.put("projects.jsonl", project.id, per_branch, rev=2, parent=head.hash)
    assert here(world, shop) == "github.com/acme/shop#main"
    assert here(world, tmp_path / "feat") == "github.com/acme/shop#feat"


def test_a_branch_follows_its_projects_alias():
    world = World()
    project = Project(id="a", name="a", file="a-1", aliases=["b"], created_at=AT, updated_at=AT)
    world.put("projects.jsonl", "a", dump(project))
    assert canonical_id(world.state, "b#feat") == "a#feat"
    assert canonical_id(world.state, "c#feat") == "c#feat"
