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
    from store.exchange.formats import Source
    from store.exchange.found import Entry, Import
    from store.state import State
    from store.store import Store

IMPORTS = ("jsonl", "pi", "pi-governance", "agents-md", "claude-mem", "mem0", "markdown")
EXPORTS = ("jsonl", "pi", "pi-governance")


@command("import")
@click.argument("format", type=click.Choice(IMPORTS), metavar="FORMAT")
@click.argument("file", metavar="FILE|-")
@click.option("--dry-run", is_flag=True, help="Say what would happen, and write nothing.")
@click.option("--apply", "at_once", is_flag=True, help="Apply it at once instead of proposing it.")
@click.option("--confirm", metavar="WORD", help="The word that identity records ask for.")
def import_(shell: Shell, format: str, file: str, dry_run: bool, at_once: bool, confirm: str | None) -> None:  # noqa: A002
    """Bring memory in and propose it: records as a patch, text of others as candidates in the inbox.

    FORMAT is jsonl (what `curate export` writes: one record a line), pi (a PI store's folder), pi-governance (its
    bundle), agents-md (AGENTS.md, CLAUDE.md, Cursor rules; a file, or a repository's folder), claude-mem (its
    database), mem0 (its JSON), or markdown (a file or folder of memories with front matter).

    Importing the same twice changes nothing, and what was rejected or deleted does not come back. Lines that cannot be
    taken are named, the others count.
    """
    from store.exchange.formats import IMPORTS as READERS
    from store.exchange.formats import Stamp
    from store.ids import new_id, now

    store = shell.open()
    found = READERS[format](store.state, _source(file), Stamp(new_id("pat"), now(), new_id))
    ops = len(found.patch.ops)
    waiting = _take_in(store, found, dry_run=dry_run)
    applied = _apply(store, found, {} if found.waits else waiting, confirm) if at_once and not dry_run else 0
    if found.patch.ops and not at_once and not dry_run:
        store.propose(found.patch)
    if shell.as_json:
        emit(_document(found, waiting, applied, ops=ops, proposed=not at_once))
    else:
        _tell(found, waiting, at_once=at_once and not dry_run, dry_run=dry_run)


@command("export")
@click.argument("format", type=click.Choice(EXPORTS), metavar="FORMAT")
@click.option("--redacted", is_flag=True, help="Without identity records, evidence, and paths of your home.")
@click.option("-o", "--output", metavar="FILE", help="Write to this file (pi: this folder) instead of stdout.")
def export(shell: Shell, format: str, redacted: bool, output: str | None) -> None:  # noqa: A002
    """Write the current records as `curate import` and others read them.

    FORMAT is jsonl (one record a line, its evidence with it), pi-governance (one bundle in JSON), or pi (the folder of
    a PI store, which must not be there yet).
    """
    state = shell.read()
    if format == "pi":
        _write_folder(state, output, redacted=redacted)
        return
    data, number = _exported(state, format, redacted=redacted)
    if output is None or output == "-":
        sys.stdout.write(data.decode("utf-8"))
        return
    _write(Path(output), data)
    say(f"{count(number, 'record')} written to {output}")


def _source(file: str) -> Source:
    from store.exchange.formats import Source

    if file == "-":
        return Source(None, sys.stdin.buffer.read())
    path = Path(file)
    if not path.exists():
        raise PathMissing(file)
    try:
        if path.is_file():
            path.open("rb").close()
    except OSError as fault:
        raise InputError(f"{file}: {(fault.strerror or 'cannot be read').lower()}; check its permissions") from None
    return Source(path)


def _take_in(store: Store, found: Import, *, dry_run: bool) -> dict[str, Entry]:
    """Put foreign text into the inbox and evidence beside it; gives the candidates that wait for a decision now."""
    from curate.matching.recurrence import find, find_rejected
    from store.captures import CaptureBatch

    kept = []
    for entry, capture in found.captures:
        if rejected := find_rejected(capture.candidate, store.state):
            found.reject(entry, f"the same was rejected in other words ({rejected})")
        else:
            kept.append((entry, capture))
    needed = [one for one in found.evidence if one.id not in store.state.evidence]
    if not kept and not needed:
        return {}
    batch = CaptureBatch([capture for _, capture in kept], found.projects if kept else [], needed)
    done = store.rehearse(batch, find) if dry_run else store.capture(batch, find)
    ids = list(done.ids)
    found.created += ids[: done.created]
    found.updated += ids[done.created :]
    found.unchanged += [""] * done.known
    by_evidence = {one.id: entry for entry, capture in kept for one in capture.evidence}
    waiting: dict[str, Entry] = {}
    for versions in store.state.waiting():
        held = [by_evidence[each] for each in versions.data.get("evidence", ()) if each in by_evidence]
        if held:
            waiting[versions.id] = held[0]
    return waiting


def _apply(store: Store, found: Import, waiting: dict[str, Entry], confirm: str | None) -> int:
    """Apply the patch, and with it what waits from this import; gives how many ops were applied."""
    from store.model import Op

    ops = list(found.patch.ops)
    entries: dict[str, Entry] = {}
    for number, (ident, entry) in enumerate(waiting.items(), 1):
        ops.append(Op(op_id=f"take_{number}", op="add", candidate_ids=[ident]))
        entries[f"take_{number}"] = entry
    if not ops:
        return 0
    found.patch = found.patch.model_copy(update={"ops": ops})
    applied = store.apply(found.patch, select=[op.op_id for op in ops], confirm=confirm)
    refused = [receipt for receipt in applied.receipts if not receipt.applied]
    for receipt in refused:
        reason = receipt.detail or str(receipt.reason)
        if receipt.op_id in entries:
            found.reject(entries[receipt.op_id], reason)
        else:
            _take_back(found, receipt.op_id, reason)
    return len(applied.receipts) - len(refused)


def _take_back(found: Import, op_id: str, reason: str) -> None:
    """An op of the patch was refused: its line was not taken after all."""
    op = next(op for op in found.patch.ops if op.op_id == op_id)
    ident = op.target_id or str((op.record or {}).get("id"))
    for listed in (found.created, found.updated):
        if ident in listed:
            listed.remove(ident)
    found.rejected.append({"line": found.lines[op_id], "reason": reason})


def _exported(state: State, format: str, *, redacted: bool) -> tuple[bytes, int]:  # noqa: A002
    """What an export writes, and how many records are in it."""
    from store.line import canonical

    if format == "jsonl":
        from store.exchange.jsonl import export as records

        lines = [canonical(record) + b"\n" for record in records(state, redacted=redacted)]
        return b"".join(lines), len(lines)
    import json

    from curate import __version__
    from store.exchange.pi_export import bundle
    from store.ids import now

    made = bundle(state, at=now(), version=__version__, redacted=redacted)
    return json.dumps(made, ensure_ascii=False, indent=2).encode("utf-8") + b"\n", len(made["records"])


def _write_folder(state: State, output: str | None, *, redacted: bool) -> None:
    from store.exchange.pi_export import store_files
    from store.line import canonical

    if output is None or output == "-":
        raise InputError("a PI store is a folder; name one that is not there yet with -o FOLDER")
    if redacted:
        raise InputError("a PI store has no redacted form; export pi-governance --redacted")
    folder = Path(output)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError(f"{output}: is there already; name a folder that is not")
    for name, lines in store_files(state).items():
        _write(folder / name, b"".join(canonical(line) + b"\n" for line in lines))
    say(f"PI store written to {output}")


def _write(path: Path, data: bytes) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    except OSError as fault:
        raise InputError(f"{path}: {(fault.strerror or 'cannot be written').lower()}; name another file") from None


def _document(found: Import, waiting: dict[str, Entry], applied: int, *, ops: int, proposed: bool) -> dict[str, Any]:
    from store.model import dump

    document: dict[str, Any] = {
        "created": len(found.created),
        "updated": len(found.updated),
        "unchanged": len(found.unchanged),
        "conflicts": len(found.conflicts),
        "rejected": sorted(found.rejected, key=lambda entry: (entry.get("file", ""), entry["line"])),
        "conflicting": found.conflicts,
        "candidates": list(waiting),
        "applied": applied,
        "patch_id": found.patch.patch_id if ops or applied else None,
    }
    if proposed and found.patch.ops:
        document["patch"] = dump(found.patch)
    return document


def _tell(found: Import, waiting: dict[str, Entry], *, at_once: bool, dry_run: bool) -> None:
    would = "" if at_once or (waiting and not dry_run) else " would be"
    tell(f"{len(found.created)}{would} created, {len(found.updated)}{would} updated, {len(found.unchanged)} unchanged")
    table(((_place(each), each["id"], each["reason"]) for each in found.conflicts), indent=2)
    table(((_place(each), each["reason"]) for each in found.rejected), indent=2)
    if waiting and (not at_once or found.waits) and not dry_run:
        tell(f"{count(len(waiting), 'candidate')} from there in the inbox; decide on them with `curate`.")
    if found.patch.ops and not at_once:
        tell("No record is changed yet; run again with --apply to apply it.")


def _place(each: dict[str, Any]) -> str:
    return f"{each['file']}, line {each['line']}" if each.get("file") else f"line {each['line']}"
