"""`maintain`: what has aged, is overdue, said twice, never used, or ripe for more."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from curate.cli.options import Shell, command
from curate.cli.output import announce, count, emit, say, table, tell
from store.text import shorten

if TYPE_CHECKING:
    from curate.upkeep.maintain import Upkeep

NAMED = 20
"""Findings of a kind that are listed for people; --json has all."""


@command("maintain")
@click.option(
    "--patch", "only_patch", is_flag=True, help="Print the patch alone: curate maintain --patch | curate apply -"
)
def maintain(shell: Shell, only_patch: bool) -> None:
    """Look after the memory. Nothing is changed: it ends in a proposal.

    It finds missed reviews, stale and unused records, duplicates, rules that agents are told and still corrected for,
    and what is ripe for the vault or for identity memory.
    """
    from curate.upkeep.maintain import maintain as look
    from curate.upkeep.turns import sent
    from store.ids import now

    store = shell.open()
    announce(len(store.state.records))
    found = look(store.state, sent(store.root), at=now())
    if only_patch:
        if found.patch.ops:
            store.propose(found.patch)
        emit(found.patch.model_dump(mode="json", by_alias=True))
    elif shell.as_json:
        emit(document(found))
    else:
        _tell(found)


def document(found: Upkeep) -> dict[str, Any]:
    """As JSON has it."""
    return {
        "findings": [
            {"kind": one.kind, "record_ids": one.record_ids, "statement": one.statement, "why": one.why, "op_id": op_id}
            for one, op_id in zip(found.findings, found.op_ids, strict=True)
        ],
        "patch": found.patch.model_dump(mode="json", by_alias=True),
    }


def _tell(found: Upkeep) -> None:
    from curate.upkeep.finding import TITLES

    pairs = list(zip(found.findings, found.op_ids, strict=True))
    for kind, title in TITLES.items():
        own = [(one, op_id) for one, op_id in pairs if one.kind == kind]
        if not own:
            continue
        tell(f"{title} ({len(own)})")
        table(
            ((op_id or "", one.record_ids[0], shorten(one.statement, 60), one.why) for one, op_id in own[:NAMED]),
            indent=2,
        )
        if len(own) > NAMED:
            tell(f"  and {len(own) - NAMED} more")
    if not pairs:
        tell("Nothing to do.")
    elif found.patch.ops:
        chosen = sum(bool(op.default_selected) for op in found.patch.ops)
        tell(f"{count(len(found.patch.ops), 'op')} proposed, {chosen} of them chosen beforehand. Nothing was changed.")
        say("curate: apply what you like of it: curate maintain --patch > m.json; curate apply m.json --select OP,...")
