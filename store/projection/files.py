"""Projections on disk: written where records changed, checked against them, and never over somebody else's edit.

What is there is ours when its hash is in the manifest. Anything else is copied aside before the page is written again.
"""

from __future__ import annotations

import difflib
import hashlib
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from store.errors import ReadFailed
from store.layout import GLOBAL, IDENTITY, PROJECT_MEMORY, RENDERED, RENDERED_PROJECTS, project_stem, record_file
from store.line import canonical
from store.log.disk import Disk, draft_of, make_dirs
from store.project.naming import display_name
from store.projection.markdown import code, escape
from store.projection.page import page

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from pathlib import Path

    from store.log.fold import Revision, Versions
    from store.state import State

MEMORY = f"{RENDERED}/MEMORY.md"
MANIFEST = f"{RENDERED}/.manifest.json"
ASIDE = "quarantine/rendered"
"""Where edited pages are kept before they are written again."""

_NOT_READ = "Written by curate; what is changed here is not read back."
_HASHES_KEPT = 2
"""The page as it is and as it will be: a crash between manifest and page leaves both known."""


@dataclass(frozen=True, slots=True)
class Foreign:
    """An edit that curate did not make, kept aside: the page, the copy (both relative to the root), and the edit."""

    file: str
    copy: str
    diff: str


@dataclass(frozen=True, slots=True)
class Rendered:
    """What rendering did, by names relative to the root."""

    written: list[str] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    foreign: list[Foreign] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Drift:
    """A page that does not say what the records say, and how they differ (a unified diff, from the page there is)."""

    file: str
    problem: str
    diff: str


def render(
    root: Path,
    state: State,
    projects: Collection[str] | None = None,
    disk: Disk | None = None,
    *,
    shared: bool = True,
) -> Rendered:
    """Bring the pages of these projects (None: of all) up to date, and with `shared` the page of what holds everywhere.

    Only pages whose bytes change are written. Raises `WriteFailed`, `ReadFailed`.
    """
    disk = disk or Disk()
    done = Rendered()
    before = _read_manifest(root)
    manifest = dict(before)
    pending: list[tuple[str, bytes]] = []
    for name, data in _pages(state, _wanted(state, projects, shared=shared)).items():
        there = _read(root / name)
        ours = _hash(data)
        known = manifest.get(name, [])
        if there == data:
            done.unchanged.append(name)
            if ours not in known:
                manifest[name] = [ours]
            continue
        old = [_hash(there)] if there else []
        if there and old[0] not in known:
            done.foreign.append(_keep_aside(disk, root, name, there, data))
        manifest[name] = [ours, *old][:_HASHES_KEPT]
        pending.append((name, data))
    if pending or manifest != before:
        _put(disk, root / MANIFEST, _manifest_bytes(manifest))
    for name, data in pending:
        _put(disk, root / name, data)
        done.written.append(name)
    return done


def check(root: Path, state: State) -> list[Drift]:
    """Every page that differs from what the records say, was edited, or is missing. Writes nothing."""
    manifest = _read_manifest(root)
    found = []
    pages = _pages(state, state.record_files())
    for name, data in pages.items():
        there = _read(root / name)
        if there == data:
            continue
        if there is None:
            problem = "is missing"
        elif _hash(there) in manifest.get(name, ()):
            problem = "does not show the current records"
        else:
            problem = "was edited, and not by curate; rendering keeps the edited page in quarantine"
        found.append(Drift(name, problem, _diff(name, there or b"", data)))
    for name in sorted(set(manifest) - set(pages)):
        there = _read(root / name)
        if there is not None:
            found.append(Drift(name, "belongs to no record any more", _diff(name, there, b"")))
    return found


def drift(root: Path, state: State) -> list[str]:
    """Names of the pages that `check` finds fault with."""
    return [one.file for one in check(root, state)]


def page_file(record_file_name: str) -> str:
    """Name of the page that shows the records of a record file."""
    if record_file_name in (IDENTITY, GLOBAL):
        return MEMORY
    return record_file_name.replace(PROJECT_MEMORY, RENDERED_PROJECTS, 1).removesuffix(".jsonl") + ".md"


def _wanted(state: State, projects: Collection[str] | None, *, shared: bool) -> list[str]:
    everything = state.record_files()
    if projects is None:
        return [name for name in everything if shared or name not in (IDENTITY, GLOBAL)]
    files = {f"{PROJECT_MEMORY}/{project_stem(project, state.projects)}.jsonl" for project in projects}
    if shared:
        files |= {IDENTITY, GLOBAL}
    return sorted(files & set(everything))


def _pages(state: State, files: Iterable[str]) -> dict[str, bytes]:
    """The pages of record files, by name."""
    pages: dict[str, bytes] = {}
    for file in files:
        name = page_file(file)
        if name == MEMORY and name not in pages:
            records = [*_records(state, IDENTITY), *_records(state, GLOBAL)]
            about = ["What holds everywhere, and what holds for whole domains.", _NOT_READ]
            pages[name] = page("Memory", about, records)
        elif name != MEMORY:
            pages[name] = _project_page(state, file)
    return pages


def _project_page(state: State, file: str) -> bytes:
    records = _records(state, file)
    owner = _owner(state, file)
    known = state.projects.get(owner)
    title = str(known.data.get("name") or "") if known else ""
    about = [f"What holds in {code(owner)}.", f"From {code(file)}. {_NOT_READ}"]
    if known and known.data.get("superproject"):
        about.insert(1, f"A submodule of {code(str(known.data['superproject']))}, which has a memory of its own.")
    if known and known.data.get("note"):
        about.insert(1, escape(str(known.data["note"])))
    return page(title or display_name(owner), about, records)


def _owner(state: State, file: str) -> str:
    for versions in state.lines_in(file):
        for revision in versions.revisions:
            scope = revision.data.get("scope") or {}
            if scope.get("project") and record_file(revision.data, state.projects) == file:
                return str(scope["project"])
    return file


def _records(state: State, file: str) -> list[Versions]:
    """Records that have a newest version in a file; others have moved away."""
    homes: dict[tuple[object, ...], bool] = {}  # the records of a file share few scopes

    def lives_here(head: Revision) -> bool:
        data = head.data
        scope = data.get("scope") or {}
        key = (data.get("layer"), scope.get("type"), scope.get("project"))
        here = homes.get(key)
        if here is None:
            here = homes[key] = record_file(data, state.projects) == file
        return here

    return [one for one in state.lines_in(file) if any(map(lives_here, one.heads))]


def _keep_aside(disk: Disk, root: Path, name: str, there: bytes, data: bytes) -> Foreign:
    stem = name.removeprefix(f"{RENDERED}/").replace("/", "-").removesuffix(".md")
    copy = f"{ASIDE}/{stem}-{_hash(there)[:12]}.md"
    if _read(root / copy) != there:
        _put(disk, root / copy, there, durable=True)
    return Foreign(name, copy, _diff(name, data, there))


def _put(disk: Disk, path: Path, data: bytes, *, durable: bool = False) -> None:
    """A whole file by temporary file and rename. What can be made again from the records is not forced to disk."""
    temporary = draft_of(path)
    make_dirs(disk, path.parent)
    disk.remove(temporary)
    disk.append(temporary, data)
    if durable:
        disk.fsync(temporary)
    disk.replace(temporary, path)
    if durable:
        disk.fsync_dir(path.parent)


def _diff(name: str, before: bytes, after: bytes) -> str:
    old, new = (text.decode("utf-8", "replace").splitlines() for text in (before, after))
    return "\n".join(difflib.unified_diff(old, new, name, name, lineterm=""))


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _read(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as fault:
        raise ReadFailed(path, fault) from fault


def _read_manifest(root: Path) -> dict[str, list[str]]:
    """Hashes of what was written, by name; empty when nobody can read it, so that every page counts as edited."""
    try:
        data: Any = json.loads(_read(root / MANIFEST) or b"{}")
    except ValueError:
        return {}
    pages = data.get("pages") if isinstance(data, dict) else None
    if not isinstance(pages, dict):
        return {}
    return {str(name): [str(one) for one in hashes] for name, hashes in pages.items() if isinstance(hashes, list)}


def _manifest_bytes(manifest: dict[str, list[str]]) -> bytes:
    return canonical({"schema": "1.0", "pages": dict(sorted(manifest.items()))}) + b"\n"
