"""Contradictions between groups that come, change and go: only the neighbours of what changed are compared again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from curate.matching.blocks import Blocks, discard, insert, members
from curate.matching.clash import Clash, clash
from curate.matching.group import BLOCK, CROWD, NEIGHBOURS
from curate.matching.normal import Meaning

Pair = tuple[str, str]
"""Two groups, the older one first."""
Wordings = Callable[[str], list[Meaning]]


class Rivalry:
    """Which groups cannot both hold. Groups meet within the block of a topic, each with its nearest neighbours."""

    def __init__(self) -> None:
        self._topics: dict[str, tuple[int, ...]] = {}
        self._blocks: Blocks = {}
        """Groups on a topic, oldest first; most topics have a single one, which needs no list."""
        self._found: dict[int, dict[Pair, Clash]] = {}
        """By topic; most have none."""

    def pairs(self) -> dict[Pair, Clash]:
        """All contradictions, in no order."""
        return {pair: kind for found in self._found.values() for pair, kind in found.items()}

    def update(
        self, gone: Iterable[str], new: Mapping[str, tuple[int, ...]], order: Callable[[str], str], wordings: Wordings
    ) -> set[str]:
        """Take groups out and put others in, by their topics; gives the groups that have other rivals than before.

        One that has changed is both gone and new.
        """
        before: dict[int, list[str]] = {}
        for group in gone:
            for topic in self._topics.pop(group, ()):
                before.setdefault(topic, members(self._blocks, topic))
                discard(self._blocks, topic, group)
        for group, topics in new.items():
            self._topics[group] = topics
            for topic in topics:
                before.setdefault(topic, members(self._blocks, topic))
                insert(self._blocks, topic, group)
        known: dict[Pair, Clash | None] = {}
        said: dict[str, list[Meaning]] = {}

        def compare(pair: Pair) -> Clash | None:
            if pair not in known:
                for group in pair:
                    if group not in said:
                        said[group] = wordings(group)
                known[pair] = _clash(said[pair[0]], said[pair[1]])
            return known[pair]

        affected: set[str] = set()
        for topic, was in before.items():
            block = self._blocks.get(topic)
            if type(block) is list:
                block.sort(key=order)
            earlier = self._found.pop(topic, {})
            found = _contradictions(block, was, earlier, new, compare) if type(block) is list else {}
            if found:
                self._found[topic] = found
            if found != earlier:
                affected.update(group for pair, _ in found.items() ^ earlier.items() for group in pair)
        return affected


def _contradictions(
    block: list[str],
    was: list[str],
    earlier: Mapping[Pair, Clash],
    new: Mapping[str, object],
    compare: Callable[[Pair], Clash | None],
) -> dict[Pair, Clash]:
    """The contradictions of one block; what was compared before and stands as it did is not compared again."""
    found: dict[Pair, Clash] = {}
    reach, reached = _reach(block), _reach(was)
    places = {group: place for place, group in enumerate(was) if group not in new}
    for place, group in enumerate(block):
        stood = places.get(group)
        for other in block[max(0, place - reach) : place]:
            pair = (other, group)
            stands = places.get(other)
            if stood is not None and stands is not None and 0 < stood - stands <= reached:
                kind = earlier.get(pair)
            else:
                kind = compare(pair)
            if kind is not None:
                found[pair] = kind
    return found


def _reach(block: list[str]) -> int:
    return BLOCK if len(block) <= CROWD else NEIGHBOURS


def _clash(ours: list[Meaning], theirs: list[Meaning]) -> Clash | None:
    return next((found for mine in ours for other in theirs if (found := clash(mine, other)) is not None), None)
