"""`inbox` and `propose`: what waits for a decision, and the patch that would decide it as proposed."""

from __future__ import annotations

import dataclasses
import json
import sys
from typing import TYPE_CHECKING, Any

from curate.cli.options import Shell, command
from curate.cli.output import count, emit, table, tell
from curate.cli.records import place

if TYPE_CHECKING:
    from curate.review.inbox import Group
    from store.store import Store


@command("inbox")
def inbox(shell: Shell) -> None:
    """List what waits for review, in groups: recurrences and siblings together."""
    groups = waiting(shell.open())
    if shell.as_json:
        emit({"groups": [group_json(group) for group in groups]})
    else:
        tell_groups(groups)


@command("propose")
def propose(shell: Shell) -> None:
    """Print a patch for what waits. Nothing changes until it is applied: `curate propose | curate apply -`."""
    from curate.review.propose import propose as proposal

    store = shell.open()
    patch = proposal(store.state, waiting(store))
    if patch.ops:
        store.propose(patch)
    document = patch.model_dump(mode="json", by_alias=True)
    if shell.as_json:
        emit(document)
    else:
        sys.stdout.write(json.dumps(document, ensure_ascii=False, indent=2) + "\n")


def waiting(store: Store) -> list[Group]:
    """What waits in a store, by its own threshold."""
    from curate.review.inbox import inbox as gather

    return gather(store.state, threshold=store.config.get("review.batch_threshold"))


def group_json(group: Group) -> dict[str, Any]:
    """A group as the command-line contract has it."""
    return dataclasses.asdict(group)


def tell_groups(groups: list[Group]) -> None:
    """Print groups for people: how often said, what it is to what is known, where it would hold, and the words."""
    if not groups:
        tell("Nothing waits for review.")
        return
    shown = [group for group in groups if group.visible]
    serious = [group for group in shown if group.tab != "noise"]
    table(
        (f"{group.recurrence}x", "conflict" if group.rivals else group.match.kind, where(group), group.statement)
        for group in serious
    )
    tell(f"{count(len(serious), 'group')} to decide on; review with `curate`.")
    if len(shown) > len(serious):
        tell(f"{len(shown) - len(serious)} more look like noise.")
    if len(groups) > len(shown):
        tell(f"{len(groups) - len(shown)} more wait for more evidence.")


def where(group: Group) -> str:
    """The place that a group's memory would hold, in a word or two."""
    if len(group.targets) > 1:
        return count(len(group.targets), "project")
    return group.targets[0] if group.targets else place(group.scope)
