"""What memory cost over time as bars, and whether the ceiling is too low or the store has too little to say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content

from curate.recall.spend import TITLES, Spending
from curate.tui.cells import safe_line
from curate.tui.widgets.gauge import filling, gauge, part_ink, stacked

if TYPE_CHECKING:
    from curate.tui.widgets.card_text import Lines

DAYS = 14
"""As long as the journal keeps."""


def write_spending(lines: Lines, found: list[Spending]) -> None:
    """One part for each unit that the layouts count in."""
    if not found:
        lines.text("Nothing was spent: the journal has no turn yet.", "muted")
    for number, spending in enumerate(found):
        if number:
            lines.gap()
        _write(lines, spending)


def _write(lines: Lines, of: Spending) -> None:
    unit = safe_line(of.unit)
    lines.text(f"What memory cost, in {unit}", "title")
    told = f"{of.turns:,} turns: {of.spoken:,} got something, {of.silent:,} nothing, {of.gated:,} were no prompt for it"
    lines.text(told, "muted")
    lines.gap()
    kinds = list(of.cost)
    most = max((day.total for day in of.days), default=0)
    width = max(10, lines.width - 34)
    for day in of.days[-DAYS:]:
        parts = stacked([(kind, day.cost.get(kind, 0)) for kind in kinds], most, width)
        bar = [Content.styled(blocks, lines.palette[part_ink(kinds.index(kind))]) for kind, blocks in parts]
        used = sum(len(blocks) for _, blocks in parts)
        tail = f" {day.total:>7,}  {day.turns:>3} turn{'s' if day.turns != 1 else ' '}"
        silent = f" {day.silent} silent" if day.silent else ""
        lines.out.append(
            Content.assemble(
                lines.plain(f"{day.date[5:]} ", "muted"), *bar, " " * (width - used), lines.plain(tail),
                lines.plain(" !" if day.cut else "", "warn"), lines.plain(silent, "muted"),
            ).truncate(lines.width, ellipsis=True)
        )  # fmt: skip
    lines.gap()
    for number, (kind, cost) in enumerate(of.cost.items()):
        share = cost / (of.total or 1)
        lines.out.append(
            Content.assemble(
                lines.plain(f"{filling(number) * 2} ", part_ink(number)), lines.plain(f"{share:>4.0%} {cost:>9,}  "),
                lines.plain(TITLES.get(kind, kind)),
            ).truncate(lines.width, ellipsis=True)
        )  # fmt: skip
    lines.gap()
    share = of.fullest / of.budget if of.budget else 0.0
    lines.text(lines.joined(("fullest turn  ", "muted"), (gauge(share, 16), "key"),
                            (f"  {of.fullest:,} of {of.budget:,} {unit}", "text")))  # fmt: skip
    lines.text(f"the ceiling bit in {of.cut:,} of {of.spoken:,} turns; {of.dropped:,} lines gave way", "muted")
    lines.gap()
    verdict, why = _verdict(of)
    lines.text(verdict, "title")
    lines.text(why)


def _verdict(of: Spending) -> tuple[str, str]:
    asked = of.turns - of.gated
    bitten = f"In {of.cut:,} of {of.spoken:,} turns there was more to say than room"
    if of.advice == "few":
        return "Too few turns to tell.", f"{asked} that may get memory are in the journal, which keeps 14 days."
    if of.advice == "raise":
        return "Raise the ceiling.", f"{bitten}, and most of it was worth saying whole: recall.budget in config.yaml."
    if of.advice == "promote" and of.cut:
        share = of.cost.get("index", 0) / (of.total or 1)
        why = f"{bitten}, but {share:.0%} of the cost is lines of an index: nothing deserved to be sent whole."
        return "Promote more, do not raise the ceiling.", why
    if of.advice == "promote":
        why = f"{of.silent:,} of {asked:,} turns got nothing although there is room: what is missing is memory."
        return "Promote more: the ceiling is not what is in the way.", why
    return "Neither more room nor more memory is missing.", "The ceiling hardly bites, and most turns get something."
