"""Only real repositories that the agent's work really changed count as modified."""

from __future__ import annotations

from pathlib import Path

import pytest

from curate.capture.activity import Activity, Trail
from curate.capture.turns import Turn
from tests.store.repositories import git, repository


def turn(
    cwd: Path | str | None = None,
    *,
    wrote: tuple[object, ...] = (),
    ran: tuple[str, ...] = (),
    read: tuple[object, ...] = (),
    session: str = "s1",
    agent: str = "claude-code",
) -> Turn:
    return Turn(
        agent=agent, session=session, turn_id="t", time=None, cwd=str(cwd) if cwd else None, text="x", line=1, offset=0,
        offset_end=1, path="t.jsonl", files_written=tuple(map(str, wrote)), commands=ran,
        files_read=tuple(map(str, read)),
    )  # fmt: skip


def modified(one: Turn, activity: Activity | None = None) -> list[str | None]:
    own, _ = Trail().note(one)
    return [identity.project_id for identity in (activity or Activity()).repositories(own)]


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return repository(tmp_path / "shop", "git@github.com:acme/shop.git")


@pytest.fixture
def web(tmp_path: Path) -> Path:
    return repository(tmp_path / "web", "https://github.com/acme/web")


def test_written_files_tell_the_repository_wherever_the_agent_was_started(tmp_path: Path, shop: Path, web: Path):
    assert modified(turn(tmp_path, wrote=(shop / "a.py",))) == ["github.com/acme/shop"]
    assert modified(turn(web, wrote=(shop / "src/deep/new/a.py", web / "b.ts"))) == [
        "github.com/acme/shop",
        "github.com/acme/web",
    ]


def test_a_repository_that_was_only_read_or_started_in_does_not_count(shop: Path, web: Path):
    assert modified(turn(shop, read=(shop / "a.py",), ran=("git log", "npm test"))) == []
    assert modified(turn(shop, read=(shop / "a.py",), wrote=(web / "b.ts",))) == ["github.com/acme/web"]


def test_commands_that_write_count_where_they_ran(shop: Path, web: Path):
    assert modified(turn(shop, ran=("git commit -qm x",))) == ["github.com/acme/shop"]
    assert modified(turn(shop, ran=(f"cd {web} && npm install left-pad",))) == ["github.com/acme/web"]
    assert modified(turn(shop, ran=(f"sed -i s/a/b/ {web}/x.ts",))) == ["github.com/acme/web"]


def test_the_shell_of_claude_code_stays_where_a_command_left_it(shop: Path, web: Path):
    ran = (f"cd {web}", "touch new.ts")
    assert modified(turn(shop, ran=ran)) == ["github.com/acme/web"]
    assert modified(turn(shop, ran=ran, agent="codex")) == ["github.com/acme/shop"]


@pytest.mark.parametrize(
    "path", ["node_modules/x/i.js", "dist/app.js", "web/.next/a", "__pycache__/a.pyc", ".venv/bin/x"]
)
def test_build_output_by_its_well_known_name_does_not_count(shop: Path, path: str):
    assert modified(turn(shop, wrote=(shop / path,))) == []


def test_what_git_ignores_does_not_count_but_other_files_beside_it_do(shop: Path):
    (shop / ".gitignore").write_text("*.log\n/generated/\n!keep.log\n")
    assert modified(turn(shop, wrote=(shop / "a.log", shop / "generated/x.py"))) == []
    assert modified(turn(shop, wrote=(shop / "keep.log",))) == ["github.com/acme/shop"]
    assert modified(turn(shop, wrote=(shop / "a.log", shop / "a.py"))) == ["github.com/acme/shop"]


def test_a_file_of_a_nested_ignore_file_does_not_count(shop: Path):
    (shop / "pkg").mkdir()
    (shop / "pkg" / ".gitignore").write_text("out.txt\n")
    assert modified(turn(shop, wrote=(shop / "pkg/out.txt",))) == []
    assert modified(turn(shop, wrote=(shop / "out.txt",))) == ["github.com/acme/shop"]


def test_scratch_folders_and_plain_folders_do_not_count(tmp_path: Path):
    plain = tmp_path / "plain"
    plain.mkdir()
    started = repository(tmp_path / "empty", commit=False)
    assert modified(turn(plain, wrote=(plain / "a", started / "b", "/tmp/x.txt", "/dev/shm/y"))) == []


def test_a_repository_under_a_temporary_folder_counts_when_it_has_commits(tmp_path: Path):
    local = repository(tmp_path / "sketch")
    assert [str(found).partition("-")[0] for found in modified(turn(local, wrote=(local / "a",)))] == ["local:sketch"]


def test_a_vault_and_the_store_itself_do_not_count(tmp_path: Path, shop: Path):
    vault = repository(tmp_path / "vault", "git@github.com:me/vault.git")
    (vault / ".obsidian").mkdir()
    assert modified(turn(shop, wrote=(vault / "note.md", shop / "a"))) == ["github.com/acme/shop"]
    other = repository(tmp_path / "brain", "git@github.com:me/brain.git")
    assert modified(turn(shop, wrote=(other / "n.md",)), Activity(vaults=[other])) == []
    assert modified(turn(shop, wrote=(shop / "a",)), Activity(not_these=[shop])) == []


def test_a_worktree_counts_as_its_repository_and_a_submodule_as_its_own(tmp_path: Path, shop: Path, web: Path):
    git(shop, "worktree", "add", "-q", str(tmp_path / "feat"))
    git(shop, "submodule", "--quiet", "add", str(web), "libs/web")
    git(shop / "libs/web", "remote", "set-url", "origin", "https://github.com/acme/web")
    assert modified(turn(wrote=(tmp_path / "feat" / "a.py",))) == ["github.com/acme/shop"]
    assert modified(turn(wrote=(shop / "libs/web/a.ts",))) == ["github.com/acme/web"]


def test_deleted_files_and_folders_still_tell_their_repository(shop: Path):
    assert modified(turn(shop, ran=("rm -rf old/deep/folder/file.py",))) == ["github.com/acme/shop"]


def test_relative_paths_without_a_working_directory_tell_nothing(shop: Path):
    assert modified(turn(None, wrote=("a.py",), ran=("touch b",))) == []


def test_the_trail_gathers_a_session_and_starts_anew_with_the_next(shop: Path, web: Path):
    trail = Trail()
    activity = Activity()
    trail.note(turn(shop, wrote=(shop / "a",)))
    own, session = trail.note(turn(web, wrote=(web / "b",)))
    assert [one.name for one in activity.repositories(own)] == ["web"]
    assert [one.name for one in activity.repositories(session)] == ["shop", "web"]
    own, session = trail.note(turn(web, session="s2"))
    assert (own, session) == ({}, {})


def test_a_trail_goes_on_from_what_was_kept(shop: Path):
    trail = Trail()
    trail.note(turn(shop, wrote=(shop / "a",)))
    _, session = Trail(trail.dump(), trail.session).note(turn(shop))
    assert [one.name for one in Activity().repositories(session)] == ["shop"]
    _, session = Trail(trail.dump(), trail.session).note(turn(shop, session="another"))
    assert session == {}


def test_what_a_session_touched_is_noted_without_the_secrets_of_its_command_lines(shop: Path):
    secret = "gh" + "p_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"
    trail = Trail()
    trail.note(turn(shop, ran=(f"curl https://x > {secret}.txt",)))
    (paths,) = trail.dump().values()
    assert secret not in "".join(paths)
    assert paths[0].startswith(str(shop))
    assert [one.project_id for one in Activity().repositories(trail.dump())] == ["github.com/acme/shop"]


def test_a_copy_to_the_top_of_a_repository_changes_that_one(shop: Path, web: Path):
    assert modified(turn(shop, ran=(f"cp {web}/x .",))) == ["github.com/acme/shop"]
    assert modified(turn(shop, ran=(f"cp x {web}",))) == ["github.com/acme/web"]
    assert modified(turn(shop, ran=(f"cp x {web}/",))) == ["github.com/acme/web"]
