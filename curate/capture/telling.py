"""The few words of a statement that make a rule of it: what a person is shown in bold, never what it is about. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from curate.capture.intent import Cue

SHOWN = 3
"""More than this is no highlight any more."""

STRONG = {
    "standing": 0, "always": 0, "never": 0, "everyrepo": 0, "stop": 0, "forbid": 0, "prefer": 1, "convention": 1,
    "record": 1, "whenever": 2, "must": 2, "quantity": 2,
}  # fmt: skip
"""Classes of cues that say that something holds in general, or must not be, the plainest first."""

WEAK = ("whenagent", "sure", "should", "habit", "instead", "project")
"""What carries a rule when none of the strong ones does: the first of these, once."""


def telling(cues: Iterable[Cue], start: int, end: int) -> list[tuple[int, int]]:
    """At most three spans, apart from each other and in reading order; those within the statement come first."""
    strong = sorted(
        (cue for cue in cues if cue.name in STRONG),
        key=lambda cue: (not start <= cue.start < end, STRONG[cue.name], cue.start, cue.start - cue.end),
    )
    if not strong:
        weak = [cue for cue in cues if cue.name in WEAK]
        strong = sorted(weak, key=lambda cue: (WEAK.index(cue.name), cue.start))[:1]
    chosen: list[tuple[int, int]] = []
    for cue in strong:
        if len(chosen) < SHOWN and all(cue.end <= first or cue.start >= last for first, last in chosen):
            chosen.append((cue.start, cue.end))
    return sorted(chosen)
