"""The branch on its way to the remote, and what the remote says to it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from curate.sync.faults import PushRefused, Unreachable
from curate.sync.repository import MAIN, SEEN, SHOWN

if TYPE_CHECKING:
    from curate.sync.note import Note
    from curate.sync.outcome import Synced
    from curate.sync.repository import Repository

_RACE = ("fetch first", "non-fast-forward", "stale info", "cannot lock ref", "failed to update ref")
_UNREACHABLE = (
    "read from remote",
    "repository",
    "resolve",
    "connect",
    "unable to access",
    "authentication",
    "timed out",
)


def push_branch(
    repo: Repository,
    address: str,
    note: Note,
    done: Synced,
    theirs: str | None,
    *,
    force: bool,
    tell: Callable[[str], None],
) -> bool:
    """Push the branch to a remote that has `theirs`; with `force` in its place. False when another was quicker.

    Raises `PushRefused`, `Unreachable`.
    """
    ours = repo.ref(MAIN)
    assert ours is not None
    if ours != theirs:
        tell("pushing")
        reason = repo.push(*([f"--force-with-lease={MAIN}:{theirs}"] if force else []))
        if reason is not None:
            _refused(address, reason, tell)
            return False
        fresh = force or theirs is None
        done.pushed = repo.length(ours) if fresh or theirs is None else repo.apart(ours, theirs)[0]
        done.rewritten = force
        if force:
            others = repo.remote_refs(address)
            done.elsewhere = sorted(name for name in others if name not in ("HEAD", MAIN))
    if note.lease is not None:
        note.lease = None
        note.save()
    moved = {name: ours for name in (SEEN, SHOWN) if repo.ref(name) != ours}
    if moved:
        repo.point(dict(moved))
    return True


def _refused(address: str, reason: str, tell: Callable[[str], None]) -> None:
    """Raise what the remote's reason means, unless another machine was quicker."""
    if any(word in reason for word in _RACE):
        tell("another machine was quicker")
    elif any(word in reason.lower() for word in _UNREACHABLE):
        raise Unreachable(address, reason)
    else:
        raise PushRefused(address, reason)
