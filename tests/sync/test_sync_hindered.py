"""What stands in the way of a sync is told in one sentence with what to do, and nothing is lost by it."""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from curate.sync import faults
from store.errors import CurateError
from tests.store.repositories import git
from tests.sync.machines import Machine, bare, converged, copied, isolate

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    isolate(monkeypatch, tmp_path)


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A machine in step with its remote."""
    folder = tmp_path_factory.mktemp("template")
    with pytest.MonkeyPatch.context() as patch:
        isolate(patch, folder)
        machine = Machine(folder, "laptop", 1)
        machine.init(bare(folder))
        machine.add("Run make check.", "mem_seed")
        machine.sync()
    return folder


@pytest.fixture
def laptop(template: Path, tmp_path: Path) -> Machine:
    """A copy of it, with a record that its remote has not."""
    copied(template, tmp_path)
    machine = Machine(tmp_path, "laptop", 4)
    machine.add("Not synced yet.", "mem_new")
    return machine


def refused(machine: Machine, kind: type[CurateError], code: int, *words: str) -> None:
    """The sync ends with this fault, in one line, and the store's files are as before."""
    before = machine.bytes()
    with pytest.raises(kind) as caught:
        machine.sync()
    told = str(caught.value)
    assert "\n" not in told
    assert caught.value.exit_code == code
    for word in words:
        assert word in told, told
    assert machine.bytes() == before
    assert {"mem_seed", "mem_new"} <= set(machine.store.state.records)


def test_what_a_git_by_hand_left_in_the_middle_is_named(laptop: Machine) -> None:
    lock = laptop.root / ".git" / "index.lock"
    lock.touch()
    refused(laptop, faults.IndexHeld, 3, str(lock), "another git is at work")
    os.utime(lock, (1, 1))
    refused(laptop, faults.IndexHeld, 3, "delete it", "Nothing was changed")
    lock.unlink()
    merge = laptop.root / ".git" / "MERGE_HEAD"
    merge.write_text(laptop.git("rev-parse", "HEAD") + "\n")
    refused(laptop, faults.Unfinished, 3, "a merge is left in the middle", "merge --abort")
    merge.unlink()
    laptop.git("checkout", "-q", "--detach")
    refused(laptop, faults.OffBranch, 3, "detached HEAD", "switch main")
    laptop.git("checkout", "-q", "-b", "feature")
    refused(laptop, faults.OffBranch, 3, "on branch feature", "switch main")
    laptop.git("checkout", "-q", "main")
    assert laptop.sync().patches == 1
    laptop.sound()


def test_a_remote_that_does_not_answer_leaves_everything_committed(laptop: Machine, tmp_path: Path) -> None:
    (tmp_path / "remote.git").rename(tmp_path / "away.git")
    refused(laptop, faults.Unreachable, 2, "cannot be reached", "run `curate sync` again")
    assert "Curate-Record: mem_new" in laptop.git("log", "-1", "--format=%B")
    laptop.git("remote", "set-url", "origin", "https://me:hunter2@localhost:1/memory.git")
    with pytest.raises(faults.Unreachable) as caught:
        laptop.sync()
    assert "hunter2" not in str(caught.value)
    laptop.git("remote", "remove", "origin")
    assert laptop.sync().remote is None
    (tmp_path / "away.git").rename(tmp_path / "remote.git")
    laptop.init(tmp_path / "remote.git")
    assert laptop.sync().pushed == 1


def test_a_remote_that_somebody_rewrote_is_not_followed_until_asked(laptop: Machine, tmp_path: Path) -> None:
    remote = tmp_path / "remote.git"
    git(tmp_path, "clone", "-q", "-b", "main", str(remote), "other")
    other = tmp_path / "other"
    git(other, "checkout", "-q", "--orphan", "anew")
    (other / "projects.jsonl").write_text("")
    git(other, "add", "-A")
    git(other, "commit", "-q", "-m", "All in one")
    git(other, "push", "-q", "--force", "origin", "HEAD:main")
    refused(laptop, faults.RemoteRewritten, 2, "was rewritten since the last sync", "--join")
    refused(laptop, faults.RemoteRewritten, 2)
    laptop.sync(join=True)
    assert set(laptop.store.state.records) == {"mem_seed", "mem_new"}
    laptop.sound()


def test_a_remote_that_was_set_back_is_named_too(laptop: Machine, tmp_path: Path) -> None:
    remote = tmp_path / "remote.git"
    git(remote, "update-ref", "refs/heads/main", git(remote, "rev-list", "--max-parents=0", "main"))
    refused(laptop, faults.RemoteRewritten, 2, "was rewritten since the last sync")
    assert laptop.sync(join=True).pushed == 2


def test_a_newer_schema_on_the_remote_is_not_merged(laptop: Machine, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "-b", "main", str(tmp_path / "remote.git"), "other")
    with (tmp_path / "other" / "memory" / "global.jsonl").open("a") as file:
        file.write('{"schema":"7.1","id":"mem_future","rev":1}\n')
    git(tmp_path / "other", "commit", "-q", "-am", "From the future")
    git(tmp_path / "other", "push", "-q")
    refused(laptop, faults.RemoteNewer, 3, "memory/global.jsonl", "schema 7.1", "upgrade it")
    (tmp_path / "other" / "schema.json").write_text('{"schema": 9}')
    git(tmp_path / "other", "commit", "-q", "-am", "From further on")
    git(tmp_path / "other", "push", "-q")
    refused(laptop, faults.RemoteNewer, 3, "schema.json", "schema 9", "upgrade it")


@pytest.mark.parametrize("name", ["..", ".GIT", ".git."])
def test_a_remote_cannot_write_outside_the_store(laptop: Machine, tmp_path: Path, name: str) -> None:
    remote = tmp_path / "remote.git"
    (tmp_path / "evil").write_text("evil")
    blob = git(remote, "hash-object", "-w", str(tmp_path / "evil"))
    inner = _tree(remote, f"100644 blob {blob}\tescaped.md\n")
    whole = _tree(remote, git(remote, "ls-tree", "main") + f"\n040000 tree {inner}\t{name}\n")
    git(remote, "update-ref", "refs/heads/main", git(remote, "commit-tree", "-p", "main", "-m", "evil", whole))
    refused(laptop, faults.RemoteUnsafe, 2, "outside the store")
    assert not (tmp_path / "escaped.md").exists()


def _tree(repo: Path, lines: str) -> str:
    made = subprocess.run(["git", "mktree"], cwd=repo, input=lines, capture_output=True, text=True, check=True)
    return made.stdout.strip()


def test_a_push_that_the_host_refuses_is_told_with_its_reason(laptop: Machine, tmp_path: Path) -> None:
    hook = tmp_path / "remote.git" / "hooks" / "pre-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\necho 'error: main is protected' >&2\nexit 1\n")
    hook.chmod(0o755)
    refused(laptop, faults.PushRefused, 2, "did not take the push", "run `curate sync` again")
    hook.unlink()
    assert laptop.sync().pushed == 1


def test_when_another_machine_is_quicker_the_sync_starts_again(laptop: Machine, tmp_path: Path) -> None:
    desktop = Machine(tmp_path, "desktop", 5)
    desktop.init(tmp_path / "remote.git")
    desktop.sync()
    desktop.add("Quicker.", "mem_quick")
    told = []

    def tell(what: str) -> None:
        told.append(what)
        if what == "pushing" and told.count("pushing") == 1:
            desktop.sync()

    laptop.sync(tell=tell)
    assert "another machine was quicker" in told
    converged(laptop, desktop)
    assert {"mem_quick", "mem_new"} <= set(laptop.store.state.records)


def test_files_that_are_not_the_stores_are_left_alone_and_named(laptop: Machine) -> None:
    (laptop.root / "todo.txt").write_text("mine\n")
    (laptop.root / "memory" / "draft.md").write_text("mine\n")
    assert laptop.sync(dry_run=True).foreign == ["memory/draft.md", "todo.txt"]
    assert laptop.sync().foreign == ["memory/draft.md", "todo.txt"]
    assert laptop.git("status", "--porcelain").split("\n") == ["?? memory/draft.md", "?? todo.txt"]
    laptop.git("add", "todo.txt")
    laptop.git("commit", "-q", "-m", "Mine")
    (laptop.root / "todo.txt").write_text("mine, changed\n")
    assert laptop.sync().foreign == ["memory/draft.md", "todo.txt"]
    assert (laptop.root / "todo.txt").read_text() == "mine, changed\n"
    (laptop.root / "memory" / "global.jsonl").unlink()
    assert laptop.sync().restored == ["memory/global.jsonl"]
    assert {"mem_seed", "mem_new"} <= set(laptop.store.state.records)


def test_a_persons_own_set_up_has_no_part_in_it(
    laptop: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    git(tmp_path / "remote.git", "config", "core.hooksPath", os.devnull)  # the host has a set-up of its own
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    for name in ("pre-commit", "commit-msg", "pre-push", "reference-transaction", "post-merge"):
        (hooks / name).write_text("#!/bin/sh\necho stop >&2\nexit 1\n")
        (hooks / name).chmod(0o755)
    (tmp_path / ".gitconfig").write_text(
        f"[core]\n\thooksPath = {hooks}\n\tautocrlf = true\n\teditor = false\n\tpager = false\n"
        "[commit]\n\tgpgsign = true\n[gpg]\n\tprogram = false\n[user]\n\tname = Ada <L>\n\temail = ada@example.com\n"
        "[push]\n\tgpgSign = true\n[merge]\n\tff = only\n[pull]\n\trebase = true\n"
    )
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY"):
        monkeypatch.setenv(name, str(tmp_path / "elsewhere"))
    told = laptop.sync()
    assert (told.committed, told.pushed) == (1, 1)
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY"):
        monkeypatch.delenv(name)
    assert laptop.git("log", "-1", "--format=%an|%ae|%G?") == "Ada L|ada@example.com|N"
    assert b"\r" not in b"".join(laptop.bytes().values())


def test_where_it_may_begin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = Machine(tmp_path, "one", 1)
    one.add("Here.")
    with pytest.raises(faults.NotUnderGit, match="curate sync init"):
        one.sync()
    for address in ("--upload-pack=evil", "", "a\nb"):
        with pytest.raises(faults.BadRemote):
            one.init(address)  # type: ignore[arg-type]
    git(tmp_path, "init", "-q", "project")
    inner = Machine(tmp_path / "project", ".curate", 2)
    inner.add("There.")
    with pytest.raises(faults.InsideAnother, match="--nested"):
        inner.init()
    inner.init(nested=True)
    assert inner.sync().committed == 0
    one.init()
    before = one.git("rev-parse", "HEAD")
    one.init()
    assert one.git("rev-parse", "HEAD") == before
    monkeypatch.setattr(shutil, "which", lambda _: None)
    with pytest.raises(faults.NoGit, match="not installed"):
        one.sync()


def test_a_dry_run_says_what_would_be_done_and_does_nothing(laptop: Machine, tmp_path: Path) -> None:
    desktop = Machine(tmp_path, "desktop", 5)
    desktop.init(tmp_path / "remote.git")
    desktop.sync()
    desktop.add("Elsewhere.")
    desktop.sync()
    before, refs = laptop.bytes(), laptop.git("for-each-ref", "refs/heads")
    told = laptop.sync(dry_run=True)
    assert (told.committed, told.patches, told.fetched, told.pushed) == (1, 1, 1, 1)
    assert told.merged == ["memory/global.jsonl", "patches/2026-11.jsonl"]
    assert (laptop.bytes(), laptop.git("for-each-ref", "refs/heads")) == (before, refs)
    assert laptop.sync().merged == told.merged


def test_each_patch_is_a_commit_that_names_it(laptop: Machine) -> None:
    laptop.sync()
    laptop.capture("Said once.")
    laptop.update("mem_seed", statement="Run just check.")
    laptop.capture("Said twice.")
    laptop.update("mem_new", statement="Synced by now.")
    (laptop.root / "notes").mkdir()
    (laptop.root / "notes" / "scratchpad.md").write_text("tea\n")
    told = laptop.sync()
    assert (told.committed, told.patches) == (4, 2)
    subjects = laptop.git("log", "-4", "--reverse", "--format=%s").split("\n")
    assert subjects == ["Capture 2 candidate lines and 2 pieces of evidence", "update mem_seed - Run just check.",
                        "update mem_new - Synced by now.", "Keep notes/scratchpad.md"]  # fmt: skip
    assert "Curate-Record: mem_seed" in laptop.git("log", "-1", "--format=%(trailers)", "HEAD~2")
    assert laptop.git("show", "HEAD~2:memory/global.jsonl").count("Synced by now.") == 0
    assert laptop.git("diff", "HEAD~2", "HEAD~1", "--stat", "--", "memory").count("1 insertion(+)") == 1
    laptop.sound()
