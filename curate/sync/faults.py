"""What can stand in the way of git: each fault says what is so, where, and what to do. Nothing is lost by any."""

from __future__ import annotations

import re
from pathlib import Path

from store.errors import InputError, StoreUnusable

_CREDENTIALS = re.compile(r"(?<=://)[^/@\s]+@")


def shown(address: str) -> str:
    """A remote's address without the name and password in it."""
    return _CREDENTIALS.sub("", address)


class NoGit(StoreUnusable):
    """There is no git on this machine."""

    def __init__(self) -> None:
        super().__init__("git is not installed, or not on the PATH; install it and run again")


class NotUnderGit(InputError):
    """The store was never put under git."""

    def __init__(self, root: Path) -> None:
        super().__init__(f"{root} is not under git; start with `curate sync init [REMOTE]`")


class InsideAnother(InputError):
    """The store is in the work tree of a repository that is not its own."""

    def __init__(self, root: Path, other: Path) -> None:
        super().__init__(
            f"{root} is inside the repository {other}; to have one of its own in there say `curate sync init --nested`"
        )


class IndexHeld(StoreUnusable):
    """Another git is at work in the store, or died there."""

    def __init__(self, lock: Path, minutes: float) -> None:
        if minutes >= 10:
            told = f"left {minutes:.0f} minutes ago by a git that is probably gone: delete it if none is running"
        else:
            told = "another git is at work there: wait for it to end"
        super().__init__(f"{lock} is held; {told}, and run again. Nothing was changed")


class Unfinished(StoreUnusable):
    """A merge, rebase or the like was begun by hand and not ended."""

    def __init__(self, root: Path, what: str) -> None:
        super().__init__(
            f"a {what} is left in the middle in {root}; finish it, or drop it with `git -C {root} {what} --abort`, "
            "and run again. Nothing was changed"
        )


class OffBranch(StoreUnusable):
    """HEAD is not on the branch that is synced."""

    def __init__(self, root: Path, head: str | None, branch: str) -> None:
        where = f"is on branch {head}" if head else "is on no branch (a detached HEAD)"
        super().__init__(
            f"git in {root} {where}, and {branch} is what is synced; go back with `git -C {root} switch {branch}` "
            "and run again. Nothing was changed"
        )


class Unreachable(InputError):
    """The remote does not answer, or is not there."""

    def __init__(self, address: str, reason: str) -> None:
        super().__init__(
            f"{shown(address)} cannot be reached: {shown(reason)}; what is here is committed, run `curate sync` again "
            "when it answers, or name another with `curate sync init REMOTE`"
        )


class Unrelated(InputError):
    """The remote holds a store that began elsewhere."""

    def __init__(self, address: str) -> None:
        super().__init__(
            f"{shown(address)} holds a history that this store does not share; make one of both, nothing of either is "
            "lost, with `curate sync --join`"
        )


class RemoteRewritten(InputError):
    """Somebody pushed over what was there, and no purge explains it."""

    def __init__(self, address: str) -> None:
        super().__init__(
            f"the history on {shown(address)} was rewritten since the last sync, and not by a purge; nothing was "
            "merged or pushed. Ask who did it; `curate sync --join` keeps the lines of both"
        )


class RemoteNewer(StoreUnusable):
    """A line of the remote was written by a newer major version."""

    def __init__(self, name: str, found: str, known: str) -> None:
        super().__init__(
            f"the remote's {name} is written with schema {found}, this curate reads {known}; upgrade it with `pip "
            "install --upgrade curate-memory`. Nothing was merged"
        )


class RemoteUnsafe(InputError):
    """The remote wants a file where none may be."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"the remote holds a file named {name!r}, which would be written outside the store or into git's own; "
            "nothing was merged. Find out who pushed it"
        )


class PushRefused(InputError):
    """The remote answers and does not take it."""

    def __init__(self, address: str, reason: str) -> None:
        super().__init__(
            f"{shown(address)} did not take the push: {shown(reason)}; what is here is committed and merged, run "
            "`curate sync` again when that is mended"
        )


class PurgeNotPushed(InputError):
    """The remote still holds what was purged here."""

    def __init__(self, address: str) -> None:
        super().__init__(
            f"{shown(address)} still holds what was purged here; `curate sync --push` writes its history anew (what "
            "others pushed meanwhile is kept). Nothing was fetched or pushed"
        )


class BadRemote(InputError):
    """An address that git would take for something else."""

    def __init__(self, address: str) -> None:
        super().__init__(f"{address!r} is no address of a remote; give a URL or a path")


class GitFailed(StoreUnusable):
    """Git did not do what it was asked, for a reason of its own."""

    def __init__(self, what: str, reason: str) -> None:
        super().__init__(f"git {what} failed: {shown(reason)}; mend that and run again")
        self.reason = reason
