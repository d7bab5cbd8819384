"""What a tab says of itself: what it is for, as long as nothing has been decided, and what it means that it is empty.

Actions in braces stand for the reader's keys.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from curate.review.rows import Tab

_LATER = "Nothing is written to memory before you have seen it whole: {preview} previews, then {write} writes."
_SCOPE = "{edit} changes the words; {scope_path} path, {scope_project} project, {scope_global} global: where it holds."

HINTS: dict[Tab, tuple[str, ...]] = {
    "noise": (
        "Likely not worth keeping, so marked □: {reject} rejects this page, {mark} spares a row.",
        "Why stands on the right of each row. Nothing is lost by it: {undo} takes it back.",
        _LATER,
    ),
    "groups": ("Said more than once: {accept} takes what is proposed, {reject} turns it away.", _SCOPE, _LATER),
    "singles": ("Said once: {accept} takes what is proposed, {reject} turns it away.", _SCOPE, _LATER),
    "conflicts": (
        "Two things that cannot both hold: {keep_left} or {keep_right} keeps a side, {both} keeps both.",
        "{exception} makes an exception of it, {contest} has agents warned until it is settled.",
        _LATER,
    ),
    "contested": ("Agents are warned of these instead of told to follow them: {uncontest} settles one.",),
    "memory": ("What agents are told: {evidence} shows its life, {edit} changes it, {deprecate} retires it.",),
}

"""What a tab is for."""

NOTHING: dict[Tab, tuple[str, ...]] = {
    "noise": ("No noise.", "What is likely not worth keeping is gathered here, to be turned away a page at a time."),
    "groups": ("No groups.", "What was said more than once is gathered here."),
    "singles": ("Nothing waits here.", "New things come in while you work; `curate scan` reads older transcripts."),
    "conflicts": ("No conflicts.", "What contradicts a memory is shown here with both sides."),
    "contested": ("Nothing is disputed.", "Memories that are contested, or have two versions, stand here."),
    "memory": ("No memories yet.", "What you accept and write stands here."),
}
"""What an empty tab says."""


class _Named(dict[str, str]):
    """Keys by action, looked up when they are named."""

    def __init__(self, named: Callable[[str], str]) -> None:
        super().__init__()
        self._named = named

    def __missing__(self, action: str) -> str:
        return self._named(action)


def hints(tab: Tab, named: Callable[[str], str]) -> tuple[str, ...]:
    """The lines for a tab, the most useful first."""
    keys = _Named(named)
    return tuple(line.format_map(keys) for line in HINTS.get(tab, ()))
