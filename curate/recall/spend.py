"""What memory cost over time, and for which reason, from the journal; so that a ceiling that is too low and a store
that has too little to say can be told apart: they have opposite remedies. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

BITES = 0.1
"""Share of the turns that got something in which the ceiling bit, from which it is called too low."""
SAME = 0.8
"""Share of the cost that is lines of an index, from which nothing is worth sending whole."""
SPEECHLESS = 0.5
"""Share of the turns on work that got nothing, from which the store has too little to say."""
FEW = 5
"""Turns below which nothing is concluded."""

KINDS = ("asked", "standing", "identity", "pinned", "trigger", "index", "disputed", "guardrail", "rest")
TITLES = {
    "asked": "the prompt is about it", "standing": "holds for all work there", "identity": "identity",
    "pinned": "pinned", "trigger": "a name in the message", "index": "a line of the index",
    "disputed": "disputed, as a warning", "guardrail": "guardrails", "rest": "headings, notes, the rest",
}  # fmt: skip

Advice = Literal["few", "raise", "promote", "fine"]


@dataclass(slots=True)
class Day:
    """What one day's turns cost."""

    date: str
    turns: int = 0
    silent: int = 0
    cut: int = 0
    """Turns in which the ceiling bit."""
    cost: dict[str, int] = field(default_factory=dict)
    """By kind of reason."""

    @property
    def total(self) -> int:
        """All of it."""
        return sum(self.cost.values())


@dataclass(slots=True)
class Spending:
    """The turns of one layout's unit, by day, oldest first."""

    unit: str
    days: list[Day]
    cost: dict[str, int]
    """By kind of reason, in the order of `KINDS`."""
    turns: int = 0
    gated: int = 0
    """Silent since the prompt was none that gets memory."""
    silent: int = 0
    """Silent although it was one."""
    cut: int = 0
    dropped: int = 0
    """Lines that gave way to the ceiling."""
    budget: int = 0
    fullest: int = 0

    @property
    def total(self) -> int:
        """All that was spent."""
        return sum(self.cost.values())

    @property
    def spoken(self) -> int:
        """Turns that got something."""
        return self.turns - self.gated - self.silent

    @property
    def advice(self) -> Advice:
        """What would help: more room, more memory, or neither."""
        asked = self.turns - self.gated
        if asked < FEW:
            return "few"
        if self.spoken and self.cut / self.spoken >= BITES:
            bodies = self.total - self.cost.get("index", 0) - self.cost.get("rest", 0)
            # A ceiling that is full of gists is not too low: there is nothing that deserves to be sent whole.
            return "raise" if bodies > (1 - SAME) * (self.total or 1) else "promote"
        return "promote" if self.silent / asked >= SPEECHLESS else "fine"


def spending(turns: Iterable[Mapping[str, Any]]) -> list[Spending]:
    """By unit, the one of most turns first: bytes and tokens cannot be added up."""
    by_unit: dict[str, Spending] = {}
    by_day: dict[tuple[str, str], Day] = {}
    for turn in turns:
        unit, date = str(turn.get("unit") or "bytes"), str(turn.get("at") or "")[:10]
        of = by_unit.setdefault(unit, Spending(unit, [], {}))
        day = by_day.setdefault((unit, date), Day(date))
        _count(of, day, turn)
    for (unit, _), day in sorted(by_day.items()):
        by_unit[unit].days.append(day)
    for of in by_unit.values():
        for day in of.days:
            for kind, cost in day.cost.items():
                of.cost[kind] = of.cost.get(kind, 0) + cost
        of.cost = {kind: of.cost[kind] for kind in KINDS if of.cost.get(kind)}
    return sorted(by_unit.values(), key=lambda one: (-one.turns, one.unit))


def kind_of(entry: Mapping[str, Any]) -> str:
    """The kind of reason that brought an entry in."""
    section, reason = str(entry.get("section") or ""), str(entry.get("reason") or "")
    if section in {"Contested Memory", "Unresolved Contradictions"} or reason == "tension":
        return "disputed"
    if reason in {"index", "trigger", "guardrail", "pinned"}:
        return reason
    if section == "Identity":
        return "identity"
    if reason in {"applies here", "holds for all work here"}:
        return "standing"
    return "asked"


def _count(of: Spending, day: Day, turn: Mapping[str, Any]) -> None:
    of.turns += 1
    day.turns += 1
    if not turn.get("block"):
        day.silent += 1
        if turn.get("skipped"):
            of.gated += 1
        else:
            of.silent += 1
    total, named = _number(turn.get("total")), 0
    for entry in turn.get("entries") or ():
        if isinstance(entry, Mapping):
            cost = _number(entry.get("cost"))
            named += cost
            kind = kind_of(entry)
            day.cost[kind] = day.cost.get(kind, 0) + cost
    if total > named:
        day.cost["rest"] = day.cost.get("rest", 0) + total - named
    of.fullest = max(of.fullest, total)
    of.budget = _number(turn.get("budget")) or of.budget
    if turn.get("truncated"):
        of.cut += 1
        day.cut += 1
    for stage in turn.get("traces") or ():
        if isinstance(stage, Mapping) and stage.get("processor") == "budget":
            of.dropped += _number(stage.get("dropped_total"))


def _number(value: object) -> int:
    return value if isinstance(value, int) and value > 0 else 0
