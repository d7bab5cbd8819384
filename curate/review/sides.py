"""Two things that cannot both hold as they stand: which they are, and what keeping one of them decides. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from curate.review.deciding import Wish

if TYPE_CHECKING:
    from collections.abc import Mapping

    from curate.review.choice import Choice
    from curate.review.rows import Row

Side = Literal["left", "right"]


@dataclass(frozen=True, slots=True)
class Sides:
    """Left what is known or was said first, right what was said later: keys of rows, or the hashes of two versions."""

    kind: Literal["known", "waiting", "fork"]
    left: str
    right: str

    def beside(self, key: str) -> str | None:
        """The other row that waits, of two."""
        return None if self.kind != "waiting" else self.left if key == self.right else self.right


def sides_of(row: Row, rows: Mapping[str, Row]) -> Sides | None:
    """The two sides that a row stands between, None when it contradicts nothing."""
    if row.forked:
        return Sides("fork", row.heads[0], row.heads[-1])
    if row.kind == "record":
        return None
    if row.tab == "conflicts" and row.records and row.records[0] in rows:
        return Sides("known", row.records[0], row.key)
    rivals = [rows[rival.key] for rival in row.rivals if rival.key in rows]
    if not rivals:
        return None
    other = max(rivals, key=lambda rival: rival.newest)
    first, second = sorted((row, other), key=lambda each: (each.newest, each.key))
    return Sides("waiting", first.key, second.key)


def gives_way(row: Row, choices: Mapping[str, Choice], rows: Mapping[str, Row]) -> bool:
    """Whether a row was accepted only to be remembered as what held before: what takes its place is accepted too."""
    choice = choices.get(row.key)
    if choice is None or choice.verb != "accept" or not any("by" in op.updates for op in row.ops):
        return False
    sides = sides_of(row, rows)
    if sides is None or sides.kind != "waiting" or sides.left != row.key:
        return False
    later = choices.get(sides.right)
    return later is not None and later.verb == "accept"


def wishes(sides: Sides, side: Side, row: Row, rows: Mapping[str, Row]) -> list[tuple[str, Wish]]:
    """What keeping a side means: for each row that is decided by it, what is wished of it."""
    if sides.kind == "fork":
        return [(row.key, Wish("resolve", text=sides.left if side == "left" else sides.right))]
    if sides.kind == "known":
        return [(row.key, Wish("reject") if side == "left" else Wish("supersede", target=sides.left))]
    if side == "left":
        return [(sides.left, Wish("accept")), (sides.right, Wish("reject"))]
    # What was said earlier is kept as history where that is proposed: rejecting it would bar its return for good.
    history = any("by" in op.updates for op in rows[sides.left].ops)
    return [(sides.right, Wish("accept")), (sides.left, Wish("accept" if history else "reject"))]
