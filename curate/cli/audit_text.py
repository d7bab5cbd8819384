"""An audit on the terminal: two claims side by side where there is room, the rest below."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Any

from curate.cli.output import count, moment, table, tell, wrapped
from curate.cli.records import place
from store.text import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from curate.review.audit import Audit, Claim

WIDEST = 160
NARROWEST = 60
"""Columns below which claims stand one above the other."""
PIECES_SHOWN = 8
TURNS_SHOWN = 10


def tell_audit(found: Audit) -> None:
    """Print a dispute."""
    case = found.case
    if case is None:
        tell(f"{found.id} is not in dispute.")
    else:
        due = f", again by {case.next_review[:10]}" if case.next_review else ""
        tell(f"{found.id}: {case.kind} since {case.since[:10]}{due}{' (overdue)' if case.overdue else ''}")
        if case.because:
            tell(f"  {case.because}")
    _tell_claims(found.claims)
    for claim in found.claims:
        _tell_pieces(claim)
    _tell_seen(found)
    if found.questions:
        tell("Open questions")
        for each in found.questions:
            tell(f"  ? {each}")
    tell("To settle it")
    table(((way.does, way.command) for way in found.ways), indent=2)


def _tell_claims(claims: Sequence[Claim]) -> None:
    width = min(shutil.get_terminal_size((100, 24)).columns, WIDEST)
    if len(claims) < 2 or width < NARROWEST:
        for claim in claims:
            for line in _claim(claim):
                tell(f"  {line}")
        return
    half = (width - 5) // 2
    both = [[part for line in _claim(claim) for part in wrapped(line, half)] for claim in claims[:2]]
    height = max(map(len, both))
    left, right = ([*lines, *[""] * (height - len(lines))] for lines in both)
    table(((one, "\u2502", other) for one, other in zip(left, right, strict=True)), indent=2)
    for claim in claims[2:]:
        for line in _claim(claim):
            tell(f"  {line}")


def _claim(claim: Claim) -> list[str]:
    lines = [f"[{claim.title}]", one_line(claim.statement), f"holds: {place(claim.scope)}"]
    lines.append(f"{claim.standing} since {claim.since[:10]}, confidence {claim.confidence:.2f}")
    lines += [f"except: {each}" for each in claim.exceptions]
    lines += [one_line(claim.why)] if claim.why else []
    return lines


def _tell_pieces(claim: Claim) -> None:
    for side, pieces in (("for", claim.for_), ("against", claim.against)):
        if not pieces:
            continue
        tell(f"{count(len(pieces), 'piece')} of evidence {side} {claim.title}")
        table((_piece(one) for one in pieces[:PIECES_SHOWN]), indent=2)
        if len(pieces) > PIECES_SHOWN:
            tell(f"  and {len(pieces) - PIECES_SHOWN} more")


def _piece(one: dict[str, Any]) -> tuple[str, ...]:
    trust = str(one.get("trust") or "").replace("_", " ")
    excerpt = f"\u201c{one.get('excerpt') or ''}\u201d"
    return (str(one.get("time") or "")[:10], trust, str(one.get("agent") or ""), excerpt)


def _tell_seen(found: Audit) -> None:
    seen = [f"{name} ({number})" if number else f"{name} (said there)" for name, number in
            (*found.agents.items(), *found.projects.items())]  # fmt: skip
    if seen:
        tell(f"Seen by {', '.join(seen)}")
    if found.told:
        tell(f"Told to agents since then in {count(len(found.told), 'turn')}")
        rows = [(moment(one.at), one.agent, f"session {one.session}", f"turn {one.turn}", one.project, one.section)
                for one in found.told[:TURNS_SHOWN]]  # fmt: skip
        table(rows, indent=2)
    else:
        tell("Told to no agent since then (the journal keeps 14 days)")
