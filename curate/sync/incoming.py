"""A look at what the remote sent before anything of it is taken: can we read it, and what did it purge."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from curate.sync.carried import kind_of
from curate.sync.faults import RemoteNewer, RemoteUnsafe
from store import layout
from store.line import SCHEMA
from store.migration.version import CURRENT

if TYPE_CHECKING:
    from curate.sync.repository import Repository, Tree

_SCHEMA = re.compile(rb'^\{"schema":"(\d+)\.(\d+)"', re.MULTILINE)
_PURGED = re.compile(rb'"cause":"purged","of":"([^"\\]+)"')
_UNSAFE = {"", ".git", "git~1"}
"""Parts of a path as a file system may read them: dots and spaces at the end do not count everywhere."""
_MAJOR = int(SCHEMA.partition(".")[0])


def check_names(theirs: Tree) -> None:
    """Raise `RemoteUnsafe` for a name that leads out of the store, or into git's own folder."""
    for name in theirs:
        parts = [part.casefold().rstrip(". ") for part in name.replace("\\", "/").split("/")]
        if any(part in _UNSAFE for part in parts):
            raise RemoteUnsafe(name)


def check_schema(repo: Repository, ours: Tree, theirs: Tree) -> None:
    """Raise `RemoteNewer` when the store there, or a log that differs from ours, is of a newer major version."""
    if layout.VERSION in theirs and (found := _version(repo.blob(theirs[layout.VERSION][1]))) > CURRENT:
        raise RemoteNewer(layout.VERSION, str(found), str(CURRENT))
    for name, (_, sha) in theirs.items():
        if kind_of(name, journal=True) == "log" and ours.get(name, ("", ""))[1] != sha:
            for found in set(_SCHEMA.findall(repo.blob(sha))):
                if int(found[0]) > _MAJOR:
                    raise RemoteNewer(name, b".".join(found).decode(), SCHEMA)


def _version(raw: bytes) -> int:
    try:
        found = json.loads(raw)["schema"]
    except (ValueError, KeyError, TypeError):
        return 1
    return found if isinstance(found, int) else 1


def marks(repo: Repository, tree: Tree) -> set[bytes]:
    """The lines of a tree's tombstones that mark something as purged; purging once more makes another one."""
    known = tree.get(layout.TOMBSTONES)
    return set() if known is None else {line for line in repo.blob(known[1]).split(b"\n") if _PURGED.search(line)}


def ids_of(lines: set[bytes]) -> set[str]:
    """What such lines are about."""
    return {ident.decode("utf-8", "replace") for line in lines for ident in _PURGED.findall(line)}
