"""What three trees become: logs keep every line of both sides, notes too, settings stay ours where both changed.

The same whichever side does it, but for settings and files that are not the store's: there the clash is named.
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from curate.sync.carried import kind_of
from store.log.merge import joined, merge, settled

if TYPE_CHECKING:
    from curate.sync.repository import Repository, Tree
    from curate.sync.units import Files


@dataclass(slots=True)
class Merged:
    """What has to change on our side, and where both sides said different things that cannot stand together."""

    files: Files = field(default_factory=dict)
    """What these files are to hold; None for those that are gone."""
    clashes: list[str] = field(default_factory=list)
    union: list[str] = field(default_factory=list)
    """Files of which both sides had new lines."""


def merge_trees(repo: Repository, base: Tree, ours: Tree, theirs: Tree, *, journal: bool) -> Merged:
    """The changes that bring our tree to what both say."""
    done = Merged()
    for name in sorted({*ours, *theirs}):
        before, here, there = (tree.get(name) for tree in (base, ours, theirs))
        kind = kind_of(name, journal=journal)
        if kind == "local" or (there is not None and not there[0].startswith("100")):
            continue  # what one machine keeps to itself; links and modules of a person
        if here == there or (there == before and here is not None) or (there is None and kind == "log"):
            continue
        if here is None and there == before and kind != "log":
            continue  # deleted here
        _take(repo, done, name, before and before[1], here and here[1], there and there[1])
    return done


def _take(repo: Repository, done: Merged, name: str, before: str | None, here: str | None, there: str | None) -> None:
    kind = kind_of(name, journal=True)
    theirs = None if there is None else repo.blob(there)
    if kind == "log" and theirs is not None:
        theirs = settled(theirs)
    if here == before or here is None or theirs is None:
        if here is not None and here != before:
            return  # changed here, deleted there: it stays
        done.files[name] = theirs
        return
    ours = repo.blob(here)
    if kind == "log":
        found = joined(merge(ours.split(b"\n"), theirs.split(b"\n")))
        done.union.append(name)
    elif kind in ("text", "git"):
        first, second = sorted((ours, theirs))
        found, _ = merged_text(repo, b"" if before is None else repo.blob(before), first, second, union=True)
        done.union.append(name)
    else:
        found, clean = merged_text(repo, b"" if before is None else repo.blob(before), ours, theirs, union=False)
        if before is None or not clean or (kind == "settings" and not _is_settings(found)):
            done.clashes.append(name)
            return
    if found != ours:
        done.files[name] = found


def merged_text(repo: Repository, base: bytes, first: bytes, second: bytes, *, union: bool) -> tuple[bytes, bool]:
    """Three forms of a text made one by git, and whether that went without a clash."""
    if b"\0" in first + second:
        return first, False
    with tempfile.TemporaryDirectory(prefix="curate-", dir=repo.folder) as folder:
        paths = [Path(folder) / name for name in ("first", "base", "second")]
        for path, data in zip(paths, (first, base, second), strict=True):
            path.write_bytes(data)
        words = ["merge-file", "-p", "-q", *(["--union"] if union else []), *map(str, paths)]
        with repo.started(*words) as process:
            out, _ = process.communicate()
        return bytes(out), process.returncode == 0


def _is_settings(raw: bytes) -> bool:
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    try:
        data = YAML(typ="safe").load(raw.decode("utf-8"))
    except (YAMLError, UnicodeDecodeError):
        return False
    return data is None or isinstance(data, dict)
