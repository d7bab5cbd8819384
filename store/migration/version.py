"""The version of a store's form, in `schema.json` at its root. A store without the file is of the first version."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from store.errors import StoreUnusable
from store.layout import VERSION
from store.log.disk import Disk, write_whole

if TYPE_CHECKING:
    from pathlib import Path

CURRENT = 1
"""What this curate reads and writes."""


class VersionUnknown(StoreUnusable):
    """The file cannot be read."""

    def __init__(self, path: Path) -> None:
        super().__init__(
            f"{path}: says no version; restore it from a copy, or write "
            f'{{"schema": {CURRENT}}} into it when this curate made the store'
        )


class StoreTooNew(StoreUnusable):
    """A newer curate made the store."""

    def __init__(self, root: Path, found: int) -> None:
        super().__init__(
            f"{root}: the store has version {found}, this curate knows {CURRENT}; "
            "upgrade it with `pip install --upgrade curate-memory`"
        )


class StoreTooOld(StoreUnusable):
    """An older curate made the store."""

    def __init__(self, root: Path, found: int) -> None:
        super().__init__(
            f"{root}: the store has version {found}, this curate writes {CURRENT}; "
            "run `curate migrate`, which works on a copy"
        )


def version_of(root: Path) -> int:
    """The version of a store. Raises `VersionUnknown`."""
    path = root / VERSION
    try:
        found = json.loads(path.read_bytes())["schema"]
    except FileNotFoundError:
        return 1
    except (OSError, ValueError, KeyError, TypeError):
        raise VersionUnknown(path) from None
    if not isinstance(found, int) or isinstance(found, bool) or found < 1:
        raise VersionUnknown(path)
    return found


def check(root: Path) -> None:
    """Raise `StoreTooNew` or `StoreTooOld` when this curate cannot work on the store as it is."""
    found = version_of(root)
    if found > CURRENT:
        raise StoreTooNew(root, found)
    if found < CURRENT:
        raise StoreTooOld(root, found)


def write_version(root: Path, version: int, disk: Disk) -> None:
    """Say which version the store has."""
    write_whole(disk, root / VERSION, json.dumps({"schema": version}).encode() + b"\n")
