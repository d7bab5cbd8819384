"""`note` and `decisions`: the day's log and the scratchpad, which agents see in their next turn."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from curate.cli.options import Shell, command
from curate.cli.output import emit, say, table, tell
from store.errors import InputError

if TYPE_CHECKING:
    from store.notes import DayNote


class NothingDone(InputError):
    """Days have no items to tick off, and an item is not ticked off and added at once."""

    def __init__(self) -> None:
        super().__init__("--done belongs to the scratchpad and takes no text: curate note scratchpad --done N")


@command("note")
@click.argument("where", type=click.Choice(["daily", "scratchpad"]))
@click.argument("text", nargs=-1)
@click.option("--project", metavar="P", help="The project it belongs to (else the one of this directory).")
@click.option("--done", type=click.IntRange(min=1), metavar="N", help="Tick off the open item N of the scratchpad.")
def note(shell: Shell, where: str, text: tuple[str, ...], project: str | None, done: int | None) -> None:
    """Note something for today or on the scratchpad; without TEXT, show what is there.

    A day's note with #decision in it is listed by `curate decisions`. TEXT may be `-` for stdin. Notes are no memory:
    for a rule that should hold from now on, let it be captured and approve it.
    """
    from store import notes
    from store.ids import now

    if done is not None and (where == "daily" or text):
        raise NothingDone
    said = sys.stdin.read() if text == ("-",) else " ".join(text)
    root = shell.open(create=bool(text)).root
    at = now()
    if done is not None:
        finished = notes.finish_item(root, done)
        say(f"curate: done: {finished}")
    elif text and where == "daily":
        path = notes.add_daily(root, said, at=at, project=project or _project_here(shell))
        say(f"curate: noted in {path}")
    elif text:
        say(f"curate: noted in {notes.add_item(root, said)}")
    if where == "scratchpad":
        _show_items(shell, notes.open_items(root), quiet=bool(text) or done is not None)
    else:
        today = notes.daily_notes(root, since=at[:10])
        if shell.as_json:
            emit({"notes": [_document(one) for one in today]})
        elif not text:
            _show_days(today, "nothing noted today")


@command("decisions")
@click.option("--days", type=click.IntRange(1, 36500), default=30, show_default=True, help="How many days back.")
@click.option("--project", metavar="P", help="Only of this project.")
def decisions(shell: Shell, days: int, project: str | None) -> None:
    """List what was noted as #decision, newest first."""
    from store.ids import now
    from store.notes import daily_notes
    from store.patch.build import days_after

    since = days_after(now(), 1 - days)[:10]
    found = [
        one
        for one in daily_notes(shell.open().root, since=since)
        if one.decision and (project is None or one.project == project)
    ]
    found.reverse()
    if shell.as_json:
        emit({"decisions": [{"date": one.date, "project": one.project, "text": one.bare} for one in found]})
    else:
        _show_days(found, f"no decision noted in the last {days} days")


def _project_here(shell: Shell) -> str | None:
    """The project of the working directory, as the store knows it."""
    from store.project.identity import resolve
    from store.project.registry import recognise

    return recognise(shell.read(), resolve(Path.cwd())).project_id


def _document(one: DayNote) -> dict[str, object]:
    return {"date": one.date, "time": one.time, "project": one.project, "text": one.text, "decision": one.decision}


def _show_items(shell: Shell, items: list[str], *, quiet: bool) -> None:
    if shell.as_json:
        emit({"items": items})
    elif not quiet:
        table([(number, text) for number, text in enumerate(items, 1)])
        if not items:
            say("curate: the scratchpad has no open item")


def _show_days(notes: list[DayNote], nothing: str) -> None:
    for one in notes:
        where = f"  [{one.project}]" if one.project else ""
        tell(f"{one.date} {one.time or '     '}{where}  {one.text}")
    if not notes:
        say(f"curate: {nothing}")
