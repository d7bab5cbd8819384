"""What an agent would be told once a patch is applied: recall itself, on a store that has the planned lines already.

The store is mirrored in a temporary folder: files that stay as they are by link, those that grow by copy. Blocks.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from store import layout
from store.line import canonical

if TYPE_CHECKING:
    from curate.recall.planned import Plan
    from curate.review.feed import FileChange

WORK = "Implement the next change in this repository, and commit it."
SUBJECTS = 3
"""Changed statements that the agent is asked about, as long as the reader asks for nothing else."""


@dataclass(frozen=True, slots=True)
class Told:
    """What a turn would get, before and after."""

    before: str
    after: str
    silent: str
    """Why the turn gets nothing, in words."""
    cut: bool
    """Not all that was selected fits."""


def affected(changes: Iterable[FileChange]) -> list[str | None]:
    """Projects whose memory changes, by id; `None` stands for what holds everywhere, and comes last."""
    found: dict[str | None, None] = {}
    for change in changes:
        for line in change.lines if change.file.startswith("memory/") else ():
            if "statement" in line:  # a mark of what was turned away is told to nobody
                found[_place(line)] = None
    return [*sorted(place for place in found if place is not None), *([None] if None in found else [])]


def prompt_for(changes: Iterable[FileChange], project: str | None) -> str:
    """What the agent is asked: work on the project, and on what was decided for it, since memory is chosen by topic."""
    subjects: dict[str, None] = {}
    for change in changes:
        for line in change.lines if change.file.startswith("memory/") else ():
            if _place(line) == project and line.get("statement"):
                subjects.setdefault(str(line["statement"]).rstrip(".!? "))
    return " ".join([WORK, *(f"{subject}?" for subject in list(subjects)[:SUBJECTS])])


def _place(line: Mapping[str, Any]) -> str | None:
    scope = line.get("scope")
    return scope.get("project") if isinstance(scope, Mapping) and scope.get("type") == "project" else None


def afterwards(
    root: Path, changes: Sequence[FileChange], project: str | None, *, name: str, prompt: str, today: str
) -> Told:
    """The answers of recall (layout governed) to one prompt in one project. Raises `StoreUnusable`."""
    before = _asked(root, root, project, name, prompt, today)
    folder = Path(tempfile.mkdtemp(prefix="curate-preview-"))
    try:
        _mirror(root, folder, changes)
        after = _asked(root, folder, project, name, prompt, today)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    silent = (after.skipped or ("" if after.block else "nothing holds there")).replace("_", " ")
    return Told(before.block, after.block, silent, after.truncated)


def _asked(root: Path, where: Path, project: str | None, name: str, prompt: str, today: str) -> Plan:
    from curate.recall.notes import read_notes
    from curate.recall.planner import plan
    from curate.recall.request import Request
    from curate.recall.settings import read_settings
    from store.index.lookup import Lookup

    settings = read_settings(str(root))
    request = Request(
        prompt, project=project, project_name=name, layout="governed", profile=settings.profile, today=today,
        mode=settings.mode, fusion=settings.fusion, notes=read_notes(str(root), today),
    )  # fmt: skip
    lookup = Lookup.open(where)
    try:
        return plan(lookup.db, request)
    finally:
        lookup.db.close()


def _mirror(root: Path, folder: Path, changes: Sequence[FileChange]) -> None:
    growing = {change.file: change.lines for change in changes}
    names = [layout.PROJECTS, *layout.Layout(root).record_files()]
    names += [f"{layout.PATCHES}/{path.name}" for path in sorted((root / layout.PATCHES).glob("*.jsonl"))]
    for name in dict.fromkeys([*names, *(name for name in growing if name.startswith("memory/"))]):
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        lines = growing.get(name, ())
        if (root / name).is_file():
            _carry(root / name, target, copy=bool(lines))
        if lines:
            _append(target, lines)


def _carry(source: Path, target: Path, *, copy: bool) -> None:
    if not copy:
        try:
            os.link(source, target)
        except OSError:
            pass
        else:
            return
    shutil.copyfile(source, target)


def _append(target: Path, lines: Sequence[Mapping[str, Any]]) -> None:
    with target.open("ab") as file:
        file.write(b"".join(canonical(dict(line)) + b"\n" for line in lines))
