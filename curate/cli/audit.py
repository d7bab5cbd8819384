"""`audit`: what is in dispute, one dispute in full, and how a person settles it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from curate.cli.options import Shell, command
from curate.cli.output import count, emit, say, tell
from curate.cli.records import place
from store.errors import InputError

if TYPE_CHECKING:
    from curate.review.contested import Case
    from curate.review.settling import Wanted
    from store.store import Store

FOLDER = "reports/audits"
"""Where pages go, below the store's root, when nobody names another place."""


@command("audit")
@click.argument("ident", metavar="[ID]", required=False)
@click.option("--markdown", is_flag=True, help="Write it as a page of Markdown, under reports/audits or to -o FILE.")
@click.option("-o", "--output", metavar="FILE", help="With --markdown: write it there; - is stdout.")
@click.option("--keep", is_flag=True, help="Settle it: it holds.")
@click.option("--over", metavar="ID", multiple=True, help="With --keep: it takes the place of this memory.")
@click.option("--version", metavar="HASH", help="With --keep: the version of a fork that is kept.")
@click.option("--supersede", metavar="ID", help="Settle it: this other memory takes its place.")
@click.option("--narrow", metavar="WHEN", help="Settle it: it holds in this case only.")
@click.option("--beside", metavar="ID", help="Another memory to see it with; with --narrow it is narrowed too.")
@click.option("--beside-when", metavar="WHEN", help="With --beside: the case in which that one holds.")
@click.option("--exception", metavar="CASE", help="Settle it: it holds, but for this case.")
@click.option("--until", metavar="DATE", help="Leave it contested, or contest it, until a day (2026-12-24, or 30d).")
@click.option("--because", metavar="WHY", help="The reason, for the history.")
@click.option("--confirm", metavar="WORD", help="The word that identity memory asks for.")
def audit(
    shell: Shell, ident: str | None, markdown: bool, output: str | None, confirm: str | None, **wanted: Any
) -> None:
    """Show what is in dispute: contested memories, forks, memories that contradict each other, and what was deleted
    elsewhere while it came to hold here. With ID all about one: the claims side by side, what speaks for and against
    each, who saw it, what was injected meanwhile, what is open, and how it can be settled.

    The options that settle it write one patch, which `curate undo` takes back.
    """
    from curate.review.settling import WAYS
    from store.ids import now

    store = shell.open()
    if settling := [name for name in WAYS if wanted[name]]:
        _settle(shell, store, ident, settling, wanted, confirm)
        return
    if named := [name for name, value in wanted.items() if value and name not in (*WAYS, "beside")]:
        raise click.UsageError(f"--{named[0].replace('_', '-')} goes with one of the ways to settle a dispute.")
    at = now()
    if ident is None:
        _show_all(shell, store, at, markdown=markdown or output is not None, output=output)
        return
    from curate.upkeep.disputed import audited

    found = audited(store, ident, at, [wanted["beside"]] if wanted["beside"] else [])
    if markdown or output is not None:
        from curate.review.audit_page import page

        _write(shell, store, page(found, at), output, f"{ident}.md", found.document())
    elif shell.as_json:
        emit(found.document())
    else:
        from curate.cli.audit_text import tell_audit

        tell_audit(found)


def _show_all(shell: Shell, store: Store, at: str, *, markdown: bool, output: str | None) -> None:
    from curate.review.remembered import cases_in

    found = cases_in(store, at, _compares)
    document = {"contested": [case.document() for case in found], "overdue": sum(case.overdue for case in found)}
    if markdown:
        from curate.review.audit_page import overview

        _write(shell, store, overview(found, at), output, "contested.md", document)
    elif shell.as_json:
        emit(document)
    else:
        _tell_all(found)


def _compares(number: int) -> None:
    """It takes seconds, once."""
    if sys.stderr.isatty():
        say(f"curate: comparing {number:,} memories; from now on only where something has changed ...")


def _tell_all(found: list[Case]) -> None:
    if not found:
        tell("Nothing is in dispute.")
        return
    overdue = sum(case.overdue for case in found)
    tell(f"{count(len(found), 'dispute')}" + (f", {overdue} to be looked at again by now" if overdue else ""))
    for case in found:
        due = f", again by {case.next_review[:10]}{' (overdue)' if case.overdue else ''}" if case.next_review else ""
        tell(f"{case.id}  {case.kind}, since {case.since[:10]}{due}  {place(case.scope)}")
        tell(f"    {case.statement}")
        if case.because:
            tell(f"    {case.because}")
    tell("`curate audit ID` shows one in full, and how it can be settled.")


def _write(shell: Shell, store: Store, text: str, output: str | None, name: str, document: dict[str, Any]) -> None:
    if output == "-" and not shell.as_json:
        click.echo(text, nl=False)
        return
    path = Path(output) if output not in (None, "-") else store.root / FOLDER / _file_name(name)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8", newline="\n")
    except OSError as fault:
        raise InputError(f"{path}: {(fault.strerror or 'cannot be written').lower()}; name another file") from None
    if shell.as_json:
        emit({**document, "file": str(path)})
    else:
        say(f"{path}")


def _file_name(name: str) -> str:
    """An id may be anything; a file name may not."""
    from store.project.naming import file_stem

    stem = name.removesuffix(".md")
    plain = stem.isascii() and stem.replace("_", "").replace("-", "").isalnum() and len(stem) <= 80
    return name if plain else f"{file_stem(stem)}.md"


def _settle(
    shell: Shell, store: Store, ident: str | None, settling: list[str], wanted: dict[str, Any], confirm: str | None
) -> None:
    from curate.cli.apply import report
    from curate.review.settling import settling as settling_patch
    from store.errors import UnknownId
    from store.ids import new_id, now

    if ident is None:
        raise click.UsageError("Name what is to be settled: curate audit ID.")
    if len(settling) > 1:
        raise click.UsageError(f"--{settling[0]} and --{settling[1]} exclude each other.")
    if ident not in store.state.records:
        raise UnknownId("record", ident)
    at = now()
    patch = settling_patch(store.state, ident, _wanted(wanted, at), patch_id=new_id("pat"), at=at)
    report(shell, store.apply(patch, select=[op.op_id for op in patch.ops], confirm=confirm))


def _wanted(wanted: dict[str, Any], at: str) -> Wanted:
    from curate.review.settling import CannotSettle, Wanted, day_to_come

    until = None
    if wanted["until"]:
        try:
            until = day_to_come(wanted["until"], at)
        except CannotSettle as fault:
            raise InputError(f"--until {fault}") from None
    if (wanted["beside"] is None) != (wanted["beside_when"] is None):
        raise click.UsageError("--beside and --beside-when go together.")
    return Wanted(**{**wanted, "until": until})
