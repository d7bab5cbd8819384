"""A purge reaches every object of git here, the remote when asked, and every other clone; no clone brings it back."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

from curate.sync.faults import PurgeNotPushed
from curate.sync.sync import finish_purge
from tests.store.purging import EARLIER, EXCERPT, SECOND, SECRET, TELLING, forms, furnished
from tests.store.repositories import git
from tests.sync.machines import Machine, bare, converged, isolate

if TYPE_CHECKING:
    from pathlib import Path

SAID = (SECRET, EARLIER, EXCERPT, SECOND, *TELLING)


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    isolate(monkeypatch, tmp_path)


def holders(root: Path, *texts: str) -> list[str]:
    """Everything below a folder that holds any of the texts: files, and objects of git, reached or not."""
    wanted = {form.lower() for text in texts for form in forms(text)}
    found = [
        str(path.relative_to(root))
        for path in sorted(root.rglob("*"))
        if path.is_file() and any(form in path.read_bytes().lower() for form in wanted)
    ]
    folder = root if root.name.endswith(".git") else root / ".git"
    listed = subprocess.run(
        ["git", "--git-dir", folder, "cat-file", "--batch-all-objects", "--batch"], capture_output=True, check=True
    ).stdout.lower()
    return found + ["objects"] * any(form in listed for form in wanted)


@pytest.fixture
def clones(tmp_path: Path) -> tuple[Machine, Machine, Path]:
    """A store with the secret everywhere in it, and a clone of it; both have been in step."""
    remote = bare(tmp_path)
    laptop, desktop = Machine(tmp_path, "laptop", 1), Machine(tmp_path, "desktop", 2)
    furnished(laptop.root)
    laptop.init(remote)
    laptop.update("mem_secret", tags=["Zanzibar", "islands"])
    laptop.sync()
    desktop.init(remote)
    desktop.sync()
    desktop.sync()
    return laptop, desktop, remote


def test_no_object_of_git_holds_it_afterwards(clones: tuple[Machine, Machine, Path]) -> None:
    laptop, _, remote = clones
    assert holders(laptop.root, SECRET)
    laptop.git("tag", "-a", "-m", f"Before: {SECRET}", "before")
    laptop.git("branch", "side", "HEAD~1")
    (laptop.root / "notes" / "wrapped.md").write_text(f"stashed {EARLIER}\n")
    laptop.git("stash", "-q")
    untouched = laptop.git("rev-parse", "main")
    laptop.purge("mem_secret")
    done = finish_purge(laptop.store)
    assert done is not None
    assert (done.left, done.waits) == ([], True)
    assert holders(laptop.root, *SAID) == []
    assert laptop.git("rev-parse", "main") != untouched
    assert {"before", "main", "side"} <= set(laptop.git("for-each-ref", "--format=%(refname:short)").split())
    assert laptop.git("stash", "list").startswith("stash@{0}")
    laptop.git("fsck", "--strict")
    assert "Curate-Patch: pat_add" in laptop.git("log", "--format=%B") or "Put the store" in laptop.git("log")
    assert finish_purge(laptop.store) is None
    with pytest.raises(PurgeNotPushed, match="--push"):
        laptop.sync()
    assert holders(laptop.root, *SAID) == []
    told = laptop.sync(push=True)
    assert told.rewritten
    laptop.sound()
    git(remote, "gc", "-q", "--prune=now")
    assert holders(remote, *SAID) == []


def test_another_clone_follows_and_keeps_its_own_work(clones: tuple[Machine, Machine, Path]) -> None:
    laptop, desktop, remote = clones
    desktop.add("Only on the desktop.", "mem_desk")
    desktop.update("mem_secret", statement="Zanzibar again, from the desktop.")
    desktop.capture("Said on the desktop.")
    laptop.purge("mem_secret")
    laptop.sync(push=False) if finish_purge(laptop.store) is None else laptop.sync(push=True)
    assert holders(desktop.root, SECRET)
    told = desktop.sync()
    assert "mem_secret" in told.purged
    assert holders(desktop.root, *SAID, "from the desktop") == []
    converged(laptop, desktop)
    assert holders(laptop.root, *SAID, "from the desktop") == []
    git(remote, "gc", "-q", "--prune=now")
    assert holders(remote, *SAID) == []
    state = laptop.store.state
    assert state.records["mem_desk"].data["statement"] == "Only on the desktop."
    assert "Said on the desktop." in {one.data["statement"] for one in state.candidates.values()}
    assert state.records["mem_secret"].data["statement"] == "(purged)"
    assert "Curate-Record: mem_desk" in laptop.git("log", "--format=%B")


def test_what_others_pushed_before_the_purge_arrived_is_kept(clones: tuple[Machine, Machine, Path]) -> None:
    laptop, desktop, remote = clones
    laptop.purge("mem_secret")
    finish_purge(laptop.store)
    desktop.add("Pushed meanwhile.", "mem_desk")
    desktop.capture(SECRET, ident="cand_again")
    desktop.sync()
    with pytest.raises(PurgeNotPushed):
        laptop.sync()
    assert holders(laptop.root, *SAID) == []
    assert laptop.sync(push=True).rewritten
    converged(desktop, laptop)
    for one in (laptop, desktop):
        assert holders(one.root, *SAID) == []
        assert one.store.state.records["mem_desk"].data["statement"] == "Pushed meanwhile."
    git(remote, "gc", "-q", "--prune=now")
    assert holders(remote, *SAID) == []


def test_two_machines_that_purge_different_things_converge(clones: tuple[Machine, Machine, Path]) -> None:
    laptop, desktop, remote = clones
    desktop.add("Quokka rules apply on Thursdays.", "mem_quokka")
    desktop.sync()
    laptop.sync()
    laptop.purge("mem_secret")
    desktop.purge("mem_quokka")
    laptop.sync(push=True)
    desktop.sync(push=True)
    converged(laptop, desktop)
    for one in (laptop, desktop):
        assert holders(one.root, *SAID, "Quokka rules apply") == []
    git(remote, "gc", "-q", "--prune=now")
    assert holders(remote, *SAID, "Quokka rules apply") == []
