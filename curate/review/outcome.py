"""What a key did, in words, and where to go when a tab has come to its end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from curate.review.choice import DONE_WORDS
from curate.review.naming import key_of
from curate.review.rows import QUEUE, TABS, Tab

if TYPE_CHECKING:
    from curate.review.queue import Queue

_OTHER_STEPS = {"scope": "changed scope", "clear": "decision taken off", "resume": "resumed", "keep": "kept a side"}
STEP_WORDS: dict[str, str] = {**_OTHER_STEPS, **{str(verb): word for verb, word in DONE_WORDS.items()}}
"""What a step of the ledger did, by its label."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a key did, in words, or why it did nothing. `page`: the queue should start a new page at the cursor."""

    done: bool
    say: str
    keys: tuple[str, ...] = ()
    asks: bool = False
    """The same key again does it after all."""
    page: bool = False
    tone: Literal["plain", "good", "warn"] = "plain"


def at_the_end(queue: Queue) -> str:
    """What follows when no row below the cursor is open: rows above, another tab, or writing."""
    counts = queue.counts()
    here = counts[queue.tab][0]
    if queue.tab not in QUEUE:
        return " · end of the list"
    if here:
        return f" · end of the list, {here} still open above: {key_of('previous_open')} goes there"
    at = QUEUE.index(queue.tab) + 1
    following = next((tab for tab in (*QUEUE[at:], *QUEUE[:at]) if counts[tab][0]), None)
    if following is None:
        return f" · everything is decided: {key_of('preview')} shows what will be written"
    where = f"{_way(queue.tab, following)} goes to {following.capitalize()}"
    return f" · tab done: {where}, {counts[following][0]} left"


def _way(start: Tab, to: Tab) -> str:
    """The keys that lead to a tab by the shorter way."""
    right = (TABS.index(to) - TABS.index(start)) % len(TABS)
    left = len(TABS) - right
    return " ".join([key_of("next_tab")] * right if right <= left else [key_of("previous_tab")] * left)
