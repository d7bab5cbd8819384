"""What can go wrong with a store, each fault building its own sentence from data.

A sentence says what happened, where, and what to do. `exit_code` is the code the command line
leaves with: 2 for input that cannot be used, 3 for a store that cannot be used.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path


class CurateError(Exception):
    """Base of every fault that is shown to a person as one line."""

    exit_code = 2


class InputError(CurateError):
    """Input that cannot be used: a file, a patch, an argument."""


class PathMissing(InputError):
    """A path that the person named does not exist."""

    def __init__(self, path: Path | str) -> None:
        super().__init__(f"{path}: no such file or folder; check the path")


class BadLine(InputError):
    """A line of an input file cannot be read."""

    def __init__(self, source: str, line: int, reason: str) -> None:
        super().__init__(f"{source}, line {line}: {reason}; mend that line and run again")


class BadPatch(InputError):
    """A patch document is not valid as a whole."""

    def __init__(self, where: str, reason: str) -> None:
        super().__init__(f"patch, {where}: {reason}")


class UnknownId(InputError):
    """No record, candidate, patch or project has this id."""

    def __init__(self, kind: str, ident: str) -> None:
        where = {
            "patch": "list them with `curate history`",
            "project": "`curate records` names the project of each record",
        }
        found = where.get(kind, "list them with `curate records` or `curate inbox`")
        super().__init__(f"no {kind} with id {ident}; {found}")


class PurgeStays(InputError):
    """A patch that purged something cannot be taken back."""

    def __init__(self, patch_id: str, ids: Iterable[str]) -> None:
        super().__init__(
            f"{patch_id} purged {', '.join(ids)}: the words are gone and cannot come back; to undo an older patch "
            "name it (`curate history`)"
        )


class StoreUnusable(CurateError):
    """The store as a whole cannot be read or written."""

    exit_code = 3


class HomeIsNotAFolder(StoreUnusable):
    """The store's root exists and is a file."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path} is a file, not a folder; name another store with --home DIR")


class NewerSchema(StoreUnusable):
    """A line was written by a newer major version."""

    def __init__(self, path: Path, line: int, found: str, known: str) -> None:
        super().__init__(
            f"{path}, line {line}: written with schema {found}, this curate reads {known}; "
            "upgrade it with `pip install --upgrade curate-memory`"
        )


class ConflictMarkers(StoreUnusable):
    """Git left conflict markers in a log file."""

    def __init__(self, path: Path, line: int) -> None:
        super().__init__(
            f"{path}, line {line}: git conflict markers; keep the lines of both sides, delete the "
            "three marker lines, and run `curate verify`"
        )


class StoreLocked(StoreUnusable):
    """Another process held the writer's lock for longer than the wait allowed."""

    def __init__(self, path: Path, waited: float, holder: str) -> None:
        super().__init__(
            f"{path} is locked by {holder}; waited {waited:g} s. Wait for it to end, or stop it, and run again"
        )


class WriteFailed(StoreUnusable):
    """The disk refused a write; nothing half-written is left behind."""

    def __init__(self, path: Path, cause: OSError, advice: str) -> None:
        reason = cause.strerror or type(cause).__name__
        super().__init__(f"{path}: {reason[0].lower()}{reason[1:]}; {advice}")
        self.cause = cause


class ReadFailed(StoreUnusable):
    """A file of the store exists and may not be read."""

    def __init__(self, path: Path, cause: OSError) -> None:
        reason = cause.strerror or type(cause).__name__
        super().__init__(f"{path}: {reason[0].lower()}{reason[1:]}; check its permissions")
