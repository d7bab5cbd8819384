"""What is to go in a purge: the statements, all that was said with them, and the evidence that only they rest on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from store.log import purge
from store.log.stub import GONE, MARK
from store.log.traces import Traces

if TYPE_CHECKING:
    from store.state import State

Excerpts = Callable[[set[str]], Iterable[str]]
"""Gives the words of the evidence with these ids."""


@dataclass(slots=True)
class Gathered:
    """What a purge looks for."""

    erasing: purge.Erasing
    shared: list[str] = field(default_factory=list)
    """Evidence that is kept, since something living rests on it too and it does not hold the statement."""
    said: list[str] = field(default_factory=list)
    """Whole statements and excerpts, as they were."""


def gather(state: State, ids: frozenset[str], lines: Iterable[Mapping[str, Any]], excerpts: Excerpts) -> Gathered:
    """What these ids said, given every line of them, wherever it was found: the state hides it already."""
    statements: dict[str, None] = {}
    texts: dict[str, None] = {}
    whole: dict[str, None] = {}
    own: set[str] = set()
    for data in lines:
        own.update(data.get("evidence") or ())
        if data.get("statement") not in (None, GONE):
            statements[str(data["statement"])] = None
        if data.get("body"):
            whole[str(data["body"])] = None
        for key, value in data.items():
            if key in purge.PROSE:
                texts |= dict.fromkeys(texts_of(value))
    told = Traces(statements, ())
    needed_by = _rested_on(state, purge.Erasing(state, ids, told))
    goes: set[str] = set()
    shared = []
    for ident, data in state.evidence.items():
        said = [str(data.get(key) or "") for key in ("excerpt", "context")]
        if MARK in data or (ident in own and ident not in needed_by) or any(map(told.states, said)):
            goes.add(ident)
            texts |= dict.fromkeys(text for text in said if text)
        elif ident in own:
            shared.append(ident)
    more = list(excerpts(goes))
    erasing = purge.Erasing(state, ids, Traces(statements, [*texts, *more]), frozenset(goes))
    _spare_the_living(state, erasing)
    return Gathered(erasing, shared, [*statements, *whole, *dict.fromkeys(more)])


def texts_of(value: Any) -> Iterator[str]:
    """Every text in a piece of JSON."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from texts_of(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from texts_of(item)


def _rested_on(state: State, erasing: purge.Erasing) -> set[str]:
    """Evidence that living records and waiting candidates rest on."""
    found: set[str] = set()
    for folded in (state.records, state.candidates):
        for ident, versions in folded.items():
            if erasing.alive(ident):
                found.update(*(head.data.get("evidence") or () for head in versions.heads))
    return found


def _spare_the_living(state: State, erasing: purge.Erasing) -> None:
    for folded in (state.records, state.candidates, state.projects):
        for ident, versions in folded.items():
            if ident in state.projects or erasing.alive(ident):
                for head in versions.heads:
                    erasing.traces.spare(list(texts_of(head.data)))
    for ident, data in state.evidence.items():
        if ident not in erasing.evidence:
            erasing.traces.spare([str(data.get("excerpt"))])
