"""Projects and their components with their relations, as a repository's own files say: folders, READMEs, manifests.

Reads a bounded number of small files and runs nothing.
"""

from __future__ import annotations

import json
import os
import re
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from store.ids import content_id
from store.line import SCHEMA
from store.secrets import mask
from store.text import clean, one_line, shorten

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from curate.capture.whose import Home
    from store.knowledge.lines import Item

COMPONENTS = 60
RELATIONS = 20
DESCRIPTION = 300
READ = 64 * 1024
ENTRIES = 300
"""Names of one folder that are looked at."""
HOLDERS = frozenset({"packages", "apps", "services", "libs", "crates", "modules", "plugins", "projects", "components"})
"""Folders whose own folders are the components."""
MANIFESTS = ("package.json", "pyproject.toml", "Cargo.toml", "go.mod", "composer.json")
_NO_SOURCE = frozenset(
    "node_modules dist build target vendor __pycache__ venv env coverage htmlcov out tmp temp logs".split()
)
_MODULE = re.compile(r"^module\s+(\S+)", re.MULTILINE)
_REQUIRED = re.compile(r"^\s*(?:require\s+)?([\w.-]+\.[\w./-]+)\s+v\d", re.MULTILINE)
_REQUIREMENT = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


@dataclass(slots=True)
class _Part:
    """A folder of the repository."""

    path: str
    name: str = ""
    description: str = ""
    kind: str = ""
    """What its manifest makes it."""
    needs: list[str] = field(default_factory=list)
    """Names that its manifest depends on."""


def entities_of(home: Home, at: str) -> list[Item]:
    """The project and its components, the project first; none where its folder is gone."""
    root = Path(home.root)
    if not root.is_dir():
        return []
    whole = _part(root, "")
    parts = [_part(root, path) for path in _folders(root)][:COMPONENTS]
    project = _ident(home, "project", "")
    by_name = {part.name: part for part in parts if part.name}
    around = [{"type": "submodule_of", "name": _plain(home.inside, DESCRIPTION)}] if home.inside else []
    has = [{"type": "has", "id": _ident(home, "component", part.path), "name": _called(part)} for part in parts]
    items = [_item(project, at, home, "project", home.name, whole, [*around, *has])]
    for part in parts:
        relations = [{"type": "part_of", "id": project, "name": home.name}]
        relations += [
            {"type": "depends_on", "id": _ident(home, "component", by_name[name].path), "name": _called(by_name[name])}
            for name in dict.fromkeys(part.needs)
            if name in by_name and by_name[name] is not part
        ]
        items.append(
            _item(
                _ident(home, "component", part.path), at, home, "component", _called(part), part, relations[:RELATIONS]
            )
        )
    return items


def gone(known: Iterable[Item], now: Iterable[Item], home: Home, at: str) -> list[Item]:
    """A closing line for each component of a project that its repository no longer has."""
    there = {item["id"] for item in now}
    return [
        {"schema": SCHEMA, "id": one["id"], "at": at, "kind": one.get("kind"), "project": home.project,
         **({"profile": home.profile} if home.profile else {}), "name": one.get("name"), "gone": True}
        for one in known
        if one.get("project") == home.project and one["id"] not in there and not one.get("gone")
    ]  # fmt: skip


def _item(ident: str, at: str, home: Home, kind: str, name: str, part: _Part, relations: list[Item]) -> Item:
    fields = {
        "profile": home.profile,
        "name": name,
        "path": _plain(part.path, DESCRIPTION),
        "manifest": part.kind,
        "description": part.description,
        "relations": relations[:COMPONENTS],
        "uses": sorted({_plain(name, 80) for name in part.needs})[:RELATIONS] if kind == "project" else [],
    }
    item: Item = {"schema": SCHEMA, "id": ident, "at": at, "kind": kind, "project": home.project}
    return item | {key: value for key, value in fields.items() if value}


def _ident(home: Home, kind: str, path: str) -> str:
    return content_id("ent", kind, home.project, home.profile or "", path)


def _called(part: _Part) -> str:
    return _plain(part.name or part.path.rpartition("/")[2], 80)


def _folders(root: Path) -> Iterator[str]:
    for name in _inside(root):
        if name in HOLDERS:
            yield from (f"{name}/{inner}" for inner in _inside(root / name))
        else:
            yield name


def _inside(folder: Path) -> list[str]:
    """Names of the folders in a folder that may hold sources."""
    found = []
    try:
        with os.scandir(folder) as entries:
            for count, entry in enumerate(entries):
                if count >= ENTRIES:
                    break
                if entry.name[0] not in "._" and entry.name not in _NO_SOURCE and entry.is_dir(follow_symlinks=False):
                    found.append(entry.name)
    except OSError:
        return []
    return sorted(found)


def _part(root: Path, path: str) -> _Part:
    folder = root / path if path else root
    part = _Part(path)
    for name in MANIFESTS:
        text = _text(folder / name)
        if text:
            part.kind = name
            _manifest(part, name, text)
            break
    said = _first_words(_text(folder / "README.md")) or part.description
    part.description = _plain(said, DESCRIPTION)
    return part


def _manifest(part: _Part, name: str, text: str) -> None:
    try:
        if name == "go.mod":
            found = _MODULE.search(text)
            part.name = found[1] if found else ""
            part.needs = _REQUIRED.findall(text)
        elif name.endswith(".json"):
            _named(part, json.loads(text), ("dependencies", "devDependencies", "peerDependencies", "require"))
        else:
            data = tomllib.loads(text)
            table = data.get("project") or data.get("package") or (data.get("tool") or {}).get("poetry") or {}
            _named(part, {**data, **table}, ("dependencies",))
    except (ValueError, TypeError, AttributeError, RecursionError):  # a manifest that its own tools refuse, too
        return


def _named(part: _Part, data: Any, groups: tuple[str, ...]) -> None:
    if not isinstance(data, dict):
        return
    part.name = data["name"] if isinstance(data.get("name"), str) else ""
    part.description = data["description"] if isinstance(data.get("description"), str) else ""
    for group in groups:
        found = data.get(group)
        for need in found if isinstance(found, (dict, list)) else ():
            bare = need if isinstance(found, dict) else (_REQUIREMENT.match(need) or [""])[0]
            if isinstance(bare, str) and bare and len(part.needs) < 10 * RELATIONS:
                part.needs.append(bare)


def _first_words(text: str) -> str:
    """The first paragraph that is neither heading nor badge."""
    for line in text.splitlines():
        bare = line.strip()
        if bare and bare[0] not in "#![<`|->=*":
            return bare
    return ""


def _plain(text: str, limit: int) -> str:
    return shorten(one_line(mask(clean(text[:4000])).text), limit)


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return file.read(READ).decode("utf-8", "replace")
    except OSError:
        return ""
