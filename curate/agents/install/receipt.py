"""What was written where, kept outside the store: deleting the store must not make it impossible to disconnect.

One receipt for an agent and scope, in the user's state folder, with the files as they were before beside it.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from curate.agents.install.faults import BadReceipt
from curate.agents.install.merging import Trace

SCHEMA = "1.0"


@dataclass(frozen=True, slots=True)
class Written:
    """One file: its state before and after, and what tells our part in it."""

    file: str
    merged: bool
    after: str
    """SHA-256 of the file as it was left."""
    before: bytes | None
    """The file without us; None where there was none."""
    folders: tuple[str, ...] = ()
    """Folders that were made for it, outermost first."""
    trace: Trace = field(default_factory=Trace)


@dataclass(frozen=True, slots=True)
class Receipt:
    """What connecting one agent in one scope wrote."""

    agent: str
    scope: str
    folder: str | None
    """The project's folder when the scope is a project."""
    version: str
    files: tuple[Written, ...] = ()

    def of(self, file: Path) -> Written | None:
        """What was written into a file."""
        return next((each for each in self.files if each.file == str(file)), None)


def digest(data: bytes) -> str:
    """How a file's state is told."""
    return hashlib.sha256(data).hexdigest()


def state_folder(env: Mapping[str, str], home: Path) -> Path:
    """Where receipts are kept."""
    if sys.platform == "win32":
        return Path(env.get("LOCALAPPDATA") or home / "AppData/Local") / "curate" / "connections"
    return Path(env.get("XDG_STATE_HOME") or home / ".local/state") / "curate" / "connections"


def receipt_path(states: Path, agent: str, folder: Path | None) -> Path:
    """The receipt of an agent, for the user or for one project."""
    if folder is None:
        return states / f"{agent}.json"
    mark = hashlib.sha256(os.fsencode(folder)).hexdigest()[:12]
    return states / f"{agent}-{mark}.json"


def backup_path(path: Path, before: bytes) -> Path:
    """Where a receipt keeps the state of a file before."""
    return path.with_suffix("") / digest(before)[:32]


def load(path: Path) -> Receipt | None:
    """The receipt in a file; None when there is none. Raises `BadReceipt`."""
    try:
        value = json.loads(path.read_bytes())
        files = tuple(_written(path, each) for each in value["files"])
        return Receipt(value["agent"], value["scope"], value.get("folder"), value.get("version", ""), files)
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        raise BadReceipt(path) from None


def dump(receipt: Receipt) -> bytes:
    """A receipt as it is kept; the files before are kept beside it."""
    files = []
    for each in receipt.files:
        line: dict[str, Any] = {"file": each.file, "merged": each.merged, "after": each.after}
        line["before"] = None if each.before is None else digest(each.before)
        line["folders"] = list(each.folders)
        line["made"] = [list(place) for place in each.trace.made]
        line["inner"] = [[list(place), text] for place, text in each.trace.inner.items()]
        line["members"] = [list(place) for place in each.trace.members]
        files.append(line)
    document: dict[str, Any] = {
        "schema": SCHEMA,
        "agent": receipt.agent,
        "scope": receipt.scope,
        "folder": receipt.folder,
    }
    document |= {"version": receipt.version, "files": files}
    return json.dumps(document, ensure_ascii=True, indent=1).encode() + b"\n"


def _written(path: Path, value: dict[str, Any]) -> Written:
    before = None
    if value["before"] is not None:
        before = (path.with_suffix("") / value["before"][:32]).read_bytes()
        if digest(before) != value["before"]:
            raise ValueError("the copy of the file before was changed")
    trace = Trace(
        tuple(tuple(place) for place in value["made"]),
        {tuple(place): text for place, text in value["inner"]},
        tuple(tuple(place) for place in value["members"]),
    )
    return Written(value["file"], value["merged"], value["after"], before, tuple(value["folders"]), trace)
