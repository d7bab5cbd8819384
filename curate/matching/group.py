"""Statements put into groups that ask for the same thing, with the contradictions between them.

Near-linear: statements meet only within blocks that share a key (to be the same) or a topic (to contradict). A group
takes in a statement only when it agrees with every wording in it, so that likeness never chains unlike things together.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from curate.matching.ask import Ask
from curate.matching.clash import Clash, clash
from curate.matching.normal import Meaning, meaning
from curate.matching.same import agree

BLOCK = 60
"""How many groups of one block a statement is held against; blocks are rarely larger than three."""
CROWD = 200
"""Groups on one topic from which on each is held against its nearest neighbours only: a crowd contradicts all over."""
NEIGHBOURS = 6
PAIRS = 400
"""Contradictions named between two groups; beyond it each statement is still named once."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement to compare. Statements of different `scope` (any string) never meet."""

    id: str
    text: str
    scope: str = ""
    language: str | None = None


@dataclass(frozen=True, slots=True)
class Grouping:
    """Every id in exactly one group, in the order given; conflicts as pairs of ids."""

    groups: list[list[str]]
    conflicts: list[tuple[str, str]]


@dataclass(slots=True)
class Cluster:
    """Statements that ask for the same thing: members as given in, and their different meanings."""

    scope: str
    number: int
    meanings: list[Meaning]
    members: list[str] = field(default_factory=list)


class Clusters:
    """Groups that grow as statements come in."""

    def __init__(self) -> None:
        self.all: list[Cluster] = []
        self._by_key: dict[tuple[str, str], list[int]] = {}
        self._by_wording: dict[tuple[str, str], int] = {}
        self._by_asks: dict[tuple[str, tuple[Ask, ...]], tuple[int, Meaning]] = {}

    def add(self, ident: str, scope: str, asked: Meaning) -> Cluster:
        """Put a statement into the first group that it agrees with throughout, else into one of its own."""
        number = self._by_wording.get((scope, asked.folded))
        if number is None:
            number = self._placed(scope, asked)
            self._by_wording[scope, asked.folded] = number
        self.all[number].members.append(ident)
        return self.all[number]

    def _placed(self, scope: str, asked: Meaning) -> int:
        """The group for a new wording; one that asks for exactly the same comes before one that is like it."""
        number, twin = self._by_asks.get((scope, asked.asks), (None, None))
        if number is not None and twin is not None and agree(asked, twin):
            return number
        number = self._find(scope, asked)
        if number is None:
            number = len(self.all)
            self.all.append(Cluster(scope, number, []))
        self._by_asks.setdefault((scope, asked.asks), (number, asked))
        self.all[number].meanings.append(asked)
        for key in asked.keys:
            block = self._by_key.setdefault((scope, key), [])
            if number not in block[-BLOCK:]:
                block.append(number)
        return number

    def _find(self, scope: str, asked: Meaning) -> int | None:
        seen: set[int] = set()
        for key in asked.keys:
            for number in self._by_key.get((scope, key), ())[-BLOCK:]:
                if number in seen:
                    continue
                seen.add(number)
                if all(agree(asked, other) for other in self.all[number].meanings):
                    return number
        return None

    def conflicts(self) -> list[tuple[int, int, Clash]]:
        """Pairs of groups that cannot both hold, by number."""
        blocks: dict[tuple[str, str], list[int]] = {}
        for cluster in self.all:
            for topic in {topic for known in cluster.meanings for topic in known.topics}:
                blocks.setdefault((cluster.scope, topic), []).append(cluster.number)
        found: dict[tuple[int, int], Clash] = {}
        for block in blocks.values():
            reach = BLOCK if len(block) <= CROWD else NEIGHBOURS
            for place, number in enumerate(block):
                for other in block[max(0, place - reach) : place]:
                    pair = (other, number)
                    if pair not in found and (kind := self._clash(*pair)) is not None:
                        found[pair] = kind
        return [(one, other, kind) for (one, other), kind in sorted(found.items())]

    def _clash(self, one: int, other: int) -> Clash | None:
        for mine in self.all[one].meanings:
            for theirs in self.all[other].meanings:
                if (found := clash(mine, theirs)) is not None:
                    return found
        return None


def group(claims: Iterable[Claim]) -> Grouping:
    """Groups of statements that ask for the same thing, and pairs that contradict each other within one scope."""
    clusters = Clusters()
    for claim in claims:
        clusters.add(claim.id, claim.scope, meaning(claim.text, claim.language))
    pairs: list[tuple[str, str]] = []
    for one, other, _ in clusters.conflicts():
        pairs += _pairs(clusters.all[one].members, clusters.all[other].members)
    return Grouping([cluster.members for cluster in clusters.all], pairs)


def _pairs(ours: list[str], theirs: list[str]) -> list[tuple[str, str]]:
    if len(ours) * len(theirs) <= PAIRS:
        return [(one, other) for one in ours for other in theirs]
    return [(ours[0], other) for other in theirs] + [(one, theirs[0]) for one in ours[1:]]
