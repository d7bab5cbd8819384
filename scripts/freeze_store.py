"""Make a small store that has every kind of line, for tests/data/stores: python scripts/freeze_store.py FOLDER.

Run it once for each version of the form, before that version is left; a frozen store is never made anew.
"""

from __future__ import annotations

import itertools
import json
import shutil
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from curate.matching.recurrence import find  # noqa: E402
from curate.recall import journal  # noqa: E402
from curate.recall.planned import Entry, Plan  # noqa: E402
from store import notes  # noqa: E402
from store.captures import Capture, CaptureBatch  # noqa: E402
from store.log.fold import status  # noqa: E402
from store.model import Candidate, Evidence, Op, Patch, Project, Scope  # noqa: E402
from store.patch import purge_patch  # noqa: E402
from store.project.naming import file_stem  # noqa: E402
from store.store import Store  # noqa: E402

SHOP, SITE = "github.com/acme/shop", "github.com/acme/site"


class Made:
    """A store in which things happen, an hour apart."""

    def __init__(self, root: Path) -> None:
        self._numbers = itertools.count(1)
        self._hours = itertools.count(1)
        self.now = ""
        self.tick()
        self.store = Store.open(root, create=True, clock=lambda: self.now, new_id=self.new_id)

    def tick(self) -> str:
        """An hour later."""
        hour = next(self._hours)
        self.now = f"2026-11-{1 + hour // 24:02}T{hour % 24:02}:00:00.000Z"
        return self.now

    def new_id(self, prefix: str) -> str:
        """Ids in order."""
        return f"{prefix}_{next(self._numbers):026d}"

    def says(self, text: str, project: str | None = SHOP, **more: Any) -> str:
        """A person says something; the id of its candidate."""
        at = self.tick()
        targets = [project] if project else []
        evidence = Evidence(
            id=f"ev_{next(self._numbers):032d}", excerpt=text, statement_span=(0, len(text)), agent="claude-code",
            session=f"session-{at[8:10]}", turn=f"turn-{at[8:13]}", time=at, cwd="/home/ana/work/shop",
            projects=targets, path="/home/ana/.claude/projects/shop/1.jsonl", line=7, cues=[(0, 5)],
        )  # fmt: skip
        candidate = Candidate(
            id=self.new_id("cand"), statement=text, intent="project_convention", targets=targets, confidence=0.9,
            scope=Scope(type="project", project=project) if project else Scope(type="global"), evidence=[evidence.id],
            language="en", created_at=at, updated_at=at, **more,
        )  # fmt: skip
        projects = [
            Project(id=one, name=one.rpartition("/")[2], file=file_stem(one), created_at=at, updated_at=at,
                    paths=[f"/home/ana/work/{one.rpartition('/')[2]}"])
            for one in targets
        ]  # fmt: skip
        done = self.store.capture(CaptureBatch([Capture(candidate, [evidence])], projects), find)
        return done.ids[0]

    def does(self, op: str, target: str | None = None, candidates: tuple[str, ...] = (), confirm: str | None = None,
             **more: Any) -> str | None:  # fmt: skip
        """A person decides; the id of what came of it."""
        made = Op(op_id="op_001", op=op, target_id=target, candidate_ids=list(candidates), reason="decided", **more)
        patch = Patch(
            patch_id=self.new_id("pat"), created_at=self.tick(), generated_by="manual", summary=op, ops=[made]
        )
        done = self.store.apply(patch, select=["op_001"], confirm=confirm)
        assert all(receipt.applied for receipt in done.receipts), (op, done.receipts)
        return done.receipts[0].record_id if hasattr(done.receipts[0], "record_id") else None

    def approves(self, text: str, project: str | None = SHOP, **more: Any) -> str:
        """Said and approved; the id of the record."""
        before = set(self.store.state.records)
        ident = self.says(text, project)
        self.does("add", candidates=(ident,), **more)
        (record,) = set(self.store.state.records) - before
        return record


def fill(made: Made) -> None:
    """One of everything."""
    pnpm = made.approves("Never use npm in this repo, use pnpm")
    made.approves("Réponds en français 日本語でも 👍🏽", None, record={"rule_type": "preference"})
    paths = {"type": "project", "project": SHOP, "paths": ["packages/api/**"]}
    made.approves("Return problem+json from every handler", record={"scope": paths, "known_exceptions": ["webhooks"]})
    old = made.approves("Deploys go out on Fridays")
    made.does("supersede", old, (made.says("Deploys go out on Tuesdays, no longer on Fridays"),))
    gone = made.approves("Use tabs in Makefiles only")
    made.does("deprecate", gone)
    contested = made.approves("Squash before merging", SITE)
    made.does("contest", contested, (made.says("Keep every commit, never squash", SITE),))
    deleted = made.approves("Use the staging database for demos")
    made.does("delete", deleted)
    purged = made.approves("The customer is called Initech")
    made.store.apply(purge_patch([purged], at=made.tick(), new_id=made.new_id), select=["op_001"], confirm="purge")
    made.does("update", pnpm, updates={"tags": ["tooling"]}, base=None)
    made.does("pin", pnpm)
    made.store.undo()
    made.does("reject_candidate", made.says("Rename it to total for now"))
    made.does("defer_candidate", made.says("Write an ADR for each decision"), updates={"defer_until": "2027-01-01"})
    made.says("Run the linter before each commit")
    made.says("Run the linter before every commit")
    identity = {"layer": "L1", "statement": "Prefers plain prose", "review": {
        "change_condition": "asks for bullet points in two projects"}}  # fmt: skip
    made.does("add", record=identity, confirm="identity")
    notes.add_daily(made.store.root, "#decision keep JSON lines", at=made.tick(), project=SHOP)
    notes.add_item(made.store.root, "mend the importer")
    plan = Plan("governed", SHOP, "bytes", 14336)
    plan.entries, plan.block = [Entry(pnpm, 1, "Hard Rules", "", "x")], "# Persistent Intelligence Context\n"
    journal.write(str(made.store.root), plan, session="session-02", agent="claude-code", at=made.tick())


def fork(made: Made, ident: str, other: Path) -> None:
    """Two machines change one record, and git puts the lines of both together."""
    root = made.store.root
    shutil.copytree(root, other)
    elsewhere = Store.open(other, clock=lambda: made.now, new_id=made.new_id)
    for store, tag in ((made.store, "here"), (elsewhere, "there")):
        op = Op(op_id="op_001", op="update", target_id=ident, updates={"tags": [tag]}, reason="decided")
        patch = Patch(patch_id=made.new_id("pat"), created_at=made.tick(), generated_by="manual", summary=tag, ops=[op])
        assert store.apply(patch, select=["op_001"]).receipts[0].applied
    for path in sorted(other.rglob("*.jsonl")):
        own = root / path.relative_to(other)
        have = own.read_bytes().splitlines(keepends=True) if own.exists() else []
        own.write_bytes(
            b"".join([*have, *(line for line in path.read_bytes().splitlines(keepends=True) if line not in have)])
        )
    shutil.rmtree(other)
    made.store.refresh()
    made.store.materialise()


def summary(store: Store) -> dict[str, Any]:
    """What any later version must still see in it."""
    state = store.state
    return {
        "records": {
            one.id: [status(one), one.data.get("statement"), one.data.get("scope"), len(one.revisions)]
            for one in state.records.values()
        },
        "candidates": {
            one.id: [one.data.get("status", "waiting"), one.data.get("statement")] for one in state.candidates.values()
        },
        "tombstones": len(state.tombstones), "evidence": sorted(state.evidence), "projects": sorted(state.projects),
        "patches": [each["patch_id"] for each in store.history()],
    }  # fmt: skip


def main() -> int:
    """Make the store and what is expected of it."""
    target = Path(sys.argv[1])
    if target.exists():
        sys.exit(f"{target} is there already; a frozen store is never made anew")
    made = Made(target / "store")
    fill(made)
    fork(made, made.approves("Name branches after the ticket"), target / "other")
    problems = made.store.verify()
    assert not problems, problems
    for leftover in made.store.root.glob("store.lock*"):
        leftover.unlink()
    told = json.dumps(summary(made.store), ensure_ascii=False, indent=1, sort_keys=True)
    (target / "expected.json").write_text(told + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
