"""A dispute with what the journal says of it: the audit is pure, so somebody has to read. Blocks on the disk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from curate.recall.injected import injections
from curate.review.audit import Audit, Told, audit, rivals_of
from store.errors import UnknownId

if TYPE_CHECKING:
    from collections.abc import Sequence

    from store.store import Store


def audited(store: Store, ident: str, at: str, beside: Sequence[str] = ()) -> Audit:
    """The dispute about a record. Raises `UnknownId`."""
    if ident not in store.state.records:
        raise UnknownId("record", ident)
    told = {one: _told(store, one) for one in (ident, *beside, *rivals_of(store.state, ident))}
    return audit(store.state, ident, at=at, patches=store.patches_of(ident), told=told, beside=beside)


def _told(store: Store, ident: str) -> list[Told]:
    return [
        Told(one.at, one.agent, one.session, one.turn, one.section, one.project, one.rev)
        for one in injections(store.root, ident)
    ]
