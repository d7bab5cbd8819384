"""A purge that the files have seen, carried into the store's own git at once, or why that has to wait."""

from __future__ import annotations

from typing import TYPE_CHECKING

from store.errors import CurateError

if TYPE_CHECKING:
    from curate.sync.purging import Cleaned
    from store.purge import Purged
    from store.store import Store


def reach(store: Store, done: Purged, *, wait: float = 2.0) -> tuple[Cleaned | None, str]:
    """Take what was purged out of the history; gives what became of it, None when the store has no git of its own or
    something is in the way, and what that is. Then the next command tries again.
    """
    if not (store.root / ".git").exists():
        return None, ""
    from curate.sync.sync import finish_purge

    try:
        cleaned = finish_purge(store, done.ids, wait=wait)
    except CurateError as fault:
        return None, str(fault)
    if cleaned is not None:
        done.git = None
    return cleaned, ""
