"""`apply`: what a person decided becomes revisions."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from curate.cli.options import Shell, command
from curate.cli.output import count, emit, say, table, tell
from curate.review.purging import named_by, vault_notes
from store.errors import BadPatch, InputError, PathMissing

if TYPE_CHECKING:
    from store.model import Patch
    from store.purge import Purged
    from store.store import Applied, Store

PATCH_LIMIT = 64 * 1024 * 1024
"""Bytes of a patch document; one with a thousand long ops has about two million."""

ASKED_WRONGLY = {"unknown_target", "invalid", "needs_confirmation"}
"""Why an op is skipped when the request itself has to be mended; else the store has moved on, which is an answer."""


class NothingApplied(InputError):
    """Every op that was asked for was refused."""

    def __init__(self, reasons: list[str]) -> None:
        super().__init__(f"nothing was applied: {'; '.join(reasons)}")


@command("apply")
@click.argument("file", metavar="FILE|-")
@click.option("--select", "select", metavar="OP,...", multiple=True, help="Apply these ops, preselected or not.")
@click.option("--confirm", metavar="WORD", help="The word that a high-risk op asks for.")
def apply(shell: Shell, file: str, select: tuple[str, ...], confirm: str | None) -> None:
    """Apply a patch: by default its preselected ops, all or those whose target has not changed since.

    FILE is a patch document as `curate propose` prints it, or a list as `curate review --text` writes it; `-` is stdin.
    """
    name, raw = raw_in(file)
    chosen = selection(select)
    store = shell.open()
    if (text := list_in(raw)) is not None:
        patch, chosen = _from_list(store, name, text, chosen)
    else:
        patch = parsed(name, raw)
    word = confirm or _ask(store, patch, chosen)
    noted = vault_notes(store, named_by(patch))
    done = store.apply(patch, select=chosen, confirm=word)
    store.create()
    if done.purged is None:
        report(shell, done)
    else:
        done.purged.by_hand += noted
        _report_purge(shell, store, done, done.purged)


def _report_purge(shell: Shell, store: Store, done: Applied, purged: Purged) -> None:
    """A purge among the ops ends as `curate purge` does: the history follows, and what may still hold it is named."""
    from curate.cli.purge import carry, document, warn

    history = carry(store, purged)
    report(shell, done, purge=document(done.patch_id, purged, history))
    warn(purged, history)


def raw_in(file: str) -> tuple[str, bytes]:
    """What is in a file, or on stdin for `-`, and what to call it."""
    name, raw = ("stdin", sys.stdin.buffer.read(PATCH_LIMIT + 1)) if file == "-" else (file, _read(Path(file)))
    if len(raw) > PATCH_LIMIT:
        raise BadPatch(name, f"larger than {PATCH_LIMIT // 1024 // 1024} MB; apply it in parts")
    return name, raw


def list_in(raw: bytes) -> str | None:
    """The text of a review list, None when it is none."""
    from curate.review.textlist import is_list

    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None
    return text if is_list(text) else None


def _from_list(store: Store, name: str, text: str, chosen: list[str] | None) -> tuple[Patch, list[str]]:
    from curate.cli.review_list import NoSelection, drafted

    if chosen is not None:
        raise NoSelection
    patch = drafted(store, text, name).patch
    return patch, [op.op_id for op in patch.ops]


def parsed(name: str, raw: bytes) -> Patch:
    """The patch document of a text."""
    from store.patch import parse_patch

    try:
        data = json.loads(raw.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise BadPatch(name, "not a text file in UTF-8; expected a patch as `curate propose` prints it") from None
    except (json.JSONDecodeError, RecursionError) as fault:
        raise BadPatch(name, f"not JSON ({fault}); expected a patch as `curate propose` prints it") from None
    return parse_patch(data)


def selection(values: tuple[str, ...]) -> list[str] | None:
    """The ops that `--select` names; None when it was not given."""
    if not values:
        return None
    return [name.strip() for value in values for name in value.split(",") if name.strip()]


def report(shell: Shell, applied: Applied, **more: Any) -> None:
    """Print what became of each op; when none could be applied as it was asked for, that is a fault. `more` is added to
    the document.
    """
    done = [receipt for receipt in applied.receipts if receipt.applied]
    skipped = [receipt for receipt in applied.receipts if not receipt.applied]
    refused = [receipt for receipt in skipped if receipt.reason not in ("not_selected", "already_applied")]
    if shell.as_json:
        emit(
            {
                "patch": applied.patch_id,
                "applied": [receipt.op_id for receipt in done],
                "skipped": [
                    {"op": receipt.op_id, "reason": receipt.reason, "detail": receipt.detail} for receipt in skipped
                ],
                **more,
            }
        )
    else:
        tell(f"{applied.patch_id}: {count(len(done), 'op')} applied, {len(skipped)} skipped")
        table([(f"+ {receipt.op_id}", receipt.op, _changed(receipt)) for receipt in done], indent=2)
        table([(f"- {receipt.op_id}", receipt.op, receipt.detail or receipt.reason) for receipt in refused], indent=2)
        left = sum(receipt.reason == "not_selected" for receipt in skipped)
        if left:
            tell(f"  {count(left, 'op')} not selected; name them with --select to apply them too")
    if applied.unrendered is not None:
        why = (applied.unrendered.cause.strerror or "refused").lower()
        say(
            f"curate: the pages under rendered/ could not be written ({why}); the patch holds, and "
            "`curate materialise` catches up"
        )
    if refused and not done:
        fault = NothingApplied([f"{receipt.op_id}: {receipt.detail or receipt.reason}" for receipt in refused[:3]])
        if any(receipt.reason in ASKED_WRONGLY for receipt in refused):
            raise fault
        say(f"curate: {fault}")


def _changed(receipt: Any) -> str:
    return ", ".join(dict.fromkeys(str(change.get("id")) for change in receipt.changes))


def _read(path: Path) -> bytes:
    if path.is_dir():
        raise InputError(f"{path} is a folder; name a patch file")
    try:
        with path.open("rb") as file:
            return file.read(PATCH_LIMIT + 1)
    except FileNotFoundError:
        raise PathMissing(path) from None
    except OSError as fault:
        raise InputError(f"{path}: {(fault.strerror or 'cannot be read').lower()}; check its permissions") from None


def _ask(store: Store, patch: Patch, chosen: list[str] | None) -> str | None:
    """The words that gated ops need, asked for on a terminal before anything is written."""
    from store.ids import new_id, now
    from store.patch import fill, plan

    if not sys.stdin.isatty():
        return None
    foreseen = plan(store.state, fill(store.state, patch), select=chosen, at=now(), new_id=new_id)
    asked = {receipt.detail: receipt for receipt in foreseen.receipts if receipt.reason == "needs_confirmation"}
    words = []
    for detail, receipt in asked.items():
        say(f"{receipt.op_id} ({receipt.op}): {detail}, or press Enter to leave it out")
        words.append(sys.stdin.readline().strip())
    return ",".join(word for word in words if word) or None
