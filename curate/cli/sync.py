"""`sync`: the store under git, and the same memory on every machine."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from curate.cli.options import Shell, command, home_option, json_option
from curate.cli.output import count, emit, say, table, tell

if TYPE_CHECKING:
    from curate.sync.outcome import Synced

WORD = "push"
CONFIG = "config.yaml"


@click.group("sync", invoke_without_command=True)
@click.option("--dry-run", is_flag=True, help="Say what would be done; nothing is committed, merged or pushed.")
@click.option("--push", is_flag=True, help="After a purge: let the history here replace that of the remote.")
@click.option("--join", is_flag=True, help="Make one of two stores that began apart; nothing of either is lost.")
@home_option
@json_option
@click.pass_context
def sync(context: click.Context, dry_run: bool, push: bool, join: bool) -> None:
    """Commit what is new, fetch, merge, push: the same memory on every machine.

    One commit for each patch. Logs keep every line of both sides; what two machines changed apart is contested until
    a patch decides. Start with `curate sync init [REMOTE]`.
    """
    if context.invoked_subcommand is not None:
        return
    from curate.sync.faults import PurgeNotPushed
    from curate.sync.sync import sync as run

    shell = context.ensure_object(Shell)
    store = shell.open()
    try:
        done = run(store, push=push, join=join, dry_run=dry_run, tell=_progress)
    except PurgeNotPushed as fault:
        if not asked(str(fault)):
            raise
        done = run(store, push=True, join=join, tell=_progress)
    report(shell, done)


def asked(why: str) -> bool:
    """Whether a person at a terminal types the word that lets a purge replace the remote's history."""
    if not sys.stdin.isatty():
        return False
    say(f"curate: {why}")
    say(f"It cannot be undone, and other machines follow at their next sync; type {WORD} to do it now:")
    return sys.stdin.readline().strip() == WORD


def report(shell: Shell, done: Synced) -> None:
    """Tell what was done."""
    if shell.as_json:
        emit(done.document())
    else:
        _tell(done)
    if done.remote is None:
        say("curate: no remote is named, so nothing was pushed; name one with `curate sync init REMOTE`")
    for name in done.clashes:
        say(f"curate: {name} was changed here and there; ours was kept, theirs is in the history")
    if CONFIG in done.taken and not done.dry_run:
        say(f"curate: {CONFIG} was changed by what came in; look through it if you do not know why")
    for name in done.restored:
        say(f"curate: {name} was missing and was put back from the last commit")
    if done.foreign:
        say(f"curate: not the store's, and left alone: {', '.join(done.foreign[:10])}")
    if done.remains:
        say(f"curate: these say what was purged themselves and were left; purge them too: {', '.join(done.remains)}")
    for name in done.by_hand:
        say(f"curate: {name} may still hold what was purged, and is left to you")
    if done.left:
        say(f"curate: objects of git that still hold what was purged: {', '.join(done.left[:10])}")
    for name in done.elsewhere:
        say(f"curate: {name} on the remote may still hold what was purged, and is left to you")


def _tell(done: Synced) -> None:
    verb = "would be " if done.dry_run else ""
    rows = [
        (count(done.committed, "commit"), f"{verb}made, {count(done.patches, 'patch', 'patches')} in them"),
        (count(done.fetched, "commit"), f"{verb}fetched"),
        (count(len(done.merged), "file"), f"{verb}merged"),
        (count(done.pushed, "commit"), f"{verb}pushed" + (", in place of what was there" if done.rewritten else "")),
    ]
    rows = [row for row in rows if not row[0].startswith("0 ")]
    tell("Would be done:" if done.dry_run and rows else "Synced." if rows else "Everything is in step.")
    table(rows, indent=2)
    if done.contested:
        tell(f"Contested, since it was changed on two machines: {', '.join(done.contested)}")
    if done.purged:
        tell(f"Purged from the history here: {', '.join(done.purged)}")


def _progress(what: str) -> None:
    if sys.stderr.isatty():
        say(f"curate: {what} …")


@command("init")
@click.argument("remote", metavar="[REMOTE]", required=False)
@click.option("--nested", is_flag=True, help="Allow it inside the work tree of another repository.")
def init(shell: Shell, remote: str | None, nested: bool) -> None:
    """Put the store under git, on branch main, and name the remote that it is pushed to.

    What is derived, and what belongs to one machine, stays out: the index, rendered pages, quarantine, checkpoints, and
    the journal unless `sync.journal` is set.
    """
    from curate.sync.faults import shown
    from curate.sync.start import start

    store = shell.open()
    done = start(store, remote, nested=nested)
    if shell.as_json:
        emit({"home": str(store.root), "created": done.created, "committed": done.committed, "written": done.written,
              "remote": done.remote and shown(done.remote)})  # fmt: skip
        return
    tell(f"{store.root} is {'now' if done.created else 'already'} under git.")
    if done.moved:
        tell(f"It was pushed to {shown(done.moved)} until now.")
    if done.remote:
        tell(f"Its remote is {shown(done.remote)}; `curate sync` brings both in step.")
    else:
        tell("`curate sync` commits what is new; with a remote (`curate sync init REMOTE`) it pushes it, too.")


init.short_help = "put the store under git, and name its remote"
sync.add_command(init)
