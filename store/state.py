"""What readers see: everything folded, kept up to date line by line.

Standard library only; models are built from lines when somebody asks for one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from store.errors import UnknownId
from store.ids import now
from store.layout import CANDIDATES, PROJECTS, TOMBSTONES
from store.log.fold import Folded, Revision, Versions, content, status
from store.log.stub import MARK, stub

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from store.model import Candidate, Evidence, Project, Record


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong in a file of the store, and how a person mends it."""

    file: str
    line: int | None
    offset: int | None
    problem: str
    mend: str


class State:
    """Records, candidates, tombstones, projects and evidence by id.

    Lines are only ever added. `Store.refresh` and `Store.apply` extend the same object, so holders of it see news.
    """

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Forget everything: the files are read again from their start."""
        self.records: Folded = {}
        self.candidates: Folded = {}
        self.tombstones: Folded = {}
        self.projects: Folded = {}
        self.evidence: dict[str, dict[str, Any]] = {}
        self.problems: list[Problem] = []
        self.claimed: dict[str, tuple[str, ...]] = {}
        """Evidence that a capture may not count twice, by id, with the ids of the candidates that rest on it."""
        self.purged: set[str] = set()
        """Ids of records and candidates whose content was purged: whatever line brings it back, nobody sees it."""
        self.exposed: list[Revision] = []
        """Revisions of those that still hold, or hold again, content in their file."""
        self._by_fingerprint: dict[str, set[str]] = {}
        self._by_file: dict[str, dict[str, None]] = {}
        self._records: dict[str, Record] = {}
        self._candidates: dict[str, Candidate] = {}

    def add(self, file: str, revision: Revision) -> Revision:
        """Take in a line of the file of that name; gives the revision that is known by its hash."""
        if file == CANDIDATES:
            for ident in revision.data.get("evidence", ()):
                if revision.id not in (held := self.claimed.get(ident, ())):
                    self.claimed[ident] = (*held, revision.id)
        elif file == TOMBSTONES:
            self._by_fingerprint.setdefault(str(revision.data.get("fingerprint")), set()).add(revision.id)
            if revision.data.get("cause") == "purged":
                self._purge(str(revision.data.get("of")))
        folded = self.folded(file)
        if revision.id in self.purged and folded is not self.tombstones and folded is not self.projects:
            self._hide(revision, candidate=folded is self.candidates)
        if folded is self.records:
            self._by_file.setdefault(file, {})[revision.id] = None
        known = folded.get(revision.id)
        if known is None:
            folded[revision.id] = Versions(revision)
            return revision
        known.add(revision)
        return known[revision.hash]

    def _purge(self, ident: str) -> None:
        """From now on nobody sees the content of this id, whatever was read of it already."""
        if ident in self.purged:
            return
        self.purged.add(ident)
        self._records.clear()
        self._candidates.clear()
        for folded in (self.records, self.candidates):
            for revision in folded[ident].revisions if ident in folded else ():
                self._hide(revision, candidate=folded is self.candidates)

    def _hide(self, revision: Revision, *, candidate: bool) -> None:
        if MARK not in revision.data:
            self.exposed.append(revision)
        revision.data = stub(revision.data, revision.hash, candidate=candidate)

    def folded(self, file: str) -> Folded:
        """What the lines of the file of that name fold to."""
        if file == CANDIDATES:
            return self.candidates
        if file == TOMBSTONES:
            return self.tombstones
        return self.projects if file == PROJECTS else self.records

    def record_files(self) -> list[str]:
        """Names of the files that hold lines of records, sorted."""
        return sorted(self._by_file)

    def lines_in(self, file: str) -> list[Versions]:
        """Records that have, or once had, a line in a file: what changed there costs no look at all the others."""
        return [self.records[ident] for ident in self._by_file.get(file, ())]

    def add_evidence(self, data: dict[str, Any]) -> None:
        """Take in a line of the evidence; the first of two lines with one id stays, unless one was purged."""
        if MARK in data:
            self.evidence[data["id"]] = data
        else:
            self.evidence.setdefault(data["id"], data)

    def live_records(self) -> Iterator[Versions]:
        """Records that are not deleted, in the order they were first read."""
        return (versions for versions in self.records.values() if status(versions) != "deleted")

    def waiting(self, at: str | None = None) -> Iterator[Versions]:
        """Candidates that wait for a decision: `waiting`, or put off until a moment that has passed by `at` (now)."""
        moment = at or now()
        return (versions for versions in self.candidates.values() if is_waiting(versions, moment))

    def live_tombstones(self) -> Iterator[dict[str, Any]]:
        """Tombstones that were not lifted by an undo."""
        return (versions.data for versions in self.tombstones.values() if not versions.data.get("lifted"))

    def record(self, record_id: str) -> Record:
        """A record as a model; a fork has status `contested`. Raises `UnknownId`."""
        from store.model import Record

        versions = self.records.get(record_id)
        if versions is None:
            raise UnknownId("record", record_id)
        key = "+".join(head.hash for head in versions.heads)
        if key not in self._records:
            data = content(versions.data)
            if versions.forked:
                data["status"] = status(versions)
            self._records[key] = Record.model_validate(data)
        return self._records[key]

    def candidate(self, candidate_id: str) -> Candidate:
        """A candidate as a model. Raises `UnknownId`."""
        from store.model import Candidate

        versions = self.candidates.get(candidate_id)
        if versions is None:
            raise UnknownId("candidate", candidate_id)
        key = versions.head.hash
        if key not in self._candidates:
            self._candidates[key] = Candidate.model_validate(content(versions.data))
        return self._candidates[key]

    def project(self, project_id: str) -> Project:
        """A project as a model. Raises `UnknownId`."""
        from store.model import Project

        versions = self.projects.get(project_id)
        if versions is None:
            raise UnknownId("project", project_id)
        return Project.model_validate(content(versions.data))

    def evidence_of(self, ids: Iterable[str]) -> list[Evidence]:
        """The evidence with these ids that is there, as models, in the order asked."""
        from store.model import Evidence

        return [Evidence.model_validate(self.evidence[ident]) for ident in ids if ident in self.evidence]

    def spoken(self, data: dict[str, Any]) -> list[dict[str, Any]]:
        """Lines of the evidence for a record and against it, with the polarity that they have towards it."""
        against = set(data.get("evidence_against", ()))
        found = (self.evidence.get(ident) for ident in (*data.get("evidence", ()), *data.get("evidence_against", ())))
        return [{**one, "polarity": "against"} if one["id"] in against else one for one in found if one]

    def marks_of(self, fingerprint: str) -> Iterator[dict[str, Any]]:
        """The live tombstones of a statement, wherever they hold."""
        for ident in sorted(self._by_fingerprint.get(fingerprint, ())):
            data = self.tombstones[ident].data
            if not data.get("lifted") and data.get("fingerprint") == fingerprint:
                yield data

    def tombstone_for(
        self, fingerprint: str, scope: dict[str, Any] | None = None, targets: Iterable[str] = ()
    ) -> dict[str, Any] | None:
        """The live tombstone of a statement in a scope (any scope when None), or None."""
        wanted = None if scope is None else places(scope, targets)
        for data in self.marks_of(fingerprint):
            if wanted is None or wanted & places(data.get("scope") or {}, data.get("targets") or ()):
                return data
        return None


def is_waiting(versions: Versions, at: str) -> bool:
    """True when a candidate waits for a decision at the moment `at`."""
    data = versions.data
    if data.get("status", "waiting") == "waiting":
        return True
    return data.get("status") == "deferred" and str(data.get("defer_until") or "") <= at


def places(scope: dict[str, Any], targets: Iterable[str] = ()) -> set[tuple[str, ...]]:
    """Where a scope holds, as keys: two scopes overlap when they share one. Unassigned is a place of its own."""
    kind = scope.get("type", "project")
    if kind != "project":
        return {(kind, *sorted(scope.get("domains") or ()))}
    named: set[tuple[str, ...]] = {("project", target) for target in targets}
    if scope.get("project"):
        named.add(("project", scope["project"]))
    return named or {("project", "")}
