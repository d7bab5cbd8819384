"""The review as a list to edit: written for a person or an agent's command, and taken back by `curate apply`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from store.errors import InputError

if TYPE_CHECKING:
    from curate.review.drafting import Draft
    from curate.review.rows import Row
    from curate.review.textlist import Fault
    from store.store import Store

NAMED = 5
"""Faults that are named in the closing sentence; the rest are counted."""


class BadList(InputError):
    """Lines of a review list that cannot be carried out; nothing of it was."""

    def __init__(self, source: str, faults: list[Fault]) -> None:
        named = "; ".join(str(fault) for fault in faults[:NAMED])
        more = f"; and {len(faults) - NAMED} more" if len(faults) > NAMED else ""
        super().__init__(f"{source}, {named}{more}; nothing was applied. Mend and apply again")


class NoSelection(InputError):
    """A list says itself what is done."""

    def __init__(self) -> None:
        super().__init__("--select belongs to a patch document; in a list change the verb of a line to skip")


def listed(store: Store) -> tuple[str, int]:
    """The list of what waits, and how much that is."""
    from curate.review.textlist import write_list

    rows = _rows(store)
    waiting = sum(row.kind == "candidate" and not row.hidden for row in rows)
    return write_list(rows, where=f"{waiting} waiting in {store.root}"), waiting


def drafted(store: Store, text: str, source: str) -> Draft:
    """The patch that carries a list out. Raises `BadList` with every line that is wrong."""
    from curate.review.drafting import draft
    from curate.review.textlist import read_list
    from store.ids import now

    rows = {row.key: row for row in _rows(store)}
    choices, faults = read_list(text, rows, at=now())
    if faults:
        raise BadList(source, faults)
    return draft(rows, choices, known=set(store.state.records))


def _rows(store: Store) -> list[Row]:
    from curate.review.feed import Feed

    return Feed.of(store).rows()
