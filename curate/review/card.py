"""What the card of a row says: the quotes it rests on, what is known already, and what would be written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from curate.review.assemble import scoped_of
from curate.review.choice import Choice, Verb
from curate.review.drafting import ops_of
from curate.review.naming import key_of
from store.layout import record_file
from store.log.fold import status

if TYPE_CHECKING:
    from collections.abc import Iterable

    from curate.review.rows import Row, Scoped
    from store.model import Op
    from store.state import State


@dataclass(frozen=True, slots=True)
class Quote:
    """A piece of evidence as a person reads it."""

    text: str
    cues: tuple[tuple[int, int], ...]
    span: tuple[int, int] | None
    context: str
    agent: str
    session: str
    time: str
    path: str
    line: int | None
    against: bool
    redacted: tuple[str, ...]
    trust: str

    def place(self) -> str:
        """Where it can be read: the transcript and the line in it."""
        return f"{self.path}:{self.line}" if self.path and self.line else self.path


@dataclass(frozen=True, slots=True)
class Side:
    """A record that the row is compared with."""

    id: str
    statement: str
    scoped: Scoped
    status: str
    since: str
    updated: str
    quotes: int
    exceptions: tuple[str, ...]
    confidence: float


@dataclass(frozen=True, slots=True)
class Card:
    """Everything beside the row itself."""

    quotes: tuple[Quote, ...]
    sides: tuple[Side, ...]
    writes: tuple[str, ...]
    disputed: str = ""
    """Why the memory is contested."""


def card(state: State, row: Row, choice: Choice | None, *, limit: int | None = None) -> Card:
    """The card of a row, with at most `limit` quotes, newest first."""
    if row.kind == "record":
        versions = state.records.get(row.key)
        pieces = state.spoken(versions.data) if versions else []
    else:
        evidence = list(dict.fromkeys(ident for cand in row.candidates for ident in _evidence_of(state, cand)))
        pieces = [state.evidence[ident] for ident in evidence if ident in state.evidence]
    pieces.sort(key=lambda piece: str(piece.get("time") or ""), reverse=True)
    aims = list(dict.fromkeys([*([choice.target] if choice and choice.target else []), *row.records]))
    sides = tuple(side for ident in aims if ident != row.key and (side := side_of(state, ident)) is not None)
    versions = state.records.get(row.key) if row.kind == "record" else None
    disputed = str(versions.data.get("contested_because") or "") if versions else ""
    return Card(tuple(quote_of(piece) for piece in pieces[:limit]), sides, writes(state, row, choice), disputed)


def quote_of(piece: dict[str, Any]) -> Quote:
    """One line of the evidence as a quote."""
    span = piece.get("statement_span")
    return Quote(
        text=str(piece.get("excerpt") or ""),
        cues=tuple((int(start), int(end)) for start, end in piece.get("cues") or ()),
        span=(int(span[0]), int(span[1])) if span else None,
        context=str(piece.get("context") or ""),
        agent=str(piece.get("agent") or ""),
        session=str(piece.get("session") or ""),
        time=str(piece.get("time") or ""),
        path=str(piece.get("path") or ""),
        line=piece.get("line"),
        against=piece.get("polarity") == "against",
        redacted=tuple(piece.get("redacted") or ()),
        trust=str(piece.get("trust") or "").replace("_", " "),
    )


def side_of(state: State, ident: str) -> Side | None:
    """A record to compare with, None when there is none of that id."""
    versions = state.records.get(ident)
    if versions is None:
        return None
    data = versions.data
    return Side(
        id=ident,
        statement=str(data.get("statement") or ""),
        scoped=scoped_of(data.get("scope") or {}, ()),
        status=status(versions),
        since=str(data.get("created_at") or ""),
        updated=str(data.get("updated_at") or ""),
        quotes=len(data.get("evidence") or ()),
        exceptions=tuple(data.get("known_exceptions") or ()),
        confidence=float(data.get("confidence") or 0.0),
    )


def writes(state: State, row: Row, choice: Choice | None) -> tuple[str, ...]:
    """In a few words, a line each, what the decision (or accepting, when there is none yet) would write."""
    if choice is None or choice.verb is None:
        if row.kind == "record":
            return ()
        known = choice or Choice()
        verb: Verb = "reject" if row.tab == "noise" else "accept"
        choice = Choice(verb, known.scoped, known.statement, candidates=row.candidates, bases=row.bases)
        if verb == "accept" and row.takes == "add" and choice.scope_for(row).reach == "unassigned":
            return (
                f"nothing yet: {key_of('scope_project')} names a project, {key_of('scope_global')} makes it global",
            )
    return tuple(line for op in ops_of(row, choice) for line in _lines(state, row, op))


def _lines(state: State, row: Row, op: Op) -> Iterable[str]:
    if op.op == "add":
        scope = dict((op.record or {}).get("scope") or {})
        layer = (op.record or {}).get("layer") or row.layer
        targets: list[str | None] = [*op.targets] or [None]
        for project in targets:
            data = {"layer": layer, "scope": {**scope, **({"project": project} if project else {})}}
            yield f"+ a memory in {record_file(data, state.projects)}"
        return
    if op.op in {"reject_candidate", "defer_candidate"}:
        count = len(op.candidate_ids)
        many = f"{count} candidates" if count != 1 else "the candidate"
        yield (
            f"- {many} turned away, with a mark so that it stays away"
            if op.op == "reject_candidate"
            else f"~ {many} put off for later"
        )
        return
    versions = state.records.get(op.target_id or "")
    file = record_file(versions.data, state.projects) if versions else "memory"
    words = {
        "update": "a new version of", "supersede": "an end, and a successor, for", "add_exception": "an exception to",
        "contest": "a mark of dispute on", "uncontest": "the end of the dispute on", "deprecate": "the end of",
        "delete": "the deletion of", "pin": "a pin on", "unpin": "no more pin on", "flag_for_review": "a review of",
        "promote_to_vault_candidate": "a vault mark on", "resolve_fork": "one version of",
    }  # fmt: skip
    yield f"~ {words.get(op.op, op.op)} {_short(op.target_id)} in {file}"


def _short(ident: str | None) -> str:
    return f"{ident[:4]}…{ident[-6:]}" if ident and len(ident) > 14 else ident or "a memory"


def _evidence_of(state: State, candidate: str) -> list[str]:
    versions = state.candidates.get(candidate)
    return list(versions.data.get("evidence") or ()) if versions else []
