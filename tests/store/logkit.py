"""Stores to write to in tests: a clock and ids that count, a few captures, a patch that touches every kind of file."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from store.captures import Capture, CaptureBatch
from store.ids import content_id
from store.log.reader import Reader
from store.model import Candidate, Evidence, Op, Patch, Project, Scope
from store.store import Store

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from store.log.disk import Disk
    from store.state import State

SHOP = "github.com/acme/shop"
WEB = "github.com/acme/web"


def counting_clock(start: int = 0) -> Callable[[], str]:
    """A clock that moves on a second at each look, so that the same steps give the same lines."""
    seconds = itertools.count(start)
    return lambda: f"2026-11-{1 + (n := next(seconds)) // 86400:02}T{n // 3600 % 24:02}:{n // 60 % 60:02}:{n % 60:02}Z"


def counting_ids(start: int = 0) -> Callable[[str], str]:
    numbers = itertools.count(start)
    return lambda prefix: f"{prefix}_{next(numbers):08}"


def open_store(root: Path, *, start: int = 0, disk: Disk | None = None, **kwargs: Any) -> Store:
    return Store.open(root, clock=counting_clock(start), new_id=counting_ids(start), disk=disk, **kwargs)


def capture(statement: str, *, turn: str = "t1", ident: str | None = None, **fields: Any) -> Capture:
    evidence = Evidence(id=content_id("ev", turn, statement), excerpt=f"Please: {statement}", turn=turn, session="s1")
    fields.setdefault("scope", Scope(type="project", project=SHOP))
    candidate = Candidate(
        id=ident or content_id("cand", statement),
        statement=statement,
        evidence=[evidence.id],
        created_at="2026-11-01T00:00:00Z",
        updated_at="2026-11-01T00:00:00Z",
        **fields,
    )
    return Capture(candidate, [evidence])


def project(ident: str, *paths: str) -> Project:
    from store.project.naming import display_name, file_stem

    at = "2026-11-01T00:00:00Z"
    return Project(
        id=ident, name=display_name(ident), file=file_stem(ident), paths=list(paths), created_at=at, updated_at=at
    )


BUN, PNPM, DASH = "Use bun in this repo.", "Never use pnpm.", "Keep dashes out of docs — höflich, 😀."


def seeded(root: Path) -> Store:
    """A store with three candidates, one record and two projects."""
    store = open_store(root)
    store.create()
    store.capture(
        CaptureBatch([capture(text) for text in (BUN, PNPM, DASH)], [project(SHOP, "/src/shop"), project(WEB)])
    )
    store.apply(
        patch(
            "pat_seed",
            Op(op_id="op_1", op="add", record={"id": "mem_seed", "statement": "Run make check.", "layer": "L2",
                                               "scope": {"type": "project", "project": SHOP}}),
        ),
        select=["op_1"],
    )  # fmt: skip
    return store


def patch(patch_id: str, *ops: Op, **fields: Any) -> Patch:
    return Patch(patch_id=patch_id, created_at="2026-11-02T00:00:00Z", ops=list(ops), **fields)


def wide_patch(patch_id: str = "pat_wide") -> Patch:
    """One that writes to two project files, the global file, the inbox and the tombstones."""
    ids = [content_id("cand", text) for text in (BUN, PNPM, DASH)]
    return patch(
        patch_id,
        Op(op_id="op_1", op="add", candidate_ids=[ids[0]], targets=[SHOP, WEB]),
        Op(op_id="op_2", op="reject_candidate", target_id=ids[1]),
        Op(op_id="op_3", op="pin", target_id="mem_seed"),
        Op(op_id="op_4", op="add", candidate_ids=[ids[2]], record={"scope": {"type": "global"}}),
        summary="Everything at once",
    )


def everything(patch: Patch) -> list[str]:
    return [op.op_id for op in patch.ops]


def picture(state: State) -> dict[str, Any]:
    """What a state holds, comparable: every revision's hash, every head, every piece of evidence."""
    folds = {"records": state.records, "candidates": state.candidates, "tombstones": state.tombstones,
             "projects": state.projects}  # fmt: skip
    seen: dict[str, Any] = {
        name: {
            ident: ([one.hash for one in versions.revisions], [one.hash for one in versions.heads])
            for ident, versions in folded.items()
        }
        for name, folded in folds.items()
    }
    return seen | {"evidence": dict(state.evidence)}


def read(root: Path) -> State:
    """The state as a reader sees it who may neither lock nor write."""
    from store.layout import Layout

    reader = Reader(Layout(root))
    reader.refresh()
    return reader.state
