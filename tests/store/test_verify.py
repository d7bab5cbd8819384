"""Every breach of a rule of the store is found, with its file and line and what to do about it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from store import layout
from store.line import canonical, digest
from store.model import Op
from tests.store.logkit import BUN, SHOP, everything, open_store, patch, seeded, wide_patch

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from store.state import Problem


@pytest.fixture
def root(tmp_path: Path) -> Path:
    store = seeded(tmp_path)
    change = wide_patch()
    store.apply(change, select=everything(change))
    supersede = Op(op_id="op_1", op="supersede", target_id="mem_seed", record={"statement": "Run just."})
    store.apply(patch("pat_new", supersede), select=["op_1"])
    assert store.verify() == []
    return tmp_path


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def edit(path: Path, change: Callable[[list[dict[str, Any]]], None]) -> None:
    lines = lines_of(path)
    change(lines)
    path.write_bytes(b"".join(canonical(line) + b"\n" for line in lines))


def problems(root: Path) -> list[Problem]:
    from store.layout import Layout
    from store.log.verify import verify

    found = verify(Layout(root))
    assert all(problem.mend for problem in found)
    return [problem for problem in found if problem.file.endswith(".jsonl")]


def without_patch(line: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in line.items() if name != "patch"}


def shop_file(root: Path) -> Path:
    return next((root / layout.PROJECT_MEMORY).glob("shop-*.jsonl"))


def test_a_changed_line_breaks_the_chain_of_those_that_follow_it(root: Path) -> None:
    edit(shop_file(root), lambda lines: lines[0].update(statement="Something else."))
    found = [problem for problem in problems(root) if problem.file.endswith(shop_file(root).name)]
    assert any("follows" in problem.problem and problem.line == 3 for problem in found)
    assert any("which is in no file" in problem.problem for problem in problems(root))
    assert any("which is not there" in problem.problem and "patches/" in problem.file for problem in problems(root))


def test_a_changed_line_that_none_follows_is_named_by_its_place(root: Path) -> None:
    file = shop_file(root)
    number = len(lines_of(file))
    edit(file, lambda lines: lines[-1].update(statement="Something else."))
    (found,) = [problem for problem in problems(root) if problem.file.endswith(file.name)]
    assert found.line == number
    assert "is not as patch" in found.problem


def test_a_lost_first_revision_is_noticed_by_the_next(root: Path) -> None:
    edit(root / layout.CANDIDATES, lambda lines: lines.pop(0))
    assert any("revision 2 follows" in problem.problem for problem in problems(root))


def test_a_revision_number_that_does_not_follow_its_parent(root: Path) -> None:
    def jump(lines: list[dict[str, Any]]) -> None:
        last = without_patch(lines[-1])
        lines.append({**last, "rev": last["rev"] + 5, "parent": digest(canonical(lines[-1])), "op": "update"})

    edit(root / layout.TOMBSTONES, jump)
    (found,) = problems(root)
    assert (found.file, found.line) == (layout.TOMBSTONES, 2)
    assert "has revision 6 where 2 must follow" in found.problem


def test_a_line_that_is_not_canonical(root: Path) -> None:
    path = root / layout.PROJECTS
    first, rest = path.read_bytes().split(b"\n", 1)
    path.write_bytes(first.replace(b'"rev":1', b'"rev": 1') + b"\n" + rest)
    assert [(one.line, one.problem[:21]) for one in problems(root)] == [(1, "not in canonical form")]


def test_evidence_that_is_gone_or_says_something_else(root: Path) -> None:
    path = root / layout.EVIDENCE
    whole = path.read_bytes()
    edit(path, lambda lines: lines.pop(0))
    assert any("rests on evidence" in problem.problem for problem in problems(root))
    path.write_bytes(whole)
    edit(path, lambda lines: lines.append({**lines[0], "excerpt": "Other words."}))
    (found,) = problems(root)
    assert (found.file, found.line) == (layout.EVIDENCE, 4)
    assert "has other words than line 1" in found.problem


def test_a_candidate_whose_record_is_gone(root: Path) -> None:
    edit(root / layout.GLOBAL, lambda lines: lines.pop())
    assert any("became record" in problem.problem and problem.file == layout.CANDIDATES for problem in problems(root))


def test_a_supersession_that_one_side_does_not_know(root: Path) -> None:
    def forget(lines: list[dict[str, Any]]) -> None:
        seed = next(line for line in reversed(lines) if line["id"] == "mem_seed")
        fresh = {**without_patch(seed), "rev": seed["rev"] + 1, "parent": digest(canonical(seed)), "status": "active"}
        del fresh["superseded_by"]
        lines.append(fresh)

    edit(shop_file(root), forget)
    (found,) = problems(root)
    assert "supersedes mem_seed, which does not know of it" in found.problem


def test_a_record_in_the_file_of_another_project(root: Path) -> None:
    path = shop_file(root)
    moved = [line for line in lines_of(path) if line["id"] != "mem_seed" and line["statement"] == BUN]
    edit(path, lambda lines: lines.remove(moved[0]))
    edit(root / layout.GLOBAL, lambda lines: lines.append(moved[0]))
    (found,) = problems(root)
    assert found.file == layout.GLOBAL
    assert found.mend == f"move the line to {layout.PROJECT_MEMORY}/{path.name}"


def test_two_projects_with_one_file(root: Path) -> None:
    def clash(lines: list[dict[str, Any]]) -> None:
        lines.append({**lines[0], "id": "github.com/other/shop"})

    edit(root / layout.PROJECTS, clash)
    assert any(f"{SHOP} and github.com/other/shop both have the file" in problem.problem for problem in problems(root))


def test_a_patch_without_its_end_and_one_without_its_plan(root: Path) -> None:
    log = next((root / layout.PATCHES).iterdir())
    whole = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join(whole[:-1]))
    (found,) = problems(root)
    assert (found.line, found.problem) == (len(whole) - 1, "patch pat_new was cut off")
    open_store(root, start=900)
    assert problems(root) == []
    log.write_bytes(b"".join(whole[:-2] + whole[-1:]))
    assert any("was applied, but its plan is not there" in problem.problem for problem in problems(root))


def test_a_line_with_a_value_that_no_model_allows(root: Path) -> None:
    edit(root / layout.GLOBAL, lambda lines: lines[0].update(confidence=7))
    assert any("confidence: input should be less than or equal to 1" in problem.problem for problem in problems(root))


def test_bad_lines_torn_tails_and_a_capture_cut_off_are_listed_together(root: Path) -> None:
    path = root / layout.CANDIDATES
    count = path.read_bytes().count(b"\n")
    path.write_bytes(path.read_bytes() + b"nonsense\n" + b'{"schema":"1.0","id"')
    (root / layout.CAPTURING).write_bytes(b'{"schema"')
    found = problems(root)
    assert [(one.file, one.line) for one in found] == [
        (layout.CANDIDATES, count + 1), (layout.CANDIDATES, count + 2), (layout.CAPTURING, 1),
    ]  # fmt: skip
    assert found[1].offset == len(path.read_bytes()) - 20
    store = open_store(root, start=900)
    assert [one.line for one in store.verify()] == [count + 1]
    assert store.repair() == []


def test_verify_changes_nothing(root: Path) -> None:
    (root / layout.CANDIDATES).write_bytes((root / layout.CANDIDATES).read_bytes() + b"oops\n")
    before = {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}
    assert problems(root)
    assert {path: path.read_bytes() for path in root.rglob("*") if path.is_file()} == before


def test_a_page_that_does_not_show_the_records(root: Path) -> None:
    page = next((root / layout.RENDERED_PROJECTS).glob("shop-*.md"))
    page.write_text("# something else\n")
    (found,) = open_store(root).verify()
    assert found.file == f"{layout.RENDERED_PROJECTS}/{page.name}"
    assert found.mend == "run `curate materialise`"
