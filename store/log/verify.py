"""Every rule of the store checked against its files as they are; each breach with its place and how to mend it.

Reads everything anew and by itself, so that a fault of the incremental reader shows too. Changes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from store import layout
from store.errors import ConflictMarkers, NewerSchema
from store.line import canonical
from store.log import invariants
from store.log.fold import Revision
from store.log.parse import NotALine, parse, parse_evidence, parse_revision
from store.log.reader import BadLine
from store.log.stub import MARK, hash_of
from store.log.tail import Tail
from store.state import Problem, State

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from store.layout import Layout
    from store.log.tail import Line

QUARANTINE = "run `curate verify --repair`: it moves the line to quarantine, where it stays readable"
TORN = "a write was cut off; the next write moves it to quarantine by itself"
MARKERS = "keep the lines of both sides and delete the marker lines; the order of lines does not matter"
NEWER = "upgrade curate with `pip install --upgrade curate-memory`"
RETURNS = "tell git to leave them alone (`*.jsonl -text` in .gitattributes) and check the file out again"
AGAIN = "a copy of the store brought them back: run `curate purge ID` for the record or candidate that was purged"
UNTIDY = "not written by curate: restore the line from a backup or git, or delete it and approve its content again"


@dataclass(slots=True)
class Book:
    """All lines of a store, checked one by one while they are read."""

    state: State = field(default_factory=State)
    problems: list[Problem] = field(default_factory=list)
    bad: list[BadLine] = field(default_factory=list)
    evidence_lines: dict[str, tuple[str, int]] = field(default_factory=dict)
    patches: list[tuple[str, int, dict[str, Any]]] = field(default_factory=list)

    def report(self, file: str, line: Line | int | None, problem: str, mend: str) -> None:
        """Note a breach."""
        if line is None or isinstance(line, int):
            self.problems.append(Problem(file, line, None, problem, mend))
        else:
            self.problems.append(Problem(file, line.number, line.offset, problem, mend))


def verify(paths: Layout) -> list[Problem]:
    """All breaches, by file and line; an empty list when the store is sound."""
    book = read_book(paths)
    for check in invariants.CHECKS:
        check(book.state, book.report, book.patches)
    _check_evidence(book)
    _check_projections(paths, book)
    return sorted(book.problems, key=lambda one: (one.file, one.line or 0, one.problem))


def read_book(paths: Layout) -> Book:
    """Every line of every log, the unreadable ones as problems."""
    book = Book()
    single = (layout.TOMBSTONES, layout.CANDIDATES, layout.PROJECTS)  # what was purged is known before what it was
    for name in (*single, *paths.record_files()):
        for line, data in _lines(book, paths, name, parse_revision):
            known = book.state.folded(name).get(data["id"])
            revision = Revision(data, hash_of(data, line.raw), name, line.number)
            if known is not None and revision.hash in known:
                before = known[revision.hash]
                if MARK in data or MARK in before.data:
                    book.state.add(name, revision)
                    if (MARK in data) != (MARK in before.data) and data["id"] not in book.state.purged:
                        book.report(name, line, f"{data['id']} holds words again that were purged", AGAIN)
                elif before.file != name:
                    book.report(name, line, f"the same line is in {before.file} too", "delete one of the two lines")
                continue
            book.state.add(name, revision)
    for line, data in _lines(book, paths, layout.EVIDENCE, parse_evidence):
        _take_evidence(book, line, data)
    for name in paths.patch_files():
        for line, data in _lines(book, paths, name, parse):
            book.patches.append((name, line.number, data))
    if paths.path(layout.PURGING).exists():
        book.report(layout.PURGING, 1, "a purge was cut off", "the next write completes it")
    journal = paths.path(layout.CAPTURING)
    if journal.is_file() and journal.stat().st_size:
        book.report(layout.CAPTURING, 1, "a capture was cut off", "the next write completes it")
    return book


def _lines(
    book: Book, paths: Layout, name: str, read: Callable[[bytes, Path, int], dict[str, Any]]
) -> Iterator[tuple[Line, dict[str, Any]]]:
    tail = Tail(name, paths.path(name))
    returned = False
    for line in tail.read():
        if not line.raw:
            continue
        if line.returned and not returned:
            returned = True
            book.report(name, line, "lines end with carriage returns", RETURNS)
        try:
            data = read(line.raw, tail.path, line.number)
        except ConflictMarkers:
            book.report(name, line, "git conflict markers", MARKERS)
        except NewerSchema:
            book.report(name, line, "written by a newer version of curate", NEWER)
        except NotALine as reason:
            book.report(name, line, str(reason), QUARANTINE)
            book.bad.append(BadLine(name, line.number, line.offset, str(reason), line.raw))
        else:
            if not _is_canonical(line.raw, data):
                book.report(name, line, "not in canonical form, so its hash means nothing to other machines", UNTIDY)
            yield line, data
    if tail.torn:
        problem = Problem(name, tail.line_no + 1, tail.offset, "the last line is not complete", TORN)
        book.problems.append(problem)


def _is_canonical(raw: bytes, data: dict[str, Any]) -> bool:
    try:
        return next(iter(data), None) == "schema" and canonical(data) == raw
    except ValueError:  # NaN, or half of a surrogate pair
        return False


def _take_evidence(book: Book, line: Line, data: dict[str, Any]) -> None:
    known = book.state.evidence.get(data["id"])
    if known is None:
        book.state.add_evidence(data)
        book.evidence_lines[data["id"]] = (layout.EVIDENCE, line.number)
    elif MARK in data or MARK in known:
        book.state.add_evidence(data)
        if (MARK in data) != (MARK in known):
            book.report(layout.EVIDENCE, line, f"evidence {data['id']} holds words again that were purged", AGAIN)
    elif known != data:
        _, first = book.evidence_lines[data["id"]]
        problem = f"evidence {data['id']} has other words than line {first} gives it"
        book.report(layout.EVIDENCE, line, problem, "evidence never changes: delete the line that is not the original")


def _check_evidence(book: Book) -> None:
    from store.model import Evidence

    for ident, data in book.state.evidence.items():
        file, line = book.evidence_lines[ident]
        try:
            Evidence.model_validate(data)
        except ValueError as fault:
            book.report(file, line, f"evidence {ident}: {invariants.first_fault(fault)}", UNTIDY)


def _check_projections(paths: Layout, book: Book) -> None:
    """The readable files must say what the records say."""
    from store.projection import check

    try:
        found = list(check(paths.root, book.state))
    except (TypeError, ValueError, KeyError, AttributeError):
        # A record that is none, which was reported, makes no page.
        book.report(layout.RENDERED, None, "pages cannot be compared with records that are broken", "mend those first")
        return
    for one in found:
        book.report(one.file, None, one.problem, "run `curate materialise`")
