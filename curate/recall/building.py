"""Builds the index of a store, or brings it up to date, in a process of its own; at most one at a time."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

PATIENCE = 600.0
"""Seconds after which a mark left by another build is taken for one that died."""


def bring_up_to_date(root: Path) -> None:
    """Refresh the indexes and sweep the journal. Raises what `refreshed` raises."""
    from curate.recall.journal import sweep
    from store.index import knowledge
    from store.index.refresh import refreshed

    refreshed(root).close()
    if (root / "knowledge").is_dir():
        knowledge.refreshed(root).close()
    sweep(str(root), time.time())


def main() -> None:
    """Build once, unless somebody else is at it."""
    root = Path(sys.argv[1])
    mark = root / "index" / "building"
    mark.parent.mkdir(parents=True, exist_ok=True)
    try:
        if time.time() - mark.stat().st_mtime < PATIENCE:
            return
        mark.unlink(missing_ok=True)
    except FileNotFoundError:
        pass
    try:
        os.close(os.open(mark, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
    except FileExistsError:
        return
    try:
        bring_up_to_date(root)
    finally:
        mark.unlink(missing_ok=True)


if __name__ == "__main__":
    main()
