"""Stores for tests of recall: records as lines in their files, and one turn planned on them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from curate.recall.planner import plan
from curate.recall.request import Request
from store.index.refresh import refreshed
from store.layout import record_file
from store.line import SCHEMA, canonical

if TYPE_CHECKING:
    from curate.recall.planned import Plan

AT = "2026-11-20T08:00:00.000Z"
TODAY = "2026-11-29"
SHOP = {"type": "project", "project": "github.com/acme/shop"}


def line(record: dict[str, Any], **envelope: Any) -> bytes:
    """The first revision of a record."""
    data = {"schema": SCHEMA, "id": record["id"], "rev": 1, "op": "add", "at": AT, "scope": SHOP, **envelope, **record}
    return canonical({**data, "created_at": data.get("created_at", AT), "updated_at": data.get("updated_at", AT)})


def add(root: Path, *records: dict[str, Any]) -> Path:
    """Append records to their files; gives the root."""
    for record in records:
        path = root / record_file({"scope": SHOP, **record}, {})
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("ab") as file:
            file.write(line(record) + b"\n")
    return root


def planned(store: Path, /, prompt: str, **request: Any) -> Plan:
    """What a turn in the shop gets."""
    db = refreshed(store)
    try:
        return plan(db, Request(prompt, **{"project": SHOP["project"], "today": TODAY, **request}))
    finally:
        db.close()


def reasons(answer: Plan) -> dict[str, list[str]]:
    """Every reason that some stage gave for leaving a record out."""
    found: dict[str, list[str]] = {}
    for stage in answer.document()["traces"]:
        for ident, reason in stage["exclusion_reasons"].items():
            found.setdefault(ident, []).append(f"{stage['processor']}: {reason}")
    return found


def checkout(folder: Path, remote: str = "git@github.com:acme/shop.git") -> Path:
    """A repository with this remote, as far as telling its identity needs one."""
    git = folder / ".git"
    git.mkdir(parents=True)
    (git / "HEAD").write_text("ref: refs/heads/main\n")
    (git / "config").write_text(f'[remote "origin"]\n\turl = {remote}\n')
    return folder


CASES = [
    json.loads(each)
    for each in (Path(__file__).parent.parent / "data" / "recall" / "cases.jsonl").read_text("utf-8").splitlines()
]
"""A turn each: records, prompt, and what must and must not be in the block, with section or reason."""
