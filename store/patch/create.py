"""The ops that make records: `add`, and `supersede`, which puts a new or another record in an old one's place."""

from __future__ import annotations

from typing import Any

from store.patch.build import accepted, candidates, joined, new_content, registered, scopes, tombstoned
from store.patch.draft import Change, Item, Outcome, Skip, Write

INHERITED = (
    "group", "layer", "kind", "rule_type", "scope", "profile", "tags", "applies_when", "does_not_apply_when",
    "known_exceptions", "stability", "pinned", "vault_ref", "confidence",
)  # fmt: skip
"""What a record takes over from the one it supersedes, unless the op says otherwise."""


def add(change: Change) -> Outcome:
    """One record per target project (or one without a project); its candidates become accepted."""
    sources = candidates(change)
    if isinstance(sources, Skip):
        return sources
    fields = new_content(change, sources, {})
    wanted = scopes(change, fields, sources)
    if isinstance(wanted, Skip):
        return wanted
    lifted = tombstoned(change, fields["statement"], wanted)
    if isinstance(lifted, Skip):
        return lifted
    given = fields.pop("id", None)
    if given is not None and change.draft.item("record", given) is not None:
        return Skip("not_applicable", f"there is a record {given} already; leave the id out, or update that record")
    new_id = change.draft.new_id
    group = fields.pop("group", None) or (new_id("grp") if len(wanted) > 1 else None)
    writes: list[Write] = list(lifted)
    made = []
    for scope in wanted:
        ident = given if given is not None and len(wanted) == 1 else new_id("mem")
        made.append(ident)
        writes += registered(change, scope)
        writes.append(Write("record", {**fields, "id": ident, "group": group, "scope": scope}))
    return writes + accepted(change, sources, made)


def supersede(change: Change) -> Outcome:
    """The target ends now and names its successor: a new record, or with `updates: {"by": ID}` one that is there."""
    sources = candidates(change)
    if isinstance(sources, Skip):
        return sources
    by = change.op.updates.get("by")
    made = _existing(change, by) if by is not None else _successor(change, sources)
    if isinstance(made, Skip):
        return made
    successor = made[-1].content["id"]
    old = change.item.with_(
        status="superseded",
        superseded_by=successor,
        valid_to=change.at,
        contested_because=None,
        updated_at=change.at,
    )
    return [*made, Write("record", old), *accepted(change, sources, [successor])]


def _successor(change: Change, sources: list[Item]) -> list[Write] | Skip:
    old = change.item.content
    inherited = {name: old[name] for name in INHERITED if name in old}
    fields = new_content(change, sources, inherited)
    wanted = scopes(change, fields, sources)
    if isinstance(wanted, Skip):
        return wanted
    if len(wanted) > 1:
        return Skip("invalid", "a record is superseded by one record; add the others with ops of their own")
    lifted = tombstoned(change, fields["statement"], wanted)
    if isinstance(lifted, Skip):
        return lifted
    ident = fields.get("id")
    if ident is not None and change.draft.item("record", ident) is not None:
        return Skip("not_applicable", f"there is a record {ident} already; name it as updates.by")
    fields["id"] = ident or change.draft.new_id("mem")
    fields["scope"] = wanted[0]
    fields["supersedes"] = joined(fields.get("supersedes", ()), [change.item.id])
    fields.setdefault("valid_from", change.at)
    return [*lifted, *registered(change, wanted[0]), Write("record", fields)]


def _existing(change: Change, by: Any) -> list[Write] | Skip:
    found = change.draft.item("record", str(by))
    if found is None:
        return Skip("unknown_target", f"no record {by}")
    if found.id == change.item.id:
        return Skip("invalid", "a record cannot supersede itself")
    if found.forked or found.status not in ("active", "contested"):
        return Skip("not_applicable", f"record {by} is {'forked' if found.forked else found.status}")
    evidence = [change.draft.item("candidate", ident) for ident in change.op.candidate_ids]
    fields = found.with_(
        supersedes=joined(found.content.get("supersedes", ()), [change.item.id]),
        evidence=joined(
            found.content.get("evidence", ()), *(item.content.get("evidence", ()) for item in evidence if item)
        ),
        updated_at=change.at,
    )
    return [Write("record", fields)]
