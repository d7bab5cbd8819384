"""Turns in the journal of a store, made by asking the planner as the hook does."""

from __future__ import annotations

from pathlib import Path

from curate.recall import journal
from curate.recall.planner import plan
from curate.recall.turn import request_for
from store.index.lookup import Lookup
from store.model import Op, Patch
from store.store import Store
from tests.curate.tui.stores import AT, SHOP

PROMPTS = (
    "run the linter before the commit",
    "ok",
    "which time is it in Lima?",
    "how do we write to the orders database in Postgres?",
)


def tell(root: Path, *prompts: str, session: str = "s1", day: int = 27, project: str | None = SHOP) -> None:
    """A turn for each prompt, an hour apart."""
    lookup = Lookup.open(root)
    for hour, prompt in enumerate(prompts or PROMPTS, 9):
        request = request_for(
            lookup.db, str(root), prompt, folder="/", today=f"2026-11-{day}", agent="claude-code", session=session,
            project=project,
        )  # fmt: skip
        at = f"2026-11-{day}T{hour:02}:00:00Z"
        journal.write(str(root), plan(lookup.db, request), session=session, agent="claude-code", at=at)
    lookup.db.close()


def change(root: Path, **op: object) -> None:
    """One op, applied."""
    store = Store.open(root, clock=lambda: "2026-11-28T09:00:00.000Z")
    patch = Patch(patch_id=f"pat_{op['op']}_{op['target_id']}", created_at=AT, ops=[Op(op_id="op_1", **op)])  # type: ignore[arg-type]
    (receipt,) = store.apply(patch, select=["op_1"]).receipts
    assert receipt.applied, receipt


def record(root: Path, words: str) -> str:
    """The id of the record that says these words."""
    return next(ident for ident, one in Store.open(root).state.records.items() if words in one.data["statement"])
