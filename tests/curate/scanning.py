"""Sessions of a person and an agent in real folders, scanned into a real store."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from curate.capture.capture import scan as scan_into
from curate.capture.report import ScanReport
from store.model import Candidate, Evidence
from store.store import Store
from tests.curate.reading import assistant, call, text, user, write

AT = "2026-11-29T12:00:00.000Z"


class Session:
    """A transcript of Claude Code that grows turn by turn."""

    def __init__(self, path: Path, cwd: Path | str) -> None:
        self.path = path
        self.cwd = str(cwd)
        self.records: list[Any] = []
        self._turn = 0

    def says(self, content: Any, *, wrote: tuple[Path, ...] = (), ran: tuple[str, ...] = (), **more: Any) -> Session:
        """The person says something, and the agent writes files and runs commands."""
        self._turn += 1
        stamp = {"cwd": self.cwd, "sessionId": self.path.stem, "timestamp": f"2026-11-20T10:{self._turn:02}:00.000Z"}
        uuid = f"{self.path.stem}-u{self._turn}"
        self.records.append(user(content, uuid=uuid, **{**stamp, **more}))
        calls = [call("Write", f"w{self._turn}-{n}", file_path=str(path)) for n, path in enumerate(wrote)]
        calls += [call("Bash", f"b{self._turn}-{n}", command=command) for n, command in enumerate(ran)]
        self.records.append(assistant(text("Done."), *calls, uuid=f"{uuid}-a", **stamp))
        return self

    def save(self) -> Path:
        """Write the transcript as it is now."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        return write(self.path, *self.records)


def open_store(root: Path) -> Store:
    return Store.open(root, create=True)


def scan(store: Store, *paths: Path, **options: Any) -> ScanReport:
    return scan_into(store, list(paths), **options)


def waiting(store: Store) -> list[Candidate]:
    """Candidates in the inbox, oldest first."""
    store.refresh()
    return [store.state.candidate(versions.id) for versions in store.state.waiting()]


def evidence_of(store: Store, candidate: Candidate) -> list[Evidence]:
    return store.evidence(candidate.evidence)


def raw_bytes(root: Path) -> bytes:
    """Every byte of every file under a folder."""
    return b"\n".join(path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file())
