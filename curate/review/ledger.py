"""The decisions of a review as steps that can be walked back and forth. Pure: `decisions.py` keeps the same on disk."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from curate.review.choice import Choice

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


@dataclass(frozen=True, slots=True)
class Step:
    """One key press that changed something, over one row or many. `label` names what was done, as the footer does."""

    label: str
    changes: Mapping[str, tuple[Choice | None, Choice | None]]
    cursor: str | None = None
    at: str = ""

    @property
    def keys(self) -> list[str]:
        """The rows it changed."""
        return list(self.changes)


class Ledger:
    """At most one choice per row, and the steps that led there. Every change gives the event that is to be kept."""

    def __init__(self) -> None:
        self.choices: dict[str, Choice] = {}
        self.done: list[Step] = []
        self.undone: list[Step] = []

    def do(self, label: str, after: Mapping[str, Choice | None], *, cursor: str | None, at: str) -> dict[str, Any]:
        """Set or clear the choices of rows as one step. What had been undone before can no longer be redone."""
        after = {key: None if choice is None or choice.empty else choice for key, choice in after.items()}
        step = Step(label, {key: (self.choices.get(key), choice) for key, choice in after.items()}, cursor, at)
        self._set(after)
        self.done.append(step)
        self.undone.clear()
        rows = {key: choice.to_json() if choice else None for key, choice in after.items()}
        return {"act": "do", "label": label, "at": at, "cursor": cursor, "rows": rows}

    def undo(self) -> tuple[Step, dict[str, Any]] | None:
        """Take the last step back."""
        if not self.done:
            return None
        step = self.done.pop()
        self._set({key: before for key, (before, _) in step.changes.items()})
        self.undone.append(step)
        return step, {"act": "undo"}

    def redo(self) -> tuple[Step, dict[str, Any]] | None:
        """Do again what was last taken back."""
        if not self.undone:
            return None
        step = self.undone.pop()
        self._set({key: after for key, (_, after) in step.changes.items()})
        self.done.append(step)
        return step, {"act": "redo"}

    def settle(self, keys: Iterable[str], *, patch: str | None = None) -> dict[str, Any] | None:
        """Forget rows altogether, since they were written or are gone: no step can bring their choices back."""
        gone = set(keys)
        if not gone.intersection(self.choices) and not self._in_steps(gone):
            return None
        for key in gone:
            self.choices.pop(key, None)
        self.done = _without(self.done, gone)
        self.undone = _without(self.undone, gone)
        event: dict[str, Any] = {"act": "settle", "rows": sorted(gone)}
        return event | {"patch": patch} if patch else event

    def replay(self, event: Any) -> None:
        """Do what an event of the log says. One that cannot be understood raises `ValueError`, changing nothing."""
        act = event.get("act") if isinstance(event, dict) else None
        if act == "do" and isinstance(event.get("rows"), dict):
            after = {str(key): Choice.from_json(data) if data else None for key, data in event["rows"].items()}
            self.do(str(event.get("label", "")), after, cursor=event.get("cursor"), at=str(event.get("at", "")))
        elif act == "undo":
            self.undo()
        elif act == "redo":
            self.redo()
        elif act == "settle" and isinstance(event.get("rows"), list):
            self.settle(str(key) for key in event["rows"])
        else:
            raise ValueError("not an event of a review")

    def candidates(self) -> set[str]:
        """All that the steps are about: the rows, what those held when they were decided, and where the cursor was."""
        steps = (*self.done, *self.undone)
        found = {key for step in steps for key in (*step.changes, *filter(None, (step.cursor,)))}
        return found.union(*(choice.candidates for choice in self.choices.values()))

    def _set(self, after: Mapping[str, Choice | None]) -> None:
        for key, choice in after.items():
            if choice is None:
                self.choices.pop(key, None)
            else:
                self.choices[key] = choice

    def _in_steps(self, keys: set[str]) -> bool:
        return any(not keys.isdisjoint(step.changes) for step in (*self.done, *self.undone))


def _without(steps: list[Step], gone: set[str]) -> list[Step]:
    kept = []
    for step in steps:
        if gone.isdisjoint(step.changes):
            kept.append(step)
            continue
        changes = {key: change for key, change in step.changes.items() if key not in gone}
        if changes:
            kept.append(replace(step, changes=changes))
    return kept
