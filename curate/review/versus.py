"""Both sides of a contradiction in full: what each says, since when, how often, where it holds and on what evidence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from curate.review.assemble import scoped_of
from curate.review.card import Quote, quote_of
from curate.review.sides import sides_of
from store.log.fold import status

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from curate.review.rows import Row, Scoped
    from store.state import State


@dataclass(frozen=True, slots=True)
class Half:
    """One side."""

    title: str
    statement: str
    scoped: Scoped
    standing: str
    """Its status, or that it waits."""
    first: str
    last: str
    """When it was said, or changed, first and last."""
    quotes: tuple[Quote, ...]
    sessions: int
    confidence: float
    exceptions: tuple[str, ...] = ()
    by: str = ""
    """Of a version: the op and the patch that made it."""


@dataclass(frozen=True, slots=True)
class Versus:
    """The sides as they are shown, left what is known or was said first."""

    kind: str
    left: Half
    right: Half


def versus(state: State, row: Row, rows: Mapping[str, Row]) -> Versus | None:
    """Both sides of a row; None when it stands between no two."""
    sides = sides_of(row, rows)
    if sides is None:
        return None
    if sides.kind == "fork":
        versions = state.records.get(row.key)
        if versions is None or sides.left not in versions or sides.right not in versions:
            return None
        both = [_version(state, versions[head], number) for number, head in enumerate((sides.left, sides.right))]
        return Versus("fork", both[0], both[1])
    titles = ("What is known", "What was said") if sides.kind == "known" else ("Said first", "Said later")
    known = sides.kind == "known"
    left = _record(state, sides.left, titles[0]) if known else _waiting(state, rows[sides.left], titles[0])
    return None if left is None else Versus(sides.kind, left, _waiting(state, rows[sides.right], titles[1]))


def _record(state: State, ident: str, title: str) -> Half | None:
    versions = state.records.get(ident)
    if versions is None:
        return None
    data = versions.data
    quotes = _quotes(state, data.get("evidence") or ())
    return Half(
        title,
        str(data.get("statement") or ""),
        scoped_of(data.get("scope") or {}, ()),
        f"{status(versions)} since {str(data.get('created_at') or '')[:10]}",
        *_span(quotes, str(data.get("created_at") or ""), str(data.get("updated_at") or "")),
        quotes,
        _sessions(quotes),
        float(data.get("confidence") or 0.0),
        tuple(map(str, data.get("known_exceptions") or ())),
    )


def _waiting(state: State, row: Row, title: str) -> Half:
    there = [state.candidates[ident].data for ident in row.candidates if ident in state.candidates]
    found = (data.get("evidence") or () for data in there)
    quotes = _quotes(state, dict.fromkeys(piece for pieces in found for piece in pieces))
    return Half(
        title, row.statement, row.scoped, "waits for a decision", *_span(quotes, row.newest, row.newest), quotes,
        row.sessions, row.confidence,
    )  # fmt: skip


def _version(state: State, revision: Any, number: int) -> Half:
    data = revision.data
    by = (revision.op.replace("_", " "), "by" if revision.patch else "", revision.patch)
    quotes = _quotes(state, data.get("evidence") or ())
    return Half(
        f"Version {'AB'[number]}",
        str(data.get("statement") or ""),
        scoped_of(data.get("scope") or {}, ()),
        str(data.get("status") or "active"),
        revision.at,
        revision.at,
        quotes,
        _sessions(quotes),
        float(data.get("confidence") or 0.0),
        tuple(map(str, data.get("known_exceptions") or ())),
        " ".join(filter(None, by)),
    )


def _quotes(state: State, idents: Iterable[str]) -> tuple[Quote, ...]:
    found = [quote_of(state.evidence[ident]) for ident in idents if ident in state.evidence]
    return tuple(sorted(found, key=lambda quote: quote.time, reverse=True))


def _sessions(quotes: tuple[Quote, ...]) -> int:
    return len({quote.session for quote in quotes if quote.session})


def _span(quotes: tuple[Quote, ...], first: str, last: str) -> tuple[str, str]:
    times = [quote.time for quote in quotes if quote.time]
    return (min(times), max(times)) if times else (first, last)
