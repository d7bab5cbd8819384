"""A store whose inbox is filled by captures, for tests of the review."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

from curate.matching.recurrence import find
from store import ids
from store.captures import Capture, CaptureBatch, Captured
from store.model import Candidate, Evidence, Scope
from store.store import Store

SHOP = "github.com/acme/shop"
SITE = "github.com/acme/site"
TOOLS = "github.com/acme/tools"
NOW = "2026-11-29T12:00:00.000Z"


class Inbox:
    """Says things to a store, as capture would."""

    def __init__(self, root: Path) -> None:
        counter = itertools.count(1)
        self.store = Store.open(
            root, create=True, clock=lambda: NOW, new_id=lambda prefix: f"{prefix}_{next(counter):026d}"
        )
        self._number = itertools.count(1)

    def say(
        self, text: str, *, on: str = "2026-11-20", session: str = "s1", project: str | None = SHOP, **fields: Any
    ) -> Captured:
        """Capture one statement; `project=None` makes it global. Further fields are the candidate's."""
        number = next(self._number)
        targets = [project] if project else []
        trust = fields.get("trust", "direct_user_instruction")
        evidence = Evidence(
            id=ids.content_id("ev", text, session, on, str(number)), excerpt=text, statement_span=(0, len(text)),
            session=session, time=f"{on}T10:00:00Z" if "T" not in on else on, trust=trust, agent="claude-code",
            projects=targets,
        )  # fmt: skip
        scope = fields.pop("scope", None) or Scope(type="project" if project else "global")
        told = {"intent": "project_convention", "confidence": 0.9, "trust": trust, "targets": targets, **fields}
        candidate = Candidate(
            id=f"cand_{number:04}", statement=text, scope=scope, evidence=[evidence.id], created_at=NOW, updated_at=NOW,
            **told,
        )  # fmt: skip
        return self.store.capture(CaptureBatch([Capture(candidate, [evidence])]), find)

    def known(self, text: str, *, on: str = "2026-11-10", project: str | None = SHOP, **record: Any) -> str:
        """Say something and approve it; the id of the record."""
        before = set(self.store.state.records)
        self.say(text, on=on, session=f"approved {text}", project=project)
        candidate = next(
            versions.id for versions in self.store.state.waiting(NOW) if versions.data["statement"] == text
        )
        self.apply([{"op_id": "a", "op": "add", "candidate_ids": [candidate], "record": record or None}])
        (made,) = set(self.store.state.records) - before
        return made

    def apply(self, ops: list[dict[str, Any]]) -> None:
        """Apply ops, all of them."""
        from store.patch import parse_patch

        patch = parse_patch({"ops": ops})
        done = self.store.apply(patch, select=[op.op_id for op in patch.ops])
        assert all(receipt.applied for receipt in done.receipts), done.receipts
