"""`scan`: capture what was said in transcripts."""

from __future__ import annotations

import re
import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from curate.cli.options import Shell, command
from curate.cli.output import count, emit, say, table, tell
from store.errors import InputError, PathMissing
from store.text import one_line, shorten

if TYPE_CHECKING:
    from curate.capture.report import ScanReport

NAMED = 5
"""Transcripts that are named when they were not understood; the rest are counted."""


class NotAMoment(InputError):
    """`--since` says nothing that can be understood."""

    def __init__(self, text: str) -> None:
        super().__init__(f"--since {text}: neither a date (2026-11-01) nor an age (7d, 12h, 2w)")


@command("scan")
@click.argument("paths", metavar="[PATH]...", nargs=-1, type=click.Path())
@click.option("--agent", metavar="A", help="Read the files as this agent's, instead of telling by content.")
@click.option("--since", metavar="D", help="Only what was said since: a date (2026-11-01) or an age (7d, 12h, 2w).")
@click.option("--dry-run", is_flag=True, help="Say what would be captured, and write nothing.")
def scan(shell: Shell, paths: tuple[str, ...], agent: str | None, since: str | None, dry_run: bool) -> None:
    """Capture what is worth remembering from transcripts: files, folders, or every known agent's own folder.

    Only what a person wrote is read. Nothing becomes a memory before it is reviewed.
    """
    moment = since_moment(since) if since else None
    wanted = [Path(path).expanduser() for path in paths]
    for path in wanted:
        if not path.exists():
            raise PathMissing(path)
    from curate.capture.capture import scan as capture

    store = shell.open()
    progress = Progress()
    try:
        found = capture(store, wanted, agent=agent, since=moment, dry_run=dry_run, progress=progress)
    finally:
        progress.clear()
    if not dry_run:
        store.create()
    mention(found)
    from curate.review.by_itself import apply_by_itself, made_by

    applied = None if dry_run else apply_by_itself(store, found.candidates)
    if shell.as_json:
        by_itself = {"patch": applied.patch_id, "records": made_by(applied)} if applied else None
        emit(report_json(found) | {"applied_by_itself": by_itself})
        return
    tell_report(found, dry_run=dry_run)
    if applied is not None:
        tell(
            f"{count(len(made_by(applied)), 'rule')} applied by itself, since auto_apply is on; take it back with "
            f"`curate undo {applied.patch_id}`"
        )


def since_moment(text: str) -> str:
    """The moment that a date, a time or an age (`7d`) names, RFC 3339 in UTC."""
    age = re.fullmatch(r"(\d{1,5})\s*([hdw])", text.strip().lower())
    if age:
        hours = int(age[1]) * {"h": 1, "d": 24, "w": 168}[age[2]]
        moment = datetime.now(UTC) - timedelta(hours=hours)
    else:
        try:
            moment = datetime.fromisoformat(text.strip())
        except ValueError:
            raise NotAMoment(text) from None
        moment = moment.astimezone(UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def report_json(report: ScanReport) -> dict[str, Any]:
    """A report as the command-line contract has it."""
    return {
        "files": report.files,
        "turns": report.turns,
        "messages": report.messages,
        "candidates": {"created": report.created, "reinforced": report.reinforced},
        "skipped": dict(report.skipped),
        "quarantined": report.quarantined,
        "known": report.known,
        "tombstoned": report.tombstoned,
        "unchanged": report.unchanged,
        "unknown_formats": report.unknown_formats,
        "languages": dict(report.languages),
    }


def tell_report(report: ScanReport, *, dry_run: bool = False) -> None:
    """Print a report for people."""
    tell(
        f"{count(report.files, 'transcript')}, {count(report.turns, 'turn')}, {count(report.messages, 'message')} read"
    )
    would = "would be " if dry_run else ""
    tell(f"{count(report.created, 'candidate')} {would}captured, {report.reinforced} {would}said again")
    if report.skipped:
        tell("Not captured:")
        table(((f"{number:,}", reason.replace("_", " ")) for reason, number in report.skipped.most_common()), indent=2)
    if report.quarantined:
        tell(f"{count(report.quarantined, 'line')} could not be read and went to quarantine")
    if report.created and not dry_run:
        tell("Review with `curate`.")


class Progress:
    """A line on the terminal that says how far the scan has come; silent where stderr is no terminal."""

    def __init__(self) -> None:
        self._on = sys.stderr.isatty()
        self._last = 0.0

    def __call__(self, done: int, total: int, what: object = "") -> None:
        """Show that `done` of `total` bytes are read, at most ten times a second."""
        if not self._on or (time.monotonic() - self._last < 0.1 and done < total):
            return
        self._last = time.monotonic()
        share = min(1.0, done / total) if total else 1.0
        bar = "#" * round(share * 24)
        sys.stderr.write(f"\r\x1b[2K[{bar:<24}] {share:4.0%} {shorten(one_line(str(what)), 40)}")
        sys.stderr.flush()

    def clear(self) -> None:
        """Take the line away."""
        if self._on and self._last:
            sys.stderr.write("\r\x1b[2K")
            sys.stderr.flush()


def mention(report: ScanReport) -> None:
    """Say on stderr what a person should look after: formats and languages that were not understood."""
    for sentence in report.unknown_formats[:NAMED]:
        say(f"curate: {sentence}")
    if len(report.unknown_formats) > NAMED:
        say(f"curate: and {len(report.unknown_formats) - NAMED} more transcripts were hardly understood")
    for language, number in report.languages.most_common():
        say(f"curate: {count(number, 'message')} in a language without cues ({language}), so nothing was found in them")
