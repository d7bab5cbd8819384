"""Builds the index of a store, or brings it up to date, in a process of its own; at most one at a time."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from curate.logfile import FOLDER, append
from store.index.builder import BEHIND, BeingBuilt, only_builder

if TYPE_CHECKING:
    from sqlite3 import Connection

    from curate.recall.settings import MeaningSettings


def bring_up_to_date(root: Path) -> None:
    """Refresh the indexes and sweep the journal. Raises what `refreshed` raises."""
    from curate.recall.journal import sweep
    from curate.recall.settings import read_settings
    from store.index import knowledge
    from store.index.refresh import refreshed

    db = refreshed(root)
    known = knowledge.refreshed(root) if (root / "knowledge").is_dir() else None
    settings = read_settings(str(root)).meaning
    if settings is not None:
        _keep_in_step(root, settings, db, known)
    for each in filter(None, (db, known)):
        each.close()
    sweep(str(root), time.time())


def _keep_in_step(root: Path, settings: MeaningSettings, db: Connection, known: Connection | None) -> None:
    """Give another search by meaning what is new. Where it is not there, the package's own table goes on answering."""
    from curate.recall.meaning import bring_in_step, semantic_of
    from store.index.semantic import Unavailable

    semantic = semantic_of(str(root), settings)
    if semantic is None:
        return
    try:
        bring_in_step(str(root), semantic, db, known, whole=False, prune=True)
    except (Unavailable, OSError) as fault:
        append(root / FOLDER / "hook.log", f"{semantic.name}: {fault}")


def main() -> None:
    """Build once, unless somebody else is at it."""
    root = sys.argv[1]
    try:
        with only_builder(root, BEHIND, wait=0.0, gives_up=True):
            bring_up_to_date(Path(root))
    except BeingBuilt:
        return


if __name__ == "__main__":
    main()
