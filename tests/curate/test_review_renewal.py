"""Rows follow the store: what has not changed stays the very row it was, and the rest is as if all were made anew."""

from __future__ import annotations

import dataclasses
from pathlib import Path

from curate.review.renewal import Renewal
from curate.review.rows import Row
from store.model import Op, Patch, Scope
from store.store import Store
from tests.curate.tui.stores import AT, SHOP, WEB, capture, opened, remember, said

HERE = Scope(type="project", project=SHOP)


def told(row: Row) -> tuple[object, ...]:
    """All of a row; ids that were made for records to come are as good as any others."""
    ops = [
        op.model_copy(update={"op_id": "", "record": {**(op.record or {}), "id": ""}}) if op.base is None else op
        for op in row.ops
    ]
    ops = [op.model_copy(update={"target_id": op.base and op.target_id}) for op in ops]
    updates = [{key: value for key, value in op.updates.items() if key != "by"} for op in ops]
    plain = dataclasses.replace(row, ops=())
    return plain, row.haystack, [op.model_copy(update={"updates": {}}) for op in ops], updates


def anew(root: Path) -> list[tuple[object, ...]]:
    return [told(row) for row in Renewal(Store.open(root).state).rows(AT, 3)]


def decide(store: Store, op: str, *candidates: str, **fields: object) -> None:
    ops = [
        Op(op_id=f"op_{n}", op=op, candidate_ids=[ident], **fields)  # type: ignore[arg-type]
        for n, ident in enumerate(candidates)
    ]
    patch = Patch(patch_id=f"pat_{op}_{candidates[0]}", created_at=AT, summary=op, ops=ops)
    store.apply(patch, select=[one.op_id for one in ops])


def test_after_every_change_the_rows_are_as_if_all_were_made_anew(tmp_path: Path) -> None:
    store = opened(tmp_path)
    renewal = Renewal(store.state)
    yarn: list[str] = []
    steps = [
        lambda: remember(store, ("Use Postgres for the orders database", HERE), ("Never use default exports", HERE)),
        lambda: capture(store, said("use pnpm, not npm", day=3), said("never log customer emails", day=4),
                        said("run the linter before each commit", day=5, target=WEB)),
        lambda: capture(store, said("use pnpm instead of npm", day=6, target=WEB)),
        lambda: capture(store, said("we moved from Postgres to MySQL for the orders database", day=20)),
        lambda: capture(store, said("always use yarn for the web client", day=7, target=WEB),
                        said("never use yarn for the web client", day=9, target=WEB)),
        lambda: capture(store, said("never use yarn for the web client", day=12, times=2, target=WEB)),
        lambda: capture(store, said("prefer tabs", trust="agent_inference"),
                        said("sort imports", trust="agent_inference")),
        lambda: capture(store, said("use three retries", trust="agent_inference")),
        lambda: decide(store, "reject_candidate", key(store, "never log")),
        lambda: capture(store, said("never log emails", day=10), said("don't log customer emails", day=11)),
        lambda: decide(store, "add", key(store, "run the linter"), targets=[WEB]),
        lambda: decide(store, "add", key(store, "use pnpm, not"), targets=[SHOP], record={"statement": "Use pnpm"}),
        lambda: decide(store, "defer_candidate", yarn.append(key(store, "always use yarn")) or yarn[0]),
        lambda: store.undo(f"pat_defer_candidate_{yarn[0]}"),
    ]  # fmt: skip
    for step in steps:
        step()
        assert [told(row) for row in renewal.rows(AT, 3)] == anew(tmp_path)
    tabs = {row.tab for row in renewal.rows(AT, 3)}
    assert tabs == {"noise", "singles", "conflicts", "memory"}


def test_in_parts_it_comes_to_the_same(tmp_path: Path) -> None:
    store = opened(tmp_path)
    remember(store, ("Use Postgres for the orders database", HERE))
    capture(
        store, said("use pnpm, not npm", day=3), said("never log customer emails", day=4),
        said("use pnpm instead of npm", day=6, target=WEB), said("we moved from Postgres to MySQL for orders", day=20),
        said("always use yarn for the web client", day=7, target=WEB), said("don't log customer emails", day=11),
        said("never use yarn for the web client", day=12, target=WEB), said("sort imports", trust="agent_inference"),
    )  # fmt: skip
    renewal = Renewal(Store.open(tmp_path).state)
    last = key(store, "never use yarn")

    renewal.rows(AT, 3, limit=2, first={last})
    assert renewal.left == 6
    assert last in {row.key for row in renewal.rows(AT, 3, limit=1)}
    while renewal.left:
        renewal.rows(AT, 3, limit=2)

    assert [told(row) for row in renewal.rows(AT, 3)] == anew(tmp_path)


def key(store: Store, words: str) -> str:
    (found,) = [versions.id for versions in store.state.waiting() if versions.data["statement"].startswith(words)]
    return found


def test_rows_that_nothing_happened_to_stay_as_they_are(tmp_path: Path) -> None:
    store = opened(tmp_path)
    capture(store, *(said(f"use tool{number} for thing{number}") for number in range(30)))
    renewal = Renewal(store.state)
    before = {row.key: row for row in renewal.rows(AT, 3)}

    capture(store, said("never commit the lock file"))

    after = {row.key: row for row in renewal.rows(AT, 3)}
    assert len(after) == 31
    assert all(after[ident] is row for ident, row in before.items())


def test_a_new_day_or_threshold_tells_on_all_rows(tmp_path: Path) -> None:
    store = opened(tmp_path)
    capture(store, said("use tabs", trust="agent_inference", day=2), said("sort imports"))
    renewal = Renewal(store.state)

    assert [row.hidden for row in renewal.rows(AT, 3) if row.statement == "use tabs"] == [True]
    assert [row.hidden for row in renewal.rows(AT, 1) if row.statement == "use tabs"] == [False]
    assert {row.tab for row in renewal.rows("2027-06-01T00:00:00Z", 1)} == {"noise"}
