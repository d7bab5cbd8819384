"""The rules that hold between lines, each a pure function that reports its breaches."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from store.layout import record_file
from store.line import canonical
from store.log.stub import hash_of
from store.text import fingerprint

if TYPE_CHECKING:
    from store.log.fold import Revision, Versions
    from store.state import State

Report = Callable[[str, "int | None", str, str], None]
PatchLines = list[tuple[str, int, dict[str, Any]]]
Check = Callable[["State", Report, PatchLines], None]

LOST = "restore the missing line from a backup or git; until then what is shown is the newest version that is there"
CHANGED = "undo the edit by a backup or git, and change what is remembered with `curate` or a patch"
_IN_FORCE = ("active", "contested", "deprecated")
BROKEN = "restore the file from a backup or git"


def first_fault(fault: ValueError) -> str:
    """The first complaint of a validation, in a few words."""
    errors = getattr(fault, "errors", None)
    if errors is None:
        return str(fault)
    first = errors()[0]
    return f"{'.'.join(str(part) for part in first['loc'])}: {first['msg'].lower()}"


def check_chain(state: State, report: Report, _patches: PatchLines) -> None:
    """Parents exist, revision numbers follow them, and the first revision has none."""
    for versions in _all(state):
        for one in versions.revisions:
            before = [hash_ for hash_ in (one.parent, *one.joins) if hash_]
            for hash_ in before:
                if hash_ not in versions:
                    problem = f"{one.id} revision {one.rev} follows {hash_[:12]}, which is not there"
                    report(one.file, one.line_no, problem, LOST)
            known = [versions[hash_].rev for hash_ in before if hash_ in versions]
            expected = max(known, default=0) + 1
            if one.rev != expected and len(known) == len(before):
                report(one.file, one.line_no, f"{one.id} has revision {one.rev} where {expected} must follow", BROKEN)


def check_models(state: State, report: Report, _patches: PatchLines) -> None:
    """Every revision is a valid record, candidate, tombstone or project."""
    from store.model import Candidate, Project, Record, Tombstone

    kinds = ((state.records, Record), (state.candidates, Candidate), (state.tombstones, Tombstone),
             (state.projects, Project))  # fmt: skip
    for folded, model in kinds:
        for versions in folded.values():
            for one in versions.revisions:
                try:
                    model.model_validate(one.content())
                except ValueError as fault:
                    report(one.file, one.line_no, f"{one.id}: {first_fault(fault)}", BROKEN)


def check_references(state: State, report: Report, _patches: PatchLines) -> None:
    """Evidence, records and candidates that are named are there; superseding is known to both sides."""
    for versions in (*state.records.values(), *state.candidates.values()):
        for head in versions.heads:
            for ident in (*head.data.get("evidence", ()), *head.data.get("evidence_against", ())):
                if ident not in state.evidence:
                    report(head.file, head.line_no, f"{head.id} rests on evidence {ident}, which is not there", LOST)
            for ident in head.data.get("became", ()):
                if ident not in state.records:
                    report(head.file, head.line_no, f"{head.id} became record {ident}, which is not there", LOST)
    for versions in state.records.values():
        _check_supersedes(state, versions.head, report)
    for versions in state.tombstones.values():
        of = versions.data.get("of")
        if of not in state.records and of not in state.candidates:
            head = versions.head
            report(head.file, head.line_no, f"tombstone {head.id} is of {of}, which is not there", LOST)


def _check_supersedes(state: State, head: Revision, report: Report) -> None:
    mend = "undo the patch that did this, or supersede again"
    for ident in head.data.get("supersedes", ()):
        other = state.records.get(ident)
        if other is None:
            report(head.file, head.line_no, f"{head.id} supersedes {ident}, which is not there", LOST)
        elif head.data.get("status") == "active" and not other.forked and other.data.get("status") in _IN_FORCE:
            report(head.file, head.line_no, f"{head.id} supersedes {ident}, which does not know of it", mend)
    by = head.data.get("superseded_by")
    if by is None:
        return
    successor = state.records.get(by)
    if successor is None:
        report(head.file, head.line_no, f"{head.id} is superseded by {by}, which is not there", LOST)
    elif not successor.forked and head.id not in successor.data.get("supersedes", ()):
        report(head.file, head.line_no, f"{head.id} is superseded by {by}, which does not know of it", mend)


def check_purged(state: State, report: Report, _patches: PatchLines) -> None:
    """What was purged has no content, and nothing else says the same where it was forbidden."""
    for one in state.exposed:
        if one.line_no:
            problem = f"{one.id} was purged, and its content is in the file"
            report(one.file, one.line_no, problem, f"run `curate purge {one.id}` again")
    purged = {data.get("fingerprint") for data in state.live_tombstones() if data.get("cause") == "purged"}
    if not purged:
        return
    for versions in (*state.live_records(), *state.waiting()):
        data = versions.data
        mark = fingerprint(str(data.get("statement")))
        known = (
            state.tombstone_for(mark, data.get("scope") or {}, data.get("targets") or ()) if mark in purged else None
        )
        if known is not None and known.get("cause") == "purged":
            head = versions.head
            problem = f"{versions.id} says again what was purged as {known.get('of')}"
            report(head.file, head.line_no, problem, f"run `curate purge {versions.id}`")


def check_routing(state: State, report: Report, _patches: PatchLines) -> None:
    """Each record's newest line is in the file of its layer, scope and project; no two projects share a file."""
    for versions in state.records.values():
        for head in versions.heads:
            place = record_file(head.data, state.projects)
            if head.file != place:
                report(head.file, head.line_no, f"{head.id} belongs in {place}", f"move the line to {place}")
    owners: dict[str, str] = {}
    for ident, versions in state.projects.items():
        file = str(versions.data.get("file"))
        owner = owners.setdefault(file, ident)
        if owner != ident:
            head = versions.head
            problem = f"projects {owner} and {ident} both have the file {file}"
            report(head.file, head.line_no, problem, "give one of them another `file` and run `curate verify` again")


def check_patches(state: State, report: Report, patches: PatchLines) -> None:
    """Every plan was carried out or dropped, its lines are in their files, and what receipts name is there."""
    _check_unplanned(state, report, patches)
    hashes = {one.hash for versions in _all(state) for one in versions.revisions}
    phases: dict[tuple[Any, ...], set[str]] = {}
    for _, _, data in patches:
        phases.setdefault(_key(data), set()).add(str(data.get("phase")))
    for file, line, data in patches:
        ended = phases[_key(data)]
        for problem, mend in (*_phase_breaches(data, ended), *_line_breaches(data, ended, hashes)):
            report(file, line, f"patch {data.get('patch_id')} {problem}", mend)


def _check_unplanned(state: State, report: Report, patches: PatchLines) -> None:
    """A line says what its patch planned, to the byte; so an edit of a newest line, which no other names, is found."""
    planned: dict[str, set[str]] = {}
    for _, _, data in patches:
        if data.get("phase") == "applying":
            planned.setdefault(str(data.get("patch_id")), set()).update(_planned(data))
    for versions in _all(state):
        for one in versions.revisions:
            if one.patch in planned and one.hash not in planned[one.patch]:
                problem = f"{one.id} revision {one.rev} is not as patch {one.patch} wrote it"
                report(one.file, one.line_no, problem, CHANGED)


def _phase_breaches(data: dict[str, Any], ended: set[str]) -> Iterator[tuple[str, str]]:
    if data.get("phase") == "applying" and not ended & {"applied", "aborted"}:
        yield "was cut off", "the next write completes it"
    if data.get("phase") == "applied" and "applying" not in ended:
        yield "was applied, but its plan is not there", LOST


def _line_breaches(data: dict[str, Any], ended: set[str], hashes: set[str]) -> Iterator[tuple[str, str]]:
    if data.get("phase") == "applying" and "applied" in ended and "aborted" not in ended:
        for hash_ in _planned(data):
            if hash_ not in hashes:
                yield f"planned {hash_[:12]}, which is in no file", LOST
    if data.get("phase") == "applied":
        for change in _changes(data):
            if change.get("hash") not in hashes:
                yield f"made {change.get('id')} {str(change.get('hash'))[:12]}, which is not there", LOST


def _key(data: dict[str, Any]) -> tuple[Any, ...]:
    return data.get("patch_id"), data.get("at"), data.get("round", 1)


def _planned(data: dict[str, Any]) -> Iterator[str]:
    for item in data.get("revisions", ()):
        if "rev" in item.get("line", ()):
            yield hash_of(item["line"], canonical(item["line"]))


def _changes(data: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for receipt in data.get("receipts", ()):
        yield from receipt.get("changes", ())


def _all(state: State) -> Iterator[Versions]:
    for folded in (state.records, state.candidates, state.tombstones, state.projects):
        yield from folded.values()


CHECKS: tuple[Check, ...] = (check_chain, check_models, check_references, check_purged, check_routing, check_patches)
