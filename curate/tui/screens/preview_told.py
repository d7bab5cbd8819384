"""The side of the preview that shows what an agent would be told: which project, what it is asked, and the answer."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from curate.review.diff import by_line
from curate.review.rows import short_project
from curate.tui.afterwards import Told, affected, afterwards, prompt_for
from curate.tui.cells import safe, safe_line
from store.errors import CurateError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from curate.review.feed import FileChange
    from curate.tui.theme import InkName
    from curate.tui.widgets.card_text import Lines


class Telling:
    """The answers of recall to one preview, kept as long as that stands."""

    def __init__(self, root: Path, changes: Sequence[FileChange], today: str) -> None:
        self._root = root
        self._changes = changes
        self._today = today
        self.places = affected(changes)
        """Projects whose memory changes; `None` stands for what holds everywhere."""
        self.at: int | None = None
        """Which of them is shown; None: the files are shown."""
        self.prompt: str | None = None
        """What the reader has the agent asked; None: what was decided is asked about."""
        self.answers: dict[tuple[str | None, str], Told | str] = {}

    def turn(self, at: int | None) -> None:
        """To one of the places, round and round, or back to the files."""
        self.at = at % len(self.places) if at is not None and self.places else None

    @property
    def asked(self) -> str:
        """What an agent is asked there."""
        return self.prompt or prompt_for(self._changes, self._place)

    @property
    def _place(self) -> str | None:
        return self.places[self.at or 0]

    async def ask(self) -> None:
        """Have recall answer, unless it has already."""
        place, prompt = self._place, self.asked
        if (place, prompt) in self.answers:
            return
        name = short_project(place) if place else ""
        try:
            told: Told | str = await asyncio.to_thread(
                afterwards, self._root, self._changes, place, name=name, prompt=prompt, today=self._today
            )
        except (CurateError, OSError) as fault:
            told = str(fault)
        self.answers[place, prompt] = told

    def write(self, lines: Lines) -> None:
        """The answer, as a difference to what is told now."""
        where = f"in {safe_line(short_project(self._place))}" if self._place else "anywhere"
        number = f"  ({(self.at or 0) + 1} of {len(self.places)})" if len(self.places) > 1 else ""
        lines.text(f"What an agent {where} would be told{number}", "title")
        lines.row("asked", safe_line(self.asked), "muted", limit=3)
        lines.gap()
        told = self.answers.get((self._place, self.asked))
        if told is None:
            lines.text("asking recall …", "muted")
        elif isinstance(told, str):
            lines.text(f"! it cannot be worked out: {safe_line(told)}", "warn")
        else:
            _answer(lines, told)


def _answer(lines: Lines, told: Told) -> None:
    if told.silent:
        lines.text(f"Nothing: {told.silent}", "warn")
    elif told.before == told.after:
        lines.text("The same as now:", "muted")
        for line in told.after.splitlines():
            lines.signed(" ", safe(line), "text")
    for sign, line in by_line(told.before, told.after, context=200) if told.before != told.after else ():
        ink: InkName = {"+": "good", "-": "bad"}.get(sign, "text")  # type: ignore[assignment]
        lines.signed(sign, safe(line), ink)
    if told.cut:
        lines.gap()
        lines.text("Not all of it fits: what comes last gives way.", "muted")
