"""`purge`: what was said is removed from every file of the store, for good."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from curate.cli.options import Shell, command
from curate.cli.output import count, emit, say, table, tell
from curate.review.purging import WORD
from curate.review.purging import purge as purge_all
from store.errors import CurateError

if TYPE_CHECKING:
    from curate.sync.purging import Cleaned
    from store.purge import Purged
    from store.store import Store


@command("purge")
@click.argument("ids", metavar="ID...", nargs=-1, required=True)
@click.option("--confirm", metavar="WORD", help=f"The word {WORD}, since this cannot be undone.")
@click.option("--dry-run", is_flag=True, help="Say what would be removed and where, and write nothing.")
@click.option("--push", is_flag=True, help="Let the history without it replace that of the git remote, too.")
def purge(shell: Shell, ids: tuple[str, ...], confirm: str | None, dry_run: bool, push: bool) -> None:
    """Remove what a record or candidate says from every file of the store, for good.

    Its revisions, the evidence, the candidates it came from, patches, pages, quarantine, logs and the index lose the
    words; ids and hashes stay, and a mark without words stops the same statement from coming back. Under git
    (`curate sync`) the history is written anew without it.
    """
    store = shell.open()
    foreseen = store.preview_purge(ids)
    if dry_run:
        _report(shell, None, foreseen)
        return
    patch_id, done = purge_all(store, ids, confirm or _ask(foreseen))
    _report(shell, patch_id, done, carry(store, done, push=push))


def document(patch_id: str | None, done: Purged, history: Cleaned | None = None) -> dict[str, Any]:
    """What was removed, or would be, as the command-line contract has it."""
    return {
        "patch": patch_id,
        "purged": done.ids,
        "evidence": {"blanked": done.evidence, "kept": done.shared},
        "files": {"rewritten": done.rewritten, "removed": done.removed, "by_hand": done.by_hand},
        "remains": done.remains,
        "git": done.git,
        "history": history and {"changed": history.changed, "left": history.left, "waits": history.waits},
    }


def carry(store: Store, done: Purged, *, push: bool = False) -> Cleaned | None:
    """Take it out of the store's own git, too, and ask whether the remote is to follow; what is in the way is said."""
    from curate.sync.reaching import reach

    history, hindrance = reach(store, done)
    if hindrance:
        say(f"curate: the history in git still holds it, and the next command tries again: {hindrance}")
    if history is not None and history.waits:
        history.waits = not _pushed(store, push=push)
    return history


def _pushed(store: Store, *, push: bool) -> bool:
    """Whether the remote's history was replaced, which is done only when asked for."""
    from curate.cli.sync import asked
    from curate.sync.sync import sync

    if not push and not asked("the git remote still holds it"):
        return False
    try:
        sync(store, push=True)
    except CurateError as fault:
        say(f"curate: {fault}")
        return False
    return True


def _ask(foreseen: Purged) -> str | None:
    """The word, asked for on a terminal."""
    if not sys.stdin.isatty():
        return None
    say(
        f"This removes {count(len(foreseen.ids), 'record or candidate', 'records and candidates')} and "
        f"{count(len(foreseen.evidence), 'piece of evidence', 'pieces of evidence')} from "
        f"{count(len(foreseen.rewritten) + len(foreseen.removed), 'file')}. It cannot be undone; type {WORD} to go on:"
    )
    return sys.stdin.readline().strip()


def _report(shell: Shell, patch_id: str | None, done: Purged, history: Cleaned | None = None) -> None:
    if shell.as_json:
        emit(document(patch_id, done, history))
    else:
        _tell(patch_id, done)
    warn(done, history)


def warn(done: Purged, history: Cleaned | None) -> None:
    """Name what may still hold it, on stderr."""
    if done.remains:
        say(f"curate: these say the same themselves and were left; purge them too: {', '.join(done.remains)}")
    for name in done.by_hand:
        say(f"curate: {name} may still hold it, and is left to you")
    if history is not None and history.left:
        say(f"curate: objects of git that still hold some of it: {', '.join(history.left[:10])}")
    if history is not None and history.waits:
        say("curate: the git remote still holds it; `curate sync --push` replaces its history, and other clones follow")
    if done.git:
        say(f"curate: the git history in {done.git} may still hold it; earlier commits were not rewritten")


def _tell(patch_id: str | None, done: Purged) -> None:
    verb = "purged" if patch_id else "would be purged; nothing was written"
    tell(f"{patch_id + ': ' if patch_id else ''}{', '.join(done.ids)} {verb}")
    rows = [
        (count(len(done.evidence), "piece of evidence", "pieces of evidence"), "without words"),
        (count(len(done.rewritten), "file"), "rewritten"),
        (count(len(done.removed), "file"), "removed"),
    ]
    if done.shared:
        kept = count(len(done.shared), "piece of evidence", "pieces of evidence")
        rows.append((kept, f"kept, since others rest on it too: {', '.join(done.shared)}"))
    table(rows, indent=2)
