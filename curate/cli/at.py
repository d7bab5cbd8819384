"""`at` and `diff`: the memory as it was, and what has changed between two moments."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from curate.cli.options import Shell, command
from curate.cli.output import count, emit, moment, tell
from curate.cli.records import Filter, documents, filters, list_records, place

if TYPE_CHECKING:
    from curate.review.changes import Changed, Changes
    from store.moment import Cut
    from store.store import Store


@command("at")
@click.argument("date", metavar="DATE")
@filters
def at(shell: Shell, date: str, **chosen: str | None) -> None:
    """List the records as they were at a moment: what held then, in the words it had then.

    DATE is a date (its end, in UTC), a time (2026-11-01T12:00:00Z), an age (7d, 12h, 2w), or a patch (the moment right
    after it; with ^ at the end, right before it).
    """
    from store.moment import state_at

    store = shell.open()
    when = _cut(store, date)
    state = state_at(store.state, when)
    found = Filter(**chosen).records(state)
    if shell.as_json:
        emit({"at": when.at, "records": documents(found)})
        return
    tell(f"As it was at {moment(when.at)} UTC:")
    list_records(state, found)


@command("diff")
@click.argument("old", metavar="FROM")
@click.argument("new", metavar="[TO]", required=False, default="now")
@filters
def diff(shell: Shell, old: str, new: str, **chosen: str | None) -> None:
    """Say what has changed in the memory between two moments: records that were added, removed (deleted), and changed,
    word for word.

    FROM and TO are named as for `curate at`; without TO it is now. `curate diff pat_7^ pat_7` is what one patch did.
    """
    from curate.review.changes import between

    store = shell.open()
    since, until = _cut(store, old), _cut(store, new)
    wanted = Filter(**chosen)
    found = between(store.state, since, until)
    if any(chosen.values()):
        found = found.only({record.id for state in found.states for record in wanted.records(state)})
    if shell.as_json:
        emit({"from": since.at, "to": until.at, **found.document()})
    else:
        _tell(found, since, until)


def _cut(store: Store, text: str) -> Cut:
    from store.ids import now
    from store.moment import cut

    return cut(text, store.past, now())


def _tell(found: Changes, since: Cut, until: Cut) -> None:
    tell(f"From {moment(since.at)} to {moment(until.at)} UTC: {len(found.added)} added, {len(found.removed)} removed, "
         f"{len(found.changed)} changed")  # fmt: skip
    for mark, records in (("+", found.added), ("-", found.removed)):
        for record in records:
            tell(f"{mark} {record['id']}  {place(record['scope'])}  {record['statement']}")
    for each in found.changed:
        tell(f"~ {each.id}  {each.after['statement'] if 'statement' not in each.names else ''}".rstrip())
        _tell_changed(each)


def _tell_changed(each: Changed) -> None:
    for field in each.fields:
        tell(f"    {field.name}: {field.in_words()}")
    if each.patches:
        tell(f"    by {count(len(each.patches), 'patch', 'patches')}: {', '.join(each.patches)}")
