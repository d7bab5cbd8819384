"""`demo`: the whole way on a throw-away store, from sample transcripts that are really scanned."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import click

from curate.cli.inbox import group_json, tell_groups, waiting
from curate.cli.options import Shell, command
from curate.cli.output import emit, table, tell
from curate.cli.review import insist_on_terminal, open_review
from curate.cli.scan import Progress, report_json, tell_report


@command("demo")
@click.option("--headless", is_flag=True, help="Scan, print what was found, and leave.")
def demo(shell: Shell, headless: bool) -> None:
    """Review what sample transcripts taught, on a throw-away store; nothing of yours is read or written.

    Five small git repositories and the transcripts of some weeks in them are made in a temporary folder and scanned. A
    few memories of the summer before are there already, with a vault and the turns in which agents were told of them.
    """
    from curate.capture.capture import scan
    from curate.demo.build import make
    from curate.demo.past import remember
    from curate.demo.past import tell as ask_lately
    from store.store import Store

    on_screen = not (headless or shell.as_json)
    if on_screen:
        insist_on_terminal()
    folder = Path(tempfile.mkdtemp(prefix="curate-demo-"))
    made = make(folder)
    home = made.home if shell.home is None else shell.root()
    made = replace(made, home=home)
    fresh = not Store.open(home).state.records
    if fresh:
        remember(made)
    store = Store.open(home, create=True)
    progress = Progress()
    try:
        report = scan(store, [made.transcripts], progress=progress)
    finally:
        progress.clear()
    if fresh:
        ask_lately(made)
        store.refresh()
    if on_screen:
        code = open_review(home, demo=True)
        tell("What you approved is in")
        table([(home / "memory", "canonical JSONL"), (home / "rendered", "a Markdown page for each project")], indent=2)
        # A store that was named may have been there before: only what was made here is offered to be removed.
        what = "all of it" if shell.home is None else "the samples"
        tell(f"Look around with `{program()} --home {home} records`; throw {what} away with `rm -r {folder}`.")
        raise click.exceptions.Exit(code)
    groups = waiting(store)
    if shell.as_json:
        emit({"home": str(home), "scan": report_json(report), "inbox": [group_json(group) for group in groups]})
        return
    tell(f"Store: {home}")
    tell_report(report)
    tell()
    tell_groups(groups)


def program() -> str:
    """What to type for this command: its name where the shell finds it, else its path from here."""
    if shutil.which("curate"):
        return "curate"
    return os.path.relpath(sys.argv[0]) if Path(sys.argv[0]).name == "curate" else "python -m curate"
