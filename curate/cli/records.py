"""`records`, `show` and `history`: what is remembered, and how it came to be so."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

import click

from curate.cli.options import Shell, command
from curate.cli.output import count, emit, table, tell

if TYPE_CHECKING:
    from collections.abc import Iterator

    from store.model import Record
    from store.state import State
    from store.store import Store

STATUSES = ("active", "contested", "deprecated", "superseded", "deleted")


@command("records")
@click.option("--status", type=click.Choice(STATUSES), help="Only records of this status.")
@click.option("--project", metavar="P", help="Only records of this project: its id, name or an alias.")
@click.option("--layer", type=click.Choice(["L1", "L2"]), help="Only identity (L1) or playbook (L2).")
@click.option("--query", metavar="Q", help="Only records that hold all these words.")
def records(shell: Shell, status: str | None, project: str | None, layer: str | None, query: str | None) -> None:
    """List the current records; deleted ones only when asked for by status."""
    state = shell.read()
    found = [
        record
        for record in current(state, deleted=status == "deleted")
        if (status is None or record.status == status)
        and (layer is None or record.layer == layer)
        and (project is None or record.scope.project in projects_named(state, project))
        and (query is None or matches(record, query))
    ]
    if shell.as_json:
        emit({"records": [record.model_dump(mode="json", by_alias=True) for record in found]})
        return
    table((record.id, record.status, place(record.scope.model_dump()), record.statement) for record in found)
    if not found:
        tell("No records." if len(state.records) == 0 else "No record matches.")


@command("show")
@click.argument("ident", metavar="ID")
def show(shell: Shell, ident: str) -> None:
    """Show one record or candidate: every revision, the evidence, the patches that touched it."""
    document = story(shell.open(), ident)
    if shell.as_json:
        emit(document)
    else:
        _tell_story(document)


@command("history")
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="At most this many.")
def history(shell: Shell, limit: int | None) -> None:
    """List the patches, newest first."""
    patches = shell.open().history(limit)
    if shell.as_json:
        emit({"patches": patches})
        return
    for patch in patches:
        undone = f"  (undone by {patch['undone_by']})" if patch.get("undone_by") else ""
        tell(f"{patch['patch_id']}  {patch.get('at', '')}  {patch.get('summary', '')}{undone}")
    if not patches:
        tell("No patches yet.")


def current(state: State, *, deleted: bool = False) -> Iterator[Record]:
    """Records as they stand now, in the order they were first read."""
    for ident in state.records:
        record = state.record(ident)
        if deleted or record.status != "deleted":
            yield record


def projects_named(state: State, name: str) -> set[str]:
    """Ids of the projects that a person may mean by `name`: an id, a name or an alias."""
    folded = name.casefold()
    found = {name}
    for ident, versions in state.projects.items():
        data = versions.data
        names = {ident, str(data.get("name", "")), *data.get("aliases", ())}
        if folded in {each.casefold() for each in names}:
            found.add(ident)
    return found


def matches(record: Record, query: str) -> bool:
    """True when every word of the query stands somewhere in the statement, the body or the tags."""
    text = " ".join([record.id, record.statement, record.body or "", *record.tags]).casefold()
    return all(word in text for word in query.casefold().split())


def place(scope: dict[str, Any]) -> str:
    """Where a scope holds, in a word or two."""
    if scope.get("type") == "project":
        where = scope.get("project") or "unassigned"
        return f"{where} {' '.join(scope['paths'])}" if scope.get("paths") else where
    return " ".join([str(scope.get("type")), *scope.get("domains", [])])


def story(store: Store, ident: str) -> dict[str, Any]:
    """All that the store knows of one record or candidate."""
    from curate.tui.injected import injections

    state, versions = store.state, store.revisions(ident)
    is_record = ident in state.records
    current_one = state.record(ident) if is_record else state.candidate(ident)
    evidence: dict[str, None] = {}
    against = set(versions.data.get("evidence_against") or ())
    for revision in versions.revisions:
        for name in ("evidence", "evidence_against"):
            evidence.update(dict.fromkeys(revision.data.get(name) or ()))
    return {
        "type": "record" if is_record else "candidate",
        "record": current_one.model_dump(mode="json", by_alias=True),
        "forked": versions.forked,
        "revisions": [
            {**revision.data, "hash": revision.hash, "file": revision.file, "line": revision.line_no}
            for revision in versions.revisions
        ],
        "evidence": [
            {
                **each.model_dump(mode="json", by_alias=True, exclude_none=True),
                "polarity": "against" if each.id in against else each.polarity,
            }
            for each in store.evidence(evidence)
        ],
        "patches": store.patches_of(ident),
        "injections": [dataclasses.asdict(each) for each in injections(store.root, ident)] if is_record else [],
    }


def _tell_story(document: dict[str, Any]) -> None:
    record = document["record"]
    tell(record["statement"])
    table(
        [
            ("id", record["id"]),
            ("status", record["status"] + (" (forked: two versions)" if document["forked"] else "")),
            ("scope", place(record["scope"])),
            ("confidence", f"{record['confidence']:.2f}"),
            *((name, record[name]) for name in ("layer", "rule_type", "intent", "stability") if record.get(name)),
            *((name, "; ".join(record[name])) for name in ("targets", "tags", "known_exceptions") if record.get(name)),
        ],
        indent=2,
    )
    tell(count(len(document["revisions"]), "revision"))
    table(
        ((each["rev"], each["op"], each["at"], each.get("statement", "")) for each in document["revisions"]), indent=2
    )
    tell(count(len(document["evidence"]), "piece of evidence", "pieces of evidence"))
    table(
        (
            (each.get("time", ""), each["polarity"], each.get("agent", ""), each.get("session", ""), each["excerpt"])
            for each in document["evidence"]
        ),
        indent=2,
    )
    if document["patches"]:
        tell(count(len(document["patches"]), "patch", "patches"))
        table(
            ((each["patch_id"], each.get("at", ""), each.get("summary", "")) for each in document["patches"]), indent=2
        )
