"""PI stores, the folder and the pi-governance bundle: records as a patch, their inbox as candidates, their evidence.

What they deleted or turned away does not come in.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from store.errors import InputError
from store.exchange.found import Entry, Import
from store.exchange.lines import objects, split
from store.exchange.pi_fields import (
    NotTaken,
    evidence_of,
    profile_of,
    record_of,
    rule_type_of,
    scope_of,
    snake,
    trust_of,
)
from store.exchange.proposals import Proposal, Read, plan_proposals, project_named
from store.exchange.records import plan_records
from store.text import fingerprint

if TYPE_CHECKING:
    from store.ids import NewId
    from store.model import Evidence, RuleType
    from store.state import State

FORMAT = "pi-governance"
_WAITING = frozenset({"new", "proposed", "deferred", "waiting"})


class NoPiStore(InputError):
    """A folder or file holds nothing of a PI store."""

    def __init__(self, path: Path | str) -> None:
        super().__init__(
            f"{path}: no PI store; name the folder that holds memory/L2.playbooks.jsonl, or a bundle in JSON"
        )


class Source:
    """The parts of a store or bundle, whatever files they came from."""

    def __init__(self) -> None:
        self.records: list[Entry] = []
        self.candidates: list[Entry] = []
        self.evidence: list[Entry] = []
        self.tombstones: list[Entry] = []


def read_store(folder: Path) -> Source:
    """The lines of a PI store's folder. Raises `NoPiStore`."""
    root = folder if (folder / "memory").is_dir() else folder.parent if folder.name == "memory" else folder
    memory = root / "memory"
    source = Source()
    names = sorted(memory.glob("L[12].*.jsonl")) + sorted((memory / "projects").rglob("*.jsonl"))
    if not names:
        raise NoPiStore(folder)
    for path in names:
        source.records += _lines(path, root)
    source.candidates += _lines(root / "inbox" / "captured.jsonl", root)
    source.evidence += _lines(memory / "evidence.jsonl", root)
    source.tombstones += _lines(memory / "tombstones.jsonl", root)
    return source


def read_bundle(data: bytes, name: str) -> Source:
    """The parts of a bundle. An entry's line is its number in its section. Raises `InputError`."""
    try:
        bundle = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as fault:
        raise InputError(f"{name}: not JSON ({fault}); name a bundle of the format {FORMAT}") from None
    if not isinstance(bundle, Mapping) or not isinstance(bundle.get("records"), list):
        raise InputError(f"{name}: no bundle of the format {FORMAT}; it has no list of records")
    source = Source()
    source.records += _section(bundle.get("records"), "records")
    source.candidates += _section(bundle.get("patches"), "patches")
    source.evidence += _section(bundle.get("evidence"), "evidence")
    source.tombstones += _section(bundle.get("tombstones"), "tombstones")
    return source


def plan_source(state: State, source: Source, *, patch_id: str, at: str, new_id: NewId, summary: str) -> Import:
    """Hold a store or bundle against a state. Nothing is written."""
    known = _evidence(source)
    gone = {str(snake(one.data).get("deleted_record_id")) for one in source.tombstones if one.data}
    named = partial(project_named, state)
    entries, needed = [], {}
    for entry in source.records:
        taken, pieces = _record(entry, known, gone, named)
        entries.append(taken)
        if taken.data is not None:
            needed[str(taken.data["id"])] = pieces
    done = plan_records(state, entries, patch_id=patch_id, at=at, summary=summary)
    wanted = [str(op.target_id or (op.record or {}).get("id")) for op in done.patch.ops]
    done.evidence = list({one.id: one for ident in wanted for one in needed.get(ident, ())}.values())
    added = {fingerprint((op.record or {}).get("statement", "")) for op in done.patch.ops if op.record}
    read = Read()
    for entry in source.candidates:
        ident = str(snake(entry.data).get("candidate_id") or entry.data.get("id")) if entry.data else ""
        if ident in state.candidates:  # our own, on its way back
            done.unchanged.append(ident)
            continue
        proposal = _candidate(entry, known, read, named)
        if proposal is not None and fingerprint(proposal.statement) not in added:
            read.proposals.append(proposal)
    captures = plan_proposals(state, read, patch_id=patch_id, at=at, new_id=new_id, summary=summary)
    done.waits = True
    done.captures, done.unchanged = captures.captures, [*done.unchanged, *captures.unchanged]
    done.rejected += captures.rejected
    return done


def _record(entry: Entry, known: Mapping[str, Evidence], gone: set[str], named: Any) -> tuple[Entry, list[Evidence]]:
    if entry.data is None:
        return entry, []
    try:
        fields = record_of(entry.data, named)
    except NotTaken as fault:
        return Entry(entry.line, fault=str(fault), file=entry.file), []
    if fields["id"] in gone or fields["status"] == "deleted":
        return Entry(entry.line, fault="it was deleted there", file=entry.file), []
    pieces = list(_pieces(entry.data, known, fields["id"]))
    if pieces:
        fields["evidence"] = list(dict.fromkeys(one.id for one in pieces))
    return Entry(entry.line, fields, file=entry.file), pieces


def _pieces(raw: Mapping[str, Any], known: Mapping[str, Evidence], ident: str) -> Iterator[Evidence]:
    """The evidence of a record: pieces that the store has, else what its references say."""
    data = snake(raw)
    for name in data.get("evidence_ids") or ():
        if name in known:
            yield known[name]
    for ref in data.get("evidence") or ():
        if isinstance(ref, str) and ref in known:
            yield known[ref]
        elif isinstance(ref, Mapping):
            named = str(ref.get("ref") or ref.get("uri") or "")
            found = known.get(named) or evidence_of({key: ref[key] for key in ref if key != "id"}, ident)
            if found is not None:
                yield found


def _candidate(entry: Entry, known: Mapping[str, Evidence], read: Read, named: Any) -> Proposal | None:
    if entry.data is None:
        read.faults.append(entry)
        return None
    data = snake(entry.data)
    inner = snake(data["proposed_record"]) if isinstance(data.get("proposed_record"), Mapping) else {}
    statement = str(data.get("text") or data.get("claim") or inner.get("claim") or inner.get("statement") or "")
    if str(data.get("status", "new")) not in _WAITING or data.get("operation", "propose_record") != "propose_record":
        return None  # decided there: what came of it is among the records
    if not statement.strip():
        read.fault(entry.line, "no `text` or `claim`", entry.file)
        return None
    about = {**inner, **data}
    ids = [*(data.get("evidence_ids") or ()), *(data.get("evidence_refs") or ()), *(inner.get("evidence_ids") or ())]
    said = next((known[str(each)] for each in ids if str(each) in known), None)
    try:
        scope = scope_of(about, named)
    except NotTaken:
        scope = {"type": "project"}
    poisoning = about.get("poisoning_risk")
    rule: RuleType | None = rule_type_of(about)  # type: ignore[assignment]
    return Proposal(
        entry=entry,
        statement=statement,
        excerpt=said.excerpt if said else statement,
        source=f"pi {data.get('id') or ''}",
        trust=trust_of(about.get("primary_trust_class") or about.get("trust_class") or (said.trust if said else None)),
        poisoning=poisoning if poisoning in ("low", "medium", "high") else "medium",
        intent="none",
        rule_type=rule,
        project=scope.get("project"),
        everywhere=scope["type"] == "global",
        reason="as the PI store has it",
        tags=tuple(str(tag) for tag in about.get("tags") or () if isinstance(tag, str)),
        agent="pi",
        session=said.session if said else None,
        time=said.time if said else None,
        profile=profile_of(about),
    )


def _evidence(source: Source) -> dict[str, Evidence]:
    found = {}
    for entry in source.evidence:
        one = evidence_of(entry.data, f"line {entry.line}") if entry.data else None
        if one is not None:
            found[one.id] = one
    return found


def _lines(path: Path, root: Path) -> Iterable[Entry]:
    if not path.is_file():
        return ()
    return list(objects(split(path.read_bytes()), path.relative_to(root).as_posix()))


def _section(entries: Any, name: str) -> Iterator[Entry]:
    for number, each in enumerate(entries if isinstance(entries, list) else (), 1):
        if isinstance(each, dict):
            yield Entry(number, each, file=name)
        else:
            yield Entry(number, fault="not a JSON object", file=name)
