"""`records`, `show` and `history`: what is remembered, and how it came to be so."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, TypeVar

import click

from curate.cli.options import Shell, command
from curate.cli.output import count, emit, moment, table, tell

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from store.model import Record
    from store.state import State
    from store.store import Store

F = TypeVar("F", bound="Callable[..., Any]")

STATUSES = ("active", "contested", "deprecated", "superseded", "deleted")


def _remarks(patch: dict[str, Any]) -> str:
    """What a line of the history says besides: how much of it was applied, that it applied itself, what undid it."""
    done = sum(receipt["applied"] for receipt in patch["receipts"])
    parts = [f"{done} of {count(len(patch['receipts']), 'op')}"]
    parts += ["by itself"] if patch.get("automatic") else []
    parts += [f"undoes {patch['undoes']}"] if patch.get("undoes") and patch["undoes"] not in patch["summary"] else []
    parts += [f"undone by {patch['undone_by']}"] if patch.get("undone_by") else []
    return f"  ({', '.join(parts)})"


def filters(function: F) -> F:
    """The options that choose among records; the command gets them by name, and `Filter` takes them."""
    for option in (
        click.option("--query", metavar="Q", help="Only records that hold all these words."),
        click.option("--layer", type=click.Choice(["L1", "L2"]), help="Only identity (L1) or playbook (L2)."),
        click.option("--project", metavar="P", help="Only records of this project: its id, name or an alias."),
        click.option("--status", type=click.Choice(STATUSES), help="Only records of this status."),
    ):
        function = option(function)
    return function


@dataclasses.dataclass(frozen=True)
class Filter:
    """Which records are wanted; deleted ones only when asked for by status."""

    status: str | None = None
    project: str | None = None
    layer: str | None = None
    query: str | None = None

    def records(self, state: State) -> list[Record]:
        """Those of a state, in the order they were first read."""
        named = projects_named(state, self.project) if self.project is not None else set()
        return [
            record
            for record in current(state, deleted=self.status == "deleted")
            if (self.status is None or record.status == self.status)
            and (self.layer is None or record.layer == self.layer)
            and (self.project is None or record.scope.project in named)
            and (self.query is None or matches(record, self.query))
        ]


@command("records")
@filters
def records(shell: Shell, **chosen: str | None) -> None:
    """List the current records; deleted ones only when asked for by status."""
    state = shell.read()
    found = Filter(**chosen).records(state)
    if shell.as_json:
        emit({"records": documents(found)})
    else:
        list_records(state, found)


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
        tell(f"{patch['patch_id']}  {moment(patch.get('at', ''))}  {patch.get('summary', '')}{_remarks(patch)}")
    if not patches:
        tell("No patches yet.")


def documents(found: list[Record]) -> list[dict[str, Any]]:
    """Records as JSON."""
    return [record.model_dump(mode="json", by_alias=True) for record in found]


def list_records(state: State, found: list[Record]) -> None:
    """Print records for people, one a line."""
    table((record.id, record.status, place(record.scope.model_dump()), record.statement) for record in found)
    if not found:
        tell("No records." if len(state.records) == 0 else "No record matches.")


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
    from curate.recall.injected import injections

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


_PLAIN = (
    "layer", "rule_type", "intent", "stability", "contested_because", "superseded_by", "vault_ref", "reason",
)  # fmt: skip
_LISTS = (
    "targets", "tags", "applies_when", "does_not_apply_when", "known_exceptions", "supersedes", "became", "flags",
)  # fmt: skip


def _tell_story(document: dict[str, Any]) -> None:
    record = document["record"]
    tell(record["statement"])
    table(
        [
            ("id", record["id"]),
            ("status", record["status"] + (" (forked: two versions)" if document["forked"] else "")),
            ("scope", place(record["scope"])),
            ("confidence", f"{record['confidence']:.2f}"),
            *((name, record[name]) for name in _PLAIN if record.get(name)),
            *((name, "; ".join(record[name])) for name in _LISTS if record.get(name)),
            *(
                ("review", f"{name.replace('_', ' ')} {value}")
                for name, value in (record.get("review") or {}).items()
                if value
            ),
        ],
        indent=2,
    )
    tell(count(len(document["revisions"]), "revision"))
    table(
        ((each["rev"], each["op"], moment(each["at"]), each.get("statement", "")) for each in document["revisions"]),
        indent=2,
    )
    tell(count(len(document["evidence"]), "piece of evidence", "pieces of evidence"))
    table(
        (
            (
                moment(each.get("time") or ""),
                each["polarity"],
                each.get("agent", ""),
                each.get("session", ""),
                each["excerpt"],
            )
            for each in document["evidence"]
        ),
        indent=2,
    )
    if document["patches"]:
        tell(count(len(document["patches"]), "patch", "patches"))
        table(
            ((each["patch_id"], moment(each.get("at", "")), each.get("summary", "")) for each in document["patches"]),
            indent=2,
        )
    if document["injections"]:
        tell(f"told to agents in {count(len(document['injections']), 'turn')}")
        table(
            (
                (
                    moment(each["at"]),
                    each["agent"],
                    f"session {each['session']}",
                    f"turn {each['turn']}",
                    each["section"],
                )
                for each in document["injections"]
            ),
            indent=2,
        )
    if document["type"] == "record":
        tell(f"`curate blame {record['id']}` says which decision put each field there.")
