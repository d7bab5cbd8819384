"""What time alone brings about: reviews that are due, and records that nobody has touched for long. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from curate.upkeep.finding import NEVER, Finding, Kind, Sketch, days_between, moment
from store.patch.edit import DECAY, missed_cycles

if TYPE_CHECKING:
    from store.log.fold import Versions

STALE = (90, 30)
"""Days after which a record is marked: the marks that agents see too."""


def reviews(records: Iterable[Versions], at: str) -> Iterator[Finding]:
    """Records whose review is due. With a cadence, every missed cycle costs confidence."""
    for versions in records:
        data = versions.data
        review = data.get("review") or {}
        due = review.get("next_review")
        if not due or not NEVER < moment(due) <= moment(at):
            continue
        cycles = missed_cycles(review, at)
        late = days_between(due, at)
        if not cycles:
            yield Finding("due", [versions.id], data["statement"], f"its review was due on {due[:10]}, {late} days ago")
            continue
        confidence = float(data.get("confidence", 0.5))
        lost = DECAY[data.get("stability", "semi-stable")] * cycles
        missed = f"{cycles} missed {'cycle' if cycles == 1 else 'cycles'} of {review['cadence_days']} days"
        left = max(0.0, confidence - lost)
        why = f"its review was due on {due[:10]}: {missed}; confidence {confidence:.2f} would fall to {left:.2f}"
        sketch = Sketch("decay", versions.id) if confidence > 0 else None
        yield Finding("overdue", [versions.id], data["statement"], why, sketch)


def stale(records: Iterable[Versions], at: str) -> Iterator[Finding]:
    """Records that were neither changed nor said again for 90 or 30 days; after 90 they are put up for review."""
    for versions in records:
        data = versions.data
        age = days_between(data.get("updated_at"), at)
        mark = next((days for days in STALE if age >= days), None)
        if mark is None:
            continue
        kind: Kind = "stale_90" if mark == STALE[0] else "stale_30"
        flagged = bool((data.get("review") or {}).get("next_review"))
        sketch = Sketch("flag_for_review", versions.id) if kind == "stale_90" and not flagged else None
        yield Finding(kind, [versions.id], data["statement"], f"not touched for {age} days", sketch)
