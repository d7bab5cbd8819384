"""`vault`: what deserves a page in the Obsidian vault, where it would fit, and putting it there."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from curate.cli.options import F, Shell, command, home_option, json_option
from curate.cli.output import announce, count, emit, say, table, tell
from store.errors import InputError

if TYPE_CHECKING:
    from curate.vault.criteria import Criterion
    from curate.vault.folder import Vault
    from curate.vault.place import Placed
    from curate.vault.promote import Case
    from curate.vault.suggest import Suggestion
    from store.store import Store


class LeftAlone(InputError):
    """A note of ours was not written, because a person has to look at it first."""

    def __init__(self, placed: Placed) -> None:
        where = f"{placed.path}, line {placed.line}" if placed.line else placed.path
        super().__init__(f"{where}: {placed.why}; nothing was written there, mend the note and run again")


def _both(function: F) -> F:
    return home_option(json_option(function))


@click.group("vault", invoke_without_command=False)
@_both
def vault() -> None:
    """Promote what has proved itself into an Obsidian vault: $PI_VAULT_PATH, or vault.path in config.yaml.

    A note is only ever written into the vault's staging folder, never over an existing one; of a note that was made
    before, only the block between our markers and the keys curate_* change.
    """


def _command(name: str, says: str) -> Callable[[F], click.Command]:
    def wrap(function: F) -> click.Command:
        made = command(name)(function)
        made.short_help = says
        vault.add_command(made)
        return made

    return wrap


@_command("status", "what is ripe, where references lead, what cannot be read")
def status(shell: Shell) -> None:
    """Say which records are ripe for the vault, where each vault_ref leads, and which notes cannot be read."""
    from curate.vault.overview import overview

    store = shell.open()
    folder = _vault(store)
    announce(len(store.state.records))
    document = overview(store.state, folder, _now())
    if shell.as_json:
        emit(document)
        return
    tell(f"{folder.root}: {count(document['notes'], 'note')}; new ones wait in {document['staging']}/")
    if document["broken"]:
        tell(f"{count(len(document['broken']), 'note')} cannot be read and will be left alone:")
        table(((f"{each['path']}, line {each['line']}", each["reason"]) for each in document["broken"]), indent=2)
    if document["refs"]:
        tell("References from records:")
        table(((each["id"], each["vault_ref"], each["why"]) for each in document["refs"]), indent=2)
    tell(f"{count(len(document['ripe']), 'record')} ripe for the vault" + (":" if document["ripe"] else "."))
    table(((each["id"], each["note"] or "", each["statement"]) for each in document["ripe"]), indent=2)


@_command("suggest", "notes that are about a record or candidate")
@click.argument("ident", metavar="ID")
def suggest(shell: Shell, ident: str) -> None:
    """Name up to three notes that are about what the record or candidate ID says; none when nothing fits."""
    from curate.vault.suggest import suggest as near

    store = shell.open()
    data = store.revisions(ident).data
    found = near(_vault(store).filed, data["statement"], data.get("tags") or ())
    if shell.as_json:
        emit({"id": ident, "suggestions": [_suggestion(one) for one in found]})
        return
    table((one.page.path, f"{one.score:.2f}", one.why) for one in found)
    if not found:
        tell("No note of the vault is about that.")


@_command("promote", "judge a record and write its dossier, or its note")
@click.argument("ident", metavar="ID")
@click.option("--write", is_flag=True, help="Write the note into the vault's staging folder too.")
def promote(shell: Shell, ident: str, write: bool) -> None:
    """Show the four conditions of a page with their evidence, and write the dossier of record ID under reports/.

    Running it again renews what changed and nothing else. A condition that is not met is said, and does not stop you.
    """
    from curate.vault.steps import promote as take_the_steps

    store = shell.open()
    folder = _vault(store) if write else _vault_if_any(store)
    done = take_the_steps(store, ident, folder, _now(), write=write)
    if done.refused is not None:
        raise LeftAlone(done.refused)
    if not done.case.met:
        unmet = ", ".join(one.why for one in done.case.criteria if not one.met)
        say(f"not every condition is met ({unmet}); it was done all the same, because you asked")
    if shell.as_json:
        emit(_document(done.case, done.report, done.note, done.patch))
    else:
        _tell(done.case, done.report, done.note)


@_command("link", "have a record refer to a note")
@click.argument("ident", metavar="ID")
@click.argument("note", metavar="NOTE")
def link(shell: Shell, ident: str, note: str) -> None:
    """Note in record ID that NOTE (a path, a title, a [[wikilink]]) says the same: its vault_ref."""
    from curate.vault.refs import resolve
    from curate.vault.steps import link as refer

    store = shell.open()
    store.state.record(ident)
    found = resolve(_vault(store), note)
    if not found.alive or found.note is None:
        raise InputError(f"{note}: no such note in the vault; name its path, such as Concepts/Name.md")
    patch_id = refer(store, ident, found.note)
    if shell.as_json:
        emit({"id": ident, "vault_ref": found.note, "patch": patch_id})
    else:
        tell(f"{ident} refers to {found.note}")


def _vault(store: Store) -> Vault:
    from curate.vault.folder import Vault

    return Vault.at(store.config.get("vault.path"), staging=store.config.get("vault.staging"))


def _vault_if_any(store: Store) -> Vault | None:
    from curate.vault.folder import NoVault

    try:
        return _vault(store)
    except NoVault:
        return None


def _now() -> str:
    from store.ids import now

    return now()


def _suggestion(one: Suggestion) -> dict[str, Any]:
    from curate.vault.dossier import link as wikilink

    return {
        "path": one.page.path,
        "title": one.page.title,
        "score": one.score,
        "why": one.why,
        "link": wikilink(one.page.path),
    }


def _criterion(one: Criterion) -> dict[str, Any]:
    return {"name": one.name, "met": one.met, "why": one.why, "evidence": one.evidence}


def _placed(one: Placed | None) -> dict[str, Any] | None:
    return None if one is None else {"path": one.path, "outcome": one.outcome, "why": one.why}


def _document(made: Case, written: Placed, placed: Placed | None, patch_id: str | None) -> dict[str, Any]:
    return {
        "id": made.found.record.id,
        "title": made.dossier.title,
        "met": made.met,
        "criteria": [_criterion(one) for one in made.criteria],
        "report": _placed(written),
        "note": _placed(placed),
        "suggestions": [_suggestion(one) for one in made.near],
        "patch": patch_id,
    }


def _tell(made: Case, written: Placed, placed: Placed | None) -> None:
    tell(made.dossier.title)
    for one in made.criteria:
        tell(f"  {'met    ' if one.met else 'not met'}  {one.why}")
        table(([each] for each in one.evidence), indent=13)
    if made.near:
        tell("Near it in the vault:")
        table(((one.page.path, one.why) for one in made.near), indent=2)
    tell(f"Report: {written.path} ({written.outcome.replace('_', ' ')})")
    if placed is not None:
        tell(f"Note: {placed.path} ({placed.outcome.replace('_', ' ')}{f': {placed.why}' if placed.why else ''})")
