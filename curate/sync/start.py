"""Putting a store under git, or saying where it is to be pushed. Done again it changes nothing."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from curate.sync import keeping
from curate.sync.carried import ATTRIBUTES, IGNORE, attributing, ignoring
from curate.sync.faults import BadRemote
from curate.sync.message import whole
from curate.sync.repository import MAIN, SEEN, SHOWN, Repository
from curate.sync.units import Unit
from store.log.disk import Disk, write_whole

if TYPE_CHECKING:
    from store.store import Store


@dataclass(slots=True)
class Started:
    """What was done."""

    created: bool = False
    """True when there was no repository."""
    committed: int = 0
    written: list[str] = field(default_factory=list)
    """Files of git's that were made or added to."""
    remote: str | None = None
    moved: str | None = None
    """The remote that was named before, when it was another."""


def start(store: Store, remote: str | None = None, *, nested: bool = False, wait: float = 2.0) -> Started:
    """Put the store under git on branch main, name its remote, and make the first commit of what there is.

    Raises `NoGit`, `InsideAnother`, `BadRemote`, `StoreUnusable`.
    """
    if remote is not None and (not remote.strip() or remote.startswith("-") or not remote.isprintable()):
        raise BadRemote(remote)
    store.create()
    there = (store.root / ".git").exists()
    with Repository.create(store.root, nested=nested) as repo:
        repo.check_ready(wait)
        done = Started(created=not there)
        with store.held() as at:
            journal = bool(store.config.get("sync.journal"))
            done.written = write_rules(store, journal=journal)
            head = repo.ref(MAIN)
            if head is None:
                work = keeping.read(store.root, journal=journal)
                said = whole("Put the store under git", [f"{len(work.files)} files"])
                keeping.commit(repo, None, [Unit(said, at, dict(work.files))])
                done.committed = 1
        done.moved = _name(repo, remote)
        done.remote = repo.address()
    return done


def write_rules(store: Store, *, journal: bool) -> list[str]:
    """See to it that git leaves alone what is not to travel; gives the files that changed."""
    changed = []
    for name, text in ((IGNORE, lambda old: ignoring(old, journal=journal)), (ATTRIBUTES, attributing)):
        path = store.root / name
        before = path.read_text("utf-8") if path.is_file() else ""
        after = text(before)
        if after != before:
            write_whole(Disk(), path, after.encode("utf-8"))
            changed.append(name)
    return changed


def _name(repo: Repository, remote: str | None) -> str | None:
    """Name the remote; gives the one before it, if that was another."""
    before = repo.address()
    if remote is None or remote == before:
        return None
    repo.set_address(remote)
    repo.point({name: None for name in (SEEN, SHOWN) if repo.ref(name)})
    return before
