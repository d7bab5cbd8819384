"""`import` and `export`: memory in and out."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from curate.cli.options import Shell, command
from curate.cli.output import count, emit, say, table, tell
from store.errors import InputError, PathMissing

if TYPE_CHECKING:
    from store.exchange.jsonl import Import

FORMATS = click.Choice(["jsonl"])


@command("import")
@click.argument("format", type=FORMATS, metavar="FORMAT")
@click.argument("file", metavar="FILE|-")
@click.option("--dry-run", is_flag=True, help="Say what would happen, and write nothing.")
@click.option("--apply", "at_once", is_flag=True, help="Apply the patch at once instead of proposing it.")
@click.option("--confirm", metavar="WORD", help="The word that identity records ask for.")
def import_(shell: Shell, format: str, file: str, dry_run: bool, at_once: bool, confirm: str | None) -> None:  # noqa: A002
    """Read records into a patch, and propose it; FORMAT is jsonl.

    jsonl: one record a line, with "id" and "statement" and any other field of a record. A free id is kept. Importing
    the same file twice changes nothing. Lines that cannot be taken are named, the others count.
    """
    del format
    from store.exchange.jsonl import plan_import
    from store.ids import new_id, now

    store = shell.open()
    lines = _lines(file)
    found = plan_import(store.state, lines, patch_id=new_id("pat"), at=now())
    if found.patch.ops and at_once and not dry_run:
        applied = store.apply(found.patch, select=[op.op_id for op in found.patch.ops], confirm=confirm)
        for receipt in applied.receipts:
            if not receipt.applied:
                _take_back(found, receipt.op_id, receipt.detail or str(receipt.reason))
    elif found.patch.ops and not dry_run:
        store.propose(found.patch)
    if shell.as_json:
        emit(_document(found, proposed=not at_once))
    else:
        _tell(found, at_once=at_once and not dry_run)


@command("export")
@click.argument("format", type=FORMATS, metavar="FORMAT")
@click.option("-o", "--output", metavar="FILE", help="Write to this file instead of stdout.")
def export(shell: Shell, format: str, output: str | None) -> None:  # noqa: A002
    """Write the current records, one a line, as `curate import` reads them; FORMAT is jsonl."""
    del format
    from store.exchange.jsonl import export as records
    from store.line import canonical

    lines = b"".join(canonical(record) + b"\n" for record in records(shell.read()))
    if output is None or output == "-":
        sys.stdout.write(lines.decode("utf-8"))
        return
    try:
        Path(output).write_bytes(lines)
    except OSError as fault:
        raise InputError(f"{output}: {(fault.strerror or 'cannot be written').lower()}; name another file") from None
    number = lines.count(b"\n")
    say(f"{count(number, 'record')} written to {output}")


def _lines(file: str) -> list[bytes]:
    if file == "-":
        return sys.stdin.buffer.read().split(b"\n")
    try:
        return Path(file).read_bytes().split(b"\n")
    except FileNotFoundError:
        raise PathMissing(file) from None
    except OSError as fault:
        raise InputError(f"{file}: {(fault.strerror or 'cannot be read').lower()}; name a file of JSON lines") from None


def _take_back(found: Import, op_id: str, reason: str) -> None:
    """An op of the patch was refused: its line was not taken after all."""
    op = next(op for op in found.patch.ops if op.op_id == op_id)
    ident = op.target_id or str((op.record or {}).get("id"))
    for listed in (found.created, found.updated):
        if ident in listed:
            listed.remove(ident)
    found.rejected.append({"line": found.lines[op_id], "reason": reason})


def _document(found: Import, *, proposed: bool) -> dict[str, Any]:
    from store.model import dump

    document: dict[str, Any] = {
        "created": len(found.created),
        "updated": len(found.updated),
        "unchanged": len(found.unchanged),
        "conflicts": len(found.conflicts),
        "rejected": sorted(found.rejected, key=lambda entry: entry["line"]),
        "conflicting": found.conflicts,
        "patch_id": found.patch.patch_id if found.patch.ops else None,
    }
    if proposed and found.patch.ops:
        document["patch"] = dump(found.patch)
    return document


def _tell(found: Import, *, at_once: bool) -> None:
    would = "" if at_once else " would be"
    tell(f"{len(found.created)}{would} created, {len(found.updated)}{would} updated, {len(found.unchanged)} unchanged")
    table(((f"line {each['line']}", each["id"], each["reason"]) for each in found.conflicts), indent=2)
    table(((f"line {each['line']}", each["reason"]) for each in found.rejected), indent=2)
    if found.patch.ops and not at_once:
        tell("Nothing is changed yet; run again with --apply to apply it.")
