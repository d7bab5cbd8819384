"""A purge reaches every object of git here, the remote when asked, and every other clone; no clone brings it back."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import click.testing
import pytest

from curate.cli.app import app
from curate.sync import pending
from curate.sync.faults import PurgeNotPushed
from curate.sync.sync import finish_purge
from store.line import canonical
from store.log.disk import Disk
from store.projection.block import put
from store.projection.blocks import note
from tests.store.crashing import Crash
from tests.store.logkit import SHOP
from tests.store.purging import AT, EARLIER, EXCERPT, SECOND, SECRET, TELLING, forms, furnished
from tests.store.repositories import git
from tests.sync.machines import Machine, bare, converged, copied, isolate, objects
from tests.sync.replicas import dying

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
    listed = objects(root).lower()
    return found + ["objects"] * any(form in listed for form in wanted)


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with the secret everywhere in it, and a clone of it; both have been in step."""
    folder = tmp_path_factory.mktemp("template")
    with pytest.MonkeyPatch.context() as patch:
        isolate(patch, folder)
        remote = bare(folder)
        laptop, desktop = Machine(folder, "laptop", 1), Machine(folder, "desktop", 2)
        furnished(laptop.root)
        laptop.init(remote)
        laptop.update("mem_secret", tags=["Zanzibar", "islands"])
        laptop.sync()
        desktop.init(remote)
        desktop.sync()
    return folder


@pytest.fixture
def clones(template: Path, tmp_path: Path) -> tuple[Machine, Machine, Path]:
    """Copies of both, and of their remote."""
    copied(template, tmp_path)
    return Machine(tmp_path, "laptop", 3), Machine(tmp_path, "desktop", 4), tmp_path / "remote.git"


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
    subjects = laptop.git("log", "-2", "--reverse", "--format=%s").split("\n")
    assert subjects == ["(purged)", "Purge mem_secret"]
    git(remote, "gc", "-q", "--prune=now")
    assert holders(remote, *SAID) == []


def test_another_clone_follows_and_keeps_its_own_work(clones: tuple[Machine, Machine, Path]) -> None:
    laptop, desktop, remote = clones
    desktop.add("Only on the desktop.", "mem_desk")
    desktop.update("mem_secret", statement="Zanzibar again, from the desktop.")
    desktop.capture("Said on the desktop.")
    file = remote.with_name("AGENTS.md")
    put(file, desktop.store.state, SHOP)
    note(desktop.root, file, SHOP, Disk())
    assert "Zanzibar again" in file.read_text("utf-8")
    laptop.purge("mem_secret")
    laptop.sync(push=False) if finish_purge(laptop.store) is None else laptop.sync(push=True)
    assert holders(desktop.root, SECRET)
    told = desktop.sync()
    assert "mem_secret" in told.purged
    assert holders(desktop.root, *SAID, "from the desktop") == []
    assert "Zanzibar" not in file.read_text("utf-8")
    converged(laptop, desktop)
    assert holders(laptop.root, *SAID, "from the desktop") == []
    git(remote, "gc", "-q", "--prune=now")
    assert holders(remote, *SAID) == []
    state = laptop.store.state
    assert state.records["mem_desk"].data["statement"] == "Only on the desktop."
    assert "Said on the desktop." in {one.data["statement"] for one in state.candidates.values()}
    assert state.records["mem_secret"].data["statement"] == "(purged)"
    assert "Curate-Record: mem_desk" in laptop.git("log", "--format=%B")


@pytest.mark.soak
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


@pytest.mark.soak
def test_purging_the_same_once_more_is_followed_too(clones: tuple[Machine, Machine, Path]) -> None:
    laptop, desktop, _ = clones
    laptop.purge("mem_secret")
    laptop.sync(push=True)
    desktop.sync()
    with (laptop.root / "notes" / "daily.md").open("a") as file:
        file.write(f"From memory: {EARLIER}\n")
    laptop.sync()
    desktop.sync()
    assert holders(desktop.root, EARLIER)
    desktop.add("Only on the desktop.", "mem_desk")
    with (laptop.root / "memory" / "global.jsonl").open("ab") as file:
        file.write(canonical({"schema": "1.0", "id": "mem_secret", "rev": 1, "op": "add", "at": AT,
                              "statement": EARLIER, "status": "active"}) + b"\n")  # fmt: skip
    laptop.sync()
    laptop.purge("mem_secret")
    finish_purge(laptop.store, ["mem_secret"])
    assert holders(laptop.root, EARLIER) == []
    laptop.sync(push=True)
    desktop.sync()
    assert holders(desktop.root, EARLIER) == []
    assert laptop.sync().taken
    assert laptop.bytes() == desktop.bytes()


@pytest.mark.soak
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


def test_a_purge_that_died_in_the_middle_is_finished_by_the_next_opening(
    clones: tuple[Machine, Machine, Path], tmp_path: Path
) -> None:
    laptop, _, _ = clones
    laptop.purge("mem_secret")
    shutil.copytree(laptop.root, tmp_path / "steps")
    with dying(10**6) as steps:
        finish_purge(Machine(tmp_path, "steps", 5).store)
    with pytest.raises(Crash), dying(steps[0] * 2 // 3):
        finish_purge(laptop.store)
    assert pending.finish(laptop.store)
    assert holders(laptop.root, *SAID) == []
    assert not pending.finish(laptop.store)
    with pytest.raises(PurgeNotPushed):
        laptop.sync()


def test_purging_by_command_asks_before_the_remote_is_replaced(clones: tuple[Machine, Machine, Path]) -> None:
    laptop, _, remote = clones
    shell = click.testing.CliRunner()
    words = ["purge", "mem_secret", "--confirm", "purge", "--json", "--home", str(laptop.root)]
    told = shell.invoke(app, words, catch_exceptions=False)
    assert "`curate sync --push`" in told.stderr
    history = json.loads(told.stdout)["history"]
    assert (history["left"], history["waits"]) == ([], True)
    assert holders(laptop.root, *SAID) == []
    assert holders(remote, SECRET)
    told = shell.invoke(app, ["sync", "--push", "--json", "--home", str(laptop.root)], catch_exceptions=False)
    assert json.loads(told.stdout)["rewritten"]
    git(remote, "gc", "-q", "--prune=now")
    assert holders(remote, *SAID) == []
