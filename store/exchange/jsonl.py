"""Records as JSON lines: one record a line, `id` and `statement`, and any other field of a record.

`sources` holds the evidence that a record rests on, so that another machine has it too.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from store.exchange.found import Entry, Import
from store.exchange.lines import objects
from store.exchange.records import plan_records
from store.exchange.redact import public
from store.ids import content_id
from store.log.fold import ENVELOPE
from store.model import Evidence, dump

if TYPE_CHECKING:
    from store.state import State

SOURCES = "sources"


def export(state: State, *, redacted: bool = False) -> Iterator[dict[str, Any]]:
    """Every record that is not deleted, as it stands now, in the order it was first read, with its evidence.

    Redacted: without identity records, and without what was said and where; secrets are masked in any case.
    """
    for versions in state.live_records():
        record = dump(state.record(versions.id))
        if redacted:
            if record.get("layer") != "L1":
                yield public(record)
            continue
        ids = [*record.get("evidence", ()), *record.get("evidence_against", ())]
        known = [dump(one) for one in state.evidence_of(ids)]
        yield {**record, SOURCES: known} if known else record


def plan_import(state: State, lines: Iterable[bytes], *, patch_id: str, at: str) -> Import:
    """Read lines against a state. Nothing is written."""
    evidence: dict[str, Evidence] = {}
    entries = [_record(entry, evidence) for entry in objects(lines)]
    done = plan_records(state, entries, patch_id=patch_id, at=at, summary="Import of JSON lines")
    wanted = [
        ident
        for op in done.patch.ops
        for name in ("evidence", "evidence_against")
        for ident in (op.record or {}).get(name, ())
    ]
    done.evidence = [evidence[ident] for ident in dict.fromkeys(wanted) if ident in evidence]
    return done


def _record(entry: Entry, evidence: dict[str, Evidence]) -> Entry:
    """The fields of a record, without nulls and what belongs to another store's log."""
    if entry.data is None:
        return entry
    for name in ("id", "statement"):
        value = entry.data.get(name)
        if not isinstance(value, str) or not value.strip():
            return replace(entry, data=None, fault=f"no `{name}`")
    sources = entry.data.get(SOURCES) or []
    if not isinstance(sources, list):
        return replace(entry, data=None, fault=f"`{SOURCES}` is no list")
    attached: dict[str, list[str]] = {}
    for number, said in enumerate(sources, 1):
        try:
            one = Evidence.model_validate(_named(said, str(entry.data["id"])))
        except (ValidationError, TypeError) as fault:
            first = fault.errors()[0] if isinstance(fault, ValidationError) else {"loc": (), "msg": str(fault)}
            where = ".".join(str(part) for part in (SOURCES, number, *first["loc"]))
            return replace(entry, data=None, fault=f"{where}: {str(first['msg']).lower()}")
        evidence.setdefault(one.id, masked(one))
        attached.setdefault("evidence_against" if one.polarity == "against" else "evidence", []).append(one.id)
    dropped = {*ENVELOPE, SOURCES}
    fields = {key: value for key, value in entry.data.items() if key not in dropped and value is not None}
    return replace(entry, data=_resting(fields, attached))


def _named(said: Any, ident: str) -> Any:
    """A piece of evidence with an id: its own, else one made from what it says."""
    if not isinstance(said, dict) or said.get("id"):
        return said
    return {**said, "id": content_id("ev", "import", ident, json.dumps(said, sort_keys=True))}


def _resting(fields: dict[str, Any], attached: dict[str, list[str]]) -> dict[str, Any]:
    """The record with evidence that stands beside it and that it does not name itself, for it or against it."""
    lists = {name: fields.get(name) or [] for name in ("evidence", "evidence_against")}
    if not all(isinstance(ids, list) for ids in lists.values()):
        return fields  # refused as any other field of the wrong kind
    known = [ident for ids in lists.values() for ident in ids]
    more = {name: [one for one in dict.fromkeys(ids) if one not in known] for name, ids in attached.items()}
    return fields | {name: [*lists[name], *ids] for name, ids in more.items() if ids}


def masked(evidence: Evidence) -> Evidence:
    """Evidence of another store, made harmless like our own."""
    from store.exchange.redact import harmless

    context = harmless(evidence.context) if evidence.context else None
    excerpt = harmless(evidence.excerpt)
    if excerpt == evidence.excerpt and context == evidence.context:
        return evidence
    spans: dict[str, Any] = {"cues": [], "statement_span": None} if excerpt != evidence.excerpt else {}
    return evidence.model_copy(update={"excerpt": excerpt[:1000], "context": context, **spans})
