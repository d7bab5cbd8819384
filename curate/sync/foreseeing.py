"""What a sync would do: a look at the files, and at what the remote has, with nothing changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from curate.sync import keeping, purging
from curate.sync.forks import forked
from curate.sync.note import Note
from curate.sync.repository import INCOMING, MAIN
from store.layout import EVIDENCE, TOMBSTONES

if TYPE_CHECKING:
    from curate.sync.outcome import Synced
    from curate.sync.repository import Repository, Tree
    from store.store import Store


def foresee(store: Store, repo: Repository, done: Synced, at: str) -> None:
    """Fill in what a sync would do; objects that nothing leads to are all it leaves. Raises as a sync."""
    journal = bool(store.config.get("sync.journal"))
    note = Note.read(repo.folder)
    head = repo.ref(MAIN)
    tree = repo.tree(head)
    work = keeping.read(store.root, journal=journal)
    steps = keeping.pending(repo, work, tree, journal=journal, at=at)
    done.committed, done.patches = len(steps), sum(step.patches for step in steps)
    done.foreign = keeping.foreign(store.root, work, tree)
    done.purged = sorted(purging.unclean(store, note))
    address = repo.address()
    if address is None or note.lease is not None:
        return
    theirs = repo.fetch(address)
    if theirs is None or head is None:
        done.pushed = (repo.length(head) if head else 0) + len(steps)
        return
    ahead, done.fetched = repo.apart(head, theirs)
    done.pushed = ahead + len(steps)
    here = tree | {name: ("100644", keeping.blob_id(raw)) for name, raw in work.files.items()}
    _compare(done, repo.tree(repo.base(head, theirs)), here, repo.tree(theirs))
    logs = [name for name in done.merged if name.startswith("memory/") and name not in (EVIDENCE, TOMBSTONES)]
    ours = [line for name in logs for line in work.files.get(name, b"").split(b"\n")]
    others = [line for name in logs for line in repo.blob(repo.tree(theirs)[name][1]).split(b"\n")]
    done.contested = sorted(forked(ours, others))
    repo.point({INCOMING: None})


def _compare(done: Synced, before: Tree, here: Tree, there: Tree) -> None:
    done.taken = [name for name in there if there[name] != before.get(name) and there[name] != here.get(name)]
    done.merged = [name for name in done.taken if here.get(name) != before.get(name)]
