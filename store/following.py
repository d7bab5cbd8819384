"""What has to follow a change of records: the pages that show them, and only those."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from store.errors import WriteFailed
from store.layout import SHARED, record_file

if TYPE_CHECKING:
    from pathlib import Path

    from store.log.disk import Disk
    from store.state import State


@dataclass(frozen=True, slots=True)
class Followed:
    """The projects whose pages were brought up to date, whether the shared page was, and why it could not be done."""

    projects: list[str] = field(default_factory=list)
    shared: bool = False
    fault: WriteFailed | None = None


def follow_lines(root: Path, state: State, lines: list[dict[str, Any]], disk: Disk) -> Followed:
    """Render what these lines of records touch, the old home of a record that moved too. Other lines touch nothing."""
    touched = []
    for line in lines:
        versions = state.records.get(line["id"])
        if versions is not None:
            before = (hash_ for hash_ in (line.get("parent"), *line.get("joins", ())) if hash_ in versions)
            touched += [line, *(versions[hash_].data for hash_ in before if hash_)]
    shared = any(record_file(data, state.projects) in SHARED for data in touched)
    named = {(data.get("scope") or {}).get("project") for data in touched if data.get("layer") != "L1"}
    projects = sorted(project for project in named if project)
    return Followed(projects, shared, show(root, state, projects, disk, shared=shared))


def show(root: Path, state: State, projects: list[str] | None, disk: Disk, *, shared: bool) -> WriteFailed | None:
    """Render these pages (None: all); gives the fault when the disk refuses, as the memory itself is safe by then."""
    if not (projects or projects is None or shared):
        return None
    from store.projection import render

    try:
        render(root, state, projects, disk, shared=shared)
    except WriteFailed as fault:
        return fault
    return None
