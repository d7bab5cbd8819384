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


@command("inbox")
def inbox(shell: Shell) -> None:
    """List what waits for review, in groups: recurrences and siblings together."""
    from curate.review.inbox import inbox as waiting

    groups = waiting(shell.read())
    if shell.as_json:
        emit({"groups": [group_json(group) for group in groups]})
        return
    tell_groups(groups)


@command("propose")
def propose(shell: Shell) -> None:
    """Print a patch for what waits. Nothing changes until it is applied: `curate propose | curate apply -`."""
    from curate.review.inbox import inbox as waiting
    from curate.review.propose import propose as proposal
    from store.model import dump

    store = shell.open()
    patch = proposal(store.state, waiting(store.state))
    if patch.ops:
        store.propose(patch)
    document = dump(patch)
    if shell.as_json:
        emit(document)
    else:
        sys.stdout.write(json.dumps(document, ensure_ascii=False, indent=2) + "\n")


def group_json(group: Group) -> dict[str, Any]:
    """A group as the command-line contract has it."""
    return dataclasses.asdict(group)


def tell_groups(groups: list[Group]) -> None:
    """Print groups for people: how often, what would be done, where, and the words."""
    shown = [group for group in groups if group.visible]
    table((f"{group.recurrence}x", group.match.kind, where(group), group.statement) for group in shown)
    hidden = len(groups) - len(shown)
    if not groups:
        tell("Nothing waits for review.")
    elif hidden:
        tell(f"{count(hidden, 'group')} below the threshold of evidence, not shown")


def where(group: Group) -> str:
    """The place that a group's memory would hold, in a word or two."""
    if len(group.targets) > 1:
        return count(len(group.targets), "project")
    if group.targets:
        return group.targets[0]
    scope = group.scope
    return scope if isinstance(scope, str) else place(scope if isinstance(scope, dict) else scope.model_dump())
