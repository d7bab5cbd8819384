"""`purge`: what was said is removed from every file of the store, for good."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from curate.cli.options import Shell, command
from curate.cli.output import count, emit, say, table, tell
from store.errors import InputError

if TYPE_CHECKING:
    from store.purge import Purged
    from store.store import Store

WORD = "purge"


class NotConfirmed(InputError):
    """Nobody typed the word."""

    def __init__(self) -> None:
        super().__init__(f"nothing was purged; it cannot be undone, so confirm it with `--confirm {WORD}`")


class NotPurged(InputError):
    """The patch was refused."""

    def __init__(self, reasons: list[str]) -> None:
        super().__init__(f"nothing was purged: {'; '.join(reasons)}")


@command("purge")
@click.argument("ids", metavar="ID...", nargs=-1, required=True)
@click.option("--confirm", metavar="WORD", help=f"The word {WORD}, since this cannot be undone.")
@click.option("--dry-run", is_flag=True, help="Say what would be removed and where, and write nothing.")
def purge(shell: Shell, ids: tuple[str, ...], confirm: str | None, dry_run: bool) -> None:
    """Remove what a record or candidate says from every file of the store, for good.

    Its revisions, the evidence, the candidates it came from, patches, pages, quarantine, logs and the index lose the
    words; ids and hashes stay, and a mark without words stops the same statement from coming back.
    """
    store = shell.open()
    foreseen = store.preview_purge(ids)
    if dry_run:
        _report(shell, None, foreseen)
        return
    patch_id, done = _purge(store, ids, confirm or _ask(foreseen))
    _report(shell, patch_id, done)


def document(patch_id: str | None, done: Purged) -> dict[str, Any]:
    """What was removed, or would be, as the command-line contract has it."""
    return {
        "patch": patch_id,
        "purged": done.ids,
        "evidence": {"blanked": done.evidence, "kept": done.shared},
        "files": {"rewritten": done.rewritten, "removed": done.removed, "by_hand": done.by_hand},
        "remains": done.remains,
        "git": done.git,
    }


def _purge(store: Store, ids: tuple[str, ...], confirm: str | None) -> tuple[str, Purged]:
    from store.ids import new_id, now
    from store.patch import purge_patch

    if WORD not in (confirm or "").split():
        raise NotConfirmed
    patch = purge_patch(ids, at=now(), new_id=new_id)
    noted = _vault_notes(store, ids)
    applied = store.apply(patch, select=[op.op_id for op in patch.ops], confirm=confirm)
    if applied.purged is None:
        raise NotPurged([str(receipt.detail or receipt.reason) for receipt in applied.receipts if not receipt.applied])
    applied.purged.by_hand += [*noted, *_edited_blocks(store)]
    return applied.patch_id, applied.purged


def _vault_notes(store: Store, ids: tuple[str, ...]) -> list[str]:
    """Notes in a vault that say the same; they are a person's own."""
    records = (store.state.records[ident].data for ident in ids if ident in store.state.records)
    return [f"the vault's note {data['vault_ref']}" for data in records if data.get("vault_ref")]


def _edited_blocks(store: Store) -> list[str]:
    """Renew the managed blocks of repositories; gives the files whose block was edited, which are left to a person."""
    from store.log.disk import Disk
    from store.projection.blocks import renew

    return [one.file for one in renew(store.root, store.state, None, Disk()) if one.outcome == "edited"]


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


def _report(shell: Shell, patch_id: str | None, done: Purged) -> None:
    if shell.as_json:
        emit(document(patch_id, done))
    else:
        _tell(patch_id, done)
    if done.remains:
        say(f"curate: these say the same themselves and were left; purge them too: {', '.join(done.remains)}")
    for name in done.by_hand:
        say(f"curate: {name} may still hold it, and is left to you")
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
