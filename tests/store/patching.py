"""States in memory for tests of patches: built from lines through the real fold, patched through the real plan."""

from __future__ import annotations

import itertools
from typing import Any

from store.line import SCHEMA, canonical, digest
from store.log.fold import Revision
from store.model import Candidate, Patch, Record, dump
from store.patch import Plan, fill, parse_patch, plan, undo_patch
from store.state import State

AT = "2026-11-29T12:00:00.000Z"
SHOP = "github.com/acme/shop"
API = "github.com/acme/api"
WEB = "github.com/acme/web"


class World:
    """A state, a clock that stands still until moved, and ids that count."""

    def __init__(self) -> None:
        self.state = State()
        self.at = AT
        self._ids = itertools.count(1)

    def new_id(self, prefix: str) -> str:
        return f"{prefix}_{next(self._ids):04}"

    def take(self, file: str, data: dict[str, Any]) -> str:
        """Adds a line to the state and gives its hash."""
        return self.state.add(file, Revision(data, digest(canonical(data)), file, 1)).hash

    def put(self, file: str, ident: str, content: dict[str, Any], **envelope: Any) -> str:
        """Adds a revision made outside any patch."""
        head = {"schema": SCHEMA, "id": ident, "rev": 1, "op": "capture", "at": self.at, **envelope}
        return self.take(file, {**head, "created_at": self.at, "updated_at": self.at, **content})

    def evidence(self, ident: str, *, session: str = "s1", trust: str = "direct_user_instruction") -> str:
        self.state.add_evidence(
            {"schema": SCHEMA, "id": ident, "excerpt": ident, "trust": trust, "session": session, "time": AT}
        )
        return ident

    def candidate(self, ident: str, statement: str, **fields: Any) -> str:
        fields.setdefault("scope", {"type": "project"})
        fields.setdefault("evidence", [self.evidence(f"ev_{ident}")])
        made = Candidate(id=ident, statement=statement, created_at=self.at, updated_at=self.at, **fields)
        return self.put("inbox/candidates.jsonl", ident, dump(made))

    def record(self, ident: str, statement: str, **fields: Any) -> str:
        fields.setdefault("scope", {"type": "project", "project": SHOP})
        fields.setdefault("confidence", 0.8)
        made = Record(id=ident, statement=statement, created_at=self.at, updated_at=self.at, **fields)
        return self.put("memory/projects/shop-c566806a.jsonl", ident, dump(made), op="add")

    def patch(self, *ops: dict[str, Any], **fields: Any) -> Patch:
        """A hand-written patch made whole; ops without an id are numbered."""
        numbered = [{"op_id": f"op_{number:03}", **op} for number, op in enumerate(ops, start=1)]
        document = {"ops": numbered, **fields}
        return fill(self.state, parse_patch(document, clock=lambda: self.at, new_id=self.new_id))

    def plan(self, patch: Patch, *, select: list[str] | None = None, confirm: str | None = None) -> Plan:
        return plan(self.state, patch, select=select, confirm=confirm, at=self.at, new_id=self.new_id)

    def apply(self, *ops: dict[str, Any], confirm: str | None = None) -> Plan:
        """Plans all given ops as selected and takes the revisions into the state."""
        patch = self.patch(*ops)
        return self.commit(self.plan(patch, select=[op.op_id for op in patch.ops], confirm=confirm), patch)

    def commit(self, planned: Plan, patch: Patch) -> Plan:
        for revision in planned.revisions:
            self.take(revision.file, revision.data)
        self.log = {
            "patch_id": patch.patch_id,
            "phase": "applied",
            "receipts": [receipt.model_dump(mode="json") for receipt in planned.receipts],
        }
        return planned

    def undo(self) -> Plan:
        patch = fill(self.state, undo_patch(self.log, at=self.at, new_id=self.new_id))
        return self.commit(self.plan(patch), patch)

    def live(self) -> dict[str, Any]:
        """The content of everything that is there: no deleted records, lifted tombstones or undone candidates."""
        seen: dict[str, Any] = {}
        for table in (self.state.records, self.state.candidates, self.state.tombstones):
            for ident, versions in table.items():
                content = versions.head.content()
                if content.get("status") == "deleted" or content.get("lifted"):
                    continue
                seen[ident] = content
        return seen

    def now(self, ident: str) -> dict[str, Any]:
        """The present content of one record, candidate or tombstone."""
        for table in (self.state.records, self.state.candidates, self.state.tombstones):
            if ident in table:
                return table[ident].head.content()
        raise KeyError(ident)


def reasons(planned: Plan) -> list[str | None]:
    """The skip reason per op; None where it was applied."""
    return [receipt.reason for receipt in planned.receipts]


def made(planned: Plan, prefix: str = "mem") -> list[str]:
    """Ids of first revisions with a prefix, in order."""
    return [r.data["id"] for r in planned.revisions if r.data["rev"] == 1 and r.data["id"].startswith(prefix)]
