"""What is decided and not yet in its files, laid over what was read: a plan counts from the moment it is durable.

The lines themselves follow; when they are read, they are known already.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from store.errors import ReadFailed
from store.layout import CAPTURING, EVIDENCE
from store.line import canonical
from store.log.fold import Revision
from store.log.parse import is_whole, parse
from store.log.stub import hash_of
from store.log.tail import Rewritten

if TYPE_CHECKING:
    from store.layout import Layout
    from store.log.patches import Key, Transaction
    from store.state import State


class Overlay:
    """Puts plans of patches and of the capture under way into a state."""

    def __init__(self, state: State, paths: Layout) -> None:
        self._state = state
        self._path = paths.path(CAPTURING)
        self.seen: set[Key] = set()
        """Transactions laid over, or known to be read from their files."""
        self.evidence: set[str] = set()
        """Evidence known from a plan and not yet from its file."""
        self.capture = b""
        """The journal of a capture under way, as it was read last."""
        self.capture_left = False
        """True when that journal was not empty, readable or not."""
        self._capture_plan: list[Revision] = []

    def plan(self, name: str, data: dict[str, Any]) -> Revision | None:
        """Take in a line that is decided and not yet read from its file; gives the revision (none for evidence)."""
        if name == EVIDENCE:
            if data["id"] not in self._state.evidence:
                self.evidence.add(data["id"])
            self._state.add_evidence(data)
            return None
        return self._state.add(name, Revision(data, hash_of(data, canonical(data)), name, 0))

    def take(self, transaction: Transaction) -> bool:
        """Lay over the plan of a patch; False when that was done. Raises `NotALine` and `Rewritten`."""
        plan = transaction.applying
        if plan is None or transaction.aborted or plan.key in self.seen:
            return False
        if len(plan.raw()) < plan.length:
            raise Rewritten
        self.seen.add(plan.key)
        for item in plan.load().get("revisions", ()):
            self.plan(item["file"], item["line"])
        return True

    def take_capture(self) -> bool:
        """Lay over the capture under way; True when there is news. Its journal holds one line, and is empty at rest."""
        raw = self._read_capture()
        if raw == self.capture:
            return False
        self.capture = raw
        if any(revision.line_no == 0 for revision in self._capture_plan):
            raise Rewritten  # the capture that was shown has been taken back
        planned = [self.plan(item["file"], item["line"]) for item in self.captured()]
        self._capture_plan = [revision for revision in planned if revision is not None]
        return bool(raw)

    def captured(self) -> list[dict[str, Any]]:
        """The plan of the capture under way: `file` and `line` of each line."""
        return list(parse(self.capture, self._path, 1).get("revisions", ())) if self.capture else []

    def _read_capture(self) -> bytes:
        try:
            raw = self._path.read_bytes()
        except FileNotFoundError:
            raw = b""
        except OSError as fault:
            raise ReadFailed(self._path, fault) from fault
        self.capture_left = bool(raw)
        raw = raw.rpartition(b"\n")[0].rpartition(b"\n")[2]  # what lacks its newline was never decided
        return raw if is_whole(raw, self._path, 1) else b""
