"""Groups of statements that come, change and go: only what a change touches is grouped again.

The groups are those that `Clusters` would make of all statements at once. Statements meet by way of shared keys only,
so what no chain of shared keys connects with a change stays as it is. Hashes are kept, not meanings: those are worked
out anew for the few statements that are compared again.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from curate.matching.ask import Ask
from curate.matching.blocks import Blocks, discard, insert, members
from curate.matching.clash import Clash
from curate.matching.group import Clusters
from curate.matching.normal import Meaning, meaning, work_out
from curate.matching.rivalry import Rivalry


@dataclass(frozen=True, slots=True)
class Said:
    """A statement to be grouped. Statements of different `scope` (any string) never meet."""

    at: str
    """When it came in: earlier ones are placed first."""
    scope: str
    text: str
    language: str | None = None


@dataclass(frozen=True, slots=True)
class _Entry:
    order: str
    keys: tuple[int, ...]
    topics: tuple[int, ...]
    marks: array[int]


@dataclass(frozen=True, slots=True)
class Changed:
    """What an update has changed. Groups go by the id of their first statement."""

    groups: frozenset[str]
    """Those that are new or have other statements, wordings or contradictions than before."""
    gone: frozenset[str]


class Pool:
    """The present groups. `said` gives the statement of an id whenever it has to be read again."""

    def __init__(self, said: Callable[[str], Said]) -> None:
        self._said = said
        self._entries: dict[str, _Entry] = {}
        self._by_key: Blocks = {}
        self._home: dict[str, str] = {}
        self._together: dict[str, tuple[str, ...]] = {}
        """Members of the groups that have more than one."""
        self._rivalry = Rivalry()
        self._held: dict[str, Meaning] = {}

    def groups(self) -> list[str]:
        """All groups, oldest first."""
        return sorted(self.names(), key=self.order)

    def names(self) -> set[str]:
        """All groups, in no order."""
        return set(self._home.values())

    def order(self, ident: str) -> str:
        """What puts a statement, or a group, in its place among the others."""
        return self._entries[ident].order

    def members(self, group: str) -> tuple[str, ...]:
        """The statements of a group, oldest first."""
        return self._together.get(group) or (group,)

    def home(self, ident: str) -> str | None:
        """The group of a statement, None when it is not here."""
        return self._home.get(ident)

    def conflicts(self) -> list[tuple[str, str, Clash]]:
        """Pairs of groups that cannot both hold."""
        found = self._rivalry.pairs()
        ordered = sorted(found, key=lambda pair: (self.order(pair[0]), self.order(pair[1])))
        return [(*pair, found[pair]) for pair in ordered]

    def sharing(self, keys: Iterable[int]) -> list[str]:
        """Statements with any of these keys."""
        return list(dict.fromkeys(ident for key in keys for ident in members(self._by_key, key)))

    def keys(self, ident: str) -> tuple[int, ...]:
        """The keys of a statement, hashed with its scope; the first is that of its wording."""
        return self._entries[ident].keys

    def marks(self, ident: str) -> array[int]:
        """Hashes of the keys, topics and words of a statement, whatever its scope: see `Marks`."""
        return self._entries[ident].marks

    def meaning_of(self, ident: str) -> Meaning:
        """What a statement means."""
        found = self._held.get(ident)
        if found is None:
            said = self._said(ident)
            found = meaning(said.text, said.language)
        return found

    def release(self) -> None:
        """Let go of the meanings that the last update has worked out."""
        self._held = {}

    def update(self, fresh: Mapping[str, Said], gone: Iterable[str] = ()) -> Changed:
        """Put in statements that are new or have changed, take others out, and group again what that touches.

        The meanings of the fresh ones stay at hand until `release`.
        """
        dropped = {ident for ident in (*gone, *fresh) if ident in self._entries}
        old = {self._home[ident] for ident in dropped}
        touched: set[str] = set()
        for ident in dropped:
            for key in self._entries.pop(ident).keys:
                discard(self._by_key, key, ident)
                touched.update(members(self._by_key, key))
        touched = {ident for ident in touched if ident in self._entries}.union(fresh)
        for ident, said in fresh.items():
            self._held[ident] = asked = work_out(said.text, said.language)
            entry = _entry(ident, said, asked)
            self._entries[ident] = entry
            for key in entry.keys:
                insert(self._by_key, key, ident)
        touched = self._connected(touched)
        old.update(self._home[ident] for ident in touched if ident in self._home)
        before = {group: self.members(group) for group in old}
        for group, were in before.items():
            self._together.pop(group, None)
            for ident in were:
                self._home.pop(ident, None)
        self._regroup(touched)
        new = {self._home[ident] for ident in touched}
        changed = {
            group for group in new
            if before.get(group) != self.members(group) or not fresh.keys().isdisjoint(self.members(group))
        }  # fmt: skip
        others = self._rivalry.update(
            (group for group in old if group in changed or group not in new),
            {group: self._topics(group) for group in changed},
            self.order,
            self._wordings,
        )
        changed.update(group for group in others if self._home.get(group) == group)
        return Changed(frozenset(changed), frozenset(old - new))

    def _connected(self, seeds: set[str]) -> set[str]:
        """All that hang together with some statements by shared keys."""
        found = set(seeds)
        waiting = list(seeds)
        while waiting:
            for key in self._entries[waiting.pop()].keys:
                block = self._by_key[key]
                if isinstance(block, list):
                    more = [ident for ident in block if ident not in found]
                    found.update(more)
                    waiting += more
        return found

    def _regroup(self, touched: set[str]) -> None:
        clusters = Clusters()
        for ident in sorted(touched, key=self.order):
            if any(isinstance(self._by_key[key], list) for key in self._entries[ident].keys):
                clusters.add(ident, self._said(ident).scope, self.meaning_of(ident))
            else:
                self._home[ident] = ident
        for cluster in clusters.all:
            first = cluster.members[0]
            self._home.update(dict.fromkeys(cluster.members, first))
            if len(cluster.members) > 1:
                self._together[first] = tuple(cluster.members)

    def _topics(self, group: str) -> tuple[int, ...]:
        if group not in self._together:
            return self._entries[group].topics
        return tuple({topic: None for ident in self._worded(group) for topic in self._entries[ident].topics})

    def _wordings(self, group: str) -> list[Meaning]:
        """The different things that a group says, oldest first."""
        found: dict[tuple[Ask, ...], Meaning] = {}
        for ident in self._worded(group):
            asked = self.meaning_of(ident)
            found.setdefault(asked.asks, asked)
        return list(found.values())

    def _worded(self, group: str) -> list[str]:
        """The first statement of each wording in a group."""
        found: dict[int, str] = {}
        for ident in self.members(group):
            found.setdefault(self._entries[ident].keys[0], ident)
        return list(found.values())


def keys_of(scope: str, asked: Meaning) -> tuple[int, ...]:
    """Keys as a pool hashes them; two statements with the same asks share one even when those have no words."""
    keys = [hash((scope, key)) for key in dict.fromkeys(asked.keys)]
    if len(keys) < 2 and asked.asks:
        keys.append(hash((scope, asked.asks)))
    return tuple(keys)


def wording_key(scope: str, wording: str) -> int:
    """The key of all statements of a scope with this fingerprint."""
    return hash((scope, wording))


def mark_of(word: str) -> int:
    """A key, topic or word as one small number."""
    return hash(word) & 0x7FFFFFFF


def findable(asked: Meaning) -> tuple[str, ...]:
    """Keys and topics, which are told apart."""
    return (*asked.keys, *(f"topic {topic}" for topic in asked.topics))


def marks_of(asked: Meaning) -> array[int]:
    """What a statement can be found by, whatever its scope; see `Marks`."""
    found = findable(asked)
    words = {word for ask in asked.asks for word in ask.everything}
    shaped = len(asked.asks) > 1 or any(ask.over or ask.before or ask.besides or ask.numbers for ask in asked.asks)
    count = -len(found) if shaped else len(found)
    return array("i", (count, *map(mark_of, found), *map(mark_of, words)))


class Marks:
    """A row of marks read: first how many keys and topics there are, below zero when it is `shaped`; then the words."""

    __slots__ = ("shaped", "words")

    def __init__(self, marks: array[int]) -> None:
        self.shaped = marks[0] < 0
        """It asks for more than one thing, or for one that has more parts than its words."""
        self.words = marks[abs(marks[0]) + 1 :]


def _entry(ident: str, said: Said, asked: Meaning) -> _Entry:
    topics = tuple(hash((said.scope, topic)) for topic in asked.topics)
    return _Entry(f"{said.at} {ident}", keys_of(said.scope, asked), topics, marks_of(asked))
