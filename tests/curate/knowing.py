"""Stores for tests of knowledge: lines in its logs, as a scan would have written them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from curate.recall.planner import plan
from curate.recall.request import Request
from store.index.knowledge import refreshed as knowledge_of
from store.index.refresh import refreshed
from store.knowledge.lines import DIGESTS, ENTITIES, FILES, OBSERVATIONS
from store.line import SCHEMA, canonical
from tests.curate.recalling import SHOP, TODAY

if TYPE_CHECKING:
    from curate.recall.planned import Plan

PROJECT = SHOP["project"]


def observation(ident: str, asked: str, **more: Any) -> dict[str, Any]:
    day = more.get("day", "2026-11-28")
    return {
        "id": ident, "time": f"{day}T10:00:00Z", "day": day, "agent": "codex", "session": f"s-{ident}",
        "project": PROJECT, "name": "shop", "asked": asked, "ended": "changed", "steps": 1, **more,
    }  # fmt: skip


def digest(ident: str, **more: Any) -> dict[str, Any]:
    return {
        "id": ident, "kind": "session", "agent": "codex", "session": f"s-{ident}", "day": "2026-11-28",
        "project": PROJECT, "name": "shop", "until": "2026-11-28T10:00:00Z", "turns": 3, "steps": 3, **more,
    }  # fmt: skip


def entity(ident: str, name: str, **more: Any) -> dict[str, Any]:
    return {"id": ident, "at": "2026-11-20T08:00:00Z", "kind": "component", "project": PROJECT, "name": name, **more}


def know(root: Path, tier: str, *items: dict[str, Any]) -> Path:
    """Append lines to the log of a tier; gives the root."""
    path = root / FILES[tier]
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as file:
        for item in items:
            file.write(canonical({"schema": SCHEMA, **item}) + b"\n")
    return root


def furnished(root: Path) -> Path:
    """A store that knows something of each tier."""
    know(root, OBSERVATIONS, observation("obs_a", "Make the invoice parser accept empty vouchers", files=["src/p.ts"]))
    know(root, DIGESTS, digest("dig_a", asked=["rework the invoice parser"], decisions=["The parser keeps cents."]))
    return know(root, ENTITIES, entity("ent_a", "invoices", path="src/invoices", description="The invoice parser."))


def told(store: Path, /, prompt: str, **request: Any) -> Plan:
    """What a turn in the shop gets in the layout `knowledge`."""
    db, knowledge = refreshed(store), knowledge_of(store)
    try:
        given = {"project": PROJECT, "today": TODAY, "layout": "knowledge", "knowledge": knowledge, **request}
        return plan(db, Request(prompt, **given))
    finally:
        db.close()
        knowledge.close()
