"""One sync: commit what is new here, fetch, make one of both, push; again from the fetch when another was quicker.

The order keeps everything at every moment: files are whole before a branch moves, and a branch moves before a push.
The network is never waited for under the store's lock.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Any

from curate.sync import commits, history, incoming, keeping, purging, start
from curate.sync.carried import kind_of
from curate.sync.faults import PurgeNotPushed, PushRefused, RemoteRewritten, Unrelated, shown
from curate.sync.foreseeing import foresee
from curate.sync.merging import Merged, merge_trees
from curate.sync.message import whole
from curate.sync.note import Note
from curate.sync.outcome import Synced
from curate.sync.pushing import push_branch
from curate.sync.repository import INCOMING, MAIN, REMOTE, SEEN, Repository
from store.ids import Clock, NewId, new_id, now
from store.log.fold import status

if TYPE_CHECKING:
    from curate.sync.rule import Rule
    from store.store import Store

Tell = Callable[[str], None]
_TRIES = 6
"""How often another machine may be quicker in one sync."""


def sync(
    store: Store,
    *,
    push: bool = False,
    join: bool = False,
    dry_run: bool = False,
    tell: Tell = lambda _: None,
    wait: float = 2.0,
    clock: Clock = now,
    ids: NewId = new_id,
) -> Synced:
    """Bring a store and its remote to the same state; `push` lets a purge replace the remote's history, `join` makes
    one of two that began apart. Raises faults of `curate.sync.faults` and `StoreUnusable`.
    """
    with Repository.open(store.root) as repo:
        repo.check_ready(wait)
        run = _Run(store, repo, tell, clock, ids)
        run.done.dry_run = dry_run
        if dry_run:
            foresee(store, repo, run.done, clock())
        else:
            run.go(push=push, join=join)
        run.done.head = repo.ref(MAIN)
        return run.done


def finish_purge(
    store: Store, ids: Collection[str] = (), *, tell: Tell = lambda _: None, wait: float = 0.0
) -> purging.Cleaned | None:
    """Carry purges that are decided into the history; those of `ids`, which the files are free of, in any case.

    None when there is none to carry. Raises as `sync`.
    """
    with Repository.open(store.root) as repo:
        repo.check_ready(wait, branch=None)
        run = _Run(store, repo, tell, now, new_id)
        run.note.cleaned -= set(ids)
        return run.finish(ids)


class _Run:
    def __init__(self, store: Store, repo: Repository, tell: Tell, clock: Clock, ids: NewId) -> None:
        self.store, self.repo, self.tell, self.clock, self.ids = store, repo, tell, clock, ids
        self.note = Note.read(repo.folder)
        self.done = Synced(remote=address and shown(address) if (address := repo.address()) else None)
        self.address = address
        self.journal = bool(store.config.get("sync.journal"))

    def go(self, *, push: bool, join: bool) -> None:
        """The whole way."""
        self.finish()
        self.keep()
        if self.address is None:
            return
        if self.note.lease is not None and self._replaced(push=push):
            return
        for _ in range(_TRIES):
            self.tell("fetching")
            theirs = self.repo.fetch(self.address)
            with self.store.held(rewriting=False) as at:
                self._keep(at)
            force = self._meet(theirs, push=push, join=join)
            if self._push(theirs, force=force):
                return
        raise PushRefused(self.address, "other machines were quicker each time")

    def finish(self, done: Collection[str] = ()) -> purging.Cleaned | None:
        """Finish purges that the history does not know of yet; the files are free of what is `done` already."""
        ids = purging.unclean(self.store, self.note)
        if not ids:
            return None
        self.tell("taking what was purged out of the history")
        found = purging.rule_for(self.repo, self.store, ids)
        if found is not None and not ids.issubset(done):
            self._purge_files(ids, found[1])
        return self._clean(found and found[0], ids)

    def _purge_files(self, ids: set[str], lines: list[dict[str, Any]]) -> None:
        purged = self.store.purge_again(ids, lines)
        self.done.remains = sorted({*self.done.remains, *purged.remains})
        notes = (f"the vault's note {line['vault_ref']}" for line in lines if line.get("vault_ref"))
        self.done.by_hand = sorted({*self.done.by_hand, *purged.by_hand, *notes})

    def _clean(self, rule: Rule | None, ids: set[str], *, moved: bool = False) -> purging.Cleaned:
        with self.store.held(rewriting=False):
            cleaned = purging.clean_history(self.repo, self.note, rule, ids, moved=moved)
        if rule is not None:
            self.done.purged = sorted({*self.done.purged, *cleaned.ids})
            self.done.left = cleaned.left
        return cleaned

    def keep(self) -> None:
        """Commit what is new."""
        with self.store.held(rewriting=False) as at:
            start.write_rules(self.store, journal=self.journal)
            self._keep(at)

    def _keep(self, at: str) -> None:
        repo, root = self.repo, self.store.root
        head = repo.ref(MAIN)
        tree = repo.tree(head)
        work = keeping.read(root, journal=self.journal)
        lost = [name for name in tree if kind_of(name, journal=self.journal) == "log" and name not in work.files]
        if lost:
            keeping.put(root, restored := {name: repo.blob(tree[name][1]) for name in lost})
            work.files |= restored
            self.done.restored += lost
        steps = keeping.pending(repo, work, tree, journal=self.journal, at=at)
        self.done.foreign = keeping.foreign(root, work, tree)
        if steps:
            self.tell(f"committing {len(steps)}")
            keeping.commit(repo, head, steps)
            self.done.committed += len(steps)
            self.done.patches += sum(step.patches for step in steps)

    def _meet(self, theirs: str | None, *, push: bool, join: bool) -> bool:
        """Take in what the remote has; True when it has to be replaced."""
        repo = self.repo
        ours, seen = repo.ref(MAIN), repo.ref(SEEN) or self.note.lease
        assert ours is not None
        assert self.address is not None
        if theirs is None or theirs == ours:
            return False
        base = repo.base(ours, theirs)
        rewritten = seen is not None and seen not in (base, theirs) and not repo.is_ancestor(seen, theirs)
        if base == theirs:
            if rewritten and self.note.lease is None and not join:
                raise RemoteRewritten(self.address)
            return False
        self.done.fetched = repo.apart(ours, theirs)[1]
        ours_tree, theirs_tree = repo.tree(ours), repo.tree(theirs)
        incoming.check_names(theirs_tree)
        incoming.check_schema(repo, ours_tree, theirs_tree)
        here, there = incoming.marks(repo, ours_tree), incoming.marks(repo, theirs_tree)
        new = incoming.ids_of(there) - self.note.cleaned
        if self.note.lease is not None or (rewritten and (new or there - here)):
            return self._meet_purge(theirs, seen, incoming.ids_of(there), replace=bool(here - there), push=push)
        if rewritten and not join:
            raise RemoteRewritten(self.address)
        if base is None and not join and not self._is_bare(ours):
            raise Unrelated(self.address)
        if unknown := incoming.ids_of(here - there):  # what comes in may hold words that are purged here
            self.note.cleaned -= unknown
            self.note.save()
        self._merge(ours, theirs, base, new=new | unknown)
        return self._must_replace(push=push)

    def _must_replace(self, *, push: bool) -> bool:
        """Whether the remote's history has to be replaced after a purge. Raises `PurgeNotPushed` if nobody asked."""
        assert self.address is not None
        if self.note.lease is not None and not push:
            raise PurgeNotPushed(self.address)
        return self.note.lease is not None

    def _is_bare(self, head: str) -> bool:
        """True when nothing is here yet but settings: then there is nothing to ask about."""
        kinds = {kind_of(name, journal=True) for name in self.repo.tree(head)}
        return kinds <= {"settings", "git"}

    def _merge(self, ours: str, theirs: str, base: str | None, *, new: set[str]) -> None:
        self.tell("merging")
        repo = self.repo
        known = self._forked()
        with self.store.held() as at:
            merged = merge_trees(repo, repo.tree(base), repo.tree(ours), repo.tree(theirs), journal=self.journal)
            fresh = base is None and self._is_bare(ours)
            if fresh:  # a new machine: the settings there are the settings here
                for name in merged.clashes:
                    merged.files[name] = repo.blob(repo.tree(theirs)[name][1])
                merged.clashes.clear()
            self._put(merged, ours)
            said = whole(f"Merge {len(merged.files)} files from {REMOTE}")
            if fresh or (ours == base and self._same(merged, ours, theirs)):
                repo.point({MAIN: theirs})
            else:
                commits.write(repo, ours, [commits.Merge(said, at, merged.files, theirs)])
            repo.index((name, None if raw is None else keeping.blob_id(raw)) for name, raw in merged.files.items())
        self._after(merged, known)
        if new:
            repo.point({SEEN: theirs})
            self.finish()
        if new or merged.union:
            self.keep()

    def _same(self, merged: Merged, ours: str, theirs: str) -> bool:
        tree = {name: sha for name, (_, sha) in self.repo.tree(ours).items()}
        for name, raw in merged.files.items():
            if raw is None:
                tree.pop(name, None)
            else:
                tree[name] = keeping.blob_id(raw)
        return tree == {name: sha for name, (_, sha) in self.repo.tree(theirs).items()}

    def _put(self, merged: Merged, ours: str) -> None:
        """Write what changes into the store; a file that is not the store's only where nobody has touched it."""
        tree = self.repo.tree(ours)
        changes = {}
        for name, raw in merged.files.items():
            path = self.store.root / name
            foreign = kind_of(name, journal=self.journal) == "foreign" and path.exists()
            if foreign and (name not in tree or keeping.differs(path, tree[name][1])):
                continue
            changes[name] = raw
        keeping.put(self.store.root, changes)

    def _after(self, merged: Merged, known: set[str]) -> None:
        self.store.refresh()
        purging.end_returned(self.store, at=self.clock, new_id=self.ids)
        self.store.join()
        self.store.materialise()
        self.done.merged = sorted({*self.done.merged, *merged.union})
        self.done.taken = sorted({*self.done.taken, *merged.files})
        self.done.clashes = sorted({*self.done.clashes, *merged.clashes})
        self.done.contested = sorted({*self.done.contested, *(self._forked() - known)})

    def _forked(self) -> set[str]:
        state = self.store.state
        found = {ident for ident, one in state.records.items() if one.forked and status(one) == "contested"}
        return found | {ident for ident, one in state.candidates.items() if one.forked}

    def _meet_purge(self, theirs: str, seen: str | None, purged: set[str], *, replace: bool, push: bool) -> bool:
        """One of the two histories was written anew by a purge: put what the other has on top of it.

        With `replace` theirs does not know of a purge here, so ours takes its place, if that was asked for; gives it.
        """
        repo, store = self.repo, self.store
        assert self.address is not None
        if replace and not push:
            repo.point({INCOMING: None})
            history.forget(repo)
            raise PurgeNotPushed(self.address)
        self.tell("following a purge")
        known = self._forked()
        ours = repo.ref(MAIN)
        theirs_tree, ours_tree = repo.tree(theirs), repo.tree(ours)
        with store.held():
            base = repo.tree(seen) if seen and repo.says("cat-file", "-e", seen) else {}
            merged = merge_trees(repo, base, ours_tree, theirs_tree, journal=self.journal)
            self._put(merged, ours or "")
        self._after(merged, known)
        ids = {*purged, *store.state.purged}
        found = purging.rule_for(repo, store, ids)
        if found is not None:
            self._purge_files(ids, found[1])
        with store.held(rewriting=False) as at:
            work = keeping.read(store.root, journal=self.journal)
            parent, tree = (ours, ours_tree) if replace else (theirs, theirs_tree)
            assert parent is not None
            steps = keeping.pending(repo, work, tree, journal=self.journal, at=at)
            if steps:
                keeping.commit(repo, parent, steps, force=True)
                self.done.committed += len(steps)
            else:
                repo.point({MAIN: parent})
            self.note.lease = theirs if replace else None
            self.note.save()
            repo.point({SEEN: theirs})
            repo.run("read-tree", "HEAD")
        self._clean(found and found[0], ids, moved=True)
        return replace

    def _replaced(self, *, push: bool) -> bool:
        """Replace the remote's history by ours, as a purge asks for; False when it has moved since."""
        assert self.address is not None
        refs = self.repo.remote_refs(self.address)
        if refs.get(MAIN) != self.note.lease:
            return False
        if not push:
            raise PurgeNotPushed(self.address)
        return self._push(self.note.lease, force=True)

    def _push(self, theirs: str | None, *, force: bool) -> bool:
        """Push; False when another was quicker."""
        assert self.address is not None
        return push_branch(self.repo, self.address, self.note, self.done, theirs, force=force, tell=self.tell)
