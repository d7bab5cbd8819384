"""`undo`: a patch is taken back, and where later changes do not allow it, what stands in the way is named."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from curate.cli.apply import report
from curate.cli.options import Shell, command
from curate.cli.output import count, emit, say, table, tell

if TYPE_CHECKING:
    from store.patch.obstacles import Obstacle
    from store.undoing import Undoing


@command("undo")
@click.argument("patch_id", metavar="[PATCH]", required=False)
@click.option("--dry-run", is_flag=True, help="Say what it would give back and what stands in its way; write nothing.")
def undo(shell: Shell, patch_id: str | None, dry_run: bool) -> None:
    """Take back the last patch, or the one named: what was before is appended anew, nothing is removed.

    An old patch is taken back as far as nothing that came later changed the same; the rest is named with the patches
    that stand in the way, and the commands that take those back first.
    """
    from store.ids import new_id, now
    from store.undoing import foresee_undo

    store = shell.open()
    foreseen = foresee_undo(store, patch_id, clock=now, new_id=new_id)
    if foreseen is not None and foreseen.undone_by is not None:
        by = foreseen.undone_by
        say(f"curate: {foreseen.patch_id} was taken back already, by {by}; `curate undo {by}` does it again")
    if dry_run and foreseen is not None:
        _foretell(shell, foreseen)
        return
    applied = store.undo(patch_id)
    stuck = foreseen.obstacles if foreseen is not None else ()
    order = foreseen.order if foreseen is not None and stuck else ()
    commands = [f"curate undo {one}" for one in order]
    report(shell, applied, in_the_way=[one.document() for one in stuck], commands=commands)
    if stuck and not shell.as_json:
        _tell_obstacles(stuck, commands)


def _foretell(shell: Shell, foreseen: Undoing) -> None:
    commands = [f"curate undo {one}" for one in foreseen.order]
    if shell.as_json:
        emit(
            {
                "patch": foreseen.patch_id,
                "would_apply": [one.op_id for one in foreseen.receipts if one.applied],
                "would_skip": [
                    {"op": one.op_id, "id": foreseen.ids[one.op_id], "reason": one.reason, "detail": one.detail}
                    for one in foreseen.receipts if not one.applied
                ],
                "in_the_way": [one.document() for one in foreseen.obstacles],
                "commands": commands,
            }
        )  # fmt: skip
        return
    tell(f"Undo of {foreseen.patch_id}: {_share(foreseen)}; nothing was written")
    table([_row(foreseen, receipt) for receipt in foreseen.receipts], indent=2)
    if foreseen.obstacles:
        _tell_obstacles(foreseen.obstacles, commands)


def _share(foreseen: Undoing) -> str:
    able = sum(receipt.applied for receipt in foreseen.receipts)
    if foreseen.whole:
        return "all of it can be taken back"
    return f"{able} of {count(len(foreseen.receipts), 'thing')} can be taken back"


def _row(foreseen: Undoing, receipt: Any) -> tuple[str, str, str]:
    return ("+" if receipt.applied else "-", foreseen.ids[receipt.op_id], receipt.detail or "as it was before")


def _tell_obstacles(stuck: tuple[Obstacle, ...], commands: list[str]) -> None:
    tell("In the way:")
    for one in stuck:
        if not one.later:
            tell(f"  {one.id}: changed since by {', '.join(one.made_by)}, which no undo takes back")
        for later in one.later:
            tell(f"  {one.id}: {later.op} in {later.patch} ({later.at[:10]}) {later.summary}".rstrip())
    if len(commands) > 1:
        tell("To take all of it back, in this order:")
        for each in commands:
            tell(f"  {each}")
