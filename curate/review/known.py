"""The records that hold, found by what they mean, and which statements a change of some of them can concern."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from curate.matching.clash import LENGTH
from curate.matching.narrow import WEAK
from curate.matching.normal import LEVELLED, OPTIONAL, Meaning, meaning
from curate.matching.pool import Marks, findable, mark_of
from store.log.fold import status

if TYPE_CHECKING:
    from store.log.fold import Versions
    from store.state import State

CURRENT = frozenset({"active", "contested"})
BLOCK = 200
"""How many records that share a word are looked at for a narrower case."""
MANY = 300
"""Records from which it is not worth looking at each for what it can concern."""
_BESIDES = LENGTH | WEAK | LEVELLED | OPTIONAL
"""Words that two statements may differ in and still have to do with each other."""


@dataclass(frozen=True, slots=True)
class _Known:
    hash: str
    status: str
    meaning: Meaning
    words: frozenset[str]
    parts: tuple[frozenset[str], ...]
    """Whatever contradicts it, or is a case of it, has all words of one of these but one."""
    excepted: bool
    """It names exceptions, which anything may deny that shares a word with it."""


@dataclass(slots=True)
class Touched:
    """What changed records can concern: all others stand to the records as before."""

    words: set[int] = field(default_factory=set)
    """All words of them."""
    sure: set[int] = field(default_factory=set)
    """Keys, topics and words of which one is enough."""
    parts: set[frozenset[int]] = field(default_factory=set)
    wholes: set[frozenset[int]] = field(default_factory=set)

    def __bool__(self) -> bool:
        return bool(self.words or self.sure)

    def concerns(self, marks: array[int]) -> bool:
        """Whether a statement with these marks may stand to the changed records in some way."""
        if not self.sure.isdisjoint(marks):
            return True
        seen = Marks(marks)
        if self.words.isdisjoint(seen.words):
            return False
        if seen.shaped or len(self.parts) > MANY:
            return True
        words = set(seen.words)
        if any(len(part - words) < 2 for part in self.parts):
            return True
        words -= _BESIDES_MARKS
        return words <= self.words and any(words <= whole for whole in self.wholes)


_BESIDES_MARKS = frozenset(map(mark_of, _BESIDES))


class Records:
    """Live records by what they mean, brought up to date by what changed."""

    def __init__(self) -> None:
        self._known: dict[str, _Known] = {}
        self._by_key: dict[str, set[str]] = {}
        self._by_word: dict[str, set[str]] = {}

    def __bool__(self) -> bool:
        return bool(self._known)

    def update(self, state: State) -> Touched:
        """Take in records that are new or have a new revision; forget those that no longer hold."""
        seen = set()
        changed: list[str] = []
        for versions in state.live_records():
            stands = status(versions)
            if stands not in CURRENT:
                continue
            seen.add(versions.id)
            known = self._known.get(versions.id)
            if known is None or known.hash != versions.head.hash or known.status != stands:
                changed.append(versions.id)
        old = [known for ident in (*changed, *(self._known.keys() - seen)) if (known := self._known.get(ident))]
        new = [_known(state.records[ident]) for ident in changed]
        words = frozenset[str]().union(*(known.words for known in (*old, *new)))
        before = {word: len(self._by_word.get(word, ())) for word in words}
        for ident in (*changed, *(self._known.keys() - seen)):
            self._forget(ident)
        for ident, known in zip(changed, new, strict=True):
            self._learn(ident, known)
        touched = _touched((*old, *new))
        for word, count in before.items():
            if (count > BLOCK) != (len(self._by_word.get(word, ())) > BLOCK):
                touched.sure.add(mark_of(word))  # others are no longer, or only now, found by it
        return touched

    def _learn(self, ident: str, known: _Known) -> None:
        self._known[ident] = known
        for key in findable(known.meaning):
            self._by_key.setdefault(key, set()).add(ident)
        for word in known.words:
            self._by_word.setdefault(word, set()).add(ident)

    def _forget(self, ident: str) -> None:
        known = self._known.pop(ident, None)
        if known is None:
            return
        for key in findable(known.meaning):
            self._by_key[key].discard(ident)
        for word in known.words:
            self._by_word[word].discard(ident)

    def near(self, asked: Meaning) -> list[str]:
        """Records that share a key, a topic, or a word that is not common and enough of the others; sorted."""
        found: set[str] = set()
        for key in findable(asked):
            found |= self._by_key.get(key, set())
        words = frozenset[str]().union(*(ask.everything for ask in asked.asks))
        sharing: set[str] = set()
        for word in words:
            block = self._by_word.get(word, ())
            if len(block) <= BLOCK:
                sharing.update(block)
        found.update(ident for ident in sharing - found if _may_concern(self._known[ident], asked, words))
        return sorted(found)

    def meaning_of(self, ident: str) -> Meaning:
        """What a record that is near means."""
        return self._known[ident].meaning


def _known(versions: Versions) -> _Known:
    data = versions.data
    asked = meaning(data["statement"])
    words = frozenset[str]().union(*(ask.everything for ask in asked.asks))
    excepted = bool(data.get("known_exceptions") or data.get("does_not_apply_when"))
    return _Known(versions.head.hash, status(versions), asked, words, tuple(_parts(asked)), excepted)


def _parts(asked: Meaning) -> Iterable[frozenset[str]]:
    for ask in asked.asks:
        yield frozenset(word for word in ask.words - ask.every - _BESIDES if not word.startswith("without:"))
        if ask.over:
            yield ask.over
        if ask.before:
            yield ask.before


def _may_concern(known: _Known, asked: Meaning, words: frozenset[str]) -> bool:
    if known.excepted or any(len(part - words) < 2 for part in known.parts):
        return True
    return any(
        ask.words - _BESIDES <= rule.words for ask in asked.asks for rule in known.meaning.asks
    )  # fmt: skip


def _touched(changed: Iterable[_Known]) -> Touched:
    touched = Touched()
    for known in changed:
        touched.words.update(map(mark_of, known.words))
        touched.sure.update(map(mark_of, findable(known.meaning)))
        if known.excepted:
            touched.sure.update(map(mark_of, known.words))
        touched.parts.update(frozenset(map(mark_of, part)) for part in known.parts)
        touched.wholes.update(frozenset(map(mark_of, ask.words)) for ask in known.meaning.asks)
    return touched
