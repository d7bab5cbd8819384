"""Which candidates of a state wait together, kept beside the state and brought up to date by what has changed in it.

Twenty thousand candidates take seconds to group and milliseconds to look through for what is new, so a state is grouped
once, and then only where lines were added.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary, ref

from curate.matching.blocks import Blocks, discard, insert, members
from curate.matching.normal import meaning, work_out
from curate.matching.pool import Changed, Pool, Said, keys_of, wording_key
from curate.matching.recurrence import REJECTED, where_of
from curate.matching.same import agree
from curate.review.confidence import DIRECT
from curate.review.group import kind_of_place, scope_of, trusts
from curate.review.known import Records
from store.state import is_waiting, places
from store.text import fingerprint

if TYPE_CHECKING:
    from collections.abc import Collection

    from curate.matching.clash import Clash
    from store.state import State

UNASSIGNED = places({"type": "project"})


class Waiting:
    """The groups of one state. Not for several threads at once."""

    def __init__(self, state: State) -> None:
        self._ref = ref(state)
        self._start()

    def _start(self) -> None:
        self.pool = Pool(self._said)
        self.records = Records()
        self.rivals: dict[str, list[tuple[str, Clash]]] = {}
        """By group, the groups that cannot hold beside it."""
        self.batch = 0
        """How many candidates wait that nobody said."""
        self.left = 0
        """Candidates that wait and that `update` was not to take in yet."""
        self._hashes: dict[str, str] = {}
        self._inferred: dict[str, int] = {}
        self._kinds: set[str] = set()
        self._rejected: dict[str, tuple[str, tuple[int, ...]]] = {}
        self._rejected_by_key: Blocks = {}
        self._tombstones: dict[str, str] = {}
        self._purged = 0

    @property
    def state(self) -> State:
        """The state whose groups these are."""
        state = self._ref()
        assert state is not None, "whoever asks holds the state"
        return state

    def update(self, at: str, *, limit: int | None = None, first: Collection[str] = ()) -> Changed:
        """Take in what has changed, and what is due again by `at`: of candidates at most `limit`, those in `first` and
        then the oldest, so that there is something to show before a long inbox has been grouped. `left` are the others.

        Gives the groups that may look different now, by themselves or beside others. Call `pool.release` when done.
        """
        state = self.state
        if len(state.purged) != self._purged:
            self._start()
            self._purged = len(state.purged)
        waiting, rejected = {}, {}
        for versions in state.candidates.values():
            if is_waiting(versions, at):
                waiting[versions.id] = versions.head.hash
            elif versions.data.get("status") in REJECTED:
                rejected[versions.id] = versions.head.hash
        known = self._hashes
        new = [ident for ident, hash_ in waiting.items() if known.get(ident) != hash_]
        gone = [ident for ident in known if ident not in waiting]
        chosen = _chosen(new, limit, first)
        fresh = {ident: self._said(ident) for ident in chosen}
        self.left = len(new) - len(chosen)
        if self.left:
            # What is put off stands as it was, if it stood at all.
            put_off = set(new).difference(chosen)
            waiting = {
                i: known.get(i, "") if i in put_off else h for i, h in waiting.items() if i in known or i in fresh
            }
        self._hashes = waiting
        self._kinds.update(said.scope for said in fresh.values())
        changed = self.pool.update(fresh, gone)
        touched = self._bury(rejected)
        touched.update(self._entomb())
        if (records := self.records.update(state)) and known:
            touched.update(ident for ident in waiting if records.concerns(self.pool.marks(ident)))
        home = self.pool.home
        groups = set(changed.groups) | {group for ident in touched if (group := home(ident)) is not None}
        for group in changed.gone:
            self._inferred.pop(group, None)
        for group in changed.groups:
            self._inferred[group] = self._count(group)
        self.batch = sum(self._inferred.values())
        self.rivals = {}
        for one, other, kind in self.pool.conflicts():
            self.rivals.setdefault(one, []).append((other, kind))
            self.rivals.setdefault(other, []).append((one, kind))
        groups |= {rival for group in groups for rival, _ in self.rivals.get(group, ())}
        return Changed(frozenset(groups), changed.gone)

    def _said(self, ident: str) -> Said:
        data = self.state.candidates[ident].data
        return Said(data["created_at"], kind_of_place(data), data["statement"], data.get("language"))

    def inferred(self, group: str) -> bool:
        """Nobody said it: it was inferred, observed or read."""
        return self._inferred[group] > 0

    def _count(self, group: str) -> int:
        """Candidates of a group that nobody said."""
        state, ids = self.state, self.pool.members(group)
        candidates = [state.candidates[ident].data for ident in ids]
        evidence = [state.evidence[e] for one in candidates for e in one.get("evidence") or () if e in state.evidence]
        return 0 if any(trusts(item) in DIRECT for item in evidence or candidates) else len(ids)

    # What was turned away before

    def buried(self, ident: str) -> bool:
        """The statement has a tombstone, or was turned away in other words, of which there is no fingerprint."""
        state = self.state
        data = state.candidates[ident].data
        if self._tombstones:
            mark = fingerprint(data["statement"])
            scope, targets = scope_of(data), data.get("targets") or ()
            # Of what is for no known project nobody can say that it is for another one.
            where = None if places(scope, targets) == UNASSIGNED else scope
            if state.tombstone_for(mark, where, targets) is not None:
                return True
        for key in self.pool.keys(ident) if self._rejected else ():
            for other in members(self._rejected_by_key, key):
                then = state.candidates[other].data
                if where_of(then) == where_of(data) and agree(
                    self.pool.meaning_of(ident), meaning(then["statement"], then.get("language"))
                ):
                    return True
        return False

    def _bury(self, rejected: dict[str, str]) -> set[str]:
        """Take in candidates that were turned away, or are no longer; gives statements that are like them."""
        touched: set[str] = set()
        for ident in [ident for ident, (hash_, _) in self._rejected.items() if rejected.get(ident) != hash_]:
            _, keys = self._rejected.pop(ident)
            touched.update(self.pool.sharing(keys))
            for key in keys:
                discard(self._rejected_by_key, key, ident)
        for ident, hash_ in rejected.items():
            if ident not in self._rejected:
                said = self._said(ident)
                keys = keys_of(said.scope, work_out(said.text, said.language))
                self._rejected[ident] = (hash_, keys)
                touched.update(self.pool.sharing(keys))
                for key in keys:
                    insert(self._rejected_by_key, key, ident)
        return touched

    def _entomb(self) -> list[str]:
        """Take in tombstones; gives the statements with the same words as any that is new or was lifted."""
        state = self.state
        known = self._tombstones
        self._tombstones = {versions.id: versions.head.hash for versions in state.tombstones.values()}
        if not known and not self._tombstones:
            return []
        news = [ident for ident, hash_ in self._tombstones.items() if known.get(ident) != hash_]
        marks = {str(state.tombstones[ident].data.get("fingerprint")) for ident in news}
        return self.pool.sharing(wording_key(kind, mark) for kind in self._kinds for mark in marks)


def _chosen(new: list[str], limit: int | None, first: Collection[str]) -> list[str]:
    if limit is None or len(new) <= limit:
        return new
    ahead = [ident for ident in new if ident in first]
    return [*ahead, *itertools.islice((ident for ident in new if ident not in first), max(0, limit - len(ahead)))]


_kept: WeakKeyDictionary[State, Waiting] = WeakKeyDictionary()


def waiting_in(state: State) -> Waiting:
    """What is kept beside a state."""
    found = _kept.get(state)
    if found is None:
        found = _kept[state] = Waiting(state)
    return found
