"""Two machines write apart and their logs are merged: the result is the same whatever the order of the lines."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from hypothesis import given
from hypothesis import strategies as st

from store import layout
from store.captures import CaptureBatch
from store.layout import Layout
from store.line import canonical, digest
from store.log.fold import Revision, Versions, fold, status
from store.log.merge import merge
from store.model import Op
from store.projection import render
from tests.store.logkit import SHOP, capture, everything, open_store, patch, picture, read, seeded

if TYPE_CHECKING:
    from pathlib import Path

    from store.store import Store


def revision(data: dict[str, Any]) -> Revision:
    raw = canonical(data)
    return Revision(data, digest(raw), "memory/global.jsonl", 1)


def of_line(raw: bytes) -> Revision:
    import json

    return Revision(json.loads(raw), digest(raw), "memory/global.jsonl", 1)


@st.composite
def histories(draw: st.DrawFn) -> list[bytes]:
    """Lines of a few records, each revision following one or two earlier ones of its record."""
    lines: list[bytes] = []
    for ident in ("mem_a", "mem_b"):
        known: list[tuple[int, str]] = []
        for number in range(draw(st.integers(1, 6))):
            data: dict[str, Any] = {"schema": "1.0", "id": ident, "rev": 1}
            if known and draw(st.booleans()):
                rev, data["parent"] = draw(st.sampled_from(known))
                others = [hash_ for _, hash_ in known if hash_ != data["parent"]]
                if others and draw(st.booleans()):
                    data["joins"] = [draw(st.sampled_from(others))]
                data["rev"] = rev + 1
            data |= {"op": "update", "at": f"2026-11-0{draw(st.integers(1, 3))}", "status": "active", "n": number}
            raw = canonical(data)
            known.append((data["rev"], digest(raw)))
            lines.append(raw)
    return lines


def shape(folded: dict[str, Versions]) -> dict[str, Any]:
    return {
        ident: (one.head.hash, [head.hash for head in one.heads], [r.hash for r in one.revisions], status(one))
        for ident, one in sorted(folded.items())
    }


@given(lines=histories(), data=st.data())
def test_two_logs_merged_in_any_order_fold_to_the_same(lines: list[bytes], data: st.DataObject) -> None:
    ours = data.draw(st.lists(st.sampled_from(lines), unique=True))
    theirs = [line for line in lines if line not in ours] + data.draw(st.lists(st.sampled_from(lines), unique=True))
    merged = merge(ours, theirs)
    assert merged == merge(theirs, ours) == merge(merged, ours)
    assert sorted(merged) == sorted(set(lines))
    expected = shape(fold(map(of_line, lines)))
    for order in (merged, merge(theirs, ours), data.draw(st.permutations(merged)), merged + merged):
        assert shape(fold(map(of_line, order))) == expected


def test_of_a_line_and_what_a_purge_left_of_it_the_purged_one_stays() -> None:
    said = {"schema": "1.0", "id": "mem_a", "rev": 1, "op": "add", "at": "1", "statement": "x"}
    kept = canonical({**said, "id": "mem_b"})
    gone = canonical({**said, "purged": digest(canonical(said)), "statement": "(purged)"})
    op = {"op_id": "op_1", "op": "add"}
    head = {"schema": "1.0", "patch_id": "pat_a", "phase": "proposed", "at": "1"}
    patches = [canonical({**head, "patch": {"ops": [one]}}) for one in (op, {**op, "record": {"statement": "x"}})]
    assert merge([canonical(said), kept], [gone]) == merge([gone], [canonical(said), kept]) == [gone, kept]
    assert merge(patches[:1], patches[1:]) == merge(patches[1:], patches[:1]) == patches[:1]


def test_conflict_markers_and_carriage_returns_do_not_survive_a_merge() -> None:
    lines = [b"<<<<<<< HEAD", b'{"a":1}\r', b"=======", b'{"b":2}', b">>>>>>> theirs", b""]
    assert merge(lines, [b'{"a":1}']) == [b'{"a":1}', b'{"b":2}']


def test_a_fork_is_contested_with_both_versions_whatever_the_order() -> None:
    first = {"schema": "1.0", "id": "mem_a", "rev": 1, "op": "add", "at": "1", "status": "active", "statement": "x"}
    base = revision(first).hash
    here = {**first, "rev": 2, "parent": base, "op": "update", "at": "2", "statement": "here"}
    there = {**first, "rev": 2, "parent": base, "op": "update", "at": "3", "statement": "there"}
    seen = set()
    for order in itertools.permutations([first, here, there]):
        versions = fold(map(revision, order))["mem_a"]
        assert versions.forked
        assert status(versions) == "contested"
        assert {head.data["statement"] for head in versions.heads} == {"here", "there"}
        seen.add(versions.data["statement"])
    assert seen == {"there"}
    joined = {**there, "rev": 3, "parent": revision(there).hash, "joins": [revision(here).hash]}
    versions = fold(map(revision, [joined, here, first, there]))["mem_a"]
    assert not versions.forked
    assert status(versions) == "active"


def test_a_fork_deleted_on_both_sides_is_deleted() -> None:
    first = {"schema": "1.0", "id": "mem_a", "rev": 1, "at": "1", "status": "active"}
    gone = [{**first, "rev": 2, "parent": revision(first).hash, "at": at, "status": "deleted"} for at in ("2", "3")]
    assert status(fold(map(revision, [first, *gone]))["mem_a"]) == "deleted"


def merged_tree(target: Path, first: Path, second: Path) -> Path:
    """What `merge=union` makes of two machines' stores."""
    for name in {path.relative_to(one) for one in (first, second) for path in one.rglob("*.jsonl")}:
        sides = [(one / name).read_bytes().split(b"\n") if (one / name).exists() else [] for one in (first, second)]
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        (target / name).write_bytes(b"".join(line + b"\n" for line in merge(*sides)))
    return target


def supersede(store: Store, name: str, statement: str) -> None:
    change = patch(
        f"pat_{name}",
        Op(op_id="op_1", op="supersede", target_id="mem_seed", record={"statement": statement}),
        Op(op_id="op_2", op="add", record={"statement": f"Only on {name}.", "scope": {"type": "global"}}),
    )
    assert all(receipt.applied for receipt in store.apply(change, select=everything(change)).receipts)
    store.capture(CaptureBatch([capture(f"Said on {name}.", turn=name)]))


def test_two_machines_that_both_supersede_agree_after_the_merge(tmp_path: Path) -> None:
    import shutil

    seeded(tmp_path / "laptop")
    shutil.copytree(tmp_path / "laptop", tmp_path / "desktop")
    supersede(open_store(tmp_path / "laptop", start=1000), "laptop", "Run just check.")
    supersede(open_store(tmp_path / "desktop", start=2000), "desktop", "Run nox.")
    one = merged_tree(tmp_path / "one", tmp_path / "laptop", tmp_path / "desktop")
    other = merged_tree(tmp_path / "other", tmp_path / "desktop", tmp_path / "laptop")
    assert picture(read(one)) == picture(read(other))
    store = open_store(one, start=3000)
    seed = store.state.records["mem_seed"]
    assert status(seed) == "contested"
    assert store.state.record("mem_seed").status == "contested"
    statements = {versions.data["statement"] for versions in store.state.records.values()}
    assert {"Run just check.", "Run nox.", "Only on laptop.", "Only on desktop."} <= statements
    assert {"Said on laptop.", "Said on desktop."} <= {one.data["statement"] for one in store.state.candidates.values()}
    render(store.root, store.state)  # git merges the logs, not the pages made from them
    assert store.verify() == []
    resolve = patch("pat_resolve", Op(op_id="op_1", op="resolve_fork", target_id="mem_seed"))
    assert store.apply(resolve, select=["op_1"]).receipts[0].applied
    assert not store.state.records["mem_seed"].forked
    assert store.verify() == []


def test_the_patches_of_two_machines_are_complete_after_a_merge_in_any_order(tmp_path: Path) -> None:
    """Union merge may put `applied` before its `applying`; nothing may be taken for cut off."""
    root = tmp_path / "store"
    seeded(root)
    for name in Layout(root).patch_files():
        path = root / name
        path.write_bytes(b"".join(line + b"\n" for line in reversed(path.read_bytes().split(b"\n")[:-1])))
    before = {path: path.read_bytes() for path in root.rglob("*.jsonl")}
    assert open_store(root).verify() == []
    assert {path: path.read_bytes() for path in before} == before


def test_a_record_that_moved_between_files_folds_over_all_of_them(tmp_path: Path) -> None:
    root = tmp_path / "store"
    store = seeded(root)
    move = patch("pat_move", Op(op_id="op_1", op="update", target_id="mem_seed", updates={"scope": {"type": "global"}}))
    assert store.apply(move, select=["op_1"]).receipts[0].applied
    assert store.state.records["mem_seed"].head.file == layout.GLOBAL
    assert [one.rev for one in read(root).records["mem_seed"].revisions] == [1, 2]
    assert store.apply(move).projects_changed == []
    assert SHOP in store.apply(patch("pat_back", Op(
        op_id="op_1", op="update", target_id="mem_seed", updates={"scope": {"type": "project", "project": SHOP}},
    )), select=["op_1"]).projects_changed  # fmt: skip
    assert open_store(root).verify() == []
