"""A look, without git, whether a purge still has to reach the history; then it is finished, if nothing hinders."""

from __future__ import annotations

from typing import TYPE_CHECKING

from curate.sync.note import Note
from store.errors import CurateError

if TYPE_CHECKING:
    from store.store import Store


def finish(store: Store) -> bool:
    """Finish what a crash, or a purge in the app, left of the history; False when nothing was due or it could not be.

    What is in the way is told by `curate sync`, and by the next `curate purge`.
    """
    folder = store.root / ".git"
    if not store.state.purged or not folder.is_dir() or store.state.purged <= Note.read(folder).cleaned:
        return False
    from curate.sync.sync import finish_purge

    try:
        return finish_purge(store) is not None
    except CurateError:
        return False
