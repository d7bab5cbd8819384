"""An audit as a page of Markdown, to be read by a colleague who has neither the store nor the tool. Pure.

Same audit, same bytes. What others said is shown and does nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from curate.review.assemble import scoped_of
from store.projection.markdown import code, escape

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from curate.review.audit import Audit, Claim, Told
    from curate.review.contested import Case

TURNS_SHOWN = 50


def page(audit: Audit, at: str) -> str:
    """The page of one dispute, as it stands at a moment."""
    first = audit.claims[0]
    lines = [f"# Audit: {escape(first.statement)}", "", f"{code(audit.id)}, as of {at[:10]}.", ""]
    if audit.case is not None:
        lines += [_standing(audit.case), ""]
    lines += ["## The claims", "", *_claims(audit.claims)]
    for claim in audit.claims:
        lines += ["", f"## What was said: {code(_name(claim))}", ""]
        lines += [*_pieces("for it", claim.for_), *_pieces("against it", claim.against)]
    lines += ["", "## Who saw it", ""]
    lines += [f"- {escape(name)}: {_turns(count)}" for name, count in audit.agents.items()]
    lines += [f"- in {code(name)}: {_turns(count)}" for name, count in audit.projects.items()]
    if not audit.agents and not audit.projects:
        lines.append("Nobody that is known.")
    lines += ["", "## What was injected since the dispute began", "", *_told(audit.told)]
    if audit.questions:
        lines += ["", "## Open questions", "", *(f"- [ ] {escape(each)}" for each in audit.questions)]
    lines += ["", "## How it can be settled", ""]
    lines += [f"- {escape(way.does)}: {code(way.command)}" for way in audit.ways]
    return "\n".join(lines) + "\n"


def overview(cases: Sequence[Case], at: str) -> str:
    """The page of all that is in dispute."""
    lines = ["# What is in dispute", "", f"As of {at[:10]}: {len(cases)}.", ""]
    for case in cases:
        lines += [
            f"## {escape(case.statement)}",
            "",
            f"{code(case.id)}, {_where(case.scope)}.",
            "",
            _standing(case),
            "",
        ]
    return "\n".join(lines).rstrip("\n") + "\n"


def _standing(case: Case) -> str:
    told = f"{case.kind.capitalize()} since {case.since[:10]}"
    if case.because:
        told += f": {escape(case.because)}"
    if case.next_review:
        told += f". To be looked at again by {case.next_review[:10]}" + (", which has passed" if case.overdue else "")
    return told + "."


def _claims(claims: Sequence[Claim]) -> list[str]:
    """Side by side in a table: what each says, where, since when, on what ground."""
    rows: list[tuple[str, list[str]]] = [
        ("says", [escape(claim.statement) for claim in claims]),
        ("holds", [_where(claim.scope) for claim in claims]),
        ("stands", [escape(claim.standing) for claim in claims]),
        ("since", [claim.since[:10] for claim in claims]),
        ("confidence", [f"{claim.confidence:.2f}" for claim in claims]),
        ("for, against", [f"{len(claim.for_)}, {len(claim.against)}" for claim in claims]),
        ("exceptions", ["; ".join(map(escape, claim.exceptions)) for claim in claims]),
        ("beside the first", [escape(claim.why) for claim in claims]),
    ]
    if any(claim.body for claim in claims):
        rows.insert(1, ("in full", [escape(claim.body) for claim in claims]))
    head = ["", *(code(_name(claim)) for claim in claims)]
    lines = [_row(head), _row(["---"] * len(head))]
    return lines + [_row([name, *cells]) for name, cells in rows if any(cells)]


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _pieces(side: str, pieces: Sequence[dict[str, Any]]) -> list[str]:
    if not pieces:
        return [f"Nothing {side}."] if side == "for it" else []
    lines = [f"{len(pieces)} {side}:", ""]
    for one in pieces:
        source = [str(one.get("time") or "")[:10], str(one.get("trust") or "").replace("_", " ")]
        source += [str(one.get(name) or "") for name in ("agent", "session")]
        lines.append(
            f"- {escape(', '.join(filter(None, source)))}: \u201c{escape(str(one.get('excerpt') or ''))}\u201d"
        )
    return [*lines, ""]


def _told(told: Sequence[Told]) -> list[str]:
    if not told:
        return ["In no turn that is still on record (the journal keeps 14 days)."]
    lines = ["| when | agent | session, turn | project | as |", "| --- | --- | --- | --- | --- |"]
    for one in told[:TURNS_SHOWN]:
        project = code(one.project) if one.project else ""
        session = f"{escape(one.session)}, {one.turn}"
        lines.append(_row([one.at[:16].replace("T", " "), escape(one.agent), session, project, escape(one.section)]))
    left = len(told) - TURNS_SHOWN
    return [*lines, "", f"And {left} earlier."] if left > 0 else lines


def _where(scope: dict[str, Any]) -> str:
    return escape(scoped_of(scope, ()).in_words())


def _name(claim: Claim) -> str:
    return claim.title


def _turns(count: int) -> str:
    return "said it only" if not count else f"told in {count} turn{'s' if count > 1 else ''}"
