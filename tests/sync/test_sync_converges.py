"""Machines that work apart hold the same bytes after each has synced, and what both changed is contested."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from store.log.fold import status
from store.model import Op
from tests.store.logkit import everything, patch
from tests.store.repositories import git
from tests.sync.machines import Machine, bare, converged, copied, isolate

if TYPE_CHECKING:
    from pathlib import Path

Pair = tuple[Machine, Machine]


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    isolate(monkeypatch, tmp_path)


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two machines that share a record, in step."""
    folder = tmp_path_factory.mktemp("template")
    with pytest.MonkeyPatch.context() as patch:
        isolate(patch, folder)
        remote = bare(folder)
        laptop, desktop = Machine(folder, "laptop", 1), Machine(folder, "desktop", 2)
        laptop.init(remote)
        laptop.add("Run make check.", "mem_seed")
        laptop.sync()
        desktop.init(remote)
        desktop.sync()
    return folder


@pytest.fixture
def pair(template: Path, tmp_path: Path) -> Pair:
    """Copies of both."""
    copied(template, tmp_path)
    return Machine(tmp_path, "laptop", 4), Machine(tmp_path, "desktop", 5)


def test_a_new_machine_gets_everything(pair: Pair) -> None:
    laptop, desktop = pair
    assert desktop.store.state.records["mem_seed"].data["statement"] == "Run make check."
    assert laptop.bytes() == desktop.bytes()


def test_what_is_derived_or_of_one_machine_stays_out(pair: Pair) -> None:
    laptop, _ = pair
    (laptop.root / "journal").mkdir()
    (laptop.root / "journal" / "s1.jsonl").write_text("{}\n")
    (laptop.root / "notes" / "daily").mkdir(parents=True)
    (laptop.root / "notes" / "daily" / "2026-11-01.md").write_text("# Sunday\n")
    laptop.sync()
    carried = set(laptop.bytes())
    assert carried == {
        ".gitattributes", ".gitignore", "config.yaml", "schema.json", "memory/global.jsonl", "patches/2026-11.jsonl",
        "notes/daily/2026-11-01.md",
    }  # fmt: skip
    text = (laptop.root / "config.yaml").read_text().replace("journal: false", "journal: true")
    (laptop.root / "config.yaml").write_text(text)
    laptop.sync()
    assert set(laptop.bytes()) == {*carried, "journal/s1.jsonl"}
    (laptop.root / "config.yaml").write_text(text.replace("journal: true", "journal: false"))
    laptop.sync()
    assert set(laptop.bytes()) == carried
    assert (laptop.root / "journal" / "s1.jsonl").exists()
    laptop.sound()


def test_two_machines_that_change_the_same_record_agree_that_it_is_contested(pair: Pair) -> None:
    laptop, desktop = pair
    laptop.update("mem_seed", statement="Run just check.")
    laptop.capture("Said on the laptop.")
    desktop.update("mem_seed", statement="Run nox.")
    desktop.capture("Said on the desktop.")
    first, foreseen, second = laptop.sync(), desktop.sync(dry_run=True), desktop.sync()
    assert (foreseen.contested, foreseen.merged) == (second.contested, second.merged)
    assert (first.contested, second.contested) == ([], ["mem_seed"])
    assert second.merged == [
        "inbox/candidates.jsonl", "memory/evidence.jsonl", "memory/global.jsonl", "patches/2026-11.jsonl",
        "projects.jsonl",
    ]  # fmt: skip
    converged(laptop, desktop)
    seed = laptop.store.state.records["mem_seed"]
    assert status(seed) == "contested"
    assert {head.data["statement"] for head in seed.heads} == {"Run just check.", "Run nox."}
    said = {one.data["statement"] for one in laptop.store.state.candidates.values()}
    assert said == {"Said on the laptop.", "Said on the desktop."}
    resolve = patch("pat_resolve", Op(op_id="op_1", op="resolve_fork", target_id="mem_seed"))
    assert desktop.store.apply(resolve, select=everything(resolve)).receipts[0].applied
    converged(desktop, laptop)
    assert not laptop.store.state.records["mem_seed"].forked


def test_both_machines_supersede_the_same(pair: Pair) -> None:
    for one, statement in zip(pair, ("Run just check.", "Run nox."), strict=True):
        change = patch(f"pat_{one.name}", Op(op_id="op_1", op="supersede", target_id="mem_seed",
                                              record={"statement": statement}))  # fmt: skip
        assert one.store.apply(change, select=["op_1"]).receipts[0].applied
    converged(*pair)
    assert status(pair[0].store.state.records["mem_seed"]) == "contested"


@pytest.mark.parametrize("order", [(2, 0, 1)])
def test_three_machines_in_any_order(pair: Pair, tmp_path: Path, order: tuple[int, ...]) -> None:
    third = Machine(tmp_path, "tablet", 6)
    third.init(tmp_path / "remote.git")
    third.sync()
    machines = [*pair, third]
    for one in machines:
        one.update("mem_seed", statement=f"As on the {one.name}.")
        one.capture("Said everywhere.")
        one.capture(f"Said on the {one.name}.")
        one.add(f"Only on the {one.name}.")
    converged(*(machines[at] for at in order))
    assert len(machines[0].store.state.records["mem_seed"].heads) == 3
    statements = {one.data["statement"] for one in third.store.state.records.values()}
    assert {f"Only on the {one.name}." for one in machines} <= statements


@pytest.mark.soak
def test_the_bytes_do_not_depend_on_who_was_first(pair: Pair, template: Path, tmp_path: Path) -> None:
    found = []
    copied(template, tmp_path / "again")
    other = (Machine(tmp_path / "again", "laptop", 4), Machine(tmp_path / "again", "desktop", 5))
    for laptop, desktop, order in ((*pair, pair), (*other, other[::-1])):
        for one in (laptop, desktop):
            one.add(f"On {one.name}.")
            one.capture(f"Said on {one.name}.")
        converged(*order)
        found.append(laptop.bytes())
    assert found[0] == found[1]


def test_stores_that_began_apart_are_joined_when_asked(pair: Pair, tmp_path: Path) -> None:
    laptop, _ = pair
    other = Machine(tmp_path, "office", 6)
    other.add("Began at the office.")
    other.init(tmp_path / "remote.git")
    from curate.sync.faults import Unrelated

    with pytest.raises(Unrelated, match="--join"):
        other.sync()
    other.sync(join=True)
    converged(laptop, other)
    assert {one.data["statement"] for one in laptop.store.state.records.values()} == {
        "Run make check.", "Began at the office."}  # fmt: skip


def test_notes_of_a_day_keep_the_lines_of_both(pair: Pair) -> None:
    day = "notes/daily/2026-11-02.md"
    for one in pair:
        (one.root / day).parent.mkdir(parents=True)
        (one.root / day).write_text("# Monday\n\n- tea\n")
        one.sync()
    for one in pair:
        with (one.root / day).open("a") as file:
            file.write(f"- on the {one.name}\n")
    converged(*pair)
    assert (pair[0].root / day).read_text() == "# Monday\n\n- tea\n- on the desktop\n- on the laptop\n"


def test_settings_that_clash_stay_ours_and_are_named(pair: Pair) -> None:
    laptop, desktop = pair
    for one, days in ((laptop, 5), (desktop, 9)):
        path = one.root / "config.yaml"
        path.write_text(path.read_text().replace("defer_days: 7", f"defer_days: {days}"))
    assert laptop.sync().clashes == []
    assert desktop.sync().clashes == ["config.yaml"]
    assert "defer_days: 9" in (desktop.root / "config.yaml").read_text()
    laptop.sync()
    assert "defer_days: 9" in (laptop.root / "config.yaml").read_text()
    path = laptop.root / "config.yaml"
    path.write_text("# mine\n" + path.read_text())
    path = desktop.root / "config.yaml"
    path.write_text(path.read_text().replace("defer_days: 9", "defer_days: 8"))
    converged(laptop, desktop)
    assert (laptop.root / "config.yaml").read_text().startswith("# mine\n")
    assert "defer_days: 8" in (laptop.root / "config.yaml").read_text()


def test_a_conflict_marker_that_somebody_pushed_does_not_get_in(pair: Pair, tmp_path: Path) -> None:
    laptop, desktop = pair
    git(tmp_path, "clone", "-q", "-b", "main", str(tmp_path / "remote.git"), "by-hand")
    path = tmp_path / "by-hand" / "memory" / "global.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"<<<<<<< HEAD\n" + lines[0] + b"=======\r\n>>>>>>> theirs\n" + b"".join(lines[1:]))
    git(tmp_path / "by-hand", "commit", "-q", "-am", "A merge by hand")
    git(tmp_path / "by-hand", "push", "-q")
    converged(laptop, desktop)
    assert path.read_bytes() != (laptop.root / "memory/global.jsonl").read_bytes()


def test_what_both_machines_heard_again_is_one_candidate_that_nobody_has_to_untangle(pair: Pair) -> None:
    laptop, desktop = pair
    laptop.capture("Never use npm here.")
    laptop.sync()
    desktop.sync()
    for one in (laptop, desktop, laptop):
        one.capture("Never use npm here.")
    converged(laptop, desktop)
    state = desktop.store.state
    (candidate,) = state.candidates.values()
    assert not candidate.forked
    assert len(candidate.data["evidence"]) == 4
    (shop,) = state.projects.values()
    assert not shop.forked
    assert set(shop.data["paths"]) == {"/home/laptop/shop", "/home/desktop/shop"}


@pytest.mark.soak
def test_a_decision_stands_when_another_machine_only_heard_it_again(pair: Pair) -> None:
    laptop, desktop = pair
    laptop.capture("Never use npm here.")
    laptop.sync()
    desktop.sync()
    (ident,) = laptop.store.state.candidates
    change = patch("pat_reject", Op(op_id="op_1", op="reject_candidate", target_id=ident))
    assert laptop.store.apply(change, select=["op_1"]).receipts[0].applied
    desktop.capture("Never use npm here.")
    converged(laptop, desktop)
    candidate = laptop.store.state.candidates[ident]
    assert (candidate.forked, candidate.data["status"], len(candidate.data["evidence"])) == (False, "rejected", 2)
