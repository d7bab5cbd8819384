"""A preview in words: the decisions by project, and what they do to each file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from curate.review.diff import by_line
from curate.review.rows import short_project
from curate.tui.cells import cut, safe, safe_line
from store.line import canonical

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from curate.review.choice import Choice
    from curate.review.feed import FileChange
    from curate.review.rows import Row
    from curate.tui.theme import InkName
    from curate.tui.widgets.card_text import Lines

LINES_SHOWN = 40
"""Lines of a file shown in full; a review of two hundred decisions is read by its heads."""

TURNED_AWAY = "turned away or put off"


@dataclass(frozen=True, slots=True)
class Decided:
    """A decision as it stands in the list."""

    row: Row
    choice: Choice
    replaced: bool = False
    """Accepted only to be remembered as what held before."""

    @property
    def place(self) -> str:
        """Where it shows: by its project, or apart when nothing comes of it in memory."""
        if self.choice.verb in {"reject", "later"}:
            return TURNED_AWAY
        scoped = self.choice.scope_for(self.row)
        narrow = scoped.reach == "path" and scoped.projects
        return short_project(scoped.projects[0]) if narrow else scoped.in_words()


def by_place(decided: Iterable[Decided]) -> list[tuple[str, list[Decided]]]:
    """Decisions by project, each in the order of the queue; what is turned away comes last."""
    places: dict[str, list[Decided]] = {}
    for each in decided:
        places.setdefault(each.place, []).append(each)
    return sorted(places.items(), key=lambda item: (item[0] == TURNED_AWAY, item[0]))


def write_files(lines: Lines, changes: Sequence[FileChange], *, whole: bool) -> None:
    """What is appended to each file, the readable page of it before; `whole` shows the lines as they are written."""
    for change in changes:
        count = len(change.lines)
        lines.text(f"{safe_line(change.file)}  {count} line{'s' if count != 1 else ''} more", "title")
        for sign, line in by_line(change.old, change.new, context=1) if change.old or change.new else ():
            ink: InkName = {"+": "good", "-": "bad", "@": "faint"}.get(sign, "muted")  # type: ignore[assignment]
            if line.strip(" #"):
                lines.signed(" " if sign == "@" else sign, safe(line), ink)
        for data in change.lines[:LINES_SHOWN]:
            if whole:
                lines.text(safe(canonical(dict(data)).decode()), "faint")
            else:
                lines.out.append(lines.plain(cut(_gist(data), lines.width - 2), "faint"))
        if count > LINES_SHOWN:
            lines.text(f"  and {count - LINES_SHOWN} lines more", "faint")
        lines.gap()


def _gist(data: Mapping[str, Any]) -> str:
    """A line of the log in one glance: what, which revision, by which op, and its words or state."""
    ident = str(data.get("id", ""))
    short = f"{ident.split('_', 1)[0]}…{ident[-6:]}" if len(ident) > 14 else ident
    what = data.get("status") or data.get("cause") or ""
    words = safe_line(str(data.get("statement") or data.get("name") or ""))
    return f"+ {short} rev {data.get('rev')} {str(data.get('op', '')).replace('_', ' ')} {what}  {words}"
