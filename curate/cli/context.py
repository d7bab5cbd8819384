"""`context` and `explain`: what a turn would get now, and what turns really got."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from curate.cli.options import Shell, command
from curate.cli.output import emit, table, tell
from curate.recall.request import LAYOUTS
from store.errors import InputError, PathMissing

if TYPE_CHECKING:
    from curate.recall.planned import Plan


@command("context")
@click.option("--prompt", required=True, metavar="TEXT|-", help="What the person says; - reads it from stdin.")
@click.option("--cwd", metavar="DIR", help="Where the agent works (else here).")
@click.option("--agent", default="", metavar="A", help="The agent that would get it; some take less than others.")
@click.option("--layout", type=click.Choice(LAYOUTS), help="The layout (else what the settings say).")
@click.option("--budget", type=click.IntRange(min=1), metavar="N", help="At most this many bytes, or tokens.")
@click.option("--transcript", metavar="FILE", help="What the agent can already see: its transcript, or plain text.")
@click.option("--file", "files", multiple=True, metavar="PATH", help="A file in work, relative to the repository.")
@click.option("--profile", metavar="P", help="The profile, such as work or private.")
@click.option("--session", default="", metavar="S", help="The session, for what was used in it.")
@click.option(
    "--explain", "explained", is_flag=True, help="Show each stage: what came in, what went out, what was dropped."
)
def context(
    shell: Shell, prompt: str, cwd: str | None, agent: str, layout: str | None, budget: int | None,
    transcript: str | None, files: tuple[str, ...], profile: str | None, session: str, explained: bool,
) -> None:  # fmt: skip
    """Show what a turn with this prompt would get, line by line with the reason. Nothing is written or sent.

    This is the code that the hook runs.
    """
    from curate.recall.planner import plan
    from curate.recall.turn import request_for
    from store.index.lookup import Lookup

    if transcript is not None and not Path(transcript).is_file():
        raise PathMissing(transcript)
    if cwd is not None and not Path(cwd).exists():
        raise PathMissing(cwd)
    root = shell.root()
    said = _prompt(prompt)

    now = time.gmtime()

    def planned(lookup: Lookup) -> Plan:
        request = request_for(
            lookup.db, str(root), said, folder=os.path.abspath(cwd or Path.cwd()), agent=agent, session=session,
            today=time.strftime("%Y-%m-%d", now), at=time.strftime("%Y-%m-%dT%H:%M:%SZ", now),
            transcript=transcript, layout=layout, budget=budget, files=files, profile=profile,
        )  # fmt: skip
        return plan(lookup.db, request)

    answer = Lookup.ask(root, planned)
    if shell.as_json:
        emit(answer.document())
    else:
        _tell_plan(answer, explained=explained)


@command("explain")
@click.option("--session", metavar="S", help="The session (else the one that was active last).")
@click.option("--turn", type=click.IntRange(min=1), metavar="N", help="One turn, whole.")
def explain(shell: Shell, session: str | None, turn: int | None) -> None:
    """Show what turns really got, as it was sent, and what was left out at which stage and why."""
    from curate.recall.explanation import explained

    root = str(shell.root())
    document = explained(root, session, turn)
    if document is None:
        where = f"session {session}" if session else "any session"
        raise InputError(f"no turn {turn} of {where} is in the journal; see `curate explain`" if turn else
                         f"nothing of {where} is in the journal; it keeps 14 days")  # fmt: skip
    if turn is not None and document.get("entries"):
        _add_fates(shell, document["entries"])
    if shell.as_json:
        emit(document)
    elif turn is None:
        _tell_turns(document["turns"])
    else:
        _tell_turn(document)


def _prompt(given: str) -> str:
    if given != "-":
        return given
    return sys.stdin.buffer.read().decode("utf-8", "replace")


def _tell_plan(answer: Plan, *, explained: bool) -> None:
    document = answer.document()
    if answer.skipped:
        tell(f"No context: {answer.skipped.replace('_', ' ')}.")
    elif not answer.block:
        tell("Nothing would be injected.")
    for line in answer.block.splitlines():
        tell(line)
    if answer.entries:
        tell()
        _tell_entries(document)
    if explained or not answer.block:
        _tell_stages(document["traces"])


def _tell_turns(turns: list[dict[str, Any]]) -> None:
    table(
        (
            each["turn"], each.get("at", ""), each.get("skipped") or f"{len(each.get('entries') or ())} entries",
            f"{each.get('total', 0)} {each.get('unit', '')}",
            " ".join(entry["id"] for entry in each.get("entries") or ()),
        )
        for each in turns
    )  # fmt: skip


def _tell_turn(document: dict[str, Any]) -> None:
    tell(f"turn {document['turn']} of {document.get('session') or 'no session'}, {document.get('at', '')}")
    for line in str(document.get("block") or "").splitlines():
        tell(line)
    tell(f"Skipped: {document['skipped']}" if document.get("skipped") else "")
    _tell_entries(document)
    _tell_stages(document.get("traces") or [])


def _add_fates(shell: Shell, entries: list[dict[str, Any]]) -> None:
    """Say of each record that is no longer as it was sent what became of it, as `now`."""
    from curate.recall.since import fate

    state = shell.open().state
    for each in entries:
        if word := fate(state, str(each.get("id")), int(each.get("rev") or 0)).whole:
            each["now"] = word


def _tell_entries(document: dict[str, Any]) -> None:
    table(
        (
            (each["id"], each["section"], each["cost"], each["reason"], each.get("now", ""))
            for each in document["entries"]
        ),
        indent=2,
    )
    cut = "; more did not fit" if document.get("truncated") else ""
    tell(f"{document['total']} of {document['budget']} {document['unit']}{cut}")


def _tell_stages(stages: list[dict[str, Any]]) -> None:
    for stage in stages:
        note = f"  ({stage['note']})" if stage.get("note") else ""
        tell(f"{stage['processor']}: {stage['input_count']} in, {stage['output_count']} out{note}")
        table(stage["exclusion_reasons"].items(), indent=4)
        more = stage["dropped_total"] - len(stage["exclusion_reasons"])
        if more > 0:
            tell(f"    and {more} more")
