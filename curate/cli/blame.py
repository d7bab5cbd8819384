"""`blame`: which decision put each field of a memory there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from curate.cli.options import Shell, command
from curate.cli.output import emit, moment, table, tell

if TYPE_CHECKING:
    from curate.review.blame import Origin


@command("blame")
@click.argument("ident", metavar="ID")
@click.option("--field", "names", metavar="NAME", multiple=True, help="Only this field; may be given several times.")
def blame(shell: Shell, ident: str, names: tuple[str, ...]) -> None:
    """Say for each field of a record which revision, patch and op put its present value there, who decided that, when
    and why, and on what evidence.
    """
    from curate.review.blame import blame as blamed
    from curate.review.blame import patches_of

    store = shell.open()
    versions, past = store.revisions(ident), store.past
    patches = {patch_id: past.entry(patch_id) for patch_id in patches_of(versions) if past.knows(patch_id)}
    found = [each for each in blamed(store.state, versions, patches) if not names or each.field in names]
    if unknown := sorted(set(names) - {each.field for each in found}):
        raise click.UsageError(f"{ident} has no field {unknown[0]}.")
    if shell.as_json:
        emit({"id": ident, "forked": versions.forked, "fields": [each.document() for each in found]})
        return
    if versions.forked:
        tell(f"{ident} has two newest versions; this is the later one. `curate audit {ident}` shows both.")
    _tell(found)


def _tell(found: list[Origin]) -> None:
    """Fields in groups by the revision that set them, oldest first."""
    groups: dict[str, list[Origin]] = {}
    for each in sorted(found, key=lambda each: (each.revision.rev, each.revision.at)):
        groups.setdefault(each.revision.hash, []).append(each)
    for group in groups.values():
        first = group[0]
        made = first.revision
        by = f"  {made.patch}" if made.patch else ""
        tell(f"rev {made.rev}  {moment(made.at)}  {made.op}{by}  {first.who}")
        if first.why or first.summary:
            tell(f"  because: {first.why or first.summary}")
        table(((each.field, _plain(each.value)) for each in group), indent=4)
        table(
            (
                ("said", str(one.get("time") or "")[:10], one.get("trust", ""), one.get("agent", ""),
                 f"\u201c{one.get('excerpt', '')}\u201d")
                for one in first.evidence
            ),
            indent=2,
        )  # fmt: skip


def _plain(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return "; ".join(map(_plain, value))
    if isinstance(value, dict):
        return ", ".join(f"{key} {_plain(each)}" for key, each in value.items())
    return str(value)
