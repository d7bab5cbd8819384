"""Lines of other versions and files in a bad way: newer fields survive, what is not understood is refused by name."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from store import layout
from store.errors import ConflictMarkers, NewerSchema
from store.line import canonical
from store.model import Op
from tests.store.logkit import BUN, open_store, patch, read, seeded

if TYPE_CHECKING:
    from pathlib import Path

    from store.store import Store


def append(path: Path, data: dict[str, Any]) -> None:
    path.write_bytes(path.read_bytes() + canonical(data) + b"\n")


def newer_minor(store: Store, root: Path) -> None:
    """A revision of the seed record as a later version might write it."""
    head = store.state.records["mem_seed"].head
    data = {**head.data, "schema": "1.9", "rev": 2, "parent": head.hash, "op": "enrich", "mood": {"calm": [1, None]}}
    data.pop("patch")  # no patch of ours planned it
    data["scope"] = {**data["scope"], "branch": "main"}
    append(root / head.file, data)


def test_unknown_fields_of_a_newer_minor_version_survive_a_change(tmp_path: Path) -> None:
    store = seeded(tmp_path)
    newer_minor(store, tmp_path)
    store.refresh()
    done = store.apply(patch("pat_pin", Op(op_id="op_1", op="pin", target_id="mem_seed")), select=["op_1"])
    assert done.receipts[0].applied
    raw = (tmp_path / store.state.records["mem_seed"].head.file).read_bytes().splitlines()[-1]
    written = json.loads(raw)
    assert written["pinned"] is True
    assert written["mood"] == {"calm": [1, None]}
    assert written["scope"]["branch"] == "main"
    assert store.verify() == []


@pytest.mark.parametrize("name", [layout.CANDIDATES, layout.EVIDENCE, layout.PROJECTS])
def test_a_newer_major_version_is_refused_with_file_and_line(name: str, tmp_path: Path) -> None:
    store = seeded(tmp_path)
    path = tmp_path / name
    count = path.read_bytes().count(b"\n")
    append(path, {"schema": "2.0", "id": "x", "rev": 1})
    for _ in range(2):  # refused again, not silently read past
        with pytest.raises(NewerSchema, match=rf"{path.name}, line {count + 1}: written with schema 2.0") as refused:
            store.refresh()
        assert refused.value.exit_code == 3
    with pytest.raises(NewerSchema):
        open_store(tmp_path)
    with pytest.raises(NewerSchema):
        store.undo()
    assert [problem.line for problem in store.verify()] == [count + 1]


def test_a_torn_line_of_a_newer_version_is_not_thrown_out(tmp_path: Path) -> None:
    seeded(tmp_path)
    path = tmp_path / layout.CANDIDATES
    path.write_bytes(path.read_bytes() + b'{"schema":"2.0","id":"x"}')
    before = path.read_bytes()
    with pytest.raises(NewerSchema):
        open_store(tmp_path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("marker", [b"<<<<<<< HEAD", b"=======", b">>>>>>> theirs"])
def test_conflict_markers_are_refused_by_name_and_never_repaired_away(marker: bytes, tmp_path: Path) -> None:
    store = seeded(tmp_path)
    path = tmp_path / layout.CANDIDATES
    lines = path.read_bytes().splitlines()
    path.write_bytes(b"\n".join([lines[0], marker, *lines[1:], b""]))
    before = path.read_bytes()
    with pytest.raises(ConflictMarkers, match=r"candidates\.jsonl, line 2: git conflict markers"):
        open_store(tmp_path)
    with pytest.raises(ConflictMarkers):
        store.refresh()
    assert [problem.line for problem in store.verify()] == [2]
    assert path.read_bytes() == before
    path.write_bytes(before.replace(marker + b"\n", b""))
    assert store.refresh() or store.state.candidates
    assert store.verify() == []


def test_carriage_returns_that_git_put_in_do_not_change_hashes(tmp_path: Path) -> None:
    store = seeded(tmp_path)
    path = tmp_path / layout.CANDIDATES
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    state = read(tmp_path)
    assert {one.head.hash for one in state.candidates.values()} == {
        one.head.hash for one in store.state.candidates.values()
    }
    assert any(one.data["statement"] == BUN for one in state.candidates.values())
