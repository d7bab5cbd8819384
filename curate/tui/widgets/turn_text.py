"""One turn in words: what was sent and on what ground, what was left out at which stage, and the block as sent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from textual.content import Content

from curate.recall.annotated import annotated
from curate.recall.silence import silence
from curate.recall.since import fate, statement
from curate.review.rows import short_project
from curate.tui.cells import cut, day, fit, padded_left, safe, safe_line
from curate.tui.widgets.card_text import new_side, old_side
from curate.tui.widgets.gauge import gauge, stage_bar

if TYPE_CHECKING:
    from curate.tui.theme import InkName
    from curate.tui.widgets.card_text import Lines
    from store.state import State

INDENT = 4
SCORE = 8
"""Cells of the bar of a score."""
BAR = 24
"""Cells of the bar of a stage, where there is room."""
MARGIN = 11
"""Cells beside a line of the block, for its cost."""
STAGES = {
    "status": "in force", "profile": "profile", "scope": "holds here", "negative_scope": "no exception",
    "applicability": "applies", "search": "search", "idf_floor": "about it", "superseded": "not replaced",
    "hard_rules": "hard rules", "selected": "selected", "contested": "contested", "budget": "fits",
}  # fmt: skip
"""What getting through a stage means."""
REASONS = {
    "status": "it is ", "floor": "", "budget": "no room was left in ",
    "does_not_apply_when": "it does not apply when: ", "known_exceptions": "excepted: ",
    "applicability": "it applies only when: ", "superseded_by": "replaced by ",
    "path": "it holds only for ",
    "valid_from": "it holds only from ", "valid_to": "it held until ", "profile_mismatch": "it belongs to the profile ",
}  # fmt: skip
"""How reasons begin that are written for machines, and how they are said."""


def write_head(lines: Lines, turn: Mapping[str, Any]) -> None:
    """Which turn this is, for whom, and how much of its budget it took."""
    total, budget, unit = _number(turn, "total"), _number(turn, "budget"), safe_line(str(turn.get("unit") or ""))
    if turn.get("preview"):
        lines.text("Preview: what this message would get now; nothing is sent", "title")
        lines.row("asked", safe_line(str(turn["preview"])), "quote", limit=3)
    else:
        lines.text(f"Turn {turn.get('turn')} of session {safe_line(str(turn.get('session') or 'without a name'))}",
                   "title")  # fmt: skip
    project = turn.get("project")
    facts = [day(str(turn.get("at") or "")), str(turn.get("agent") or "no agent named"),
             short_project(str(project)) if project else "no project", f"layout {turn.get('layout')}"]  # fmt: skip
    lines.text(safe_line(" · ".join(filter(None, facts))), "muted")
    share = total / budget if budget else 0.0
    cut_off = "  ! more did not fit" if turn.get("truncated") else ""
    lines.text(lines.joined((gauge(share, 20), "key"), (f"  {total:,} of {budget:,} {unit}", "text"),
                            (cut_off, "warn")))  # fmt: skip
    if named := turn.get("identifiers"):
        lines.row("named", safe_line(", ".join(map(str, named))), "cue", limit=2)
    if why := silence(turn):
        lines.text(f"Nothing was sent: {safe_line(why)}", "warn")


def write_sent(lines: Lines, turn: Mapping[str, Any], state: State) -> None:
    """Each record that was put in: what it said, why, at which cost, and what has become of it since."""
    entries = _entries(turn)
    best = max((float(entry.get("score") or 0.0) for entry in entries), default=0.0)
    for number, entry in enumerate(entries, 1):
        lines.gap()
        _card(lines, number, entry, turn, state, best)
    if not entries and turn.get("block"):
        lines.gap()
        lines.text("No record: what was sent are notes and headings.", "muted")


def write_funnel(lines: Lines, turn: Mapping[str, Any], state: State) -> None:
    """Each stage as a bar: how many came in and went on, and who was left out and why."""
    stages = [stage for stage in turn.get("traces") or () if isinstance(stage, Mapping)]
    if not stages:
        lines.gap()
        lines.text("The prompt got to no stage.", "muted")
        return
    most = max(_number(stage, "input_count") for stage in stages)
    width = min(BAR, max(8, lines.width - 42))
    size = len(f"{most:,}")
    lines.gap()
    lines.text("█ went on  ░ was left out", "faint")
    for stage in stages:
        _stage(lines, stage, most, width, size, state)


def write_block(lines: Lines, turn: Mapping[str, Any]) -> None:
    """The block to the last character, each line of a record with its cost and reason."""
    block = str(turn.get("block") or "")
    if not block:
        return
    lines.gap()
    unit = safe_line(str(turn.get("unit") or ""))
    width = lines.width
    for text, entry in annotated(block, _entries(turn)):
        heading = text.startswith("#")
        if entry is not None and width >= 60:
            lines.width = width - MARGIN
            first = len(lines.out)
            lines.text(safe(text))
            cost = padded_left(f"{entry.get('cost')} {unit}", MARGIN - 1)
            lines.out[first] = _beside(lines.out[first], lines.plain(cost, "muted"), width)
            lines.width = width
        else:
            lines.text(safe(text), "title" if heading else "text")
        if entry is not None:
            lines.text(f"  ↳ {safe_line(str(entry.get('reason')))}", "muted")


def _card(
    lines: Lines, number: int, entry: Mapping[str, Any], turn: Mapping[str, Any], state: State, best: float
) -> None:
    ident = str(entry.get("id") or "")
    found = fate(state, ident, _number(entry, "rev"))
    lead = f"{number:>2}  "
    gone = found.word.startswith(("deleted", "purged"))
    said = safe_line(found.said) or ("its words were purged" if found.word.startswith("purged") else safe_line(ident))
    _hung(lines, lines.plain(lead, "muted"), lines.plain(said, "faint" if gone else "title"))
    score = float(entry.get("score") or 0.0)
    unit = safe_line(str(turn.get("unit") or ""))
    facts: list[tuple[str, InkName]] = [(safe_line(str(entry.get("section") or "")), "scope"),
                                        (f" · {_number(entry, 'cost')} {unit}", "text")]  # fmt: skip
    if score > 0:
        facts += [(" · score ", "muted"), (gauge(score / best if best else 0.0, SCORE), "key"),
                  (f" {score:.2f}", "text")]  # fmt: skip
    _hung(lines, Content(" " * INDENT), lines.joined(*facts))
    _hung(lines, lines.plain("    because  ", "muted"), lines.plain(safe_line(str(entry.get("reason") or "")), "text"))
    if ident and found.said:
        _hung(lines, Content(" " * INDENT), lines.plain(f"{safe_line(ident)}, version {entry.get('rev')}", "faint"))
    if found.word:
        sign, ink = ("×", "bad") if gone else ("!", "warn")
        _hung(lines, lines.plain(f"    {sign} ", ink), lines.plain(safe_line(found.whole), ink))  # type: ignore[arg-type]
    if found.says and found.word.startswith("reworded"):
        old, new = safe_line(found.said), safe_line(found.says)
        _hung(lines, lines.plain("    - ", "bad"), old_side(lines, old, new))
        _hung(lines, lines.plain("    + ", "good"), new_side(lines, old, new))
    elif found.says:
        _hung(lines, lines.plain("    now  ", "muted"), lines.plain(safe_line(found.says)))


def _stage(lines: Lines, stage: Mapping[str, Any], most: int, width: int, size: int, state: State) -> None:
    name = str(stage.get("processor") or "")
    came, went, dropped = (_number(stage, key) for key in ("input_count", "output_count", "dropped_total"))
    kept, lost, room = stage_bar(came, went, most, width)
    told = STAGES.get(name, name.replace("_", " "))
    lines.out.append(
        lines.joined(
            (fit(safe_line(told), 14), "text" if came else "faint"), (kept, "key"), (lost, "warn"), (room, "text"),
            (f"  {came:>{size},} → {went:>{size},}", "text"), (f"  −{dropped:,}" if dropped else "", "warn"),
        ).truncate(lines.width, ellipsis=True)
    )  # fmt: skip
    if note := stage.get("note"):
        _hung(lines, Content(" " * INDENT), lines.plain(safe_line(str(note)), "muted"))
    reasons = stage.get("exclusion_reasons")
    named = reasons.items() if isinstance(reasons, Mapping) else ()
    for ident, reason in named:
        text = safe_line(statement(state, str(ident)))
        lines.out.append(
            lines.joined(("    - ", "muted"), (text or _gone(state, ident), "text")).truncate(
                lines.width, ellipsis=True
            )
        )
        _hung(lines, Content("      "), lines.plain(safe_line(in_words(str(reason))), "warn"))
    more = dropped - len(list(named))
    if more > 0:
        lines.text(f"      and {more:,} more", "muted")


def in_words(reason: str) -> str:
    """The reason of a stage as people say it; one that is not known as it is."""
    kind, colon, rest = reason.partition(":")
    if not colon:
        return reason
    if reason == "scope:unassigned":
        return "its project is not known"
    if kind == "scope":
        what, _, named = rest.partition(":")
        return f"holds in {short_project(named)} only" if what == "project" and named else f"holds for {rest} only"
    return f"{REASONS[kind]}{rest}" if kind in REASONS else reason


def _gone(state: State, ident: Any) -> str:
    """What stands for a record without words."""
    word = fate(state, str(ident), 0).word
    return f"{cut(safe_line(str(ident)), 32)}{f' ({word})' if word else ''}"


def _hung(lines: Lines, lead: Content, body: Content) -> None:
    """A text whose further lines stand under its first one."""
    indent = lead.cell_length
    for number, part in enumerate(body.wrap(max(10, lines.width - indent))):
        lines.out.append(Content.assemble(lead if number == 0 else " " * indent, part))


def _beside(line: Content, right: Content, width: int) -> Content:
    return Content.assemble(line, " " * max(1, width - line.cell_length - right.cell_length), right)


def _entries(turn: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [entry for entry in turn.get("entries") or () if isinstance(entry, Mapping)]


def _number(of: Mapping[str, Any], key: str) -> int:
    value = of.get(key)
    return value if isinstance(value, int) else 0
