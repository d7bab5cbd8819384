"""A dispute in words: claims side by side, what was said for and against each, who was told meanwhile, what is open."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from textual.content import Content

from curate.review.assemble import scoped_of
from curate.review.diff import by_word
from curate.review.rows import short_project
from curate.tui.cells import day, safe, safe_line
from curate.tui.widgets.card_text import Lines
from curate.tui.widgets.versus_text import ALIKE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from curate.review.audit import Audit, Claim
    from curate.review.contested import Case

TWO_COLUMNS = 60
"""Cells from which two claims stand beside each other."""
TURNS_SHOWN = 60


def write_case(lines: Lines, case: Case | None) -> None:
    """What kind of dispute it is, since when, why, and until when it may stand."""
    if case is None:
        lines.text("It is no longer in dispute.", "good")
        return
    lines.text(lines.joined((case.kind, "warn"), (f" since {case.since[:10]}", "text")))
    if case.because:
        lines.text(safe_line(case.because))
    if case.next_review:
        told = f"to be looked at again by {case.next_review[:10]}"
        lines.text(f"! {told}, which has passed" if case.overdue else told, "warn" if case.overdue else "muted")


def write_claims(lines: Lines, found: Audit) -> None:
    """Side by side where there is room; more than two one below the other."""
    lines.gap()
    first, *others = found.claims
    if not others:
        lines.out += _claim(lines, first, None, lines.width)
        return
    if lines.width < TWO_COLUMNS:
        for number, claim in enumerate(found.claims):
            lines.gap()
            lines.out += _claim(lines, claim, others[0] if number == 0 else first, lines.width)
        return
    column = (lines.width - 3) // 2
    bar = lines.plain(" │ ", "faint")
    left, right = _claim(lines, first, others[0], column), _claim(lines, others[0], first, column)
    for one, other in zip_longest(left, right, fillvalue=Content("")):
        lines.out.append(Content.assemble(one, " " * max(0, column - one.cell_length), bar, other))
    for claim in others[1:]:
        lines.gap()
        lines.out += _claim(lines, claim, first, lines.width)


def write_said(lines: Lines, found: Audit) -> None:
    """For and against each claim, the most trusted first, then the newest."""
    for claim in found.claims:
        lines.gap()
        write_pieces(lines, claim.statement, claim.for_, claim.against)


def write_pieces(
    lines: Lines, statement: str, for_: Sequence[Mapping[str, Any]], against: Sequence[Mapping[str, Any]]
) -> None:
    """What was said for a statement and against it."""
    lines.text(safe_line(statement), "title")
    for piece in for_:
        _piece(lines, "+", piece)
    for piece in against:
        _piece(lines, "−", piece)
    if not for_ and not against:
        lines.text("  Nothing that was said is kept for it.", "muted")


def write_told(lines: Lines, found: Audit) -> None:
    """Who saw it, and the turns that got one of the claims since the dispute began."""
    lines.gap()
    lines.text("Seen", "title")
    for name, count in found.agents.items():
        lines.text(f"  {safe_line(name) or 'no agent named'}: {_times(count)}")
    for name, count in found.projects.items():
        lines.text(f"  in {safe_line(short_project(name))}: {_times(count)}")
    if not found.agents and not found.projects:
        lines.text("  Nobody that is known.", "muted")
    lines.gap()
    lines.text("Put before an agent since it is in dispute", "title")
    for one in found.told[:TURNS_SHOWN]:
        facts = [day(one.at), one.agent, f"{one.session}, turn {one.turn}", one.section]
        if one.project:
            facts.append(short_project(one.project))
        told = lines.plain(f"  {safe_line(' · '.join(filter(None, facts)))}")
        lines.out.append(told.truncate(lines.width, ellipsis=True))
    left = len(found.told) - TURNS_SHOWN
    if left > 0:
        lines.text(f"  and {left} earlier", "muted")
    if not found.told:
        lines.text("  In no turn that is still on record; the journal keeps 14 days.", "muted")


def write_open(lines: Lines, found: Audit) -> None:
    """What a person should ask, and the same ways to settle it as commands."""
    lines.gap()
    lines.text("Open questions", "title")
    for each in found.questions:
        lines.row("  ?", safe_line(each))
    if not found.questions:
        lines.text("  None that can be told from here.", "muted")
    lines.gap()
    lines.text("The same from the command line", "title")
    for way in found.ways:
        lines.text(f"  {safe_line(way.does)}")
        lines.text(f"    {safe_line(way.command)}", "muted")
    lines.text("  as a page of Markdown, for a colleague")
    lines.text(f"    curate audit {safe_line(found.id)} --markdown", "muted")


def _claim(lines: Lines, claim: Claim, other: Claim | None, width: int) -> list[Content]:
    own = Lines(lines.palette, width)
    own.text(f"{claim.kind} {safe_line(claim.title)}" if claim.kind != "version" else safe_line(claim.title), "muted")
    own.text(_words(own, claim, other))
    if claim.body:
        own.text(safe(claim.body), "muted")
    where = scoped_of(claim.scope, ()).in_words()
    own.row("holds", safe_line(where), "scope")
    own.row("stands", f"{safe_line(claim.standing)} since {claim.since[:10]}")
    own.row("trust", f"confidence {claim.confidence:.2f}")
    own.row("said", f"{len(claim.for_)} for, {len(claim.against)} against")
    for each in claim.exceptions:
        own.row("except", safe_line(each))
    if claim.why:
        own.row("why", safe_line(claim.why), "warn")
    return own.out


def _words(lines: Lines, claim: Claim, other: Claim | None) -> Content:
    """What a claim says, with what differs marked when the two are alike."""
    mine = safe_line(claim.statement)
    if other is None:
        return lines.plain(mine, "title")
    theirs = safe_line(other.statement)
    parts = by_word(theirs, mine)
    same = sum(len(part.text) for part in parts if part.change == "same" and not part.text.isspace())
    if same < ALIKE * min(len(theirs), len(mine)):
        return lines.plain(mine, "title")
    # Both hold, or neither: nothing is struck out, what differs stands out on either side.
    return Content.assemble(
        *(lines.plain(part.text, "cue" if part.change == "new" else "text") for part in parts if part.change != "old")
    )


def _piece(lines: Lines, sign: str, piece: Mapping[str, Any]) -> None:
    names = (str(piece.get("time") or "")[:10], str(piece.get("trust") or "").replace("_", " "),
             str(piece.get("agent") or ""), str(piece.get("session") or ""))  # fmt: skip
    facts = " · ".join(filter(None, names))
    lines.out.append(
        lines.joined((f"  {sign} ", "good" if sign == "+" else "bad"), (safe_line(facts), "muted")).truncate(
            lines.width, ellipsis=True
        )
    )
    quote = lines.plain(f"“{safe_line(str(piece.get('excerpt') or ''))}”", "quote")
    lines.out += [Content.assemble("    ", part) for part in quote.wrap(max(10, lines.width - 4))]


def _times(count: int) -> str:
    return f"told in {count} turn{'s' if count != 1 else ''}" if count else "said there, not told"
