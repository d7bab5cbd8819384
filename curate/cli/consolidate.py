"""`consolidate`: ask a configured model what else in the sessions should hold from now on."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from curate.cli.options import Shell, command
from curate.cli.output import count, emit, say, table, tell
from curate.cli.scan import Progress, since_moment
from store.errors import PathMissing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from curate.capture.consolidate.run import Report, Told
    from store.store import Store

NAMED = 5
"""Sessions named on stderr for one kind of trouble; the rest are counted."""


@command("consolidate")
@click.argument("paths", metavar="[PATH]...", nargs=-1, type=click.Path())
@click.option("--agent", metavar="A", help="Only the sessions of this agent.")
@click.option("--since", metavar="D", help="Only what was said since: a date (2026-11-01) or an age (7d, 12h, 2w).")
@click.option("--limit", metavar="N", type=click.IntRange(1, 1000), default=20, help="Sessions to ask about. [20]")
@click.option("--now", "at_once", is_flag=True, help="Ask at once, although the endpoint failed lately.")
@click.option("--dry-run", is_flag=True, help="Print what would be sent, and send and write nothing.")
def consolidate(
    shell: Shell,
    paths: tuple[str, ...],
    agent: str | None,
    since: str | None,
    limit: int,
    at_once: bool,
    dry_run: bool,
) -> None:
    """Ask a model what else in your sessions should hold from now on. Off until config.yaml names an endpoint.

    Only your own words leave, and the line that a short answer of yours answers: masked and within bounds. What comes
    back waits in the inbox as inferred.
    """
    moment = since_moment(since) if since else None
    wanted = [Path(path).expanduser() for path in paths]
    for path in wanted:
        if not path.exists():
            raise PathMissing(path)
    from curate.capture import readers
    from curate.capture.consolidate import run, settings
    from curate.capture.found import UnknownAgent

    if agent is not None and readers.named(agent) is None:
        raise UnknownAgent(agent)
    store = shell.open()
    if dry_run:
        limits, key = settings.limits(store.config), settings.key_of(store.config, os.environ, required=False)
        _show_rehearsal(shell, run.rehearse(store, limits, key, wanted, agent=agent, since=moment, limit=limit))
        return
    endpoint = settings.endpoint(store.config, os.environ)
    progress = Progress()
    try:
        report = run.consolidate(
            store, endpoint, wanted, agent=agent, since=moment, limit=limit, now_please=at_once, progress=progress
        )
    finally:
        progress.clear()
    _mention(report)
    hidden = _hidden(store)
    if shell.as_json:
        emit(report_json(report) | {"hidden": hidden})
    else:
        _tell_report(report, hidden)


def report_json(report: Report) -> dict[str, Any]:
    """A report as the command-line contract has it."""
    return {
        "sessions": report.sessions,
        "sent": report.sent,
        "candidates": {"created": report.created, "reinforced": report.reinforced},
        "refused": _told(report.refused),
        "failed": _told(report.failed),
        "pending": report.pending,
        "known": report.known,
        "tombstoned": report.tombstoned,
        "set_aside": _told(report.set_aside),
        "resting_until": report.resting_until,
    }


def _show_rehearsal(shell: Shell, report: Report) -> None:
    """What would be sent, as it would be."""
    from curate.capture.consolidate import request

    if shell.as_json:
        sessions = [
            {
                "session": session.label,
                "agent": session.agent,
                "messages": len(session.messages),
                "characters": session.size,
                "left": session.left,
                "text": [request.said(message) for message in session.messages],
            }
            for session in report.would_send
        ]
        emit(report_json(report) | {"dry_run": True, "would_send": sessions})
        return
    size = count(sum(session.size for session in report.would_send), "character")
    tell(f"{len(report.would_send):,} of {count(report.pending, 'session')} would be sent, {size}; nothing was")
    for session in report.would_send:
        tell()
        left = f", {count(session.left, 'message')} left for a later run" if session.left else ""
        tell(f"{session.agent} {session.label}: {count(len(session.messages), 'message')}{left}")
        for message in session.messages:
            if message.context:
                tell(f"    (agent) {message.context}")
            for line in message.text.splitlines():
                tell(f"  {line}")


def _tell_report(report: Report, hidden: int) -> None:
    tell(f"{count(report.sessions, 'session')} with something new, {report.sent} asked about")
    tell(f"{count(report.created, 'candidate')} inferred, {report.reinforced} said again")
    if report.refused:
        tell("Refused:")
        reasons = Counter(one.reason for one in report.refused)
        table(((f"{number:,}", reason) for reason, number in reasons.most_common()), indent=2)
    if hidden:
        tell(f"{count(hidden, 'inferred group')} kept out of the inbox until there are enough of them")
    if report.pending:
        tell(f"{count(report.pending, 'session')} left for a later run")


def _mention(report: Report) -> None:
    """Say on stderr what a person should look after."""
    for verb, told in (("failed", report.failed), ("set aside", report.set_aside)):
        for one in told[:NAMED]:
            say(f"curate: {one.session} {verb}: {one.reason}")
        if len(told) > NAMED:
            say(f"curate: and {len(told) - NAMED} more {verb}")
    if report.resting_until:
        say(f"curate: the endpoint failed, so it is left alone until {report.resting_until}; --now asks at once")


def _hidden(store: Store) -> int:
    """Groups that wait unseen for their batch."""
    from curate.review.inbox import inbox

    groups = inbox(store.state, threshold=store.config.get("review.batch_threshold"))
    return sum(not group.visible for group in groups)


def _told(told: Sequence[Told]) -> list[dict[str, str]]:
    return [{"session": one.session, "reason": one.reason} for one in told]
