"""From decisions to ops: each verb makes the op it names, on what was seen, and on nothing else."""

from __future__ import annotations

from dataclasses import replace

import pytest

from curate.review.choice import Choice, Verb
from curate.review.drafting import draft, ops_of
from curate.review.ledger import Ledger
from curate.review.rows import Row, Scoped
from curate.review.session import Session
from store.model import Op

SHOP = Scoped("project", ("shop", "web"))
ROW = Row(
    key="c1", tab="groups", statement="use pnpm", scoped=SHOP, candidates=("c1", "c2"), records=("m1",),
    bases=(("m1", "hash1"),), reason="said twice", match="new",
)  # fmt: skip
RECORD = Row(
    key="m1", tab="memory", statement="use npm", scoped=Scoped("project", ("shop",)), kind="record", records=("m1",),
    bases=(("m1", "hash1"),), status="active",
)  # fmt: skip


def chosen(verb: Verb, row: Row = ROW, **fields: object) -> Op:
    choice = Choice(verb, candidates=row.candidates, bases=row.bases, **fields)  # type: ignore[arg-type]
    (op,) = ops_of(row, choice)
    return op


def test_accept_makes_one_op_for_all_projects() -> None:
    op = chosen("accept")
    assert (op.op, op.targets, op.candidate_ids) == ("add", ["shop", "web"], ["c1", "c2"])
    assert op.record is not None
    assert op.record["scope"] == {"type": "project"}


def test_accept_takes_the_chosen_scope_and_words() -> None:
    op = chosen("accept", scoped=Scoped("path", ("shop",), ("api/**",)), statement="Use pnpm.")
    assert op.targets == ["shop"]
    assert op.record is not None
    assert op.record["scope"] == {"type": "project", "paths": ["api/**"]}
    assert op.record["statement"] == "Use pnpm."
    op = chosen("accept", scoped=Scoped("global"))
    assert (op.targets, (op.record or {})["scope"]) == ([], {"type": "global"})


@pytest.mark.parametrize(
    ("verb", "name"),
    [("merge", "update"), ("supersede", "supersede"), ("exception", "add_exception"), ("contest", "contest")],
)
def test_what_aims_at_a_record_carries_the_hash_that_was_seen(verb: Verb, name: str) -> None:
    op = chosen(verb, target="m1")
    assert (op.op, op.target_id, op.base, op.candidate_ids) == (name, "m1", "hash1", ["c1", "c2"])


@pytest.mark.parametrize(
    ("verb", "name"),
    [
        ("deprecate", "deprecate"), ("delete", "delete"), ("pin", "pin"), ("unpin", "unpin"),
        ("uncontest", "uncontest"),
        ("flag", "flag_for_review"), ("vault", "promote_to_vault_candidate"), ("resolve", "resolve_fork"),
        ("contest", "contest"),
    ],
)  # fmt: skip
def test_what_is_done_to_a_record(verb: Verb, name: str) -> None:
    op = chosen(verb, RECORD)
    assert (op.op, op.target_id, op.base) == (name, "m1", "hash1")


def test_a_proposed_supersession_is_taken_with_its_own_words() -> None:
    proposed = Op(
        op_id="x", op="supersede", target_id="m1", candidate_ids=["c1", "c2", "c3"], record={"rule_type": "tool"}
    )
    row = replace(ROW, op="supersede", ops=(proposed,))
    op = chosen("accept", row, statement="Use pnpm.")
    assert (op.op, op.base, op.candidate_ids) == ("supersede", "hash1", ["c1", "c2"])
    assert op.record == {"rule_type": "tool", "statement": "Use pnpm."}


def test_history_is_replaced_only_by_what_was_accepted_too() -> None:
    """Two waiting candidates contradict each other: the older becomes history of the newer, if both are accepted."""
    older = replace(
        ROW,
        ops=(
            Op(op_id="1", op="add", candidate_ids=["c1"], record={"id": "mem_old"}),
            Op(op_id="2", op="supersede", target_id="mem_old", updates={"by": "mem_new"}),
        ),
    )
    newer = replace(
        ROW,
        key="c9",
        candidates=("c9",),
        ops=(Op(op_id="3", op="add", candidate_ids=["c9"], record={"id": "mem_new"}),),
    )
    rows = {"c1": older, "c9": newer}
    accept = {key: Choice("accept", candidates=row.candidates) for key, row in rows.items()}
    both = draft(rows, accept)
    assert [op.op for op in both.patch.ops] == ["add", "add", "supersede"]
    assert [both.rows[op.op_id] for op in both.patch.ops] == ["c1", "c9", "c1"]
    one = draft(rows, {"c1": accept["c1"]})
    assert [op.op for op in one.patch.ops] == ["add"]


def test_what_comes_back_after_a_rejection_lifts_the_mark() -> None:
    assert chosen("accept", replace(ROW, flags=("tombstoned",))).updates == {"lift_tombstone": True}


def test_a_row_is_done_only_when_all_its_ops_were() -> None:
    made = draft({"c1": ROW}, {"c1": Choice("accept", candidates=("c1", "c2"))})

    class Receipt:
        op_id, applied, reason, detail = "op_001", False, "stale", "it changed"

    assert made.outcome([Receipt()]) == ([], {"c1": "it changed"})


def test_a_secret_that_was_typed_is_masked_before_it_is_kept() -> None:
    kept: list[dict[str, object]] = []

    class Log:
        def append(self, event: dict[str, object]) -> None:
            kept.append(event)

    session = Session(Log(), Ledger(), clock=lambda: 0.0)
    session.load([ROW])
    session.set_tab("groups")
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    session.decide("accept", statement=f"use the token {secret} for pnpm")
    assert secret not in str(kept)
    assert session.pending()
